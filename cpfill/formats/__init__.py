"""What grids, puzzles and problems look like in files.

registry.py    every format, once: what its files hold, where its module stands
dialects/      grids as text, a module each: read and written
exchange/      puzzle files, a module each: read, written or both
pages/         drawings of puzzles, a module each
puzzles.py     a file -> Puzzle -> a file, in any format of these three
templates.py   a file, text, puzzle or size -> the grids to be filled
minizinc.py    a problem as data for the MiniZinc models
"""
