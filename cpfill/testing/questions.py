"""A question in plain data, the problem it makes, small random questions, the engines under test and their options.

Random questions have few letters and few words, so that words meet.
"""

from __future__ import annotations

import itertools
import os
import re
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, reject
from hypothesis import strategies as st

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.engines import ENGINES, engine_class, make_engine, options_of
from cpfill.engines.audited import search, tally
from cpfill.engines.contract import Feature, required_features
from cpfill.problem.event import Bound, Finished, Found, Progress, Started
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from cpfill.problem.ties import tie_cells
from cpfill.problem.value import LetterValues
from cpfill.puzzle.grid import Direction, Grid, split_rows
from cpfill.testing import brute_force
from cpfill.testing.brute_force import Rows, TooManyError, runs_in, words_in
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.base.reading import Field
    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.result import SolveResult
    from cpfill.testing.brute_force import Answer, Cells, Value

CHOSEN = os.environ.get("CPFILL_ENGINE", "")
ENGINE_NAMES = [CHOSEN] if CHOSEN else sorted(ENGINES)
# The features that an objective needs, and the engines with the objectives that they can maximise.
NEEDS: dict[Objective, set[Feature]] = {
    Objective.GOOD: set(),
    Objective.ANY: set(),
    Objective.MIN: {Feature.MAXIMISE_MIN},
    Objective.SUM: {Feature.MAXIMISE_SUM},
    Objective.MIN_THEN_SUM: {Feature.MAXIMISE_MIN, Feature.MAXIMISE_SUM},
    Objective.LEXIMIN: {Feature.LEXIMIN},
    Objective.LETTER_VALUES: {Feature.MAXIMISE_SUM},
}
UNPROVED = {Objective.GOOD, Objective.ANY}


def list_tasks(engine: str) -> list[tuple[str, Objective]]:
    """Return the objectives that an engine can maximise, each with the engine."""
    features = engine_class(engine).features
    return [(engine, goal) for goal in Objective if NEEDS[goal] <= features]


TASKS = list(itertools.chain.from_iterable(map(list_tasks, ENGINE_NAMES)))
MAXIMISERS = [name for name, goal in TASKS if goal is Objective.MIN]
ADDERS = [name for name, goal in TASKS if goal is Objective.MIN_THEN_SUM]

# Each problem of these tests takes less than a second. An endless search fails its test instead of blocking the rest.
HANG_S = 30.0

Options = dict[str, Any]

REBUS = {"1": "AB", "2": "BCA", "3": "AA"}
"""The signs of rebus cells in questions, and their letters."""

# Options that change an engine's answer, not its search, and options that matter only with an objective.
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
    tested = {name: each for name, each in values.items() if each and name not in idle}
    combinations = itertools.product(*tested.values())
    return [dict(zip(tested, chosen, strict=True)) for chosen in combinations]


def pairings(engine: str, objective: Objective = Objective.MIN) -> list[Options]:
    """Return a few of the configurations of an engine, its defaults first: any values of two options meet in one."""
    first, *others = configurations(engine, objective)
    chosen = [first]
    met = meetings(first)
    while any(meetings(options) - met for options in others):
        chosen.append(max(others, key=lambda options: len(meetings(options) - met)))
        met |= meetings(chosen[-1])
    return chosen


def meetings(options: Options) -> set[tuple[object, ...]]:
    """Return each value of an option, and any two."""
    return set(itertools.combinations_with_replacement(options.items(), 2))


# The names of the numbers of a value, by the objective and by the presence of a theme.
MEASURES: dict[tuple[Objective, bool], tuple[str, ...]] = {
    (Objective.GOOD, False): ("min",),
    (Objective.ANY, False): ("min",),
    (Objective.MIN, False): ("min",),
    (Objective.SUM, False): ("sum",),
    (Objective.MIN_THEN_SUM, False): ("min", "sum"),
    (Objective.LEXIMIN, False): ("leximin",),
    (Objective.LETTER_VALUES, False): ("letters",),
    (Objective.GOOD, True): ("theme",),
    (Objective.ANY, True): ("theme",),
    (Objective.MIN, True): ("theme", "min"),
    (Objective.SUM, True): ("theme", "sum"),
    (Objective.MIN_THEN_SUM, True): ("theme", "min", "sum"),
    (Objective.LEXIMIN, True): ("theme", "leximin"),
    (Objective.LETTER_VALUES, True): ("theme", "letters"),
}


