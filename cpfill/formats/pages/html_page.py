"""HTML, written alone: a page without other files, whose solution is printed on a sheet of its own; or a player.

The player is a page to solve the puzzle on, in a browser.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import LANGUAGES, load_page, spoken
from cpfill.formats.pages.pictures import KEEPS, choose_cell, paint_styled
from cpfill.formats.pages.plan import EDGE, GUTTER, LEADING, plan_below
from cpfill.formats.pages.style import PageLayout, PageStyle, list_entries, list_figures
from cpfill.formats.registry import Codec
from cpfill.puzzle.drawing import SvgCanvas, draw_svg, measure_size
from cpfill.puzzle.parts import PuzzlePart

if TYPE_CHECKING:
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle

_SERIF = '"Source Serif 4", "Source Serif Pro", Charter, "Iowan Old Style", Georgia, "Times New Roman", serif'
_LOOK = f"""
body {{ font-family: {_SERIF}; line-height: 1.3; max-width: 60em; margin: 2em auto; padding: 0 1em; }}
h1 {{ font-size: 1.5em; margin: 0; }}
figure {{ margin: 1em 0; }}
figure svg {{ max-width: 100%; max-height: 90vh; height: auto; }}
.clues {{ columns: 18em; column-gap: 2em; }}
.clues h2 {{ font-size: 1.1em; margin: 0 0 0.3em; break-after: avoid; }}
.clues dl {{ margin: 0 0 1em; }}
.clues dl div {{ padding-left: calc(var(--label) + 0.5em); margin-bottom: 0.15em; break-inside: avoid; }}
.clues dt {{ float: left; margin-left: calc(-0.5em - var(--label)); width: var(--label); }}
.clues dt {{ font-weight: bold; text-align: right; }}
.clues dd {{ margin: 0; }}
.clues ul {{ list-style: none; margin: 0 0 1em; padding: 0; }}
.clues li:first-child {{ break-after: avoid; }}
section + section {{ margin-top: 4em; }}
footer {{ font-size: 0.85em; }}
"""
_MANUSCRIPT = """
.figures { float: right; text-align: right; }
.figures p, .free p { margin: 0; }
.free p { border-bottom: thin solid; width: 20em; height: 1.8em; }
figure { clear: both; text-align: center; padding-top: 1em; }
table { width: 100%; border-collapse: collapse; line-height: 2; }
caption { font-weight: bold; text-align: left; }
td { vertical-align: top; padding: 0; }
td:first-child { text-align: right; padding-right: 0.7em; width: 2.5em; }
td:last-child { text-align: right; padding-left: 2em; }
tr { break-inside: avoid; }
@media print { body { font-size: 11pt; } h1 { font-size: 11pt; text-align: left; } }
"""


def _draw(puzzle: Puzzle, style: PageStyle) -> tuple[bytes, list[str]]:
    """Return the page, and warnings."""
    if style.layout is PageLayout.INTERACTIVE:
        return _write_player(puzzle, style.list_bank(puzzle)), []
    words = style.words
    told: list[str] = []
    look = ""
    sections = []
    if style.layout is PageLayout.SUBMISSION:
        look = _MANUSCRIPT
        sections = _write_manuscript(puzzle, style)
    else:
        for letters in style.list_faces(puzzle):
            canvas = SvgCanvas()
            told = paint_styled(canvas, puzzle, style, letters=letters)  # the same for both faces
            grid = canvas.document(*measure_size(puzzle, choose_cell(style), labelled=style.labelled))
            sections.append(_write_face(puzzle, style, grid, letters=letters))
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{words.language}">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(style.write(puzzle, PuzzlePart.TITLE) or words.crossword)}</title>",
        f"<style>{_LOOK}{_look_on_paper(puzzle, style)}{look}</style>",
        "<body>",
    ]
    for section in sections:
        lines += ["<section>", *section, "</section>"]
    return ("\n".join([*lines, "</body>", "</html>"]) + "\n").encode(), told


def _look_on_paper(puzzle: Puzzle, style: PageStyle) -> str:
    """Return the style for print: planned like a page of PDF, but with all columns below the grid."""
    plan, high = plan_below(puzzle, style)
    return f"""@media print {{
  @page {{ size: {style.sheet.value}; margin: {EDGE}pt; }}
  body {{ max-width: none; margin: 0; padding: 0; font-size: {plan.size}pt; line-height: {LEADING}; }}
  h1 {{ font-size: 17pt; text-align: center; }}
  h1 ~ p {{ text-align: center; margin: 0; font-size: 10.5pt; }}
  figure {{ text-align: center; margin: {GUTTER / 2}pt 0 {GUTTER}pt; }}
  figure svg {{ width: auto; height: {high:.1f}pt; max-height: none; }}
  .clues {{ columns: {plan.columns}; column-gap: {GUTTER}pt; }}
  section + section {{ break-before: page; margin: 0; }}
}}
"""


def _write_face(puzzle: Puzzle, style: PageStyle, grid: str, *, letters: bool) -> list[str]:
    lines = _write_element("h1", style.write_heading(puzzle, letters=letters))
    if letters:
        return [*lines, f"<figure>{grid}</figure>"]
    for text in (style.write(puzzle, PuzzlePart.AUTHOR), *style.write_notes(puzzle)):
        lines += _write_element("p", text)
    lines += [f"<figure>{grid}</figure>", '<div class="clues">']
    for heading, clues in style.list_headed_clues(puzzle):
        widest = max(len(label) for label, _ in clues)
        lines.append(f"<h2>{heading}</h2>")
        if not widest:
            lines += ["<ul>", *(f"<li>{escape(word)}</li>" for _, word in clues), "</ul>"]
            continue
        lines.append(f'<dl style="--label: {widest + 0.2:g}ch">')
        lines += [f"<div><dt>{label}</dt><dd>{escape(text)}</dd></div>" for label, text in clues]
        lines.append("</dl>")
    lines.append("</div>")
    return lines + _write_element("footer", style.write_copyright(puzzle))


def _write_element(name: str, text: str) -> list[str]:
    """Return an element as a line, or no line for an empty text."""
    if text:
        return [f"<{name}>{escape(text)}</{name}>"]
    return []


def _write_manuscript(puzzle: Puzzle, style: PageStyle) -> list[list[str]]:
    """Return the page with the filled grid, and the lists of clues and answers."""
    first = _write_element("h1", style.write(puzzle, PuzzlePart.TITLE))
    first += ['<div class="figures">', *(f"<p>{figure}</p>" for figure in list_figures(puzzle)), "</div>"]
    author = escape(style.write(puzzle, PuzzlePart.AUTHOR))
    first += ['<div class="free">', f"<p>{author}</p>", *["<p></p>"] * 4, "</div>"]
    first.append(f"<figure>{draw_svg(puzzle, letters=True)}</figure>")
    lists = []
    for heading, entries in list_entries(puzzle, style):
        lists += ["<table>", f"<caption>{heading.upper()}</caption>"]
        for number, clue, answer in entries:
            lists.append(f"<tr><td>{escape(number)}</td><td>{escape(clue)}</td><td>{escape(answer)}</td></tr>")
        lists.append("</table>")
    return [first, lists]


PLAYER = Path(__file__).with_name("player")
PLAYER_FILES = ("player.js", "player.css")

_PREFIX = "player_"

_PLAYER_LOOK = """
:root { color-scheme: light dark; background: canvas; color: canvastext; }
body { font-family: system-ui, sans-serif; max-width: 75rem; margin: 1rem auto; padding: 0 1rem; }
"""
_PLAYER_START = """
const player = play(document.getElementById("player"), %s);
if (parent === window) player.focus(); // a frame takes no focus from the page around it
"""


def _write_player(puzzle: Puzzle, bank: list[str]) -> bytes:
    """Return the page to solve a puzzle on. Its source contains the answers."""
    title = puzzle.metadata.get(PuzzlePart.TITLE) or player_texts()["crossword"]
    code, look = ((PLAYER / name).read_text(encoding="utf-8") for name in PLAYER_FILES)
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{spoken()}">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{_PLAYER_LOOK}{look}</style>",
        '<main id="player"></main>',
        f'<script type="module">\n{code}{_PLAYER_START % write_record(puzzle, bank)}</script>',
        "</html>",
    ]
    return ("\n".join(lines) + "\n").encode()


def write_record(puzzle: Puzzle, bank: list[str]) -> str:
    """Return the record of a puzzle as JSON that may stand in a script of a page."""
    record = json.dumps(player_record(puzzle, bank), ensure_ascii=False)
    return record.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def player_record(puzzle: Puzzle, bank: list[str]) -> dict[str, Any]:
    """Return a puzzle as `player.js` takes it (`Play`): slots with clues, a word bank, the texts of the buttons."""
    heading = [puzzle.metadata.get(part) for part in (PuzzlePart.TITLE, PuzzlePart.AUTHOR)]
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "cells": list(puzzle.cells),
        "givens": sorted(puzzle.givens),
        "circles": sorted(puzzle.circles),
        "shades": {str(cell): colour for cell, colour in puzzle.shades.items()},
        "alternatives": {str(cell): letters for cell, letters in puzzle.alternatives.items()},
        "bars": [list(bar) for bar in sorted(puzzle.bars)],
        "voids": sorted(puzzle.voids),
        "labels": {str(cell): label for cell, label in puzzle.labels.items()},
        "slots": [_record_slot(puzzle, slot) for slot in puzzle.slots],
        "bank": bank,
        "heading": " · ".join(filter(None, heading)),
        "texts": player_texts(),
    }


def _record_slot(puzzle: Puzzle, slot: Slot) -> dict[str, Any]:
    return {
        "number": slot.number,
        "direction": str(slot.direction),
        "cells": list(slot.cells),
        "clue": puzzle.clues.get((slot.direction, slot.number), ""),
    }


def player_texts() -> dict[str, str]:
    """Return the texts of the player by name: the lines of the page that begin with `player_`."""
    language = LANGUAGES.index(spoken())
    lines = load_page()
    return {name.removeprefix(_PREFIX): lines[name][language] for name in lines if name.startswith(_PREFIX)}


HTML = Codec(KEEPS, draw=_draw)
