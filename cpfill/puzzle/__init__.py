"""Grids, slots and regions, clues, puzzles as files have them, and how they are drawn."""
