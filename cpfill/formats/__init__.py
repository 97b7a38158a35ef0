"""The formats of files of grids, puzzles and problems."""
