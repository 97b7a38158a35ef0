"""Drawings of puzzles, written alone: their codecs, and the geometry that they share."""
