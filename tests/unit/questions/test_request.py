"""A request is the same wherever it comes from: a program, options, JSON, TOML."""

from __future__ import annotations

import inspect
import json
import tomllib
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpfill.base.errors import InputError, LexiconError
from cpfill.cli.options import request_options
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.public import enumerate_fills, make_problem, solve
from cpfill.questions.request import FIELDS, Request
from cpfill.questions.solve import Solve
from cpfill.testing.questions import TASKS, UNPROVED
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import ListFinder, Shelf
from cpfill.words.wordlist import ListFile, parse_word_list
from tests.support import ENGINE_NAMES

# A value of each field, as JSON and TOML have it, that is not its default.
GIVEN: dict[str, Any] = {
    "grid": ["..#", "..."],
    "words": ["own.txt", "en-words"],
    "weighted": "scores.txt",
    "objective": "leximin",
    "levels": [2.0, 5.0],
    "theme": ["theme.txt"],
    "exclude": ["not.txt"],
    "require": ["ab"],
    "repeats": True,
    "min_score": 2.0,
    "no_shared": True,
    "max_obscure": 1,
    "below": 5.0,
    "alphabet": "ABCDE",
    "min_slot_length": 1,
    "dialect": "native",
    "clear": "1-Across,R1C1:R1C2",
    "keep": "R2C1",
    "avoid": ["ed#", "dde"],
    "strict": True,
    "own": ["de"],
    "open": ["2-Down"],
    "personal": "mine.txt",
    "slot": ["1-Across:min=3"],
    "taste": "frank",
}
LISTS = {
    "own.txt": "ab;7\nba;3\nabc;9\n",
    "scores.txt": "ab;4\ncd;5\n",
    "theme.txt": "cd\n",
    "not.txt": "dc\n",
    "mine.txt": "ab;8\n",
}
BARE = {name: value for name, value in GIVEN.items() if name != "weighted"}


@pytest.fixture
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in LISTS.items():
        Path(name).write_text(text, encoding="utf-8")


def test_every_field_is_given_here() -> None:
    assert set(GIVEN) == set(FIELDS)


def test_what_is_plain_is_read_back() -> None:
    asked = Request().updated(GIVEN)
    assert all(getattr(asked, name) != getattr(Request(), name) for name in GIVEN if name != "words")
    assert Request().updated(json.loads(json.dumps(asked.plain))) == asked
    assert Request().plain == {}


def test_toml_says_the_same() -> None:
    toml = "\n".join(f"{name} = {json.dumps(value)}" for name, value in GIVEN.items())
    assert Request().updated(tomllib.loads(toml)) == Request().updated(GIVEN)


def test_options_say_the_same() -> None:
    asked = list[Request]()

    def verb(*, request: Request) -> int:
        asked.append(request)
        return 0

    command = request_options()(verb)
    options = set(inspect.signature(command).parameters)
    assert options == {*FIELDS} - {"grid"}
    command(**{name: GIVEN[name] for name in options})
    command(**{name: parameter.default for name, parameter in inspect.signature(command).parameters.items()})
    assert asked == [Request().updated({name: GIVEN[name] for name in options}), Request()]


@pytest.mark.usefixtures("_lists")
def test_a_program_a_job_and_options_make_the_same_problem() -> None:
    words = [parse_word_list(text, name) for name, text in LISTS.items() if name == "own.txt"]
    program = make_problem(
        GIVEN["grid"],
        ["own.txt", "en-words"],
        **{name: value for name, value in BARE.items() if name not in {"grid", "words"}},
    )
    assert words[0].words.keys() <= {word for length in (2, 3) for word in program.lexicon.table(length).words}
    by_name = Request().updated(BARE)
    finder = ListFinder()
    job = Solve().updated(BARE, lambda name: finder.find(name, Path())).request
    for asked in (by_name, job):
        made = asked.problem()
        assert (made.grid, made.rules, made.objective, made.theme) == (
            program.grid,
            program.rules,
            program.objective,
            program.theme,
        )
        assert [*made.tables[0].words] == [*program.tables[0].words]
        assert [*made.tables[0].scores] == [*program.tables[0].scores]


@pytest.mark.usefixtures("_lists")
def test_a_shelf_reads_a_list_once_and_tells_of_it() -> None:
    read = list[str]()
    shelf = Shelf(on_read=lambda words: read.append(words.name))
    for words in (["own.txt"], ["own.txt", "scores.txt"], ["own.txt"]):
        Request().updated({"grid": ["..."], "words": words}).problem(shelf)
    assert read == ["own.txt", "scores.txt"]
    asked = Request(words=("own.txt",))
    assert asked.lexicon(shelf) is asked.lexicon(shelf)