@dataclass(frozen=True)
class Question:
    """A problem in plain data, which the brute force takes unchanged."""

    cells: Cells
    words: Mapping[str, float]
    alphabet: str = LATIN
    min_slot_length: int = 2
    repeats: bool = False
    min_score: float = 0.0
    no_shared: bool = False
    max_obscure: int | None = None
    below: float = 0.0
    required: frozenset[str] = frozenset()
    theme: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[float, ...] = ()
    open_slots: frozenset[brute_force.Start] = frozenset()
    rebus: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()  # C9, if there are some
    ties: tuple[frozenset[brute_force.Place], ...] = ()
    max_fills: int = field(default=20_000, repr=False)

    @property
    def rules(self) -> brute_force.Rules:
        return brute_force.Rules(
            self.min_slot_length,
            self.repeats,
            self.min_score,
            self.marks if self.no_shared else None,
            self.max_obscure,
            self.below,
            self.required,
            self.theme,
            self.levels,
            self.open_slots,
            self.rebus,
            self.names,
            self.ties,
        )

    @property
    def answer(self) -> Answer:
        """The fills with their values where nothing is maximised but the theme; without one, V1 gives the same."""
        return self.answer_to(Objective.ANY)

    @cached_property
    def _fills(self) -> frozenset[Rows]:
        """Every fill; a test that asks for more of them than `max_fills` draws another question instead."""
        try:
            return brute_force.solve(self.cells, self.words, self.rules, measures=(), max_fills=self.max_fills).fills
        except TooManyError:
            reject()

    @cached_property
    def _answers(self) -> dict[Objective, Answer]:
        return {}

    def answer_to(self, objective: Objective) -> Answer:
        """Return the fills with their values under an objective."""
        if objective not in self._answers:
            measures = MEASURES[objective, bool(self.theme)]
            values = {}
            for rows in self._fills:
                signs = "".join(rows)
                values[rows] = brute_force.value_of(self._list_words(rows), self.words, self.rules, measures, signs)
            self._answers[objective] = brute_force.Answer(values)
        return self._answers[objective]

    def judge(self, rows: Rows) -> tuple[float, ...]:
        """Return the scores of a fill, worst first, as a good fill counts them."""
        return brute_force.judge(self._list_words(rows), self.words, self.marks)

    def _list_words(self, rows: Rows) -> list[str]:
        return brute_force.words_in(rows, self.min_slot_length, self.open_slots, self.rebus)

    @cached_property
    def marks(self) -> dict[str, frozenset[str]]:
        """The marks that make words alike: data, as their scores are."""
        lexicon = self.problem().lexicon
        return {word: lexicon.marks(word) for word in self.words}

    def _spell(self, word: str) -> str:
        """Return a spelling; with C5 that of a phrase whose first word has three letters, so that many are alike."""
        if word in self.names:
            return word.title()
        if self.no_shared:
            return f"{word[:3]} {word[3:]}".strip().lower()
        return word.lower()

    @property
    def has_slot(self) -> bool:
        rows = [shape_of(row) for row in self.cells]
        return bool(brute_force.words_in(rows, self.min_slot_length, self.open_slots))

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        alphabet = Alphabet(self.alphabet)
        words = {word: (score, self._spell(word)) for word, score in self.words.items()}
        lexicon = Lexicon([WordList("words", words, {}, alphabet)], alphabet)
        rules = Rules(
            repeats=self.repeats,
            min_score=self.min_score,
            no_shared=self.no_shared,
            max_obscure=self.max_obscure,
            below=None if self.max_obscure is None else self.below,
            required=self.required,
            no_naticks=bool(self.names),
        )
        levels = self.levels
        if objective is not Objective.LEXIMIN:
            levels = ()
        values = LetterValues(brute_force.LETTER_VALUES, brute_force.BLOCK_VALUE)
        grid = self._make_grid(alphabet)
        return Problem(grid, lexicon, rules, objective, self.theme, levels, letter_values=values)

    def _make_grid(self, alphabet: Alphabet) -> Grid:
        height = len(self.cells)
        width = len(self.cells[0])
        cells = []
        rebus = {}
        for cell, sign in enumerate(itertools.chain.from_iterable(self.cells)):
            if sign in self.rebus:
                cells.append(alphabet.full)
                rebus[cell] = self.rebus[sign]
            else:
                cells.append(alphabet.letter_set(sign))
        opened = frozenset((Direction(way), row * width + column) for way, row, column in self.open_slots)
        grid = Grid(height, width, tuple(cells), alphabet, self.min_slot_length, open_slots=opened, rebus=rebus)
        if not self.ties:
            return grid
        tied = [sorted(row * width + column for row, column in places) for places in self.ties]
        return tie_cells(grid, itertools.chain.from_iterable(map(itertools.pairwise, tied)))


