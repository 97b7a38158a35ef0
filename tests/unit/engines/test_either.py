"""Slots with several answers (C11), against all fills of small grids: a reading is a fill in which others stand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.base.errors import CpfillError, InputError, InvalidFillError, UnsupportedError
from cpfill.engines.audited import search, search_all, tally
from cpfill.formats.registry import write_puzzle
from cpfill.problem import either
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.generate import FoundGrid, Generate
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from tests.support import Question, question, rows_of, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.problem import Problem

Rows = tuple[str, ...]


def _list_words(seed: int, shares: dict[int, float]) -> dict[str, float]:
    chance = Random(seed)
    words = {}
    for length, share in shares.items():
        for letters in product("ABC", repeat=length):
            if chance.random() < share:
                words["".join(letters)] = float(chance.randrange(1, 9))
    return words


def _with(words: dict[str, float], *answers: str) -> dict[str, float]:
    return words | dict.fromkeys(answers, 9.0)


SQUARE = question("...", "...", "...", words=_with(_list_words(1, {3: 0.75}), "ABC", "BBC", "CBA", "ACA"))
SPARSE = question("...", "...", "...", words=_with(_list_words(2, {3: 0.6}), "ABC", "BBC", "CAB", "ACA"))
GIVEN = question("A..", "...", "..C", words=_with(_list_words(1, {3: 0.75}), "ABC", "BBC", "ACB"))
RING = question("....", ".##.", "....", words=_with(_list_words(3, {3: 0.5, 4: 0.3}), "ABCA", "BBCA"))
CROSS = question("..#..", ".....", "..#..", words=_list_words(3, {2: 0.8, 3: 0.4, 5: 0.1}), repeats=True)
LOW = replace(SQUARE, min_score=2.0)
DENSE = question("...", "...", "...", words=_with(_list_words(24, {3: 0.8}), "ABC", "ABB", "CBA", "CCA", "BBC", "ACA"))

ASKED: list[tuple[Question, list[str]]] = [
    (SQUARE, ["ABC/BBC"]),
    (SQUARE, ["BBC/ABC"]),
    (SQUARE, ["ABC/CBA"]),
    (SQUARE, ["ABC/BBC/CBA"]),
    (SQUARE, ["ABC/BBC", "CBA/ACA"]),
    (DENSE, ["ABC/ABB", "CBA/CCA"]),
    (DENSE, ["ABC/BBC/CBA"]),
    (SPARSE, ["ABC/BBC"]),
    (SPARSE, ["ABC/BAC"]),
    (SPARSE, ["ABC/ACA/CAB"]),
    (GIVEN, ["ABC/BBC"]),
    (GIVEN, ["ABC/ACB"]),
    (RING, ["ABCA/BBCA"]),
    (RING, ["ABC/BAC"]),
    (CROSS, ["AB/BA"]),
    (CROSS, ["AB/BB", "AC/CC"]),
    (LOW, ["ABC/BBC"]),
    (LOW, ["ABC/CBC"]),
]
NAMES = [f"{number} {' '.join(texts)}" for number, (_, texts) in enumerate(ASKED)]


def _runs(rows: Rows) -> Iterator[list[tuple[int, int]]]:
    """Yield the cells of each word."""
    across = [[(row, column) for column in range(len(rows[0]))] for row in range(len(rows))]
    down = [[(row, column) for row in range(len(rows))] for column in range(len(rows[0]))]
    for line in across + down:
        run_: list[tuple[int, int]] = []
        for row, column in [*line, (-1, -1)]:
            if row >= 0 and rows[row][column] != "#":
                run_.append((row, column))
                continue
            if len(run_) > 1:
                yield run_
            run_ = []


def _read(rows: Rows, run_: list[tuple[int, int]]) -> str:
    return "".join(rows[row][column] for row, column in run_)


def _write(rows: Rows, run_: list[tuple[int, int]], word: str) -> Rows:
    letters = [[*row] for row in rows]
    for (row, column), letter in zip(run_, word, strict=True):
        letters[row][column] = letter
    return tuple(map("".join, letters))


def _list_readings(rows: Rows, texts: list[str]) -> Iterator[list[Rows]]:
    """Yield for each choice of slots the readings of a fill."""
    groups = [text.split("/") for text in texts]
    places = [[each for each in _runs(rows) if _read(rows, each) == answers[0]] for answers in groups]
    for chosen in product(*places):
        readings = []
        for answers in product(*groups):
            reading = rows
            for run_, answer in zip(chosen, answers, strict=True):
                reading = _write(reading, run_, answer)
            if [_read(reading, run_) for run_ in chosen] == [*answers]:
                readings.append(reading)
            else:  # the answers contradict each other
                readings.append(())
        yield readings


@cache
def _all_fills(number: int) -> dict[Rows, float]:
    """Return all fills of a grid with their least scores."""
    return {rows: value[0] for rows, value in ASKED[number][0].answer_to(Objective.MIN).values.items()}


def _expect(number: int) -> dict[Rows, list[Rows]]:
    """Return the fills with readings of which each is a fill, with these readings."""
    fills = _all_fills(number)
    expected = {}
    for rows in fills:
        for readings in _list_readings(rows, ASKED[number][1]):
            if all(reading in fills for reading in readings):
                expected[rows] = readings
    return expected


def _pose(number: int, objective: Objective = Objective.ANY) -> Problem:
    asked, texts = ASKED[number]
    problem = asked.problem(objective)
    return replace(problem, rules=replace(problem.rules, either=tuple(texts)))


EACH = pytest.mark.parametrize("number", range(len(ASKED)), ids=NAMES)


def test_some_have_fills_and_some_have_none() -> None:
    found = [bool(_expect(number)) for number in range(len(ASKED))]
    assert found.count(True) > 5
    assert found.count(False) > 2


@pytest.mark.parametrize("engine", ["fc", "mac", "cpsat"])
@EACH
def test_every_fill(engine: str, number: int) -> None:
    problem = _pose(number)
    ran = run(engine, problem, Limits(fills=None))
    wanted = _expect(number)
    assert {rows for rows, _ in ran.found} == wanted.keys()
    assert ran.result.status is (Status.ALL_FILLS if wanted else Status.UNSATISFIABLE)
    assert tally(problem, search_all(problem)).fills == len(wanted)


@pytest.mark.parametrize("objective", [Objective.ANY, Objective.GOOD])
@EACH
def test_a_fill_with_its_readings(objective: Objective, number: int) -> None:
    problem = _pose(number, objective)
    result = tally(problem, search(problem))
    wanted = _expect(number)
    assert (result.fill is not None) == bool(wanted)
    if result.fill is None:
        assert result.status is Status.UNSATISFIABLE
        return
    readings = [rows_of(problem, each) for each in result.fill.readings]
    assert readings in [*_list_readings(readings[0], ASKED[number][1])]
    scores = [_all_fills(number)[rows] for rows in readings]
    assert result.value == (min(scores),)


def test_a_good_fill_is_good_in_all_readings() -> None:
    problem = _pose(0, Objective.GOOD)
    result = tally(problem, search(problem))
    best = max(min(map(_all_fills(0).__getitem__, readings)) for readings in _expect(0).values())
    assert result.value == (best,)


@EACH
def test_the_audit_reads_each_answer(number: int) -> None:
    problem = _pose(number)
    wanted = _expect(number)
    for rows in _all_fills(number):
        fill = Fill(tuple("".join(rows).replace("#", "\0")), problem.grid)
        fill = replace(fill, letters=tuple(letter.strip("\0") for letter in fill.letters))
        assert (not violations(problem, fill)) == (rows in wanted)


def test_the_audit_compares_the_alternatives() -> None:
    problem = _pose(0)
    fill = tally(problem, search(problem)).fill
    assert fill is not None
    assert not violations(problem, fill)
    cell, (letter,) = next(iter(fill.alternatives.items()))
    wrong = replace(fill, alternatives={**fill.alternatives, cell: ("C" if letter == "A" else "A",)})
    assert {each.rule for each in violations(problem, wrong)} == {"C11"}


@pytest.mark.parametrize("dropped", ["_list_words", "_list_apart"])
def test_each_part_of_a_case_is_needed(monkeypatch: pytest.MonkeyPatch, dropped: str) -> None:
    def list_all(readings: either._Readings, slot: int) -> frozenset[str]:
        return frozenset(readings._problem.tables[slot].words)

    lax = list_all if dropped == "_list_words" else (lambda _: iter(()))
    monkeypatch.setattr(either._Readings, dropped, lax)
    with pytest.raises(InvalidFillError):
        run("mac", _pose(0), Limits(fills=None))


def test_answers_need_no_list() -> None:
    words = {"ZOZ": 50, "OAT": 60, "OUT": 1, "UAT": 60, "TAR": 70, "TIN": 60}
    result = cpfill.solve(["...#", "#.##", "#..."], words, either=["ZOZ/QUQ"])
    assert result.fill is not None
    assert result.fill.rows == ["ZOZ#", "#A##", "#TAR"]
    assert result.fill.alternatives == {0: ("Q",), 1: ("U",), 2: ("Q",)}
    assert result.value == (60.0,)
    strict = cpfill.solve(["...", "#.#", "#.#"], {"ZOZ": 50, "OAT": 60, "UAT": 60}, either=["ZOZ/QUQ"], strict=True)
    assert strict.status is Status.UNSATISFIABLE


def test_files_have_the_alternatives() -> None:
    fill = cpfill.solve(["...", "#.#", "#.#"], {"OAT": 60, "UAT": 60}, either=["ZOZ/QUQ"]).fill
    assert fill is not None
    puzzle = replace(Puzzle.of_grid(fill.grid, fill.letters), alternatives=fill.alternatives)
    for kind in ("ipuz", "xd", "exolve"):
        written, losses = write_puzzle(puzzle, kind)
        assert losses == []
        assert cpfill.read_puzzle(written, kind=kind).alternatives == {0: ("Q",), 1: ("U",), 2: ("Q",)}


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["ABC"], "'ABC'"),
        (["ABC/BBC/CBA/AAA"], "'ABC/BBC/CBA/AAA'"),
        (["ABC/BBCA"], "ABC, 3, BBCA, 4"),
        (["ABC/"], "''"),
        (["ABC/A1C"], "'A1C'"),
        (["ABC/abc"], "ABC twice"),
        (["ABC/BBC", "BBC/AAA"], "BBC twice"),
        (["ABC/BBC", "AAA/BBB", "CCC/ACA", "BAB/BCB"], "found 4"),
        (["ABC/BBC/BBA", "AAA/BBB/ACB", "CCC/ACA"], "found 18"),
        (["ABCA/BBCA"], "4 letters as --either asks for (1), found 0"),
    ],
)
def test_wrong_answers(texts: list[str], found: str) -> None:
    with pytest.raises(InputError, match="expected ") as refused:
        Request.of(["...", "...", "..."], ["ABC", "BBC"], either=texts).problem()
    assert found in str(refused.value)


def test_more_pairs_than_slots() -> None:
    with pytest.raises(InputError, match=r"3 letters as --either asks for \(2\), found 1"):
        cpfill.solve(["...", "#.#", "#.#", "#.#"], ["ABC", "BBC"], either=["ABC/BBC", "AAA/BBB"])


@pytest.mark.parametrize(
    "other",
    [
        {"no_shared": True},
        {"require": ["CBA"]},
        {"max_obscure": 1, "below": 9},
        {"spell": ["R1C1=A"]},
        {"theme": ["CBA"]},
        {"objective": "min"},
        {"objective": "sum"},
        {"weighted": ["ABC"]},
        {"avoid": ["ABC", "BCA", "CAB"]},
    ],
    ids=str,
)
def test_rules_that_would_need_every_reading(other: dict[str, object]) -> None:
    with pytest.raises(InputError, match="either"):
        cpfill.solve(["...", "...", "..."], ["ABC", "BBC"], either=["ABC/BBC"], **other)  # type: ignore[arg-type]


def test_questions_that_take_one_reading() -> None:
    problem = _pose(0)
    for engine in ("letters", "weave"):
        with pytest.raises(CpfillError, match="keep words apart"):
            search(problem, engine=engine)
    with pytest.raises(UnsupportedError, match="or --either"):
        problem.require_case()


def test_generated_grids_hold_both_answers() -> None:
    words = {"".join(letters): 50.0 for letters in product("ABC", repeat=3)}
    asked = Request.of(None, words, either=["CAB/BAC"])
    for filled in (False, True):
        with pytest.raises(InputError, match="--either with --filled"):
            Generate(request=asked, size=(3, 3), filled=filled, fewest_blocks=filled)
    question = Generate(request=asked, size=(3, 3), style="free", blocks=(0, 0), filled=True)
    found, _ = question.answer(Desk())
    assert isinstance(found, FoundGrid)
    assert found.filled is not None
    problem, fill = found.filled
    assert not violations(problem, fill)
    assert found.puzzle.alternatives == fill.alternatives
    for reading in fill.readings:
        assert len({*reading.words.values()} & {"CAB", "BAC"}) == 1
