"""Weaving and scaffolding, word by word."""