def shape_of(row: Sequence[str]) -> str:
    """Return a row of cells with a letter in each open cell."""
    return "".join("a" if cell else "#" for cell in row)


def question(*rows: str, words: str | Mapping[str, float], alphabet: str = LATIN, **rules: Any) -> Question:
    """Return a question over rows as `cells_of` reads them and words separated by blanks, which score 50."""
    if isinstance(words, str):
        words = dict.fromkeys(words.split(), 50.0)
    cells = brute_force.cells_of(*rows, alphabet=alphabet)
    return Question(cells, words, alphabet, **rules)


def skip_without(engine: str, problem: Problem) -> None:
    """Skip the test of an engine that lacks a feature which the problem takes."""
    lacking = required_features(problem, Limits()) - engine_class(engine).features
    if lacking:
        pytest.skip(f"it lacks {', '.join(sorted(lacking))}")


def rows_of(problem: Problem, fill: Fill) -> Rows:
    """Return a fill as the brute force writes it, in a question whose signs are those of `REBUS`."""
    signs = {letters: sign for sign, letters in REBUS.items()}
    letters = [signs.get(letter, letter) or "#" for letter in fill.letters]
    rows = split_rows(letters, problem.grid.width)
    return tuple(map("".join, rows))


@dataclass(frozen=True)
class Run:
    """A problem, and the events of an engine's search for its fills."""

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


def run(engine: str | Engine, problem: Problem, limits: Limits | None = None, **options: Any) -> Run:
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


LETTERS = "ABCDEF"
SCORES = (0.0, 0.1, 0.2, 0.30000000000000004, 1.0, 7.5, 50.0, 50.0, 50.0, 99.0, 1e16)
# Scores to add up. As binary numbers 0.1 + 0.2 is not 0.3, and 0.1 + 0.7 is not 0.8.
DECIMALS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.7, 1.0, 7.5, 50.0, 50.0, 50.0, 99.0)
WEIGHTS = (1.0, 1.0, 1.0, 0.1, 0.2, 0.3, 0.25, 2.0, 0.0)
LEVELS = st.sampled_from([(), (), (), (0.2,), (7.5,), (50.0,), (0.25, 50.0), (0.1, 1.0, 60.0), (1.0, 7.5, 99.0, 100.0)])
# Which of C5 to C7 a question has: most often none.
SIDES = ("", "", "", "C5", "C6", "C7", "C6 C7", "C5 C7")
MAX_FILLS = 250
BOOLEANS = st.booleans()
OTHERS = st.integers(0, 12) | st.integers(0, 40)


# Every draw takes equally long, and checking a new strategy longer: letters are drawn a word at a time, and
# each strategy is made once.
of = cache(st.sampled_from)
whole = cache(st.integers)
so_many = cache(lambda items, size: st.lists(items, min_size=size, max_size=size))


@cache
def words_of(alphabet: str, size: int) -> st.SearchStrategy[str]:
    """Return all words of a size."""
    words = map("".join, product(alphabet, repeat=size))
    return of(tuple(words))


@cache
def subset(alphabet: str) -> st.SearchStrategy[str]:
    """Return some letters of an alphabet, sorted."""
    chosen = st.sets(of(alphabet), min_size=1)
    return chosen.map(sorted).map("".join)


