"""Drawings of puzzles, written alone: one module a format, and the geometry they share."""
