"""The contract of engines, point by point; then every engine against the brute force, on random problems.

Some of these have constraints that no rule comes to today. One question serves several engines, because drawing and
answering it takes longer than they do; a failure belongs to the engine whose options were drawn last.
"""

from __future__ import annotations

import _thread
import itertools
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.base.errors import SEED, UnsupportedError
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.contract import Feature
from cpfill.formats.dialects import parse_grids
from cpfill.problem.constraints import (
    AllDifferent,
    Budget,
    BudgetStep,
    Constraints,
    Cover,
    Domain,
    ExcludedPairs,
    Marks,
)
from cpfill.problem.event import Finished, Found, Progress, Started, StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.problem.value import exceeds
from cpfill.testing.brute_force import Rows, words_in
from cpfill.testing.conftest import left_behind, work_going_on
from cpfill.testing.questions import (
    ADDERS,
    ENGINE_NAMES,
    HANG_S,
    MAXIMISERS,
    MEASURES,
    TASKS,
    UNPROVED,
    Options,
    Question,
    Run,
    options_for,
    pairings,
    question,
    questions,
    run,
)
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Mapping

    from cpfill.problem.constraints import Constraint
    from cpfill.problem.event import Event
    from cpfill.testing.conftest import Work
    from cpfill.words.lexicon import WordTable

engines = pytest.mark.parametrize("engine", ENGINE_NAMES)
tasks = pytest.mark.parametrize(("engine", "objective"), TASKS)
# One search for each way to stop: at a fill, at the best value, and at one best value after another.
WAYS = [(engine, objective) for engine, objective in TASKS if objective is not Objective.SUM]
searches = pytest.mark.parametrize(("engine", "objective"), WAYS)

# The contract says 0.25 s. A machine that does other things keeps a test waiting now and then, but not each time.
PULSE_S = 1.5

THREE_WORDS = "ABC BCA CAB ABA BAB CBC BCB ACA CAC AAB BBC CCA ABB BCC CAA"
MANY = question("...", ".#.", "...", words=THREE_WORDS)
SCORED = question("...", ".#.", "...", words={word: float(n % 7) for n, word in enumerate(THREE_WORDS.split())})
FEWER = question("...", ".#.", "..A", words=THREE_WORDS)
NONE = question("...", "...", words="AAB ABA BAA AB BA", repeats=True)


# The thread whose start is interrupted: the first, and of a race the others.
STARTS = [(engine, 1, 1) for engine in ENGINE_NAMES]
STARTS += [("auto", 2, which) for which in (2, 3) if "auto" in ENGINE_NAMES]


def with_objective(problem: Problem, objective: Objective) -> Problem:
    """Return the problem with an objective, and with a theme where there is more than one criterion."""
    theme: dict[str, float] = {}
    if objective is Objective.MIN_THEN_SUM:
        theme = dict.fromkeys(problem.tables[0].words[:50], 1.0)
    return replace(problem, objective=objective, theme=theme)


def numbers(objective: Objective) -> list[Limits]:
    """Return limits of several numbers of fills where they matter: an objective asks for the best fill alone."""
    if objective not in UNPROVED:
        return [Limits()]
    return [Limits(), Limits(fills=40), Limits(fills=None)]


@pytest.fixture(scope="module")
def easy_problem(english: WordList) -> Problem:
    """Return a problem with fills without number."""
    words = WordList("en", {word: entry for word, entry in english.words.items() if len(word) == 3})
    _, (grid,) = parse_grids("...\n.#.\n...")
    return Problem(grid, Lexicon([words]))


# 1. It yields at least every 0.25 s.


@searches
def test_a_hard_search_gives_signs_of_life_and_leaves_nothing_behind(
    engine: str, objective: Objective, hard_problem: Problem
) -> None:
    problem = with_objective(hard_problem, objective)
    before = work_going_on()
    stream = make_engine(engine).search(problem, Limits(time_s=HANG_S))
    waits: list[float] = []  # for each sign, since the event before
    last = time.monotonic()
    for event in stream:
        now = time.monotonic()
        if isinstance(event, Progress):
            assert event.note
            waits.append(now - last)
        last = now
        if len(waits) > 1 and min(waits) < PULSE_S:
            break
    assert len(waits) > 1  # else the problem was not hard
    assert min(waits) < PULSE_S
    check_closed(stream, before)


