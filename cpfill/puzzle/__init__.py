"""Puzzles as constructors know them.

grid       Grid, Slot, SlotId, CellId, Crossing: cells, and the slots they form
region     parts of a grid by name: 17-Across, NE
puzzle     Puzzle, PuzzlePart: everything that files store of a puzzle
clues/     clues from files and dictionaries; clue cells
drawing/   a grid as shapes, for any canvas
"""
