"""Puzzles as their authors have them.

grid       Grid, Slot, SlotId, CellId, Crossing: cells, and the slots that are found in them
region     parts of a grid by name: 17-Across, NE
puzzle     Puzzle, PuzzlePart: all that files have of a puzzle
clues/     clues from files and dictionaries; clue cells
drawing/   a grid as shapes, for whatever draws
"""