def check_closed(stream: Generator[Event], before: Work) -> None:
    """Close a stream, and check that no work goes on that did not before."""
    stream.close()
    # Python's own threads are gone at once; a thread that the system still has to clear away gets a moment.
    now = work_going_on()
    assert now[0] <= before[0]
    assert now[1] <= before[1]
    assert left_behind(before) == []
    assert list(stream) == []


# 2. It yields exactly one Finished, last.


@tasks
def test_the_end_comes_once_and_last(engine: str, objective: Objective) -> None:
    limits = [*numbers(objective)[-1:], Limits(nodes=3), Limits(time_s=0.0)]
    for draw_engines, options, limit in itertools.product((SCORED, NONE), pairings(engine, objective), limits):
        stream = list(make_engine(engine, **options).search(draw_engines.problem(objective), limit))
        assert stream[0] == Started(engine)
        assert sum(isinstance(event, Started) for event in stream) == 1
        ends = [at for at, event in enumerate(stream) if isinstance(event, Finished)]
        assert ends == [len(stream) - 1]


@searches
def test_a_limit_of_time_is_said_and_proves_nothing(engine: str, objective: Objective, hard_problem: Problem) -> None:
    for time_s in (0.0, 0.1):
        result = run(engine, with_objective(hard_problem, objective), Limits(time_s=time_s)).result
        assert result.stop_reason is StopReason.TIME
        assert result.status in {Status.UNKNOWN, Status.SATISFIED}
        assert not result.proof


@engines
def test_few_fills_are_told_when_the_time_is_over(engine: str, easy_problem: Problem) -> None:
    """The caller may take fills slowly: the engine does not run far ahead."""
    limit_s = 0.2
    late = 0
    stream = make_engine(engine).search(easy_problem, Limits(time_s=limit_s, fills=None))
    assert next(stream) == Started(engine)
    start = time.monotonic()
    for event in stream:
        late += isinstance(event, Found) and time.monotonic() > start + limit_s
        time.sleep(0.01)
    assert late < 10


@engines
@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_of_nodes_is_said_and_proves_nothing(engine: str, workers: int, hard_problem: Problem) -> None:
    result = run(engine, hard_problem, Limits(nodes=5, time_s=20.0, workers=workers)).result
    assert result.status is Status.UNKNOWN
    assert result.stop_reason is StopReason.NODES
    assert result.stats.nodes >= 5


# 3. Closing the iterator stops all work and joins all threads and processes.


@searches
def test_closing_at_once_leaves_nothing_behind(engine: str, objective: Objective, hard_problem: Problem) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(with_objective(hard_problem, objective), Limits())
    assert next(stream) == Started(engine)
    check_closed(stream, before)


@searches
def test_closing_several_workers_leaves_nothing_behind(
    engine: str, objective: Objective, hard_problem: Problem
) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(with_objective(hard_problem, objective), Limits(workers=4))
    start = time.monotonic()
    for event in stream:
        assert not isinstance(event, Finished)
        if time.monotonic() - start >= 0.15:
            break
    check_closed(stream, before)


@engines
def test_closing_while_fills_stream_by_leaves_nothing_behind(engine: str, easy_problem: Problem) -> None:
    before = work_going_on()
    stream = make_engine(engine).search(easy_problem, Limits(fills=None))
    found = [event for event in islice(stream, 250) if isinstance(event, Found)]
    assert len({event.fill for event in found}) == len(found) > 100
    time.sleep(0.1)  # the engine goes on until it has to wait for the caller
    stream.close()
    assert left_behind(before) == []


