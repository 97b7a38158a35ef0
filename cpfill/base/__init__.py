"""Modules that know nothing of crosswords."""
