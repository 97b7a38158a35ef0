"""Every reason against a brute force: it has no fill, and without any one of its elements it has one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.event import Finished, Started, StopReason
from cpfill.problem.result import Status
from cpfill.questions.explain import tell
from cpfill.questions.explain.conflict import Constraint, Kind
from cpfill.questions.explain.explanation import Explanation, explain
from cpfill.testing.brute_force import (
    Cells,
    Rules,
    Start,
    TooManyError,
    go_together,
    has_natick,
    runs_in,
    solve,
    words_in,
)
from cpfill.testing.questions import named_questions, question, questions, shape_of
from tests.property.test_counts import Counted, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from cpfill.engines.contract import Feature
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.testing.brute_force import Rows
    from tests.support import Question

    Keeps = Callable[[Rows, set[int]], bool]

MAX_STEPS = 60_000


class Wavering:
    """An engine that now and then does not come to an answer."""

    name: ClassVar[str] = "wavering"
    features: ClassVar[frozenset[Feature]] = MacEngine.features

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._engine = MacEngine()

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        if self._random.random() < 0.4:
            yield Started(self.name)
            yield Finished(StopReason.NODES)
        else:
            yield from self._engine.search(problem, limits)


def find_lines(question: Question) -> dict[Start, tuple[int, ...]]:
    """Return the numbers of the cells of each run that is long enough."""
    width = len(question.cells[0])
    lines = {}
    for start, run in runs_in([shape_of(row) for row in question.cells], question.min_slot_length).items():
        direction, row, column = start
        step = 1 if direction == "Across" else width
        first = row * width + column
        lines[start] = tuple(range(first, first + step * len(run), step))
    return lines


def place_word(cells: list[str], line: tuple[int, ...], word: str, rebus: Mapping[str, str]) -> list[str] | None:
    """Return the cells with a word in a run, if it fits there."""
    placed = list(cells)
    rest = word
    for cell in line:
        sign = cells[cell]
        letters = rebus.get(sign, rest[:1])
        if not letters or not rest.startswith(letters) or (sign not in rebus and letters not in sign):
            return None
        rest = rest[len(letters) :]
        if sign not in rebus:
            placed[cell] = letters
    return None if rest else placed


def place_words(
    cells: list[str], lines: Collection[tuple[int, ...]], words: list[str], question: Question
) -> Iterator[list[str]]:
    """Yield the cells with some words in different runs, in every way."""
    for chosen in itertools.permutations(lines, len(words)):
        placed: list[str] | None = cells
        for line, word in zip(chosen, words, strict=True):
            if placed is not None:
                placed = place_word(placed, line, word, question.rebus)
        if placed is not None:
            yield placed


def has_fill(
    question: Question,
    explanation: Explanation,
    subset: Collection[Constraint],
    excepted: Constraint | None = None,
    above: float = 0.0,
    *,
    keeps: Keeps = lambda *_: True,
) -> bool:
    """Whether a part of a question has a fill: only some runs are words, some cells given, some words required.

    In the run `excepted` any word may stand that scores more than `above`. `keeps` returns whether the letters of a
    fill keep the rules over them if some cells, by their numbers, may hold any letters.
    """
    slots = explanation.problem.slots
    width = len(question.cells[0])
    starts = [(slot.direction.value, *divmod(slot.cells[0], width)) for slot in slots]
    lines = find_lines(question)
    closed = {starts[id_] for kind, id_ in subset if kind is Kind.SLOT}
    assert closed <= lines.keys()
    givens = {id_ for kind, id_ in subset if kind is Kind.GIVEN}
    required = [sorted(question.required)[id_] for kind, id_ in subset if kind is Kind.REQUIRED]
    cells = []
    for cell, sign in enumerate(itertools.chain(*question.cells)):
        stays = cell in givens or sign in question.rebus or not sign
        cells.append(sign if stays else question.alphabet)
    if excepted is None:
        freed = {cell for slot in slots for cell in slot.cells}.difference(*(lines[start] for start in closed))
        rest = Rest(question, closed, keeps=lambda fill: keeps(fill, freed))
        return any(map(rest.has_fill, place_words(cells, lines.values(), required, question)))
    start = starts[excepted.id]
    for word, score in question.words.items():
        placed = place_word(cells, lines[start], word, question.rebus) if score > above else None
        rest = Rest(question, closed - {start}, word, frozenset({start}))
        if placed and any(map(rest.has_fill, place_words(placed, lines.values(), required, question))):
            return True
    return False


class Rest(NamedTuple):
    """A question of which only some runs are words; `standing` stands in the run `at` beside them."""

    question: Question
    closed: AbstractSet[Start]
    standing: str = ""
    at: frozenset[Start] = frozenset()
    keeps: Callable[[Rows], bool] = lambda _: True

    def has_fill(self, cells: list[str]) -> bool:
        question = self.question
        opened = frozenset(find_lines(question).keys() - self.closed)
        lenient = Rules(question.min_slot_length, True, question.min_score, open_slots=opened, rebus=question.rebus)
        rules = replace(question.rules, required=frozenset(), open_slots=opened - self.at)
        rows = split(cells, len(question.cells[0]))
        try:
            fills = solve(rows, question.words, lenient, measures=(), max_steps=MAX_STEPS).fills
        except TooManyError:
            assume(False)
            raise
        for fill in fills:
            used = words_in(fill, question.min_slot_length, opened, question.rebus)
            if self.standing:
                used.append(self.standing)
            right = go_together(used, question.words, rules) and not has_natick(fill, question.words, rules)
            if right and self.keeps(fill):
                return True
        return False


def split(cells: list[str], width: int) -> Cells:
    return tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))


def everything(question: Question, explanation: Explanation) -> set[Constraint]:
    narrow = {
        row * len(cells) + column
        for row, cells in enumerate(question.cells)
        for column, cell in enumerate(cells)
        if cell and len(cell) < len(question.alphabet) and cell not in question.rebus
    }
    crossed = {cell for slot in explanation.problem.slots for cell in slot.cells}
    return {
        *(Constraint(Kind.SLOT, slot.id) for slot in explanation.problem.slots),
        *(Constraint(Kind.GIVEN, cell) for cell in narrow & crossed),
        *(Constraint(Kind.REQUIRED, id_) for id_ in range(len(question.required))),
    }


@settings(max_examples=25)
@given(question=questions(sides=True, rebus=True) | named_questions())
def test_a_reason_is_a_minimal_conflict_and_what_is_said_of_it_is_true(question: Question) -> None:
    assume(not question.answer.values)
    explanation = explain(question.problem(), MacEngine())
    assert explanation.minimal
    assert explanation.finished
    assert tell(explanation)
    check_conflict(question, explanation)
    check_repairs(question, explanation)
    check_rules(question, explanation)


@settings(max_examples=25)
@given(made=counted(tied=False))
def test_a_reason_over_letters_is_a_minimal_conflict(made: Counted) -> None:
    assume(not made.values() and not made.asked.open_slots)
    explanation = explain(made.problem(), MacEngine())
    assert explanation.conflict is not None
    assert not explanation.conflict.undecided
    crossed = {cell for slot in explanation.problem.slots for cell in slot.cells}
    assume(all(not cell or number in crossed for number, cell in enumerate(itertools.chain(*made.asked.cells))))
    subset = explanation.conflict.subset
    assert not has_fill(made.asked, explanation, subset, keeps=made.keeps)
    for constraint in subset:
        assert has_fill(made.asked, explanation, subset - {constraint}, keeps=made.keeps), constraint


def test_a_limit_may_name_an_entry_that_is_dropped() -> None:
    asked = question("..", "..", words="BC CB BB CC", alphabet="ABC")
    posed = asked.problem()
    explanation = explain(replace(posed, rules=replace(posed.rules, letter_counts=("1-Across: A>=1",))), MacEngine())
    assert explanation.conflict is not None

    def keeps(rows: Rows, freed: set[int]) -> bool:
        return "A" in rows[0] or not freed.isdisjoint({0, 1})

    subset = explanation.conflict.subset
    assert not has_fill(asked, explanation, subset, keeps=keeps)
    assert all(has_fill(asked, explanation, subset - {constraint}, keeps=keeps) for constraint in subset)


@settings(max_examples=30)
@given(question=questions(rebus=True), seed=st.integers(0, 9))
def test_what_is_undecided_is_said_to_be(question: Question, seed: int) -> None:
    assume(not question.answer.values)
    explanation = explain(question.problem(), Wavering(seed))
    assert explanation.status is Status.UNSATISFIABLE
    check_conflict(question, explanation)
    assert explanation.conflict is not None
    whole = everything(question, explanation)
    for repair in explanation.repairs:
        assert has_fill(question, explanation, *change(whole, repair.constraint, opened=not repair.reads))
    for constraint in explanation.useless:
        assert not has_fill(question, explanation, *change(whole, constraint))


def change(
    whole: set[Constraint], constraint: Constraint, *, opened: bool = False
) -> tuple[set[Constraint], Constraint | None]:
    """Return what is left if a constraint is changed: in a slot another word may stand, unless it is opened."""
    if constraint.kind is Kind.SLOT and not opened:
        return whole, constraint
    return whole - {constraint}, None


def check_conflict(question: Question, explanation: Explanation) -> None:
    """Check that the conflict has no fill, and has one without any element that is said to be needed."""
    assert explanation.conflict is not None
    subset = explanation.conflict.subset
    assert explanation.conflict.undecided <= subset <= everything(question, explanation)
    assert not has_fill(question, explanation, subset)
    for constraint in subset - explanation.conflict.undecided:
        assert has_fill(question, explanation, subset - {constraint}), constraint


def check_repairs(question: Question, explanation: Explanation) -> None:
    """Check of each element whether to change it alone helps, and which letters or words would do in its place."""
    assert explanation.conflict is not None
    whole = everything(question, explanation)
    helping = {repair.constraint: repair for repair in explanation.repairs}
    assert helping.keys() | explanation.useless | explanation.openable == explanation.conflict.subset
    opened = [constraint for constraint, repair in helping.items() if constraint.kind is Kind.SLOT and not repair.reads]
    assert not opened or len(opened) == len(helping)
    for constraint in explanation.conflict.subset:
        helps = has_fill(question, explanation, *change(whole, constraint))
        assert helps == (constraint in helping and constraint not in opened)
        if constraint.kind is Kind.SLOT and not helps:
            told = constraint in opened or constraint in explanation.openable
            assert has_fill(question, explanation, whole - {constraint}) == told
    for constraint, repair in helping.items():
        if constraint.kind is Kind.SLOT and repair.reads:
            assert not has_fill(question, explanation, whole, constraint, question.words[repair.reads])
        if constraint.kind is Kind.GIVEN:
            assert repair.doubtful == 0
            row, column = divmod(constraint.id, len(question.cells[0]))
            for code, letter in enumerate(question.alphabet):
                cells = [list(line) for line in question.cells]
                cells[row][column] = letter
                given_there = replace(question, cells=tuple(map(tuple, cells)))
                works = letter not in question.cells[row][column] and has_fill(given_there, explanation, whole)
                assert works == bool(repair.letters >> code & 1)


def check_rules(question: Question, explanation: Explanation) -> None:
    """Check which rules the conflict hangs on."""
    assert explanation.conflict is not None
    lifted = {
        "C2": replace(question, min_score=0.0),
        "C3": replace(question, repeats=True),
        "C5": replace(question, no_shared=False),
        "C6": replace(question, max_obscure=None),
        "C9": replace(question, names=frozenset()),
    }
    for rule, without in lifted.items():
        assert has_fill(without, explanation, explanation.conflict.subset) == (rule in explanation.lifted)


@settings(max_examples=20)
@given(question=questions(rebus=True))
def test_the_best_score(question: Question) -> None:
    assume(question.min_score > 0 and not question.answer.values)
    unscored = replace(question, min_score=0.0)
    best = unscored.answer.best
    ceiling = explain(question.problem(), MacEngine()).ceiling
    assert (ceiling is None) == (best is None)
    if ceiling is not None and best is not None:
        assert ceiling.best == ceiling.bound == best[0] < question.min_score
        assert ceiling.conflict is not None
        above = replace(question, min_score=ceiling.level)
        explanation = Explanation(question.problem(), Status.UNSATISFIABLE, conflict=ceiling.conflict)
        check_conflict(above, explanation)
