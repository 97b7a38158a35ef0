"""LaTeX, written alone: a document for the package `cwpuzzle`, the solution on a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.drawing.paint import roman
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle import Part

if TYPE_CHECKING:
    from cpfill.formats.pages.style import Style
    from cpfill.puzzle import Puzzle

__all__ = ["KEEPS", "draw"]

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "#": r"\#",
        "$": r"\$",
        "%": r"\%",
        "&": r"\&",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        '"': r"\textquotedbl{}",
        "…": r"\dots{}",
    }
)
_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=2cm]{geometry}
\usepackage{multicol}
\usepackage[unboxed]{cwpuzzle}
\pagestyle{empty}
\setlength{\parindent}{0pt}"""


def draw(puzzle: Puzzle, style: Style) -> bytes:
    """Return the document."""
    lines = [_PREAMBLE, rf"\PuzzleUnitlength={min(20.0, 480 / puzzle.width, 640 / puzzle.height):.1f}pt"]
    if style.french:
        lines.append(rf"\renewcommand\PuzzleHook{{{_labels(puzzle)}}}")
    lines.append(r"\begin{document}")
    faces = style.faces(puzzle)
    for letters in faces:
        lines += [r"\newpage"] if letters and len(faces) > 1 else []
        lines += _face(puzzle, style, letters=letters)
    return ("\n".join([*lines, r"\end{document}"]) + "\n").encode()


def _face(puzzle: Puzzle, style: Style, *, letters: bool) -> list[str]:
    """Return the puzzle, or its solution."""
    heading = _escaped(style.heading(puzzle.metadata.get(Part.TITLE, ""), letters=letters))
    lines = [rf"\begin{{center}}\Large\bfseries {heading}\end{{center}}"] if heading else []
    if not letters:
        author = puzzle.metadata.get(Part.AUTHOR)
        lines += [rf"\begin{{center}}{_escaped(author)}\end{{center}}"] if author else []
        lines += [rf"{_escaped(line)}\par" for line in puzzle.metadata.get(Part.NOTES, "").split("\n") if line]
    lines += [r"\PuzzleSolution[true]" if letters else r"\PuzzleUnsolved", *_grid(puzzle, style)]
    lists = [] if letters else style.clue_lists(puzzle)
    if lists:
        lines += [r"\begin{multicols}{2}", r"\raggedright"]
        for name, clues in lists:
            lines.append(rf"\textbf{{{name}}}\par")
            lines += [rf"\textsf{{{label}}} {_escaped(text)}\par" for label, text in clues]
            lines.append(r"\medskip")
        lines.append(r"\end{multicols}")
    if not letters and puzzle.copyright_line:
        lines.append(rf"\begin{{center}}\footnotesize {_escaped(puzzle.copyright_line)}\end{{center}}")
    return lines


def _grid(puzzle: Puzzle, style: Style) -> list[str]:
    room = [r"\vspace{\PuzzleUnitlength}"] if style.french else []  # for the labels above
    lines = [*room, rf"\begin{{Puzzle}}{{{puzzle.width}}}{{{puzzle.height}}}"]
    for row in range(puzzle.height):
        cells = [_cell(puzzle, row * puzzle.width + column, style) for column in range(puzzle.width)]
        lines.append(" ".join([*(f"|{cell}" for cell in cells), "|."]))
    return [*lines, r"\end{Puzzle}"]


def _cell(puzzle: Puzzle, cell: int, style: Style) -> str:
    """Return a cell: its number, its looks (f frame, o circle, R and B bars), its answer."""
    answer = puzzle.cells[cell]
    if answer is None:
        return "{}" if cell in puzzle.voids else "*"
    number = puzzle.numbers.get(cell, "")
    right = puzzle.width > 1 and (cell, cell + 1) in puzzle.bars
    looks = ("o" if cell in puzzle.circles else "f") + "R" * right + "B" * ((cell, cell + puzzle.width) in puzzle.bars)
    # A second pair of braces: the package compares the first characters of what stands in the first.
    size = ("", r"\footnotesize ", r"\tiny ")[min(len(answer), 3) - 1]
    shown = f"{{{{{size}{_escaped(answer)}}}}}" if answer else "{ }"
    return f"[{'' if style.french else number}][{looks}]{shown}"


def _labels(puzzle: Puzzle) -> str:
    """Return the labels of the columns above the grid, and of the rows to its left."""
    columns = (rf"\put({column},{puzzle.height}){{\makebox(1,1){{{column + 1}}}}}" for column in range(puzzle.width))
    rows = (rf"\put(-1,{puzzle.height - 1 - row}){{\makebox(1,1){{{roman(row + 1)}}}}}" for row in range(puzzle.height))
    return "".join([*columns, *rows])


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
