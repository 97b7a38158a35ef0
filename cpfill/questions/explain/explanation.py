"""Why a problem has no fill: a minimal conflict, the rules it depends on, and repairs of the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines.audited import check_limits, settle
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Outcome, Status
from cpfill.puzzle.grid import Pictured
from cpfill.questions.explain.conflict import SUBSET_NODES, Conflict, Constraint, Kind, Oracle, find_conflicts

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.engines.contract import Engine
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.drawing import Diagram
    from cpfill.puzzle.grid import CellId
    from cpfill.questions.explain.conflict import Subset

OPEN_NODES = SUBSET_NODES // 10
"""Nodes for the search of a fill where one slot is open: a hint is worth less time than a word."""

_SHARE = 0.5
"""The share of the remaining time for each step, so that later steps get some, too."""

_LEAST_S = 1.0
"""Each step after the conflict takes no longer than all steps before it did, or this time if that is longer."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A constraint of a conflict, and what to change about it: then the whole problem has a fill.

    Attributes:
        constraint: the constraint.
        reads: for a given, its letter in such a fill. For a slot, a word of the lexicon to allow there: the best one
            found among those that score under the minimum or are excluded from the slot. It is empty if no word helps
            and the slot must be left open.
        letters: for a given, the letters proved to work in its cell, as a letter set.
        doubtful: for a given, the undecided letters, as a letter set.
    """

    constraint: Constraint
    reads: str = ""
    letters: int = 0
    doubtful: int = 0


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The limit on the minimum score, if a fill exists without one.

    Attributes:
        best: the minimum score of the best fill found.
        bound: the proved upper bound on it; if they are equal, `best` is the greatest minimum score.
        level: the next higher score to ask for.
        conflict: constraints without a common fill at that level, if found in time.
    """

    best: float
    bound: float
    level: float
    conflict: Conflict | None


_SHADE = "#ffc0c0"


@dataclass(frozen=True, slots=True)
class Explanation(Pictured):
    """An explanation, as far as it is known.

    Attributes:
        problem: the problem to explain.
        status: SATISFIED (there is a fill, and nothing to explain), UNSATISFIABLE, NO_OTHER or UNKNOWN.
        fill: the fill, if there is one.
        conflict: constraints without a common fill, if the problem has no fill.
        lifted: the numbers of the rules that the conflict needs: it has a fill if any one of them is lifted.
        repairs: what to change about single constraints of the conflict. A slot that need not be a word is among them
            only if nothing else helps.
        openable: the slots in which no word helps, but which could be left open; they are no repairs, because something
            else helps.
        useless: the constraints of the conflict whose change does not help; the others are undecided.
        ceiling: with a minimum score, the limit on it.
        finished: whether this explanation is complete, not cut short by a limit.
    """

    problem: Problem
    status: Status
    fill: Fill | None = None
    conflict: Conflict | None = None
    lifted: frozenset[str] = frozenset()
    repairs: tuple[Repair, ...] = ()
    openable: Subset = frozenset()
    useless: Subset = frozenset()
    ceiling: Ceiling | None = None
    finished: bool = False

    @property
    def minimal(self) -> bool:
        """Whether every constraint of the conflict is proved to be needed."""
        return self.conflict is not None and not self.conflict.undecided

    def diagram(self) -> Diagram:
        """Return the diagram of the grid, with the slots and givens of the conflict shaded."""
        marked: set[CellId] = set()
        for kind, id_ in () if self.conflict is None else self.conflict.subset:
            if kind is Kind.SLOT:
                marked.update(self.problem.slots[id_].cells)
            elif kind is Kind.GIVEN:
                marked.add(id_)
        return replace(self.problem.diagram(), shades=dict.fromkeys(marked, _SHADE))


