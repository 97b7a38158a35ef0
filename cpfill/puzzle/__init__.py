"""Puzzles as constructors know them."""
