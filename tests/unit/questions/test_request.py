"""A request is the same wherever it comes from: a program, options, JSON, TOML."""

from __future__ import annotations

import inspect
import json
import tomllib
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpfill.base.errors import InputError, LexiconError
from cpfill.cli.options import request_options
from cpfill.problem.problem import Objective
from cpfill.public import enumerate_fills, make_problem, solve
from cpfill.questions.request import FIELDS, Request
from cpfill.questions.solve import Solve
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import ListFinder, Shelf
from cpfill.words.wordlist import ListFile, parse_word_list
from tests.support import ENGINE_NAMES
from tests.tables import Case, cases

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
    "no_naticks": True,
    "max_obscure": 1,
    "below": 5.0,
    "spell": ["R2C1,R2C2=AB,CD"],
    "tie": ["R1C1=R2C3"],
    "pangram": True,
    "letter_counts": ["A<=2"],
    "either": ["ab/ba"],
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
BARE = {name: value for name, value in GIVEN.items() if name not in {"weighted", "either"}}


@pytest.fixture
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in LISTS.items():
        Path(name).write_text(text, encoding="utf-8")


def test_every_field_is_given_here() -> None:
    assert {*GIVEN, "letter_values"} == set(FIELDS)  # which goes with no levels


def test_plain_fields_are_read_back() -> None:
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
    command(**{name: GIVEN.get(name) for name in options})
    command(**{name: parameter.default for name, parameter in inspect.signature(command).parameters.items()})
    assert asked == [Request().updated({name: GIVEN.get(name) for name in options}), Request()]


@pytest.mark.usefixtures("_lists")
def test_programs_and_jobs_make_the_same_problem() -> None:
    asked = {name: value for name, value in BARE.items() if name not in {"grid", "words"}}
    program = make_problem(GIVEN["grid"], ["own.txt", "en-words"], **asked)
    assert program.lexicon.find("BA") == (3.0, "ba")
    finder = ListFinder()
    job = Solve().updated(BARE, lambda name: finder.find(name, Path())).request
    for request in (Request().updated(BARE), job):
        made = request.problem()
        for name in ("grid", "rules", "objective", "theme"):
            assert getattr(made, name) == getattr(program, name)
        assert [*made.tables[0].words] == [*program.tables[0].words]
        assert [*made.tables[0].scores] == [*program.tables[0].scores]


@pytest.mark.usefixtures("_lists")
def test_a_shelf_reads_a_list_once() -> None:
    read = list[str]()
    shelf = Shelf(on_read=lambda words: read.append(words.name))
    for words in (["own.txt"], ["own.txt", "scores.txt"], ["own.txt"]):
        Request().updated({"grid": ["..."], "words": words}).problem(shelf)
    assert read == ["own.txt", "scores.txt"]
    asked = Request(words=("own.txt",))
    assert asked.lexicon(shelf) is asked.lexicon(shelf)


@pytest.mark.usefixtures("_lists")
def test_a_list_that_changed_is_refused() -> None:
    found = ListFinder().find("own.txt", Path())
    Path("own.txt").write_text("zz\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="expected the list as it was when the job was made, found a different text"):
        Request(words=(found,)).lexicon(Shelf())
    assert ListFinder().find("en", Path()) == ListFile("en")


def test_a_weighted_list_is_maximised() -> None:
    assert Request(weighted="en").goal is Objective.MIN
    assert Request(weighted="en", objective=Objective.ANY).goal is Objective.ANY
    with pytest.raises(InputError, match="expected a grid: "):
        Request(words=("en",)).problem()


@pytest.mark.parametrize(
    "asked", [Request.of(None, ["ab", "cd"]), Request(words=Lexicon([parse_word_list("ab")]))], ids=["words", "lexicon"]
)
def test_words_in_memory_have_no_name(asked: Request) -> None:
    with pytest.raises(TypeError, match="expected a name; got "):
        _ = asked.plain


EVERY = ["".join(letters) for letters in product("ABC", repeat=3)]


def fill_by_hand(
    rows: list[str], words: dict[str, float], least: float, most: int | None, below: float
) -> set[tuple[str, ...]]:
    """Return every fill of a 3x3 grid: neither lists nor least scores count for rows that are given whole."""
    own = {row for row in rows if row != "..."}
    usable = own.union(word for word, score in words.items() if score >= least)
    choices = [[row] if row in own else sorted(usable) for row in rows]
    found = set()
    for fill in product(*choices):
        slots = [*fill, *map("".join, zip(*fill, strict=True))]
        obscure = sum(words[word] < below for word in slots if word not in own and word in words)
        if (
            usable.issuperset(slots)
            and len({*slots}) == len(slots)
            and obscure <= (len(slots) if most is None else most)
        ):
            found.add(fill)
    return found


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_own_entries_are_exempt_from_scores(engine: str) -> None:
    filled = exempt = 0
    for number in range(60):
        chance = Random(number)
        words = {word: chance.choice([0.0, 10.0, 40.0, 60.0]) for word in chance.sample(EVERY, 16)}
        own = chance.choice(EVERY)
        rows = chance.sample([own, "...", "..."], 3)
        least = chance.choice([0.0, 10.0, 50.0])
        most, below = chance.choice([(None, None), (1, 20.0), (2, 20.0), (1, 70.0), (2, 70.0)])
        problem = make_problem(rows, words, min_score=least, max_obscure=most, below=below)
        told = {tuple(fill.rows) for fill in enumerate_fills(problem, engine=engine)}
        assert told == fill_by_hand(rows, words, least, most, below or 0.0)
        low = own in words and words[own] < max(least, below or 0.0)
        assert problem.accepted == tuple({own} - words.keys())
        assert problem.exempt == ({own: words[own]} if low else {})
        filled += bool(told)
        exempt += low and bool(told)
    assert filled > exempt > 0


@cases("unit/questions/cases.toml", "own")
def test_own_entries_are_those_that_are_named(case: Case) -> None:
    words = {"ab": 7.0, "cd": 5.0, "ac": 9.0, "be": 8.0}
    assert (solve(["ab", "ce"], words, **case["asked"]).fill is not None) is case["fills"]


@cases("unit/questions/cases.toml", "worst")
def test_own_entries_count_if_all_words_are_own(case: Case) -> None:
    words = {"ab": 7.0, "cd": 5.0, "ac": 9.0, "bd": 8.0}
    assert solve(case["rows"], words, objective="min", strict="strict" in case).value == (case["value"],)