def explain(problem: Problem, engine: Engine | str = "mac", limits: Limits | None = None) -> Explanation:
    """Return why a problem has no fill, as far as the time limit allows. The objective is ignored.

    The engine must be able to prove that no fill exists.

    Raises:
        UnsupportedError: the problem has theme words and lifts C3 for the others, or the engine cannot find a fill.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    last = Explanation(problem, Status.UNKNOWN)
    for last in explain_in_steps(problem, engine, limits):  # noqa: B007 - the last one is the answer
        pass
    return last


def explain_in_steps(
    problem: Problem, engine: Engine | str = "mac", limits: Limits | None = None
) -> Generator[Explanation]:
    """Yield ever better explanations; the last one is the most complete.

    From `limits` it uses the time, the seed and the token.

    Raises:
        UnsupportedError: as `explain`, or the engine cannot find a fill.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    if problem.grid.ties:
        raise UnsupportedError(say("no explanation with tied cells"))
    limits = check_limits(limits)
    deadline = Deadline(limits.time_s, limits.stop)
    # The search of the whole problem gets all the time; each step after it gets a share of the rest.
    oracle = Oracle(problem, engine, deadline, limits.seed)
    now = Explanation(problem, Status.UNKNOWN)
    for step in find_conflicts(oracle):
        if isinstance(step, Conflict):
            now = replace(now, conflict=step)
        else:
            status = Status.of(
                found=step.outcome is Outcome.FOUND,
                exhausted=step.outcome is Outcome.EXHAUSTED,
                optimising=False,
                differing=bool(problem.avoided),
            )
            now = replace(now, status=status, fill=step.fill, finished=status is not Status.UNKNOWN)
            oracle.deadline = _take_share(deadline)
        yield replace(now, finished=now.status is Status.SATISFIED)
    conflict = now.conflict
    if conflict is None:
        return
    oracle.deadline = _take_as_long(deadline)
    now = replace(now, lifted=_find_lifted(oracle, conflict.subset))
    yield replace(now, finished=False)
    for tried in _try_repairs(oracle, now, conflict.subset):
        now = tried
        yield replace(now, finished=False)
    cut_short = oracle.deadline.passed
    if problem.rules.min_score > 0:
        oracle.deadline = _take_as_long(deadline)
        now = replace(now, ceiling=_find_ceiling(oracle, conflict))
    yield replace(now, finished=not (cut_short or deadline.passed))


def _take_share(deadline: Deadline) -> Deadline:
    return deadline.share(_SHARE)


def _take_as_long(deadline: Deadline) -> Deadline:
    """Return the deadline of a share of the time left, and of at most the time spent, if time is limited."""
    if deadline.time_s is None:
        return deadline.share(1.0)
    return deadline.share(_SHARE, max(_LEAST_S, deadline.elapsed_s))


def _find_lifted(oracle: Oracle, subset: Subset) -> frozenset[str]:
    """Return the rules whose lifting gives a subset a fill."""
    return frozenset(
        number
        for number, rules in oracle.problem.rules.each_lifted.items()
        if oracle.search(subset, SUBSET_NODES, rules=rules).outcome is Outcome.FOUND
    )


def _try_repairs(oracle: Oracle, now: Explanation, subset: Subset) -> Iterator[Explanation]:
    """Yield the explanation after each constraint tried: does the problem have a fill if it is changed?"""
    if oracle.ask(oracle.everything - subset, SUBSET_NODES).outcome is Outcome.EXHAUSTED:
        yield replace(now, useless=subset)  # an independent conflict remains
        return
    wordless = set[Constraint]()
    for constraint in sorted(subset):
        outcome, repair = _try_repair(oracle, constraint)
        if repair is not None:
            now = replace(now, repairs=(*now.repairs, repair))
        elif outcome is Outcome.EXHAUSTED and constraint.kind is Kind.SLOT:
            wordless.add(constraint)
        elif outcome is Outcome.EXHAUSTED:
            now = replace(now, useless=now.useless | {constraint})
        yield now
    yield from _try_opening(oracle, now, frozenset(wordless))


