"""A puzzle to solve in a browser: one HTML file that asks no one for anything, its player within."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import LANGUAGES, load_page, spoken
from cpfill.puzzle.puzzle import PuzzlePart

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

FOLDER = Path(__file__).parent
FILES = ("player.js", "player.css")

_PREFIX = "player_"

_LOOK = "body { font-family: system-ui, sans-serif; max-width: 75rem; margin: 1rem auto; padding: 0 1rem; }"


def write(puzzle: Puzzle) -> bytes:
    """Return the page of a puzzle. Whoever looks for the answers finds them in it."""
    texts, title = player_texts(), puzzle.metadata.get(PuzzlePart.TITLE, "")
    record = json.dumps(player_record(puzzle), ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")
    code, look = ((FOLDER / name).read_text(encoding="utf-8") for name in FILES)
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{spoken()}">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title or texts['crossword'])}</title>",
        f"<style>\n{_LOOK}\n{look}</style>",
        '<main id="player"></main>',
        f'<script type="module">\n{code}\nplay(document.getElementById("player"), {record});\n</script>',
        "</html>",
    ]
    return ("\n".join(lines) + "\n").encode()


def player_record(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as `player.js` takes it (`Play`): its slots with their clues, and what its buttons say."""
    slots = [
        {
            "number": slot.number,
            "direction": str(slot.direction),
            "cells": list(slot.cells),
            "clue": puzzle.clues.get((slot.direction, slot.number), ""),
        }
        for slot in puzzle.slots
    ]
    author = puzzle.metadata.get(PuzzlePart.AUTHOR, "")
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "cells": list(puzzle.cells),
        "givens": sorted(puzzle.givens),
        "circles": sorted(puzzle.circles),
        "shades": {str(cell): colour for cell, colour in puzzle.shades.items()},
        "bars": [list(bar) for bar in sorted(puzzle.bars)],
        "slots": slots,
        "heading": " · ".join(filter(None, (puzzle.metadata.get(PuzzlePart.TITLE, ""), author))),
        "texts": player_texts(),
    }


def player_texts() -> dict[str, str]:
    """Return what the player says, by the names it knows: lines of the page that begin with `player_`."""
    language = LANGUAGES.index(spoken())
    lines = {name.removeprefix(_PREFIX): texts for name, texts in load_page().items() if name.startswith(_PREFIX)}
    return {name: texts[language] for name, texts in lines.items()}
