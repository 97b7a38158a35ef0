"""Puzzles of the page converted from and to files of any format; a word of the personal list; what cpfill can do."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import SCORE, FormatError, expected, quote_value
from cpfill.base.files import decode
from cpfill.base.reading import check_text
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.formats.dialects import parse_grids
from cpfill.formats.pages.style import Layout, PageStyle, Paper
from cpfill.formats.registry import (
    FORMATS,
    WRITABLE,
    Family,
    FileFormat,
    guess_format,
    read_puzzle,
    recognise,
    write_puzzle,
)
from cpfill.puzzle.clues.dictionaries import is_installed
from cpfill.puzzle.puzzle import IN_GRID, Puzzle
from cpfill.questions.generate import STYLES, Symmetry
from cpfill.questions.records import puzzle_record
from cpfill.questions.solvers import DATA_FORMATS, write_data
from cpfill.questions.stats import LANGUAGES
from cpfill.web.wire import check_object, parse_puzzle, parse_request
from cpfill.words.sources import personal_path, set_score
from cpfill.words.wordlist import PACKAGED, format_decimal

if TYPE_CHECKING:
    from cpfill.web.memory import Memory

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".tex": "text/plain; charset=utf-8",
}

_SUFFIX = ".txt"
"""The media type of formats without their own."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file of a puzzle: its content, a name and a media type for it, and what the format had no place for."""

    data: bytes
    name: str
    media_type: str
    told: tuple[str, ...]


def read_file(data: bytes, name: str) -> dict[str, Any]:
    """Return the puzzle in a file of any format, or the first grid of a text in any dialect, and warnings."""
    kind = guess_format(name) or recognise(data)
    if FORMATS[kind].family is not Family.DIALECT:
        puzzle = read_puzzle(data, name, kind)
        return {"puzzle": puzzle_record(puzzle), "told": list(puzzle.unread)}
    _, grids = parse_grids(decode(data, name, FormatError), name=name)
    told = [say("the first of {grids} grids", grids=len(grids))] if len(grids) > 1 else []
    return {"puzzle": puzzle_record(Puzzle.of_grid(grids[0])), "told": told}


def convert(body: bytes, memory: Memory) -> Written:
    """Return the file of a puzzle in the requested format."""
    given = check_object(say("a conversion"), parse_object(body), ("puzzle", "to", "options", "name", "request"))
    if "puzzle" not in given:
        raise expected("a puzzle to convert", say("none"))
    puzzle = parse_puzzle(given["puzzle"])
    to = check_text(say("a format"), "to", given.get("to"))
    stem = PurePath(check_text(say("a name"), "name", given.get("name", "puzzle"))).stem or "puzzle"
    if to in DATA_FORMATS:
        lists = memory.lists
        problem = memory.pose(parse_request(given.get("request", {}), puzzle, lists.find, lists.find_personal))
        data, told = write_data(problem, to).encode(), puzzle.tell_losses(puzzle.keep(IN_GRID))
    else:
        data, told = write_puzzle(puzzle, to, _style(given.get("options", {})))
    suffixes = DATA_FORMATS[to].suffixes if to in DATA_FORMATS else FORMATS[to].suffixes
    suffix = (*suffixes, _SUFFIX)[0]
    return Written(data, f"{stem}{suffix}", _MEDIA_TYPES.get(suffix, "application/octet-stream"), tuple(told))


def _style(value: object) -> PageStyle | None:
    """Return the style of a drawing; `None` if the request has none."""
    options = dict(check_object("options", value, ("solution", "french", "paper", "layout")))
    if "solution" in options:
        options["letters"] = options.pop("solution")
    style = PageStyle(**{name: one for name, one in options.items() if one is not None})
    return None if style == PageStyle() else style


def _describe_drawing(one: FileFormat) -> dict[str, list[str]]:
    """Return the papers and layouts that a drawing can have."""
    return {
        "papers": list(Paper) if one.has_pages else [],
        "layouts": [layout for layout in Layout if layout in one.layouts],
    }


def change_score(body: bytes) -> dict[str, Any]:
    """Give a word a score in the personal list, or ban it, and return what is to be told."""
    given = check_object(say("a change"), parse_object(body), ("ban", "rescore", "score", "alphabet"))
    if ("ban" in given) == ("rescore" in given) or ("rescore" in given) != ("score" in given):
        raise expected("a word to ban, or one to rescore and its score", ", ".join(given) or say("nothing"))
    word = check_text(say("a word"), "word", given.get("ban", given.get("rescore")))
    if not word.isprintable():
        raise expected("a word that can be written", quote_value(word))
    score = given.get("score", 0)
    SCORE.check(score, "score")
    alphabet = Alphabet.named(check_text(say("a name"), "alphabet", given.get("alphabet", "latin")))
    path = set_score(word, float(score), alphabet=alphabet)
    said = say("is banned") if "ban" in given else say("scores {value}", value=format_decimal(float(score)))
    return {"told": f"{path}: {word} {said}"}


def describe_program() -> dict[str, Any]:
    """Return what the program can do; it draws PNG if Pillow is installed."""
    lacking = set() if find_spec("PIL") and find_spec("PIL.ImageDraw") else {"png"}
    return {
        "lists": list(PACKAGED),
        "formats": [name for name in (*WRITABLE, *DATA_FORMATS) if name not in lacking],
        "drawings": {name: _describe_drawing(one) for name, one in FORMATS.items() if one.draws},
        "styles": {name: style.symmetry for name, style in STYLES.items()},
        "symmetries": list(Symmetry),
        "dictionaries": any(map(is_installed, LANGUAGES)),
        "personal": str(personal_path()),
    }
