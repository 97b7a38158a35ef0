"""Criss-crosses: the answers checked by a reader of rows, their puzzles, sheets and files."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

import cpfill
from cpfill.base.errors import InputError, InvalidFillError
from cpfill.design.criss_cross import Arranged, Arrangement, Bounds, Placement
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits, Status
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions import generate
from cpfill.questions.criss_cross import find_strangers
from cpfill.questions.generate import CRISS_CROSS, BestSoFar, FoundGrid, Generate, Generated
from cpfill.questions.question import Desk

if TYPE_CHECKING:
    from collections.abc import Iterable

CLUES = {"coat": "It keeps you warm", "Tête": "Elle pense", "cat": "It purrs", "ice tea": "Cold; a drink"}
FOLDED = {"COAT", "TETE", "CAT", "ICETEA"}
QUICK = Limits(time_s=1)
RING = Arrangement(
    3,
    3,
    (
        Placement("ABC", 0, 0, Direction.ACROSS),
        Placement("DEF", 2, 0, Direction.ACROSS),
        Placement("AGD", 0, 0, Direction.DOWN),
        Placement("CHF", 0, 2, Direction.DOWN),
    ),
)
"""Four words around a hole."""


@pytest.fixture(scope="module")
def found() -> cpfill.CrissCross:
    return cpfill.arrange_words(CLUES, limits=QUICK)


def read_runs(rows: Iterable[str]) -> Counter[str]:
    """Return the runs of two letters or more, across and down."""
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    return Counter(run for line in lines for run in line.split("#") if len(run) > 1)


def hang_together(rows: list[str]) -> bool:
    """Return whether steps from letter to letter lead from any letter to any other."""
    left = {(row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "#"}
    todo = [left.pop()]
    while todo:
        row, column = todo.pop()
        near = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & left
        left -= near
        todo += near
    return not left


def test_each_word_stands_once_and_no_other(found: cpfill.CrissCross) -> None:
    assert found.laid is not None
    rows = found.laid.arrangement.rows
    assert read_runs(rows) == Counter(FOLDED)
    assert hang_together(rows)
    assert str(found) == "\n".join([*rows, found.laid.told])


def test_clues_stand_at_their_words(found: cpfill.CrissCross) -> None:
    puzzle = found.puzzle
    assert puzzle is not None
    fold = cpfill.Alphabet().fold
    assert {puzzle.answer(slot): puzzle.clue(slot) for slot in puzzle.slots} == {
        fold(word): clue for word, clue in CLUES.items()
    }


def test_a_mapping_of_words_may_lack_clues() -> None:
    found = cpfill.arrange_words({"coat": "Warm", "cat": ""}, limits=QUICK)
    assert found.puzzle is not None
    assert [*found.puzzle.clues.values()] == ["Warm"]


def test_words_alone_have_no_clues() -> None:
    found = cpfill.arrange_words(["coat", "cat"], limits=QUICK)
    assert found.puzzle is not None
    assert not found.puzzle.clues


def test_a_hole_is_drawn_and_the_outside_is_not() -> None:
    own = asked("abc", "def", "agd", "chf").own_words
    ring = own.make_puzzle(RING.grid(cpfill.Alphabet()), seed=0)
    assert not ring.voids
    opened = Arrangement(3, 3, RING.placements[:3])
    assert own.make_puzzle(opened.grid(cpfill.Alphabet()), seed=0).voids == {4, 5}


def test_strangers_are_named() -> None:
    assert "GIN, KIWI" in find_strangers(asked("cat", "gin", "coat", "kiwi", "tod").own_words.wanted)
    assert find_strangers(asked("cat", "gin", "tin").own_words.wanted) == ""
    found = cpfill.arrange_words(["cat", "dim"])
    assert (found.status, found.puzzle) == (Status.UNSATISFIABLE, None)
    assert any(word in str(found) for word in ("CAT", "DIM"))


def asked(*words: str, **more: object) -> Generate:
    return Generate(style=CRISS_CROSS, seed_words=words, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "more", "said"),
    [
        ([f"A{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}{chr(65 + n // 676)}" for n in range(2000)], {}, "1,000 words"),
        (["cat", "CAT"], {}, "CAT twice"),
        (["cat;-1"], {}, "'cat;-1'"),
        (["x" * 256], {}, "2 to 255 letters"),
        ([], {}, "--seed-words or --clues"),
        (["elephant"], {"size": (5, 6)}, "--most"),
        (["h2o"], {}, "the alphabet"),
    ],
)
def test_wrong_words_are_refused_in_one_line(words: list[str], more: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        asked(*words, **more).check()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_arrangement_with_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Arrangement(2, 3, (Placement("CAT", 0, 0, Direction.ACROSS), Placement("COT", 1, 0, Direction.ACROSS)))
    monkeypatch.setattr(generate, "arrange", lambda *_: iter([Arranged(wrong, Bounds(2, 0, 9))]))
    with pytest.raises(InvalidFillError):
        list(asked("cat", "cot").answer(Desk()))


@pytest.mark.parametrize(
    ("bounds", "most", "end"),
    [
        (Bounds(4, 0, 9), False, ""),
        (Bounds(4, 8, 9), False, "; no grid has fewer than 8 cells, proved"),
        (Bounds(4, 9, 9), False, ", the least possible, proved"),
        (Bounds(4, 9, 4), False, ", the best possible, proved"),
        (Bounds(5, 0, 9), True, "; no grid has a greater weight than 5 (this one 4), proved; not placed: KIWI"),
    ],
)
def test_the_bound_is_told(monkeypatch: pytest.MonkeyPatch, bounds: Bounds, end: str, *, most: bool) -> None:
    monkeypatch.setattr(generate, "arrange", lambda *_: iter([Arranged(RING, bounds)]))
    words = [each.word for each in RING.placements]
    count = "4 words"
    if most:
        words.append("kiwi")
        count = "4 of 5 words"
    _, last, _ = asked(*words, most=most).answer(Desk())
    assert isinstance(last, FoundGrid)
    record = json.loads(json.dumps(last.record))
    assert record["arrangement"]["told"] == f"{count} in 3x3 = 9 cells, 4 crossings{end}"
    assert record["arrangement"]["unplaced"] == ["KIWI"] * most


def pages(puzzle: cpfill.Puzzle, style: PageStyle) -> list[str]:
    reader = PdfReader(io.BytesIO(write_puzzle(puzzle, "pdf", style)[0]))
    return [page.extract_text() for page in reader.pages]


def test_a_sheet_has_clues_and_the_bank_and_then_the_solution(found: cpfill.CrissCross) -> None:
    assert found.puzzle is not None
    sheet, solution = pages(found.puzzle, PageStyle(word_bank=True))
    assert all(clue in sheet for clue in CLUES.values())
    assert sheet.split("Word bank")[1].split() == sorted(FOLDED)
    assert "Word bank" not in solution
    plain, _ = pages(found.puzzle, PageStyle())
    assert not FOLDED & set(re.findall("[A-Z]+", plain))


def test_a_french_page_has_french_words(found: cpfill.CrissCross) -> None:
    assert found.puzzle is not None
    page = write_puzzle(found.puzzle, "html", PageStyle(french=True, word_bank=True))[0].decode()
    assert "Mots à placer" in page
    assert "Word bank" not in page


def test_a_bank_has_no_incomplete_word(found: cpfill.CrissCross) -> None:
    assert found.puzzle is not None
    blank = replace(found.puzzle, cells=tuple(answer and "" for answer in found.puzzle.cells))
    assert PageStyle(word_bank=True).list_bank(blank) == []


@pytest.mark.parametrize("kind", ["ipuz", "xd", "puz", "exolve"])
def test_files_keep_words_and_clues(found: cpfill.CrissCross, kind: str) -> None:
    assert found.puzzle is not None
    data, told = write_puzzle(found.puzzle, kind)
    back = read_puzzle(data)
    assert (back.cells, back.clues) == (found.puzzle.cells, found.puzzle.clues)
    keeps = kind in {"ipuz", "xd"}
    assert back.voids == (found.puzzle.voids if keeps else frozenset())
    assert any("void" in line for line in told) != keeps


def test_a_player_has_voids_and_the_bank(found: cpfill.CrissCross) -> None:
    assert found.puzzle is not None
    style = PageStyle(layout=PageLayout.INTERACTIVE, word_bank=True)
    data, told = write_puzzle(found.puzzle, "html", style)
    (record,) = re.findall(r'getElementById\("player"\), (\{.*\})\);', data.decode())
    played = json.loads(record)
    assert played["bank"] == sorted(FOLDED)
    assert played["voids"] == sorted(found.puzzle.voids)
    assert not told
    assert PuzzlePart.VOIDS in found.puzzle.parts


def test_an_interrupt_keeps_the_best_so_far() -> None:
    words = ["coat", "tea", "taste", "east", "oats", "stoat", "stone", "nest"]
    parts = asked(*words, time_limit=60).answer(Desk())
    assert isinstance(next(parts), BestSoFar)
    grid = parts.throw(KeyboardInterrupt)
    assert isinstance(grid, FoundGrid)
    rows = [row.replace(".", "#") for row in str(grid.grid).split("\n")]
    assert read_runs(rows) == Counter(map(str.upper, words))
    end = next(parts)
    assert isinstance(end, Generated)
    assert (end.result.stop_reason, end.result.status) == (StopReason.INTERRUPTED, Status.SATISFIED)
    assert next(parts, None) is None


def test_a_token_stops_the_search() -> None:
    stop = cpfill.StopToken()
    parts = asked("coat", "tea", "taste", "east", "oats", "stoat", "stone", time_limit=60, stop=stop).answer(Desk())
    next(parts)
    stop.set()
    *_, end = parts
    assert isinstance(end, Generated)
    assert end.result.fills == 1
