"""What grids, puzzles and problems look like in files."""
