"""HTML, written alone: one page that needs nothing else, the solution on a sheet of its own when it is printed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cpfill.drawing.svg import draw_svg
from cpfill.formats.pages.svg import KEEPS
from cpfill.puzzle import PuzzlePart

if TYPE_CHECKING:
    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle import Puzzle

__all__ = ["KEEPS", "draw"]

_LOOK = """
body { font-family: Helvetica, Arial, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; margin: 0; }
figure { margin: 1em 0; }
figure svg { max-width: 100%; max-height: 90vh; height: auto; }
.clues { columns: 18em; column-gap: 2em; }
.clues h2 { font-size: 1em; margin: 0 0 0.3em; break-after: avoid; }
.clues dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15em 0.5em; margin: 0 0 1em; }
.clues dt { font-weight: bold; text-align: right; }
.clues dd { margin: 0; }
footer { font-size: 0.85em; }
@media print {
  @page { size: A4; margin: 1.5cm; }
  body { max-width: none; margin: 0; padding: 0; font-size: 10pt; }
  figure svg { max-height: 14cm; max-width: 100%; }
  .clues { columns: 3; }
  .clues dl { display: block; }
  .clues dt { float: left; margin-right: 0.4em; clear: left; }
  section + section { break-before: page; }
}
"""


def draw(puzzle: Puzzle, style: PageStyle) -> bytes:
    """Return the page."""
    title = puzzle.metadata.get(PuzzlePart.TITLE, "")
    language = "fr" if style.french else "en"
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{language}">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title or 'Crossword')}</title>",
        f"<style>{_LOOK}</style>",
        "<body>",
    ]
    for letters in style.list_faces(puzzle):
        lines += ["<section>", *_write_section(puzzle, style, letters=letters), "</section>"]
    return ("\n".join([*lines, "</body>", "</html>"]) + "\n").encode()


def _write_section(puzzle: Puzzle, style: PageStyle, *, letters: bool) -> list[str]:
    """Return the puzzle, or its solution."""
    heading = style.heading(puzzle.metadata.get(PuzzlePart.TITLE, ""), letters=letters)
    lines = [f"<h1>{escape(heading)}</h1>"] if heading else []
    if not letters:
        lines += (
            [f"<p>{escape(puzzle.metadata[PuzzlePart.AUTHOR])}</p>"] if PuzzlePart.AUTHOR in puzzle.metadata else []
        )
        lines += [f"<p>{escape(line)}</p>" for line in puzzle.metadata.get(PuzzlePart.NOTES, "").split("\n") if line]
    lines.append(f"<figure>{draw_svg(puzzle, letters=letters, labelled=style.french)}</figure>")
    if not letters:
        lines.append('<div class="clues">')
        for heading, clues in style.list_headed_clues(puzzle):
            lines += [f"<h2>{heading}</h2>", "<dl>"]
            lines += [f"<dt>{label}</dt><dd>{escape(text)}</dd>" for label, text in clues]
            lines.append("</dl>")
        lines.append("</div>")
        lines += [f"<footer>{escape(puzzle.copyright_line)}</footer>"] if puzzle.copyright_line else []
    return lines