@st.composite
def questions(
    draw: st.DrawFn,
    *,
    sides: bool = False,
    themed: bool = False,
    sums: bool = False,
    opened: bool = False,
    rebus: bool = False,
    tied: bool = False,
) -> Question:
    """Return a question with few enough fills to list.

    Args:
        draw: draws.
        sides: some have rules of C5 to C7.
        themed: some have a theme.
        sums: the scores can be added up.
        opened: some have slots that need not be words.
        rebus: some have rebus cells.
        tied: some have tied cells.
    """
    alphabet = LETTERS[: draw(of((3, 3, 4, 5, 6)), label="letters")]
    height = draw(of((4, 3, 2, 1, 4, 3, 5)), label="height")
    width = draw(of((4, 3, 2, 1, 4, 3, 5)), label="width")
    blocks = 3
    if max(height, width) < 5:
        blocks = draw(whole(0, 3), label="blocks in ten")
    kinds = ("",) * blocks + (alphabet,) * (13 - blocks) + ("given", "set")
    if rebus:
        kinds += ("rebus",)
    cells: list[tuple[str, ...]] = []
    planted = []
    for _ in range(height):
        row, text = draw(_rows_of(kinds, alphabet, width))
        cells.append(row)
        planted.append(text)
    rows: Rows = tuple(planted)
    min_slot_length = draw(of((2, 2, 1, 3)), label="min_slot_length")
    open_slots: frozenset[brute_force.Start] = frozenset()
    if opened:
        open_slots = draw(_openings(rows, min_slot_length))
    runs = words_in(rows, min_slot_length, open_slots, REBUS)
    words = draw(_bases(alphabet, runs, words_in(rows, min_slot_length, open_slots)))
    pool = DECIMALS if sums else SCORES
    scores = draw(so_many(of(pool), len(words)), label="scores")
    repeats = draw(BOOLEANS, label="repeats")
    min_score = draw(of((0.0, 0.0, 0.0, 0.0, 0.2, 50.0)), label="min_score")
    rules: dict[str, Any] = {}
    if sides:
        rules |= draw(_sides(words, runs))
    if themed:
        rules["theme"] = draw(_themes(words, runs))
    if sums:
        rules["levels"] = draw(LEVELS, label="levels")
    if rebus:
        rules["rebus"] = REBUS
    if tied:
        rules["ties"] = draw(_ties(tuple(cells), rows))
    result = Question(
        tuple(cells),
        dict(zip(words, scores, strict=True)),
        alphabet,
        min_slot_length,
        repeats=repeats,
        min_score=min_score,
        max_fills=MAX_FILLS,
        open_slots=open_slots,
        **rules,
    )
    assume(result.has_slot)
    assert result.answer is not None
    return result


CROSSED = (("..", ".."), ("..#", "...", "#.."), ("#.#", "...", "#.#"), (".#.", "...", ".#."), ("...", "...", "..."))


