"""LaTeX, written alone: a document for the package `cwpuzzle`, the solution on a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.formats.pages.pictures import KEEPS
from cpfill.formats.pages.plan import GUTTER, LEADING, PagePlan, plan_below
from cpfill.formats.registry import Codec
from cpfill.puzzle.drawing import FRAME, frame, lighten, show_answer, split_colour, write_roman
from cpfill.puzzle.grid import split_rows
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.pages.style import HeadedClues, PageStyle
    from cpfill.puzzle.puzzle import Puzzle


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
_PREAMBLE = r"""\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\DeclareUnicodeCharacter{202F}{\,}
\DeclareUnicodeCharacter{200C}{}
\DeclareUnicodeCharacter{200D}{}
\usepackage[margin=40pt,footskip=24pt]{geometry}
\usepackage{graphicx}
\usepackage{color}
\usepackage{multicol}
\usepackage[unboxed]{cwpuzzle}
\pagestyle{empty}
\setlength{\parindent}{0pt}
% the package would take letters with accents apart for upper case, and let long answers run over
\newsavebox\Answer
\renewcommand\PuzzleSolutionContent[1]{\makebox(1,1){\sbox\Answer{#1}%
  \ifdim\wd\Answer>.9\PuzzleUnitlength\resizebox{.9\PuzzleUnitlength}{!}{\usebox\Answer}\else\usebox\Answer\fi}}
% a cell with a circle that leaves the corner with the number open
\PuzzleDefineCell{c}{{\put(#1,#2){\framebox(1,1){}}\put(\the#1.5,\the#2.5){\oval(1,1)[r]\oval(1,1)[bl]}}}"""


def _draw(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the document, and no warnings."""
    document = rf"\documentclass[10pt,{style.sheet.value}paper]{{article}}"
    plan, _ = plan_below(puzzle, style)
    lines = [r"\RequirePackage{fix-cm}", document, _PREAMBLE, *_define_shades(_number_shades(puzzle))]
    lines.append(rf"\PuzzleUnitlength={plan.cell:.1f}pt")
    copyright_ = style.write_copyright(puzzle)
    if copyright_:
        foot = rf"\parbox{{\textwidth}}{{\centering\footnotesize {_escape(copyright_)}}}"
        lines.append(rf"\makeatletter\def\@oddfoot{{{foot}}}\makeatother")
    lines.append(r"\begin{document}")
    for index, letters in enumerate(style.list_faces(puzzle)):
        if index:
            lines.append(r"\newpage")
        lines += _write_face(puzzle, style, plan, letters=letters)
    lines.append("\\end{document}\n")
    return "\n".join(lines).encode(), []


def _number_shades(puzzle: Puzzle) -> dict[str, int]:
    """Return a digit for each colour: looks have names of one character, so that colours from the tenth on share it."""
    return {colour: min(index, 9) for index, colour in enumerate(sorted(set(puzzle.shades.values())))}


def _define_shades(digits: dict[str, int]) -> list[str]:
    """Return the looks that are the shades of cells."""
    colours = {digit: colour for colour, digit in digits.items()}
    lines = []
    for digit, colour in colours.items():
        name = f"shade{digit}"
        parts = ",".join(f"{part:.3f}" for part in split_colour(lighten(colour)))
        lines.append(rf"\definecolor{{{name}}}{{rgb}}{{{parts}}}\PuzzleDefineColorCell{{{digit}}}{{{name}}}")
    return lines


def _write_face(puzzle: Puzzle, style: PageStyle, plan: PagePlan, *, letters: bool) -> list[str]:
    lines = _write_head(puzzle, style, letters=letters)
    if lines:
        lines.append(r"\bigskip")
    over = _write_frame(puzzle)
    if style.french:
        over += _write_labels(puzzle)
    if not letters:
        over += _write_givens(puzzle)
    lines.append(rf"\def\PuzzleHook{{{over}}}")  # the package draws this over the grid
    lines.append(r"\PuzzleSolution[true]" if letters else r"\PuzzleUnsolved")
    lines += _write_grid(puzzle, style)
    if not letters:
        lines += _write_clues(style.list_headed_clues(puzzle), plan)
    return lines


def _write_head(puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:
    """Return the heading; over the blank grid the author and the notes, too."""
    lines = []
    heading = style.write_heading(puzzle, letters=letters)
    if heading:
        lines.append(rf"{{\centering\Large\bfseries {_escape(heading)}\par}}")
    if letters:
        return lines
    author = style.write(puzzle, PuzzlePart.AUTHOR)
    if author:
        lines.append(rf"{{\centering {_escape(author)}\par}}")
    lines += [rf"{_escape(line)}\par" for line in style.write_notes(puzzle)]
    return lines


def _write_clues(lists: Sequence[HeadedClues], plan: PagePlan) -> list[str]:
    if not lists:
        return []
    lines = [
        rf"\columnsep={GUTTER:g}pt\begin{{multicols}}{{{plan.columns}}}",
        rf"\fontsize{{{plan.size:g}}}{{{LEADING * plan.size:.2f}}}\selectfont",
        r"\raggedright\raggedcolumns\interlinepenalty=10000",
    ]
    for name, clues in lists:
        room = 0.5 * max(len(label) for label, _ in clues) + 0.7
        lines.append(rf"\textbf{{{name}}}\par\nopagebreak")
        lines.append(rf"\def\Clue#1{{\hangindent={room:g}em\makebox[{room:g}em][r]{{\bfseries #1\hskip.5em}}}}")
        lines += [rf"\Clue{{{_escape(label)}}}{_escape(text)}\par" for label, text in clues]
        lines.append(r"\medskip")
    lines.append(r"\end{multicols}")
    return lines


def _write_grid(puzzle: Puzzle, style: PageStyle) -> list[str]:
    digits = _number_shades(puzzle)
    lines = []
    if style.french:  # room for the labels above
        lines.append(r"\vspace{\PuzzleUnitlength}")
    lines.append(rf"\begin{{Puzzle}}{{{puzzle.width}}}{{{puzzle.height}}}")
    cells = [f"|{_write_cell(puzzle, cell, digits, style)}" for cell in range(len(puzzle.cells))]
    lines += [" ".join([*row, "|."]) for row in split_rows(cells, puzzle.width)]
    lines.append(r"\end{Puzzle}")
    return lines


def _write_cell(puzzle: Puzzle, cell: int, digits: dict[str, int], style: PageStyle) -> str:
    """Return a cell: number or label, looks and answer."""
    answer = puzzle.cells[cell]
    if answer is None:
        if cell in puzzle.voids:
            return "{}"
        return "*"
    caption = "" if style.french else _escape(puzzle.captions.get(cell, ""))
    looks = _write_looks(puzzle, cell, digits, captioned=bool(caption))
    if not answer:
        return f"[{caption}][{looks}]{{ }}"
    # A second pair of braces: the package compares the first characters of the text in the first.
    return f"[{caption}][{looks}]{{{{{_escape(show_answer(puzzle, cell))}}}}}"


def _write_looks(puzzle: Puzzle, cell: int, digits: dict[str, int], *, captioned: bool) -> str:
    """Return the looks of a cell: a digit for a shade, f for a frame, o or c for a circle, RBLT for bars."""
    is_shaded = cell in puzzle.shades
    looks = str(digits[puzzle.shades[cell]]) if is_shaded else ""
    if cell not in puzzle.circles:
        looks += "f"
    else:
        looks += "c" if captioned else "o"
    is_wide = puzzle.width > 1
    sides = {"R": is_wide and (cell, cell + 1) in puzzle.bars, "B": (cell, cell + puzzle.width) in puzzle.bars}
    if is_shaded:  # the shade covers half of the bars that the cells before it drew
        sides["L"] = is_wide and (cell - 1, cell) in puzzle.bars
        sides["T"] = (cell - puzzle.width, cell) in puzzle.bars
    return looks + "".join(side for side, is_barred in sides.items() if is_barred)


def _write_frame(puzzle: Puzzle) -> str:
    """Return the lines of the frame, those from left to right long enough to fill the corners."""
    lines = [rf"\linethickness{{{FRAME}\unitlength}}"]
    for (left, top), (right, bottom) in frame(puzzle):
        at = float(left)
        line = rf"\line(0,1){{{bottom - top}}}"
        if top == bottom:
            at -= FRAME / 2
            line = rf"\line(1,0){{{right - left + FRAME:g}}}"
        lines.append(rf"\put({at:g},{puzzle.height - bottom}){{{line}}}")
    return "".join(lines)


def _write_labels(puzzle: Puzzle) -> str:
    """Return the labels of the columns above the grid, and of the rows to its left."""
    labels = [_put_label(column, puzzle.height, f"{column + 1}") for column in range(puzzle.width)]
    labels += [_put_label(-1, puzzle.height - 1 - row, write_roman(row + 1)) for row in range(puzzle.height)]
    return "".join(labels)


def _put_label(x: int, y: int, label: str) -> str:
    return rf"\put({x},{y}){{\makebox(1,1){{{label}}}}}"


def _write_givens(puzzle: Puzzle) -> str:
    """Return the letters that stand in the blank grid."""
    parts = []
    for cell in sorted(puzzle.givens):
        row, column = divmod(cell, puzzle.width)
        answer = _escape(puzzle.cells[cell] or "")
        parts.append(rf"\put({column},{puzzle.height - 1 - row}){{\PuzzleFont\PuzzleSolutionContent{{{answer}}}}}")
    return "".join(parts)


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


LATEX = Codec(KEEPS, draw=_draw)
