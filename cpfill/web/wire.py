"""Puzzles and requests of the page: JSON objects, read strictly, and the records of a question."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_ANSWER, MAX_CLUES, MAX_SIDE, InputError, Range, expected, quote_value, unknown_name
from cpfill.base.reading import asked_fields
from cpfill.base.records import parse_object
from cpfill.base.texts import later, say
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import METADATA, PuzzlePart, find_colour
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import question_class
from cpfill.questions.request import FIELDS, Request, read_alphabet
from cpfill.words.sources import is_path, list_source
from cpfill.words.wordlist import PACKAGED, THEME_SCORE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Mapping

    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Bar, CellId
    from cpfill.puzzle.parts import ClueId
    from cpfill.questions.question import Question, Record
    from cpfill.web.memory import Memory
    from cpfill.words.wordlist import ListSource

T = TypeVar("T")

_SIDE = Range(1, MAX_SIDE)
_CLUE = re.compile(r"([0-9]{1,6})-(Across|Down)")
_KEYS = (
    *("height", "width", "cells", "givens", "bars", "circles", "shades", "labels", "voids", "letter_sets"),
    *("alternatives", "clues", "drafts", "metadata", "work"),
)
MAX_WORK = 1 << 17
"""Characters of the JSON that a page keeps with a puzzle; marks on each cell of the largest grid take as many."""
NEEDED = ("height", "width", "cells")
"""The keys that the record of a puzzle must have."""
_PARTS = {part.value: part for part in PuzzlePart if part in METADATA}

ASKED = tuple(name for name in FIELDS if name not in {"grid", "avoid", "dialect"})
"""The fields of a request that the page has: the grid is the puzzle, and fills to differ from come as rows."""


def encode(record: Mapping[str, Any]) -> bytes:
    """Return a record as JSON; half of a surrogate pair stays an escape."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")


def parse_puzzle(value: object) -> Puzzle:
    """Return the puzzle of a record of `puzzle_record`; only the sides and the cells are required."""
    record = check_object(say("a puzzle"), value, _KEYS)
    for key in NEEDED:
        if key not in record:
            without = say("one without {missing}", missing=key)
            raise expected("a puzzle with {needed}", without, needed=", ".join(NEEDED))
    height = record["height"]
    width = record["width"]
    _SIDE.check(height, "height")
    _SIDE.check(width, "width")
    count = height * width
    return Puzzle(
        height,
        width,
        _parse_cells(record["cells"], count),
        clues=_parse_clues(record.get("clues", {})),
        metadata=_parse_metadata(record.get("metadata", {})),
        bars=_parse_bars(record.get("bars", []), width, count),
        circles=frozenset(check_cells("circles", record.get("circles", []), count)),
        voids=frozenset(check_cells("voids", record.get("voids", []), count)),
        letter_sets=_parse_letter_sets(record.get("letter_sets", {}), count),
        givens=frozenset(check_cells("givens", record.get("givens", []), count)),
        shades=_parse_shades(record.get("shades", {}), count),
        labels=_parse_by_cell("labels", record.get("labels", {}), count),
        alternatives=_parse_alternatives(record.get("alternatives", {}), count),
        drafts=_parse_drafts(record.get("drafts", {})),
        work=_parse_work(record.get("work", {})),
    )


def parse_request(
    value: object,
    puzzle: Puzzle | None,
    find: Callable[[str], ListSource],
    find_personal: Callable[[], ListSource | None] = lambda: None,
) -> Request:
    """Return the fields of a request, by name, from a record with a question about a puzzle.

    `find` finds word lists; `find_personal` finds the personal list if the record does not name one.
    """
    record = dict(check_object(say("a request"), value, ASKED))
    theme = record.pop("theme", None)
    values = {"grid": puzzle, "dialect": "native"} | Request.read(record, find)
    if "personal" not in values:
        values["personal"] = find_personal()
    values["alphabet"] = read_alphabet("alphabet", values.get("alphabet", Alphabet()))
    if theme is not None:
        values["theme"] = _read_theme(theme, values["alphabet"], find)
    return Request(**values)


def _parse_cells(value: object, count: int) -> tuple[str | None, ...]:
    if not isinstance(value, list) or len(value) != count or not all(isinstance(cell, str | None) for cell in value):
        raise expected("{count} texts or nulls for cells", _describe(value), count=count)
    return tuple(value)


def _read_theme(value: object, alphabet: Alphabet, find: Callable[[str], ListSource]) -> tuple[ListSource, ...]:
    """Return a theme from lists, by name, and words, which form one more list."""
    words: list[str] = []
    lists: list[ListSource] = []
    for given in check_list("theme", value):
        if not isinstance(given, str):
            raise expected("a word or a word list for theme", quote_value(given))
        if is_path(given) or given in PACKAGED:
            lists.append(find(given))
        else:
            words.append(given)
    if words:
        lists.append(list_source(words, alphabet, THEME_SCORE))
    return tuple(lists)


def check_object(what: str, value: object, keys: Collection[str]) -> Mapping[str, Any]:
    """Return a JSON object with only these keys."""
    if not isinstance(value, dict):
        raise expected("a JSON object for {what}", _describe(value), what=what)
    for key in value:
        if key not in keys:
            raise InputError(unknown_name(say("a key of {what}", what=what), key, keys))
    return value


def check_list(name: str, value: object) -> list[Any]:
    """Return a JSON array."""
    if not isinstance(value, list):
        raise expected("an array for {name}", _describe(value), name=name)
    return value