@pytest.mark.usefixtures("_lists")
def test_a_list_that_changed_since_it_was_found_is_refused() -> None:
    found = ListFinder().find("own.txt", Path())
    Path("own.txt").write_text("zz\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="expected the list as it was when the job was made, found a different text"):
        Request(words=(found,)).lexicon(Shelf())
    assert ListFinder().find("en", Path()) == ListFile("en")


def test_a_weighted_list_is_maximised_unless_another_objective_is_named() -> None:
    assert Request(weighted="en").goal is Objective.MIN
    assert Request(weighted="en", objective=Objective.ANY).goal is Objective.ANY
    with pytest.raises(InputError, match="expected a grid: "):
        Request(words=("en",)).problem()


def test_what_is_in_memory_has_no_name_to_be_told_elsewhere() -> None:
    for asked in (Request.of(None, ["ab", "cd"]), Request(words=Lexicon([parse_word_list("ab")]))):
        with pytest.raises(TypeError, match="expected a name; got "):
            _ = asked.plain


EVERY = ["".join(letters) for letters in product("ABC", repeat=3)]


def fill_by_hand(
    rows: list[str], words: dict[str, float], least: float, most: int | None, below: float
) -> set[tuple[str, ...]]:
    """Return every fill of a 3x3 grid: neither lists nor least scores count for rows that are given whole."""
    own, found = {row for row in rows if row != "..."}, set()
    usable = own.union(word for word, score in words.items() if score >= least)
    for fill in product(*([row] if row in own else sorted(usable) for row in rows)):
        slots = [*fill, *map("".join, zip(*fill, strict=True))]
        if usable.issuperset(slots) and len({*slots}) == len(slots):
            obscure = sum(words[word] < below for word in slots if word not in own)
            if most is None or obscure <= most:
                found.add(fill)
    return found


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_own_entries_are_exempt_from_lists_and_least_scores(engine: str) -> None:
    filled = exempt = 0
    for number in range(60):
        chance = Random(number)
        words = {word: chance.choice([0.0, 10.0, 40.0, 60.0]) for word in chance.sample(EVERY, 16)}
        own = chance.choice(EVERY)
        rows = chance.sample([own, "...", "..."], 3)
        least, most, below = chance.choice([0.0, 10.0, 50.0]), chance.choice([None, 1, 2]), chance.choice([20.0, 70.0])
        problem = make_problem(rows, words, min_score=least, max_obscure=most, below=None if most is None else below)
        told = {tuple(fill.rows) for fill in enumerate_fills(problem, engine=engine)}
        assert told == fill_by_hand(rows, words, least, most, below)
        low = own in words and words[own] < max(least, below if most is not None else 0.0)
        assert (problem.accepted, problem.exempt) == (
            () if own in words else (own,),
            {own: words[own]} if low else {},
        )
        filled, exempt = filled + bool(told), exempt + (low and bool(told))
    assert filled > exempt > 0


def value_by_hand(fill: tuple[str, ...], words: dict[str, float], own: str, goal: Objective) -> tuple[float, ...]:
    """Return what a fill is worth: the sum is of all its words, the worst are those of the others."""
    slots = [*fill, *map("".join, zip(*fill, strict=True))]
    judged = sorted(words[word] for word in slots if word != own)
    total = sum(words.get(word, 50.0) for word in slots)
    values = {Objective.MIN: judged[:1], Objective.SUM: [total], Objective.MIN_THEN_SUM: [judged[0], total]}
    return tuple(values.get(goal, judged))


@cache
def drawn(number: int) -> tuple[list[str], dict[str, float], str, set[tuple[str, ...]]]:
    """Return rows, words, the word that is given in them, and the fills."""
    chance = Random(number)
    words = {word: chance.choice([10.0, 40.0, 60.0, 62.5]) for word in chance.sample(EVERY, 18)}
    own = chance.choice(EVERY)
    words |= {own: 2.5} if number % 2 else {}
    rows = chance.sample([own, "...", "..."], 3)
    return rows, words, own, fill_by_hand(rows, words, 0.0, None, 0.0)


@pytest.mark.parametrize(("engine", "goal"), [task for task in TASKS if task[1] not in UNPROVED])
def test_own_entries_are_never_the_worst_of_a_fill(engine: str, goal: Objective) -> None:
    filled = freed = 0
    for number in range(30):
        rows, words, own, fills = drawn(number)
        result = solve(rows, words, objective=goal, engine=engine)
        values = [value_by_hand(fill, words, own, goal) for fill in fills]
        assert (result.value is None) is not bool(values)
        if result.value is not None and result.fill is not None:
            assert result.status is Status.OPTIMAL
            assert result.value[: len(max(values))] == max(values)
            assert value_by_hand(tuple(result.fill.rows), words, own, goal) == max(values)
            freed += 2.5 not in result.value and goal is not Objective.SUM
        filled += bool(values)
    assert filled > 0
    assert (freed == filled) is (goal is not Objective.SUM)


def test_of_given_words_only_those_are_own_that_are_said_to_be() -> None:
    words = {"ab": 7.0, "cd": 5.0, "ac": 9.0, "be": 8.0}
    rows = ["ab", "ce"]  # CE is in no list
    assert solve(rows, words).fill is not None
    for own, fills in ((["ce"], True), (["CÉ", "zz"], True), (["ab"], False), ([], False)):
        assert (solve(rows, words, own=own).fill is not None) is fills
    assert solve(rows, words, own=["ce"], strict=True).fill is None
    assert solve(rows, words, own=[], require=["ce"]).fill is not None  # what must stand is one's own too


def test_a_grid_of_own_entries_alone_is_judged_as_it_is() -> None:
    assert solve(["ab", "cd"], {"ab": 7.0, "cd": 5.0, "ac": 9.0, "bd": 8.0}, objective="min").value == (5.0,)
    words = {"ab": 7.0, "cd": 5.0, "ac": 9.0, "bd": 8.0}
    assert solve(["ab", "cd"], words, objective="min", strict=True).value == (5.0,)
    assert solve(["ab", ".."], words, objective="min").value == (5.0,)
    assert solve([".b", "cd"], words, objective="min").value == (7.0,)
    assert solve([".b", "cd"], words, objective="min", strict=True).value == (5.0,)