@engines
def test_a_search_that_ends_or_never_begins_leaves_nothing_behind(engine: str) -> None:
    before = work_going_on()
    list(make_engine(engine).search(MANY.problem(), Limits(fills=None)))
    stream = make_engine(engine).search(MANY.problem(), Limits(fills=None))
    stream.close()
    del stream
    assert left_behind(before) == []


@engines
def test_a_fault_in_the_engine_is_raised_and_leaves_nothing_behind(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> float:
        raise ZeroDivisionError

    before = work_going_on()
    monkeypatch.setattr("cpfill.problem.fill.Fill.of_words", broken)
    with pytest.raises(ZeroDivisionError):
        list(make_engine(engine).search(MANY.problem(), Limits()))
    assert left_behind(before) == []


@pytest.mark.parametrize("late_s", [0.0, 0.05])
@pytest.mark.parametrize(("engine", "workers", "which"), STARTS)
def test_an_interrupt_while_a_thread_starts_leaves_nothing_behind(
    *, engine: str, workers: int, which: int, late_s: float, hard_problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Thread.start` waits for the thread to begin, and an interrupt ends the waiting alone."""
    start = threading.Thread.start
    starts = itertools.count(1)

    def interrupted(self: threading.Thread) -> None:
        if next(starts) != which:
            start(self)
            return
        _thread.start_new_thread(late, (self,))
        raise KeyboardInterrupt

    def late(thread: threading.Thread) -> None:
        time.sleep(late_s)
        start(thread)

    before = work_going_on()
    stream = make_engine(engine).search(hard_problem, Limits(workers=workers))
    assert next(stream) == Started(engine)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(stream)
    monkeypatch.undo()
    assert left_behind(before) == []


# 4. No fill is yielded twice.


@engines
def test_no_fill_is_yielded_twice(engine: str) -> None:
    for options in pairings(engine, Objective.ANY):
        for limits in (Limits(fills=None), Limits(fills=40), Limits(fills=10_000), Limits(fills=None, workers=4)):
            found = [rows for rows, _ in run(engine, FEWER.problem(), limits, **options).found]
            assert len(found) == len(set(found)) == min(limits.fills or 10_000, len(FEWER.answer.fills))


# 5. A feature it lacks raises UnsupportedError before any search.


NEEDING = [
    (Feature.SATISFY, Objective.ANY, Limits()),
    (Feature.ENUMERATE, Objective.ANY, Limits(fills=None)),
    (Feature.ENUMERATE, Objective.ANY, Limits(fills=2)),
    (Feature.MAXIMISE_MIN, Objective.MIN, Limits()),
    (Feature.MAXIMISE_SUM, Objective.SUM, Limits()),
    (Feature.MAXIMISE_MIN, Objective.MIN_THEN_SUM, Limits()),
    (Feature.MAXIMISE_SUM, Objective.MIN_THEN_SUM, Limits()),
    (Feature.LEXIMIN, Objective.LEXIMIN, Limits()),
]


@engines
@pytest.mark.parametrize(("feature", "objective", "limits"), NEEDING)
def test_a_feature_that_is_lacking_is_refused_at_once(
    engine: str, feature: Feature, objective: Objective, limits: Limits
) -> None:
    whole = engine_class(engine)
    lesser = type("Lesser", (whole,), {"features": whole.features - {feature}})()
    before = threading.active_count()
    with pytest.raises(UnsupportedError) as caught:
        lesser.search(MANY.problem(objective), limits)
    assert engine in str(caught.value)
    assert feature in str(caught.value)
    assert threading.active_count() == before
    others = [name for name in ENGINES if name != engine and feature in engine_class(name).features]
    message = str(caught.value).replace(engine, "")
    assert any(name in message for name in others), "names an engine that has it"


@engines
def test_a_theme_takes_the_feature_of_sums(engine: str) -> None:
    whole = engine_class(engine)
    lesser = type("Lesser", (whole,), {"features": whole.features - {Feature.MAXIMISE_SUM}})()
    with pytest.raises(UnsupportedError, match=Feature.MAXIMISE_SUM):
        lesser.search(replace(MANY, theme={"ABC": 1.0}).problem(), Limits(fills=None))


# 6. The same seed and one worker give the same stream.


@tasks
def test_one_seed_gives_one_stream(engine: str, objective: Objective) -> None:
    posed = FEWER if objective is Objective.ANY else SCORED
    problem = posed.problem(objective)
    for options, limits in itertools.product(pairings(engine, objective), numbers(objective)):
        seeded = replace(limits, seed=7)
        first = run(engine, problem, seeded, **options)
        again = run(engine, problem, seeded, **options)
        assert first.answers == again.answers


@pytest.mark.parametrize("engine", [name for name in ("fc", "fc-cbj") if name in ENGINE_NAMES])
def test_seeds_differ_where_words_are_shuffled(engine: str) -> None:
    first = {run(engine, MANY.problem(), Limits(seed=seed), shuffle=True).found[0] for seed in range(12)}
    assert len(first) > 1
    plain = {run(engine, MANY.problem(), Limits(seed=0)).found[0] for _ in range(3)}
    assert len(plain) == 1


@pytest.mark.parametrize("engine", MAXIMISERS)
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**40, SEED.high])
def test_any_number_is_a_seed(engine: str, seed: int) -> None:
    assert run(engine, SCORED.problem(Objective.MIN), Limits(seed=seed)).result.value == SCORED.answer.best


def test_the_stream_of_a_search_is_an_iterator_that_can_be_closed() -> None:
    for engine in ENGINE_NAMES:
        stream: Iterator[Event] = make_engine(engine).search(MANY.problem(), Limits())
        assert iter(stream) is stream
        assert callable(getattr(stream, "close", None))


ruled = questions(sides=True, opened=True, rebus=True)
seeds = st.integers(0, 3)


def draw_engines(data: st.DataObject, engines: Iterable[str]) -> Iterator[tuple[str, Options]]:
    """Yield engines, each with some options."""
    for engine in engines:
        yield engine, data.draw(options_for(engine), label=f"options of {engine}")


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_every_fill(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in draw_engines(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(fills=None, seed=seed), **options)
        assert len(ran.found) == len(dict(ran.found))  # no fill twice
        assert dict(ran.found) == question.answer.values
        assert ran.result.status is (Status.ALL_FILLS if question.answer.values else Status.UNSATISFIABLE)
        assert ran.result.fills == len(question.answer.values)
        assert ran.finished.reason is StopReason.EXHAUSTED
        assert ran.finished.proof


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_a_fill_or_prove_that_there_is_none(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in draw_engines(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(seed=seed), **options)
        assert ran.result.status is (Status.SATISFIED if question.answer.values else Status.UNSATISFIABLE)
        assert len(ran.found) == min(1, len(question.answer.values))
        assert dict(ran.found).items() <= question.answer.values.items()


@given(question=ruled, seed=seeds, data=st.data(), wanted=st.integers(2, 12))
def test_they_find_as_many_fills_as_they_are_asked_for(
    question: Question, seed: int, data: st.DataObject, wanted: int
) -> None:
    there_are = len(question.answer.values)
    for engine, options in draw_engines(data, ENGINE_NAMES):
        ran = run(engine, question.problem(), Limits(fills=wanted, seed=seed), **options)
        assert len(ran.found) == len(dict(ran.found)) == min(wanted, there_are)
        assert dict(ran.found).items() <= question.answer.values.items()
        if wanted < there_are:
            assert ran.result.status is Status.SATISFIED
            assert ran.finished.reason is StopReason.FILLS
        elif wanted > there_are:
            assert ran.result.status is (Status.ALL_FILLS if there_are else Status.UNSATISFIABLE)
        else:  # whether it looks on after the last fill it was asked for is its own affair
            assert ran.result.status in {Status.SATISFIED, Status.ALL_FILLS}


def check_the_best(engine: str, question: Question, objective: Objective, limits: Limits, options: Options) -> None:
    """Check every event of an engine on its way to the best value."""
    ran = run(engine, question.problem(objective), limits, **options)
    answer = question.answer_to(objective)
    assert ran.result.status is (Status.UNSATISFIABLE if answer.best is None else Status.OPTIMAL)
    assert ran.result.value == answer.best
    assert dict(ran.found).items() <= answer.values.items()
    values = [value for _, value in ran.found]
    if objective is not Objective.GOOD:
        assert values == sorted(set(values))
    measures = MEASURES[objective, bool(question.theme)]
    if "min" in measures:
        check_lowest(ran, question, measures.index("min"))
    if answer.best is not None:
        assert ran.result.bound == answer.best
        assert [bound for bound in ran.bounds if exceeds(answer.best, bound)] == []


def check_lowest(ran: Run, question: Question, place: int) -> None:
    """Check that the bounds on the lowest score, at a place of the value, are scores of words."""
    lowest = {bound[place] for bound in ran.bounds if len(bound) > place}
    allowed = {score for score in question.words.values() if score >= question.min_score}
    assert lowest <= allowed


@given(question=ruled, seed=seeds, data=st.data())
def test_each_good_fill_is_better_than_the_one_before(question: Question, seed: int, data: st.DataObject) -> None:
    best = question.answer_to(Objective.MIN).best
    for engine, options in draw_engines(data, ENGINE_NAMES):
        ran = run(engine, question.problem(Objective.GOOD), Limits(seed=seed), **options)
        assert ran.result.status is (Status.SATISFIED if best else Status.UNSATISFIABLE)
        scores = [question.judge(rows) for rows, _ in ran.found]
        assert scores == sorted(set(scores))
        assert ran.result.fills == min(1, len(scores))
        if engine in {"auto", "mac"} and best:  # a small problem's levels are all settled
            assert scores[-1][0] >= min(best[0], 40.0)


@given(question=ruled, seed=seeds, data=st.data())
def test_they_find_and_prove_the_best_minimum(question: Question, seed: int, data: st.DataObject) -> None:
    for engine, options in draw_engines(data, MAXIMISERS):
        check_the_best(engine, question, Objective.MIN, Limits(seed=seed), options)


@settings(max_examples=150)
@given(question=questions(sides=True, themed=True, sums=True, opened=True, rebus=True), seed=seeds, data=st.data())
def test_they_find_and_prove_the_best_value(question: Question, seed: int, data: st.DataObject) -> None:
    objectives = [objective for objective in Objective if question.theme or objective not in UNPROVED]
    objective = data.draw(st.sampled_from(objectives), label="objective")
    for engine, options in draw_engines(data, ADDERS):
        check_the_best(engine, question, objective, Limits(seed=seed), options)


@dataclass(frozen=True)
class ConstraintQuestion:
    """The requirements on the words of a fill, in plain terms."""

    allowed: frozenset[str]
    once: frozenset[str]
    marks: Mapping[str, frozenset[int]] | None
    budgets: tuple[tuple[Mapping[str, int], int], ...]
    cover: frozenset[str]

    def holds(self, words: list[str]) -> bool:
        used = Counter(words)
        if not self.allowed >= used.keys() >= self.cover:
            return False
        if any(used[word] > 1 for word in self.once):
            return False
        for costs, limit in self.budgets:
            if sum(costs[word] for word in words) > limit:
                return False
        marks = self.marks or dict.fromkeys(words, frozenset())
        return not any(marks[one] & marks[other] for one, other in combinations(words, 2))

    def constraints(self, problem: Problem) -> Constraints:
        tables = {table.length: table for table in problem.tables}
        return Constraints.unite(self._lower(tables), problem.tables)

    def _lower(self, tables: Mapping[int, WordTable]) -> Iterator[Constraint]:
        yield Domain(bitsets_of(tables, self.allowed))
        yield AllDifferent(bitsets_of(tables, self.once))
        if self.marks is not None:
            of = {}
            for length, table in tables.items():
                of[length] = [tuple(self.marks.get(word, ())) for word in table.words]
            yield ExcludedPairs(Marks(of))
        for costs, limit in self.budgets:
            steps = []
            for cost in sorted(set(costs.values()) - {0}):
                dear = [word for word in costs if costs[word] >= cost]
                steps.append(BudgetStep(cost, bitsets_of(tables, dear)))
            yield Budget(tuple(steps) or (BudgetStep(1, {}),), limit)
        for word in self.cover:
            yield Cover({len(word): 1 << tables[len(word)].ids[word]})


def bitsets_of(tables: Mapping[int, WordTable], words: Collection[str]) -> dict[int, int]:
    """Return the bitset of words in the table of each length."""
    packed = {}
    for length, table in tables.items():
        packed[length] = sum(1 << id_ for word, id_ in table.ids.items() if word in words)
    return packed


some_marks = st.frozensets(st.integers(0, 20), max_size=2)


@st.composite
def constraint_question(draw: st.DrawFn, question: Question) -> ConstraintQuestion:
    lengths = {slot.length for slot in question.problem().slots}
    words = sorted(word for word in question.words if len(word) in lengths)
    some = st.just(frozenset[str]())
    if words:
        some = st.frozensets(st.sampled_from(words))
    costs = st.fixed_dictionaries({word: st.sampled_from([0, 0, 1, 2, 7]) for word in words})
    marks = st.none() | st.fixed_dictionaries(dict.fromkeys(words, some_marks))
    budgets = st.lists(st.tuples(costs, st.integers(0, 12)), max_size=3)
    allowed = frozenset(words)
    if draw(st.booleans()):
        allowed -= draw(some, label="banned")
    return ConstraintQuestion(
        allowed=allowed,
        once=draw(some, label="once"),
        marks=draw(marks, label="marks"),
        budgets=tuple(draw(budgets, label="budgets")),
        cover=draw(_covers(some)),
    )


@st.composite
def _covers(draw: st.DrawFn, some: st.SearchStrategy[frozenset[str]]) -> frozenset[str]:
    """Return two words at most."""
    words = sorted(draw(some, label="cover"))
    return frozenset(words[: draw(st.sampled_from([0, 0, 1, 2]))])


def pose(question: Question, posed: ConstraintQuestion, objective: Objective = Objective.ANY) -> Problem:
    """Return the problem of a question, the constraints of its rules replaced; no audit reads them."""
    problem = question.problem(objective)
    problem.__dict__["lowered"] = posed.constraints(problem)
    return problem


def keep_holding(question: Question, posed: ConstraintQuestion, objective: Objective) -> dict[Rows, tuple[float, ...]]:
    """Return the fills for which the constraints hold, with their values."""
    values = question.answer_to(objective).values
    return {rows: values[rows] for rows in values if posed.holds(words_in(rows, question.min_slot_length))}


loose = questions(sums=True).map(lambda each: replace(each, repeats=True, min_score=0.0))


@given(data=st.data(), question=loose)
def test_all_fills_are_found(data: st.DataObject, question: Question) -> None:
    posed = data.draw(constraint_question(question))
    expected = keep_holding(question, posed, Objective.ANY)
    for engine in ENGINE_NAMES:
        options = data.draw(options_for(engine), label=f"options of {engine}")
        ran = run(engine, pose(question, posed), Limits(fills=None), **options)
        assert dict(ran.found) == expected


@given(data=st.data(), question=loose, objective=st.sampled_from([Objective.MIN, Objective.SUM, Objective.LEXIMIN]))
def test_the_best_fill_is_found(data: st.DataObject, question: Question, objective: Objective) -> None:
    posed = data.draw(constraint_question(question))
    values = keep_holding(question, posed, objective)
    for engine in ADDERS:
        options = data.draw(options_for(engine), label=f"options of {engine}")
        ran = run(engine, pose(question, posed, objective), Limits(), **options)
        assert ran.result.value == max(values.values(), default=None)
