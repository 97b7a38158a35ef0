"""Every reason against a brute force: it has no fill, and without any one of its elements it has one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, ClassVar

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.event import Finished, Started, StopReason
from cpfill.problem.result import Status
from cpfill.questions.explain import tell
from cpfill.questions.explain.conflict import Constraint, Kind
from cpfill.questions.explain.explanation import Explanation, explain
from cpfill.testing.brute_force import TooManyError, go_together
from cpfill.testing.questions import questions

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Sequence

    from cpfill.engines.contract import Feature
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from tests.support import Question

Place = tuple[int, ...]  # row and column, and of a rebus cell which of its letters
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


def runs_in(question: Question) -> list[tuple[Place, ...]]:
    """Return the cells of every run that is long enough, read from the rows and columns."""
    height, width = len(question.cells), len(question.cells[0])
    lines = [[(row, column) for column in range(width)] for row in range(height)]
    lines += [[(row, column) for row in range(height)] for column in range(width)]
    found: list[tuple[Place, ...]] = []
    for line in lines:
        for is_open, cells in itertools.groupby(line, key=lambda at: bool(question.cells[at[0]][at[1]])):
            run = tuple(cells)
            if is_open and len(run) >= question.min_slot_length:
                found.append(run)
    return found


def spell(question: Question, run: Sequence[Place]) -> list[Place]:
    """Return where the letters of a run stand."""
    signs = [(at, question.cells[at[0]][at[1]]) for at in run]
    return [
        place
        for at, sign in signs
        for place in ([(*at, nth) for nth in range(len(question.rebus[sign]))] if sign in question.rebus else [at])
    ]


class Rest:
    """What is left of a question when only some runs must be words, some cells are given, some words required.

    In the run `excepted` any word may stand that scores more than `above`.
    """

    def __init__(
        self,
        question: Question,
        runs: Collection[tuple[Place, ...]],
        givens: Collection[Place],
        words: Collection[str],
        *,
        excepted: tuple[Place, ...] = (),
        above: float = 0.0,
    ) -> None:
        self._question = question
        self._runs = sorted(runs)
        self._excepted, self._above = excepted, above
        self._allowed: dict[Place, set[str]] = {}
        for row, cells in enumerate(question.cells):
            for column, cell in enumerate(cells):
                self._allowed[row, column] = set(cell if (row, column) in givens else question.alphabet)
                for place in spell(question, [(row, column)]):
                    if cell in question.rebus:
                        self._allowed[place] = {question.rebus[cell][place[2]]}
        self._required = sorted(words)
        self._rules = replace(question.rules, required=frozenset())
        self._steps = 0

    def has_fill(self) -> bool:
        """Whether letters can be written that obey all that is left."""
        runs = [(run, len(spell(self._question, run))) for run in runs_in(self._question)]
        places = [[run for run, length in runs if length == len(word)] for word in self._required]
        for chosen in itertools.product(*places):
            letters: dict[Place, str] = {}
            apart = len(set(chosen)) == len(chosen)
            if apart and all(self._write(letters, run, w) for run, w in zip(chosen, self._required, strict=True)):
                for used in self._words(letters, self._runs):
                    if go_together(used, self._question.words, self._rules):
                        return True
        return False

    def _write(self, letters: dict[Place, str], run: tuple[Place, ...], word: str) -> bool:
        written = dict(zip(spell(self._question, run), word, strict=True))
        fits = all(letters.get(at, c) == c and c in self._allowed[at] for at, c in written.items())
        if fits:
            letters.update(written)
        return fits

    def _words(self, letters: dict[Place, str], runs: list[tuple[Place, ...]]) -> Iterator[list[str]]:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise TooManyError
        if not runs:
            yield []
            return
        for word, score in self._question.words.items():
            fits = score > self._above if runs[0] == self._excepted else score >= self._question.min_score
            if fits and len(word) == len(spell(self._question, runs[0])):
                written = dict(letters)
                if self._write(written, runs[0], word):
                    for others in self._words(written, runs[1:]):
                        yield [word, *others]


def has_fill(
    question: Question,
    explanation: Explanation,
    subset: Collection[Constraint],
    excepted: Constraint | None = None,
    above: float = 0.0,
) -> bool:
    """Whether a part of a question has a fill. It reads only the cells of the problem's slots."""
    problem, width = explanation.problem, len(question.cells[0])
    runs, givens, words = [], [], []
    for kind, id_ in subset:
        if kind is Kind.SLOT:
            runs.append(tuple(divmod(cell, width) for cell in problem.slots[id_].cells))
        elif kind is Kind.GIVEN:
            givens.append(divmod(id_, width))
        else:
            words.append(sorted(question.required)[id_])
    assert set(runs) <= set(runs_in(question))
    try:
        among = () if excepted is None else [divmod(cell, width) for cell in problem.slots[excepted.id].cells]
        return Rest(question, runs, givens, words, excepted=tuple(among), above=above).has_fill()
    except TooManyError:
        assume(False)
        raise


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
@given(question=questions(sides=True, rebus=True))
def test_a_reason_is_a_minimal_conflict_and_what_is_said_of_it_is_true(question: Question) -> None:
    assume(not question.answer.values)
    explanation = explain(question.problem(), MacEngine())
    assert explanation.minimal
    assert explanation.finished
    assert tell(explanation)
    check_conflict(question, explanation)
    check_repairs(question, explanation)
    check_rules(question, explanation)


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
    }
    for rule, without in lifted.items():
        assert has_fill(without, explanation, explanation.conflict.subset) == (rule in explanation.lifted)


@settings(max_examples=20)
@given(question=questions(rebus=True))
def test_the_best_score(question: Question) -> None:
    assume(question.min_score > 0 and not question.answer.values)
    unscored = replace(question, min_score=0.0)
    try:
        best = unscored.answer.best
    except TooManyError:
        assume(False)
    ceiling = explain(question.problem(), MacEngine()).ceiling
    assert (ceiling is None) == (best is None)
    if ceiling is not None and best is not None:
        assert ceiling.best == ceiling.bound == best[0] < question.min_score
        assert ceiling.conflict is not None
        above = replace(question, min_score=ceiling.level)
        explanation = Explanation(question.problem(), Status.UNSATISFIABLE, conflict=ceiling.conflict)
        check_conflict(above, explanation)
