"""Every known answer over every engine."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.alphabet import LATIN, Alphabet
from cpfill.events import Limits, Status
from cpfill.formats import read_grids
from cpfill.lexicon import PACKAGED, Lexicon, read_word_list
from cpfill.problem import Objective, Problem, Rules
from cpfill.sources import read_text
from tests import brute_force
from tests.support import ENGINE_NAMES, INSTANCES, Options, configurations, run

if TYPE_CHECKING:
    from cpfill.grid import Grid

# With a packaged list an engine may take any time on a large grid, and two of them need not finish at all. Small grids
# are for every engine; the others are read, but not filled.
MAX_CELLS_PACKAGED = 30
# Where there are more fills than this, an engine is tried with its default options alone: what the others do is seen on
# the smaller ones, and in the property tests.
MANY_FILLS = 100
SHARE = 5


@dataclass(frozen=True)
class Known:
    """A known answer."""

    family: str
    data: dict[str, Any]

    def __str__(self) -> str:
        rules = "".join(f",{k}={self.data[k]}" for k in ("repeats", "min_score", "min_slot_length") if k in self.data)
        return f"{self.family}/{self.data['grid']},{'+'.join(self.data['words'])}{rules}"

    @property
    def packaged(self) -> bool:
        return not set(PACKAGED).isdisjoint(self.data["words"])

    @property
    def grid(self) -> Grid:
        path = INSTANCES / self.family / self.data["grid"]
        _, (grid,) = read_grids(
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
        return every[:1] + (others if self.data["fills"] <= MANY_FILLS else [])

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        alphabet = self.data.get("alphabet", LATIN)
        folder = INSTANCES / self.family
        sources = [name if name in PACKAGED else str(folder / name) for name in self.data["words"]]
        lexicon = read_lexicon(tuple(sources), alphabet)
        rules = Rules(self.data.get("repeats", False), self.data.get("min_score", 0.0))
        return Problem(self.grid, lexicon, rules, objective)


@cache
def read_lexicon(sources: tuple[str, ...], alphabet: str) -> Lexicon:
    return Lexicon([read_word_list(source, Alphabet(alphabet)) for source in sources], Alphabet(alphabet))


def known_answers() -> list[Known]:
    return [
        Known(path.parent.name, data)
        for path in sorted(INSTANCES.glob("*/known_answers.toml"))
        for data in tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
    ]


KNOWN = known_answers()
EXACT = [known for known in KNOWN if not known.packaged]
SMALL = [known for known in KNOWN if known.packaged and len(known.grid.cells) <= MAX_CELLS_PACKAGED]

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)


def test_every_answer_is_one_that_these_tests_understand() -> None:
    question = {"grid", "words", "repeats", "min_slot_length", "min_score", "alphabet"}
    answer = {"status", "fills", "best_min_score", "best_count", "proof"}
    assert len(KNOWN) >= 100
    for known in KNOWN:
        assert {"grid", "words", "status", "proof"} <= set(known.data) <= question | answer
        assert known.data["status"] in {"SATISFIABLE", "UNSATISFIABLE"}
        assert known.grid.slots
        if not known.packaged:
            assert "fills" in known.data
    assert len(EXACT) >= 30
    assert len(SMALL) >= 10
    assert len({str(known) for known in KNOWN}) == len(KNOWN)


@pytest.mark.parametrize("known", EXACT, ids=str)
def test_the_brute_force_knows_the_answers_as_well(known: Known) -> None:
    problem = known.problem()
    grid, lexicon = problem.grid, problem.lexicon
    shown = [grid.alphabet.members(cell) for cell in grid.cells]
    cells = tuple(tuple(shown[start : start + grid.width]) for start in range(0, len(shown), grid.width))
    words = {
        word: score
        for length in lexicon.lengths
        for word, score in zip(lexicon.table(length).words, lexicon.table(length).scores, strict=True)
    }
    answer = brute_force.solve(
        cells,
        words,
        min_slot_length=grid.min_slot_length,
        repeats=problem.rules.repeats,
        min_score=problem.rules.min_score,
    )
    assert len(answer.fills) == known.data["fills"]
    assert answer.best == known.data.get("best_min_score")
    assert len(answer.best_fills) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", EXACT, ids=str)
def test_every_fill_of_a_known_answer(engine: str, known: Known) -> None:
    for options in known.options(engine, Objective.ANY):
        ran = run(engine, known.problem(), Limits(fills=None), **options)
        assert ran.result.fills == known.data["fills"] == len(dict(ran.found))
        found = known.data["status"] == "SATISFIABLE"
        assert ran.result.status is (Status.ALL_FILLS if found else Status.UNSATISFIABLE)
        values = [value for _, value in ran.found]
        best = known.data.get("best_min_score")
        assert max(values, default=None) == best
        assert sum(value == best for value in values) == known.data.get("best_count", 0)


@engines
@pytest.mark.parametrize("known", EXACT, ids=str)
def test_a_fill_and_the_best_value_of_a_known_answer(engine: str, known: Known) -> None:
    satisfiable = known.data["status"] == "SATISFIABLE"
    for options in known.options(engine):
        one = run(engine, known.problem(), **options).result
        assert one.status is (Status.SATISFIED if satisfiable else Status.UNSATISFIABLE)
        best = run(engine, known.problem(Objective.MIN), **options).result
        assert best.status is (Status.OPTIMAL if satisfiable else Status.UNSATISFIABLE)
        assert best.value == known.data.get("best_min_score")


@engines
@pytest.mark.parametrize("known", SMALL, ids=str)
def test_a_fill_with_a_packaged_list(engine: str, known: Known) -> None:
    result = run(engine, known.problem(), Limits(time_s=60.0)).result
    assert known.data["status"] == "SATISFIABLE"
    assert result.status is Status.SATISFIED