def check_cells(name: str, value: object, count: int) -> list[CellId]:
    """Return cells by their numbers, in a grid of `count` cells."""
    within = Range(0, count - 1, later("the number of a cell"))
    cells = check_list(name, value)
    for cell in cells:
        within.check(cell, name)
    return cells


def _parse_bars(value: object, width: int, count: int) -> frozenset[Bar]:
    bars = set()
    for bar in check_list("bars", value):
        one = other = 0
        if isinstance(bar, list) and len(bar) == 2:
            one, other = check_cells("a bar", bar, count)
        to_the_right = other == one + 1 and other % width != 0
        if not (to_the_right or other == one + width):
            raise expected("a bar: a cell and the one to its right or below it", quote_value(bar))
        bars.add((one, other))
    return frozenset(bars)


def _parse_by_cell(name: str, value: object, count: int) -> dict[CellId, str]:
    return _read_cells(name, _check_texts(name, value), count)


def _parse_alternatives(value: object, count: int) -> dict[CellId, tuple[str, ...]]:
    return _read_cells("alternatives", _check_arrays("alternatives", value), count)


def _read_cells(name: str, texts: Mapping[str, T], count: int) -> dict[CellId, T]:
    read = {}
    for key, text in texts.items():
        cell = Range(0, count - 1).read(key)
        if cell is None:
            raise expected("the number of a cell for {name}", quote_value(key), name=name)
        read[cell] = text
    return read


def _parse_shades(value: object, count: int) -> dict[CellId, str]:
    shades = _parse_by_cell("shades", value, count)
    for colour in shades.values():
        if find_colour(colour) is None:
            raise expected("a colour such as #d3d3d3 for shades", quote_value(colour))
    return shades


def _parse_letter_sets(value: object, count: int) -> dict[CellId, str]:
    sets = _parse_by_cell("letter_sets", value, count)
    for letters in sets.values():
        if not letters.isalpha() or len(letters) > MAX_ANSWER:
            raise expected("1 to {most} letters for letter_sets", quote_value(letters), most=MAX_ANSWER)
    return sets


def _parse_clues(value: object) -> dict[ClueId, str]:
    return {_parse_slot("clues", key): text for key, text in _check_texts("clues", value, MAX_CLUES).items()}


def _parse_work(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise expected("a JSON object for {what}", _describe(value), what="work")
    size = len(json.dumps(value))
    if size > MAX_WORK:
        raise expected("at most {most} characters for work", str(size), most=MAX_WORK)
    return value


def _parse_drafts(value: object) -> dict[ClueId, tuple[str, ...]]:
    drafts = {_parse_slot("drafts", key): texts for key, texts in _check_arrays("drafts", value).items()}
    count = sum(map(len, drafts.values()))
    if count > MAX_CLUES:
        raise expected("at most {most} drafts", str(count), most=MAX_CLUES)
    return drafts


def _check_arrays(name: str, value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise expected("an object of arrays for {name}", _describe(value), name=name)
    arrays = {key: tuple(check_list(name, texts)) for key, texts in value.items()}
    if not all(isinstance(text, str) for text in chain.from_iterable(arrays.values())):
        raise expected("arrays of texts for {name}", say("something else"), name=name)
    return arrays


def _parse_slot(name: str, key: str) -> ClueId:
    match = _CLUE.fullmatch(key)
    if match is None:
        raise expected("a slot such as 17-Across for {name}", quote_value(key), name=name)
    return Direction(match[2]), int(match[1])


def _parse_metadata(value: object) -> dict[PuzzlePart, str]:
    record = _check_texts("metadata", value)
    check_object("metadata", record, _PARTS)
    return {_PARTS[key]: text for key, text in record.items() if text}


def _check_texts(name: str, value: object, most: int = MAX_CLUES) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise expected("an object of texts for {name}", _describe(value), name=name)
    if len(value) > most:
        raise expected("at most {most} {name}", str(len(value)), most=most, name=name)
    return value


def _describe(value: object) -> str:
    if isinstance(value, list):
        return say("an array of {n}", n=len(value))
    if isinstance(value, dict):
        return say("an object of something else")
    return quote_value(value)


SECONDS = Range(0, 600, later("seconds"), whole=False)
"""The time that a question may take; `USUAL_S` is the default."""

USUAL_S = 10.0

OF_NO_PUZZLE = {"generate", "clues", "heatmap"}
"""The questions that need no puzzle."""

_OWN = {"time_limit", "options", "workers"}
"""Fields that a page may not set: its time is `seconds`, and engine options name files and machines."""


def own_fields(asks: type[Question]) -> set[str]:
    """Return the keys of the JSON of a question."""
    return {*asked_fields(asks), "puzzle", "request", "seconds"} - _OWN


def begin(name: str, body: bytes, memory: Memory) -> Callable[[Limits], Generator[Record]]:
    """Return a function that begins a question with the fields sent; its first step raises their faults."""

    def ask(limits: Limits) -> Generator[Record]:
        asks = question_class(name)
        given = dict(check_object(say("the question"), parse_object(body), own_fields(asks)))
        seconds = given.pop("seconds", USUAL_S)
        SECONDS.check(seconds, "seconds")
        if name not in OF_NO_PUZZLE and "puzzle" not in given:
            raise expected("a puzzle to ask about", say("none"))
        puzzle = parse_puzzle(given.pop("puzzle")) if "puzzle" in given else None
        lists = memory.lists
        request = parse_request(given.pop("request", {}), puzzle, lists.find, lists.find_personal)
        said = {name: value for name, value in {**asks.USUAL, **given}.items() if value is not None}
        question = asks(request=request, stop=limits.stop, time_limit=float(seconds), **said)
        yield from question.records(memory)

    return ask
