"""A question in plain data, the problem it makes, and the engines that are tested, with their options."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.engines import ENGINES, engine_class, make_engine, options_of
from cpfill.engines.audited import search, tally
from cpfill.engines.contract import Feature, required_features
from cpfill.problem.event import Bound, Finished, Found, Progress, Started
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Direction, Grid
from cpfill.testing import brute_force
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.base.reading import Field
    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.result import SolveResult
    from cpfill.testing.brute_force import Answer, Cells, Rows, Value

CHOSEN = os.environ.get("CPFILL_ENGINE", "")
ENGINE_NAMES = [CHOSEN] if CHOSEN else sorted(ENGINES)
# What an objective takes of an engine, and the engines with the objectives that they can maximise.
NEEDS: dict[Objective, set[Feature]] = {
    Objective.GOOD: set(),
    Objective.ANY: set(),
    Objective.MIN: {Feature.MAXIMISE_MIN},
    Objective.SUM: {Feature.MAXIMISE_SUM},
    Objective.MIN_THEN_SUM: {Feature.MAXIMISE_MIN, Feature.MAXIMISE_SUM},
    Objective.LEXIMIN: {Feature.LEXIMIN},
}
UNPROVED = {Objective.GOOD, Objective.ANY}
TASKS = [(name, goal) for name in ENGINE_NAMES for goal in Objective if NEEDS[goal] <= engine_class(name).features]
MAXIMISERS = [name for name, goal in TASKS if goal is Objective.MIN]
ADDERS = [name for name, goal in TASKS if goal is Objective.MIN_THEN_SUM]

# No problem of these tests takes an engine a second. One that never ends fails its test instead of stopping them all.
HANG_S = 30.0

Options = dict[str, Any]

REBUS = {"1": "AB", "2": "BCA", "3": "AA"}
"""The signs of rebus cells in questions, and what they stand for."""

# Options that change what an engine says, not how it searches, and options that matter where something is maximised.
SAYING = {"verbose", "trace"}
MAXIMISING = {"maximise"}


def values_of(option: Field) -> tuple[object, ...]:
    """Return values to test an option with, its default first; none where nothing is the default."""
    if option.default is None or option.name in SAYING:
        return ()
    if option.range:
        return option.default, option.range.low, option.range.low + 1
    return option.choices or (option.default, not option.default)


def configurations(engine: str, objective: Objective = Objective.MIN) -> list[Options]:
    """Return every combination of the options of an engine that change its search, its defaults first."""
    values = {name: values_of(option) for name, option in options_of(engine).items()}
    idle = MAXIMISING if objective in UNPROVED else set()
    names = [name for name in values if values[name] and name not in idle]
    return [dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*(values[name] for name in names))]


def pairings(engine: str, objective: Objective = Objective.MIN) -> list[Options]:
    """Return a few of the configurations of an engine, its defaults first: any values of two options meet in one."""
    first, *others = configurations(engine, objective)
    chosen, met = [first], meetings(first)
    while any(meetings(options) - met for options in others):
        chosen.append(max(others, key=lambda options: len(meetings(options) - met)))
        met |= meetings(chosen[-1])
    return chosen


def meetings(options: Options) -> set[tuple[object, ...]]:
    """Return each value of an option, and any two."""
    return set(itertools.combinations_with_replacement(options.items(), 2))


# What the numbers of a value are, by the objective and whether there is a theme.
MEASURES: dict[tuple[Objective, bool], tuple[str, ...]] = {
    (Objective.GOOD, False): ("min",),
    (Objective.ANY, False): ("min",),
    (Objective.MIN, False): ("min",),
    (Objective.SUM, False): ("sum",),
    (Objective.MIN_THEN_SUM, False): ("min", "sum"),
    (Objective.LEXIMIN, False): ("leximin",),
    (Objective.GOOD, True): ("theme",),
    (Objective.ANY, True): ("theme",),
    (Objective.MIN, True): ("theme", "min"),
    (Objective.SUM, True): ("theme", "sum"),
    (Objective.MIN_THEN_SUM, True): ("theme", "min", "sum"),
    (Objective.LEXIMIN, True): ("theme", "leximin"),
}


@dataclass(frozen=True)
class Question:
    """A problem in plain data, which the brute force takes as it is."""

    cells: Cells
    words: Mapping[str, float]
    alphabet: str = LATIN
    min_slot_length: int = 2
    repeats: bool = False
    min_score: float = 0.0
    no_shared: int | None = None
    max_obscure: int | None = None
    below: float = 0.0
    required: frozenset[str] = frozenset()
    theme: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[float, ...] = ()
    open_slots: frozenset[brute_force.Start] = frozenset()
    rebus: Mapping[str, str] = field(default_factory=dict)
    max_fills: int = field(default=20_000, repr=False)

    @property
    def rules(self) -> brute_force.Rules:
        return brute_force.Rules(
            self.min_slot_length,
            self.repeats,
            self.min_score,
            self.no_shared,
            self.max_obscure,
            self.below,
            self.required,
            self.theme,
            self.levels,
            self.open_slots,
            self.rebus,
        )

    @property
    def answer(self) -> Answer:
        """The fills with their values where nothing is maximised but the theme; without one, V1 gives the same."""
        return self.answer_to(Objective.ANY)

    @cached_property
    def _fills(self) -> frozenset[Rows]:
        return brute_force.solve(self.cells, self.words, self.rules, measures=(), max_fills=self.max_fills).fills

    @cached_property
    def _answers(self) -> dict[Objective, Answer]:
        return {}

    def answer_to(self, objective: Objective) -> Answer:
        """Return the fills with their values under an objective."""
        if objective not in self._answers:
            measures = MEASURES[objective, bool(self.theme)]
            self._answers[objective] = brute_force.Answer(
                {
                    rows: brute_force.value_of(
                        brute_force.words_in(rows, self.min_slot_length, self.open_slots, self.rebus),
                        self.words,
                        self.rules,
                        measures,
                    )
                    for rows in self._fills
                }
            )
        return self._answers[objective]

    @property
    def has_slot(self) -> bool:
        rows = ["".join("a" if cell else "#" for cell in row) for row in self.cells]
        return bool(brute_force.words_in(rows, self.min_slot_length, self.open_slots))

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        alphabet = Alphabet(self.alphabet)
        signs = [cell for row in self.cells for cell in row]
        cells = tuple(alphabet.full if cell in self.rebus else alphabet.letter_set(cell) for cell in signs)
        rebus = {cell: self.rebus[sign] for cell, sign in enumerate(signs) if sign in self.rebus}
        height, width = len(self.cells), len(self.cells[0])
        opened = frozenset((Direction(way), row * width + column) for way, row, column in self.open_slots)
        grid = Grid(height, width, cells, alphabet, self.min_slot_length, open_slots=opened, rebus=rebus)
        words = {word: (score, word.lower()) for word, score in self.words.items()}
        lexicon = Lexicon([WordList("words", words, {}, alphabet)], alphabet)
        rules = Rules(
            repeats=self.repeats,
            min_score=self.min_score,
            no_shared=self.no_shared,
            max_obscure=self.max_obscure,
            below=None if self.max_obscure is None else self.below,
            required=self.required,
        )
        levels = self.levels if objective is Objective.LEXIMIN else ()
        return Problem(grid, lexicon, rules, objective, self.theme, levels)


def question(*rows: str, words: str | Mapping[str, float], alphabet: str = LATIN, **rules: Any) -> Question:  # noqa: ANN401
    """Return a question over rows as `cells_of` reads them and words separated by blanks, which score 50."""
    scored = dict.fromkeys(words.split(), 50.0) if isinstance(words, str) else words
    return Question(brute_force.cells_of(*rows, alphabet=alphabet), scored, alphabet, **rules)


def skip_without(engine: str, problem: Problem) -> None:
    """Skip the test of an engine that lacks a feature which the problem takes."""
    if lacking := required_features(problem, Limits()) - engine_class(engine).features:
        pytest.skip(f"it lacks {', '.join(sorted(lacking))}")


def rows_of(problem: Problem, fill: Fill) -> Rows:
    """Return a fill as the brute force writes it, in a question whose signs are those of `REBUS`."""
    signs = {letters: sign for sign, letters in REBUS.items()}
    letters, width = [signs.get(letter, letter) or "#" for letter in fill.letters], problem.grid.width
    return tuple("".join(letters[start : start + width]) for start in range(0, len(letters), width))


@dataclass(frozen=True)
class Run:
    """Everything an engine said of a problem."""

    problem: Problem
    events: list[Event]

    @property
    def result(self) -> SolveResult:
        return tally(self.problem, self.events)

    @property
    def found(self) -> list[tuple[Rows, Value]]:
        return [(rows_of(self.problem, e.fill), e.value) for e in self.events if isinstance(e, Found)]

    @property
    def bounds(self) -> list[Value]:
        return [e.value for e in self.events if isinstance(e, Bound)]

    @property
    def answers(self) -> list[Event]:
        """The events that a seed settles."""
        return [e for e in self.events if isinstance(e, (Found, Bound))]

    @property
    def finished(self) -> Finished:
        last = self.events[-1]
        assert isinstance(last, Finished)
        return last


def run(engine: str | Engine, problem: Problem, limits: Limits | None = None, **options: Any) -> Run:  # noqa: ANN401
    """Run an engine to its end, every fill audited; its stream must have the shape that the contract gives it."""
    chosen = make_engine(engine, **options) if isinstance(engine, str) else engine
    limits = limits or Limits()
    if limits.time_s is None:
        limits = replace(limits, time_s=HANG_S)
    stream = list(search(problem, engine=chosen, limits=limits))
    assert stream[0] == Started(chosen.name)
    assert isinstance(stream[-1], Finished)
    assert all(isinstance(event, (Progress, Found, Bound)) for event in stream[1:-1])
    return Run(problem, stream)