def _try_opening(oracle: Oracle, now: Explanation, wordless: Subset) -> Iterator[Explanation]:
    """Yield the explanation after each slot in which no word helps: does the problem have a fill if it is open?"""
    something_helps = bool(now.repairs)
    for constraint in sorted(wordless):
        outcome = oracle.ask(oracle.everything - {constraint}, OPEN_NODES).outcome
        if outcome is Outcome.EXHAUSTED:
            now = replace(now, useless=now.useless | {constraint})
        elif outcome is Outcome.FOUND and something_helps:
            now = replace(now, openable=now.openable | {constraint})
        elif outcome is Outcome.FOUND:
            now = replace(now, repairs=(*now.repairs, Repair(constraint)))
        yield now


def _try_repair(oracle: Oracle, constraint: Constraint) -> tuple[Outcome, Repair | None]:
    """Return the repair of a constraint, or the outcome of the search for one: in a slot, for a word."""
    if constraint.kind is Kind.SLOT:
        return _find_word(oracle, constraint)
    reply = oracle.ask(oracle.everything - {constraint}, SUBSET_NODES)
    return reply.outcome, None if reply.fill is None else _measure_repair(oracle, constraint, reply.fill)


def _find_word(oracle: Oracle, constraint: Constraint) -> tuple[Outcome, Repair | None]:
    """Return the best word found that helps in a slot that may not hold it, and the outcome of the last search."""
    slot = oracle.problem.slots[constraint.id]
    table = oracle.problem.tables[constraint.id]
    repair = None
    score = 0.0
    while True:
        reply = oracle.search(oracle.everything, SUBSET_NODES, excepted=(slot.id, score))
        if reply.fill is None:
            return reply.outcome, repair
        repair = Repair(constraint, reply.fill.word_at(slot))
        score = table.scores[table.ids[repair.reads]]


def _measure_repair(oracle: Oracle, constraint: Constraint, fill: Fill) -> Repair:
    kind, id_ = constraint
    if kind is Kind.REQUIRED:
        return Repair(constraint)
    alphabet = oracle.problem.grid.alphabet
    found = alphabet.letter_set(fill.letters[id_])
    while True:
        left = alphabet.full & ~(found | oracle.problem.grid.cells[id_])
        if not left:
            return Repair(constraint, fill.letters[id_], found)
        reply = oracle.search(oracle.everything - {constraint}, SUBSET_NODES, letters={id_: left})
        if reply.fill is None:
            doubtful = left if reply.outcome is Outcome.UNKNOWN else 0
            return Repair(constraint, fill.letters[id_], found, doubtful)
        found |= alphabet.letter_set(reply.fill.letters[id_])


def _find_ceiling(oracle: Oracle, conflict: Conflict) -> Ceiling | None:
    """Return the limit on the minimum score, if there is a fill without one."""
    problem = oracle.problem
    deadline = _take_share(oracle.deadline)
    rules = replace(problem.rules, min_score=0.0)
    scored = replace(problem, rules=rules, objective=Objective.MIN, theme={}, levels=())
    limits = Limits(time_s=_take_share(deadline).time_s, stop=deadline.stop)
    result = settle(scored, engine=oracle.engine, limits=limits)
    if result.fill is None:
        return None
    asked = problem.rules.min_score
    best = _find_least(problem, result.fill)
    bound = _find_bound(scored, result, best, asked)
    level = min(level for level in (*scored.ranking, asked) if level > bound)
    if level >= asked:
        return Ceiling(best, bound, asked, conflict)
    above = Oracle(replace(scored, rules=replace(rules, min_score=level)), oracle.engine, deadline)
    steps = [step for step in find_conflicts(above) if isinstance(step, Conflict)]
    return Ceiling(best, bound, level, steps[-1] if steps else None)


def _find_least(problem: Problem, fill: Fill) -> float:
    """Return the least score of a listed word of a fill."""
    entries = [problem.lexicon.find(fill.word_at(slot)) for slot in problem.slots]
    return min(entry[0] for entry in entries if entry is not None)


def _find_bound(scored: Problem, result: SolveResult, best: float, asked: float) -> float:
    """Return the proved bound on the minimum score: it is under the one asked for, which no fill has."""
    if result.status is Status.OPTIMAL:
        return best
    under = max(level for level in scored.ranking if level < asked)
    return under if result.bound is None else min(under, result.bound[0])
