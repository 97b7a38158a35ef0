"""Every known answer over every engine."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.base.files import read_text
from cpfill.formats.dialects import parse_grids
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.problem.rules import Rules
from cpfill.problem.value import value_from_json
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import PACKAGED, read_word_list
from tests.support import ENGINE_NAMES, INSTANCES, MAXIMISERS, Options, Question, configurations, run, skip_without

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import Grid

# With a packaged list an engine may take any time on a large grid, and two of them need not finish at all. Small grids
# are for every engine; the others are read, but not filled.
MAX_CELLS_PACKAGED = 30
# Where there are more fills than this, or an objective is named, an engine is tried with its default options alone: the
# others are seen on the smaller ones, and in the property tests.
MANY_FILLS = 100
SHARE = 5
# More fills than these take seconds to audit, for each engine; one of them, or the best, is sought all the same.
MOST_FILLS = 2000


@dataclass(frozen=True)
class Known:
    """A known answer."""

    family: str
    data: dict[str, Any]

    def __str__(self) -> str:
        asked = ("repeats", "min_score", "min_slot_length", "theme", "objective")
        rules = "".join(f",{key}={self.data[key]}" for key in asked if key in self.data)
        return f"{self.family}/{self.data['grid']},{'+'.join(self.data['words'])}{rules}"

    @property
    def objective(self) -> Objective:
        """What `best` is the best by: V1 where nothing is said."""
        return Objective(self.data.get("objective", Objective.MIN))

    @property
    def best(self) -> Value | None:
        """The best value, if there is a fill."""
        best = self.data.get("best", self.data.get("best_min_score"))
        return value_from_json(best)

    @property
    def packaged(self) -> bool:
        return not set(PACKAGED).isdisjoint(self.data["words"])

    @property
    def grid(self) -> Grid:
        path = INSTANCES / self.family / self.data["grid"]
        _, (grid,) = parse_grids(
            read_text(path),
            name=str(path),
            alphabet=Alphabet(self.data.get("alphabet", LATIN)),
            min_slot_length=self.data.get("min_slot_length", 2),
        )
        return grid

    def options(self, engine: str, objective: Objective = Objective.MIN) -> list[Options]:
        """Return the default options, and some of the others: over all answers each gets its turn."""
        every = configurations(engine, objective)
        others = every[1 + EXACT.index(self) % SHARE :: SHARE]
        small = self.data["fills"] <= MANY_FILLS and "objective" not in self.data
        return every[:1] + (others if small else [])

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        alphabet = self.data.get("alphabet", LATIN)
        folder = INSTANCES / self.family
        theme = read_theme(folder / self.data["theme"]) if "theme" in self.data else {}
        sources = [name if name in PACKAGED else str(folder / name) for name in self.data["words"]]
        lexicon = read_lexicon(tuple(sources), alphabet)
        rules = Rules(repeats=self.data.get("repeats", False), min_score=self.data.get("min_score", 0.0))
        return Problem(self.grid, lexicon, rules, objective, theme)


@cache
def read_lexicon(sources: tuple[str, ...], alphabet: str) -> Lexicon:
    return Lexicon([read_word_list(source, Alphabet(alphabet)) for source in sources], Alphabet(alphabet))


def read_theme(path: Path) -> dict[str, float]:
    """Return the weights of a theme list, 1 where it has none."""
    words = read_word_list(str(path), default_score=1.0).words
    return {word: weight for word, (weight, _) in words.items()}


def known_answers() -> list[Known]:
    return [
        Known(path.parent.name, data)
        for path in sorted(INSTANCES.glob("*/known_answers.toml"))
        for data in tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
    ]


KNOWN = known_answers()
EXACT = [known for known in KNOWN if not known.packaged]
# Where there are several answers to one question by several objectives, its fills are sought once.
PLAIN = [known for known in EXACT if "objective" not in known.data]
SMALL = [known for known in KNOWN if known.packaged and len(known.grid.cells) <= MAX_CELLS_PACKAGED]
# Most of them are alike: each engine has its turn at every sixth, and each of them at an engine or two.
TURNS = [(engine, known) for turn, engine in enumerate(ENGINE_NAMES) for known in SMALL[turn % 6 :: 6]]

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)


def test_every_answer_is_one_that_these_tests_understand() -> None:
    question = {"grid", "words", "repeats", "min_slot_length", "min_score", "alphabet", "theme", "objective"}
    answer = {"status", "fills", "best_min_score", "best", "best_count", "proof"}
    assert len(KNOWN) >= 100
    for known in KNOWN:
        assert {"grid", "words", "status", "proof"} <= set(known.data) <= question | answer
        assert known.data["status"] in {"SATISFIABLE", "UNSATISFIABLE"}
        assert known.grid.slots
        if not known.packaged:
            assert "fills" in known.data
        assert ("theme" in known.data) <= ("objective" in known.data)
        assert ("best" in known.data) <= ("objective" in known.data)
    assert len(EXACT) >= 30
    assert len(SMALL) >= 10
    assert len({str(known) for known in KNOWN}) == len(KNOWN)


def asked(known: Known) -> Question:
    """Return the question, one and the same for its answers by several objectives: its fills are sought once."""
    name = str(known).partition(",objective=")[0]
    if name not in ASKED:
        ASKED[name] = plain_question(known.problem())
    return ASKED[name]


ASKED: dict[str, Question] = {}


def plain_question(problem: Problem) -> Question:
    grid, lexicon = problem.grid, problem.lexicon
    shown = [grid.alphabet.members(cell) for cell in grid.cells]
    cells = tuple(tuple(shown[start : start + grid.width]) for start in range(0, len(shown), grid.width))
    words = {
        word: score
        for length in lexicon.lengths
        for word, score in zip(lexicon.table(length).words, lexicon.table(length).scores, strict=True)
    }
    return Question(
        cells,
        words,
        grid.alphabet.letters,
        grid.min_slot_length,
        repeats=problem.rules.repeats,
        min_score=problem.rules.min_score,
        theme=problem.theme,
    )


@pytest.mark.parametrize("known", EXACT, ids=str)
def test_the_brute_force_knows_the_answers_as_well(known: Known) -> None:
    answer = asked(known).answer_to(known.objective)
    assert len(answer.fills) == known.data["fills"]
    assert answer.best == known.best
    assert len(answer.best_fills) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", [known for known in PLAIN if known.data["fills"] <= MOST_FILLS], ids=str)
def test_every_fill_of_a_known_answer(engine: str, known: Known) -> None:
    for options in known.options(engine, Objective.ANY):
        ran = run(engine, known.problem(), Limits(fills=None), **options)
        assert ran.result.fills == known.data["fills"] == len(dict(ran.found))
        found = known.data["status"] == "SATISFIABLE"
        assert ran.result.status is (Status.ALL_FILLS if found else Status.UNSATISFIABLE)
        values = [value for _, value in ran.found]
        assert max(values, default=None) == known.best
        assert values.count(known.best or ()) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", PLAIN, ids=str)
def test_a_fill_of_a_known_answer(engine: str, known: Known) -> None:
    for options in known.options(engine):
        one = run(engine, known.problem(), **options).result
        satisfiable = known.data["status"] == "SATISFIABLE"
        assert one.status is (Status.SATISFIED if satisfiable else Status.UNSATISFIABLE)


@pytest.mark.parametrize("engine", MAXIMISERS)
@pytest.mark.parametrize("known", EXACT, ids=str)
def test_the_best_value_of_a_known_answer(engine: str, known: Known) -> None:
    problem = known.problem(known.objective)
    skip_without(engine, problem)
    for options in known.options(engine):
        satisfiable = known.data["status"] == "SATISFIABLE"
        best = run(engine, problem, **options).result
        assert best.status is (Status.OPTIMAL if satisfiable else Status.UNSATISFIABLE)
        assert best.value == known.best
        assert not satisfiable or best.bound == known.best


@pytest.mark.parametrize(("engine", "known"), TURNS, ids=str)
def test_a_fill_with_a_packaged_list(engine: str, known: Known) -> None:
    # `weave` draws its words, and is lucky with the seed 0: with most others it takes seconds.
    result = run(engine, known.problem(), Limits(time_s=60.0)).result
    assert known.data["status"] == "SATISFIABLE"
    assert result.status is Status.SATISFIED
