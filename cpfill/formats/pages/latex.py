"""LaTeX, written alone: a document for the package `cwpuzzle`, the solution on a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.formats.pages.pictures import KEEPS
from cpfill.formats.pages.plan import GUTTER, LEADING, Plan, plan_below
from cpfill.formats.registry import Codec
from cpfill.puzzle.drawing import FRAME, frame, lighten, split_colour, write_roman
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart

if TYPE_CHECKING:
    from cpfill.formats.pages.style import PageStyle


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
    if copyright_ := style.write_copyright(puzzle):
        foot = rf"\parbox{{\textwidth}}{{\centering\footnotesize {_escape(copyright_)}}}"
        lines.append(rf"\makeatletter\def\@oddfoot{{{foot}}}\makeatother")
    lines.append(r"\begin{document}")
    list_faces = style.list_faces(puzzle)
    for letters in list_faces:
        lines += [r"\newpage"] if letters and len(list_faces) > 1 else []
        lines += _write_face(puzzle, style, plan, letters=letters)
    return ("\n".join([*lines, r"\end{document}"]) + "\n").encode(), []


def _number_shades(puzzle: Puzzle) -> dict[str, int]:
    """Return a digit for each colour: looks have names of one character, so that colours from the tenth on share it."""
    return {colour: min(index, 9) for index, colour in enumerate(sorted(set(puzzle.shades.values())))}


def _define_shades(digits: dict[str, int]) -> list[str]:
    """Return the looks that are the shades of cells."""
    lines = []
    for digit, colour in {digit: colour for colour, digit in digits.items()}.items():
        parts = ",".join(f"{part:.3f}" for part in split_colour(lighten(colour)))
        lines.append(
            rf"\definecolor{{shade{digit}}}{{rgb}}{{{parts}}}\PuzzleDefineColorCell{{{digit}}}{{shade{digit}}}"
        )
    return lines


def _write_face(puzzle: Puzzle, style: PageStyle, plan: Plan, *, letters: bool) -> list[str]:
    heading = _escape(style.write_heading(puzzle, letters=letters))
    lines = [rf"{{\centering\Large\bfseries {heading}\par}}"] if heading else []
    if not letters:
        author = style.write(puzzle, PuzzlePart.AUTHOR)
        lines += [rf"{{\centering {_escape(author)}\par}}"] if author else []
        lines += [rf"{_escape(line)}\par" for line in style.write_notes(puzzle)]
    lines += [r"\bigskip"] if lines else []
    labels, givens = _write_labels(puzzle) if style.french else "", "" if letters else _write_givens(puzzle)
    lines.append(rf"\def\PuzzleHook{{{_write_frame(puzzle)}{labels}{givens}}}")  # what the package draws over the grid
    lines += [r"\PuzzleSolution[true]" if letters else r"\PuzzleUnsolved", *_write_grid(puzzle, style)]
    lists = [] if letters else style.list_headed_clues(puzzle)
    if lists:
        lines.append(rf"\columnsep={GUTTER:g}pt\begin{{multicols}}{{{plan.columns}}}")
        lines.append(rf"\fontsize{{{plan.size:g}}}{{{LEADING * plan.size:.2f}}}\selectfont")
        lines.append(r"\raggedright\raggedcolumns\interlinepenalty=10000")
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
    room = [r"\vspace{\PuzzleUnitlength}"] if style.french else []  # for the labels above
    lines = [*room, rf"\begin{{Puzzle}}{{{puzzle.width}}}{{{puzzle.height}}}"]
    for row in range(puzzle.height):
        cells = [_write_cell(puzzle, row * puzzle.width + column, digits, style) for column in range(puzzle.width)]
        lines.append(" ".join([*(f"|{cell}" for cell in cells), "|."]))
    return [*lines, r"\end{Puzzle}"]


def _write_cell(puzzle: Puzzle, cell: int, digits: dict[str, int], style: PageStyle) -> str:
    """Return a cell: number or label, looks (a digit shade, f frame, o and c circle whole, cut, RBLT bars), answer."""
    answer = puzzle.cells[cell]
    if answer is None:
        return "{}" if cell in puzzle.voids else "*"
    caption = "" if style.french else _escape(puzzle.captions.get(cell, ""))
    frame = ("c" if caption else "o") if cell in puzzle.circles else "f"
    right = puzzle.width > 1 and (cell, cell + 1) in puzzle.bars
    shade = str(digits[puzzle.shades[cell]]) if cell in puzzle.shades else ""
    looks = shade + frame + "R" * right + "B" * ((cell, cell + puzzle.width) in puzzle.bars)
    if shade:  # which covers half of the bars that the cells before it drew
        looks += "L" * (puzzle.width > 1 and (cell - 1, cell) in puzzle.bars)
        looks += "T" * ((cell - puzzle.width, cell) in puzzle.bars)
    # A second pair of braces: the package compares the first characters of what stands in the first.
    return f"[{caption}][{looks}]{f'{{{{{_escape(answer)}}}}}' if answer else '{ }'}"


def _write_frame(puzzle: Puzzle) -> str:
    """Return the lines of the frame, those from left to right long enough to fill the corners."""
    lines = [rf"\linethickness{{{FRAME}\unitlength}}"]
    for (left, top), (right, bottom) in frame(puzzle):
        if top == bottom:
            at, line = left - FRAME / 2, rf"\line(1,0){{{right - left + FRAME:g}}}"
        else:
            at, line = left, rf"\line(0,1){{{bottom - top}}}"
        lines.append(rf"\put({at:g},{puzzle.height - bottom}){{{line}}}")
    return "".join(lines)


def _write_labels(puzzle: Puzzle) -> str:
    """Return the labels of the columns above the grid, and of the rows to its left."""
    columns = (rf"\put({column},{puzzle.height}){{\makebox(1,1){{{column + 1}}}}}" for column in range(puzzle.width))
    rows = (
        rf"\put(-1,{puzzle.height - 1 - row}){{\makebox(1,1){{{write_roman(row + 1)}}}}}"
        for row in range(puzzle.height)
    )
    return "".join([*columns, *rows])


def _write_givens(puzzle: Puzzle) -> str:
    """Return the letters that stand in the blank grid."""
    return "".join(
        rf"\put({cell % puzzle.width},{puzzle.height - 1 - cell // puzzle.width})"
        rf"{{\PuzzleFont\PuzzleSolutionContent{{{_escape(puzzle.cells[cell] or '')}}}}}"
        for cell in sorted(puzzle.givens)
    )


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


LATEX = Codec(KEEPS, draw=_draw)