@st.composite
def named_questions(draw: st.DrawFn) -> Question:
    """Return a question about names that often cross at a letter that others leave open (C9)."""
    rows = draw(of(CROSSED))
    alphabet = draw(of(("AB", "ABC")), label="letters")
    chance = draw(st.randoms(use_true_random=False), label="words")
    words: dict[str, float] = {}
    for size in sorted({len(run) for run in runs_in(rows, 2).values()}):
        every = list(map("".join, product(alphabet, repeat=size)))
        chosen = chance.sample(every, chance.randint(len(every) // 3, 2 * len(every) // 3))
        words |= {word: chance.choice((30.0, 40.0, 50.0, 60.0)) for word in chosen}
    names = frozenset(chance.sample(sorted(words), chance.randint(1, len(words))))
    min_score = draw(of((0.0, 0.0, 40.0)), label="min_score")
    result = question(*rows, words=words, alphabet=alphabet, names=names, repeats=draw(BOOLEANS), min_score=min_score)
    return replace(result, max_fills=MAX_FILLS)


@st.composite
def _openings(draw: st.DrawFn, rows: Rows, min_slot_length: int) -> frozenset[brute_force.Start]:
    """Return some runs that need not be words."""
    starts = sorted(runs_in(rows, min_slot_length))
    if not starts:
        return frozenset()
    return frozenset(draw(st.sets(of(tuple(starts)), max_size=4), label="open"))


@st.composite
def _ties(draw: st.DrawFn, cells: Cells, rows: Rows) -> tuple[frozenset[brute_force.Place], ...]:
    """Return some sets of cells that can hold the same letter; `rows` are the letters of a fill, which often agree."""
    alike: dict[str, list[brute_force.Place]] = {}
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if cells[row][column] not in {"", *REBUS}:
                alike.setdefault(letter, []).append((row, column))
    ties = []
    for _, places in sorted(alike.items()):
        tied = draw(st.sets(of(tuple(places)), max_size=4), label="tied")
        if len(tied) > 1:
            ties.append(frozenset(tied))
    return tuple(ties)


@st.composite
def _rows_of(draw: st.DrawFn, kinds: tuple[str, ...], alphabet: str, width: int) -> tuple[tuple[str, ...], str]:
    """Return a row of cells of these kinds, and letters that they may hold."""
    kinds_and_letters = of(tuple(product(kinds, alphabet)))
    row: list[str] = []
    text = ""
    for _ in range(width):
        cell, letter = draw(kinds_and_letters)
        if cell == "given":
            cell = letter
        elif cell == "set":
            cell = draw(subset(alphabet))
        elif cell == "rebus":
            cell = draw(of(tuple(REBUS)))
        row.append(cell)
        if not cell:
            text += "#"
        elif letter in cell:
            text += letter
        else:
            text += cell[0]
    return tuple(row), text


@st.composite
def _bases(draw: st.DrawFn, alphabet: str, runs: Sequence[str], written: Sequence[str]) -> list[str]:
    """Return words: mostly all the words of a fill, and others as long; `written` has the signs of rebus cells."""
    base: set[str] = set()
    if draw(whole(0, 4), label="planted"):
        base.update(runs)
    # The pattern of a slot, a dot for each unknown letter.
    shapes = sorted({re.sub("[A-Z]", ".", run) for run in written}) or [".."]
    others = draw(OTHERS, label="other words")
    for place in range(others):
        shape = shapes[place % len(shapes)]
        letters = iter(draw(words_of(alphabet, shape.count("."))))
        word = [next(letters) if sign == "." else REBUS[sign] for sign in shape]
        base.add("".join(word))
    return sorted(base) or [alphabet[:2]]


@st.composite
def _sides(draw: st.DrawFn, words: Sequence[str], runs: Sequence[str]) -> dict[str, Any]:
    """Return rules of C5 to C7 over words, for a grid with as many slots as `runs`, and as long."""
    chosen = draw(of(SIDES), label="sides")
    rules: dict[str, Any] = {}
    if "C5" in chosen:
        rules["no_shared"] = True
    if "C6" in chosen:
        rules["max_obscure"] = draw(whole(0, 4), label="max_obscure")
        rules["below"] = draw(of((50.0, 1.0, 0.2, 7.6, 60.0, 0.0)), label="below")
    if "C7" in chosen:
        rules["required"] = frozenset(draw(_some(words, runs, 2), label="required"))
    return rules


@st.composite
def _themes(draw: st.DrawFn, words: Sequence[str], runs: Sequence[str]) -> dict[str, float]:
    """Return the weights of some words, or of none."""
    chosen = draw(_some(words, runs, 5), label="theme")
    weights = draw(so_many(of(WEIGHTS), 5))
    return dict(zip(chosen, weights, strict=False))


def _some(words: Sequence[str], runs: Sequence[str], most: int) -> st.SearchStrategy[list[str]]:
    """Return different words that are as long as a slot, the words of the planted fill more often than others."""
    lengths = set(map(len, runs))
    fitting = [word for word in words if len(word) in lengths]
    if not fitting:
        return st.just([])
    planted = [word for word in fitting if word in runs]
    return st.lists(st.sampled_from(planted * 3 + fitting), max_size=most, unique=True)


def options_for(engine: str) -> st.SearchStrategy[Options]:
    return st.sampled_from(configurations(engine))
