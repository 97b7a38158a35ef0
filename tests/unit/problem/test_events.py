from __future__ import annotations

import itertools
import json
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import pytest

from cpfill.base.errors import EngineError, InputError, InvalidFillError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.engines.audited import Tally, tally
from cpfill.engines.contract import Feature
from cpfill.problem.event import Bound, Event, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.problem import Fill, Objective, Problem
from cpfill.problem.result import Deadline, Limits, SolveResult, Status
from cpfill.problem.value import (
    Criterion,
    Value,
    describe_gap,
    exceeds,
    format_value,
    is_tighter,
    value_from_json,
    value_to_json,
)
from cpfill.public import count_fills, enumerate_fills, events, solve
from cpfill.questions.diverse import diverse_fills
from tests.support import ENGINE_NAMES, MAXIMISERS, question, rows_of

if TYPE_CHECKING:
    from collections.abc import Generator

EXHAUSTED, TIME = Finished(StopReason.EXHAUSTED, "proof"), Finished(StopReason.TIME)
ASKED = question("..", words={"AA": 1.0, "BB": 2.0, "CC": 3.0})


def fill(letters: str) -> Fill:
    return Fill(tuple(letters), ASKED.problem().grid)


def found(letters: str, *value: float) -> Found:
    return Found(fill(letters), value)


def bound(*value: float) -> Bound:
    return Bound(value)


ONE, TWO, THREE = found("AA", 1.0), found("BB", 2.0), found("CC", 3.0)


@pytest.mark.parametrize(
    ("found", "exhausted", "optimising", "status"),
    [
        (False, False, False, Status.UNKNOWN),
        (False, False, True, Status.UNKNOWN),
        (False, True, False, Status.UNSATISFIABLE),
        (False, True, True, Status.UNSATISFIABLE),
        (True, False, False, Status.SATISFIED),
        (True, False, True, Status.SATISFIED),
        (True, True, False, Status.ALL_FILLS),
        (True, True, True, Status.OPTIMAL),
    ],
)
def test_the_status_of_everything(*, found: bool, exhausted: bool, optimising: bool, status: Status) -> None:
    assert Status.of(found=found, exhausted=exhausted, optimising=optimising) is status


# Folding


@pytest.mark.parametrize(
    ("objective", "stream", "expected"),
    [
        (Objective.ANY, [], (Status.UNKNOWN, StopReason.INTERRUPTED, None, None, 0)),
        (Objective.ANY, [Progress("x")], (Status.UNKNOWN, StopReason.INTERRUPTED, None, None, 0)),
        (Objective.ANY, [ONE], (Status.SATISFIED, StopReason.INTERRUPTED, (1.0,), None, 1)),
        (Objective.ANY, [TWO, ONE, EXHAUSTED], (Status.ALL_FILLS, StopReason.EXHAUSTED, (1.0,), None, 2)),
        (Objective.ANY, [TWO, TIME], (Status.SATISFIED, StopReason.TIME, (2.0,), None, 1)),
        (Objective.ANY, [TIME], (Status.UNKNOWN, StopReason.TIME, None, None, 0)),
        (Objective.ANY, [EXHAUSTED], (Status.UNSATISFIABLE, StopReason.EXHAUSTED, None, None, 0)),
        (Objective.MIN, [bound(3.0), ONE], (Status.SATISFIED, StopReason.INTERRUPTED, (1.0,), (3.0,), 1)),
        (
            Objective.MIN,
            [bound(3.0), ONE, bound(2.0), TIME],
            (Status.SATISFIED, StopReason.TIME, (1.0,), (2.0,), 1),
        ),
        (Objective.MIN, [bound(2.0), bound(3.0), TIME], (Status.UNKNOWN, StopReason.TIME, None, (2.0,), 0)),
        (
            Objective.MIN,
            [bound(3.0), ONE, TWO, EXHAUSTED],
            (Status.OPTIMAL, StopReason.EXHAUSTED, (2.0,), (2.0,), 2),
        ),
        (Objective.MIN, [THREE, EXHAUSTED], (Status.OPTIMAL, StopReason.EXHAUSTED, (3.0,), (3.0,), 1)),
        (Objective.MIN, [EXHAUSTED], (Status.UNSATISFIABLE, StopReason.EXHAUSTED, None, None, 0)),
    ],
)
def test_what_a_stream_comes_to(
    objective: Objective,
    stream: list[Event],
    expected: tuple[Status, StopReason, Value | None, Value | None, int],
) -> None:
    result = tally(ASKED.problem(objective), [Started("some"), *stream])
    assert (result.status, result.stop_reason, result.value, result.bound, result.fills) == expected
    assert result.engine == "some"
    assert (result.fill is None) == (result.value is None)


def test_a_result_keeps_what_the_end_says() -> None:
    stats = Stats(nodes=3, backtracks=2, backjumps=1, checks=9, build_s=0.5, search_s=1.5)
    end = Finished(StopReason.EXHAUSTED, "some proof", 0, stats)
    result = tally(ASKED.problem(), [Started("some"), end])
    assert (result.proof, result.wipeout, result.stats) == ("some proof", 0, stats)


def test_a_fold_says_what_is_known_so_far() -> None:
    tallied = Tally(ASKED.problem(Objective.MIN))
    statuses = []
    for event in (Started("some"), bound(3.0), ONE, TWO, EXHAUSTED):
        tallied.add(event)
        statuses.append(tallied.result.status)
    assert statuses == [Status.UNKNOWN, Status.UNKNOWN, Status.SATISFIED, Status.SATISFIED, Status.OPTIMAL]


@pytest.mark.parametrize(
    "stream",
    [[TWO, ONE], [TWO, TWO], [bound(1.0), TWO], [TWO, bound(1.0)], [THREE, bound(3.0), bound(2.0)]],
)
def test_an_engine_that_contradicts_itself_is_at_fault(stream: list[Event]) -> None:
    with pytest.raises(EngineError):
        tally(ASKED.problem(Objective.MIN), [Started("some"), *stream])


# Values of several numbers

SUMMED = ASKED.problem(Objective.MIN_THEN_SUM)


@pytest.mark.parametrize(
    ("stream", "status", "best", "proved"),
    [
        ([bound(3.0), found("AA", 1.0, 1.0)], Status.SATISFIED, (1.0, 1.0), (3.0,)),
        ([bound(3.0), bound(3.0, 9.0)], Status.UNKNOWN, None, (3.0, 9.0)),
        ([bound(3.0, 9.0), bound(3.0)], Status.UNKNOWN, None, (3.0, 9.0)),
        ([bound(3.0, 9.0), bound(2.0)], Status.UNKNOWN, None, (2.0,)),
        ([bound(2.0), bound(3.0, 9.0)], Status.UNKNOWN, None, (2.0,)),
        ([found("AA", 1.0, 5.0), bound(1.0), found("BB", 1.0, 6.0)], Status.SATISFIED, (1.0, 6.0), (1.0,)),
        ([found("AA", 1.0, 5.0), found("BB", 2.0, 2.0), EXHAUSTED], Status.OPTIMAL, (2.0, 2.0), (2.0, 2.0)),
    ],
)
def test_what_a_stream_comes_to_by_several_criteria(
    stream: list[Event], status: Status, best: Value | None, proved: Value
) -> None:
    result = tally(SUMMED, [Started("some"), *stream])
    assert (result.status, result.value, result.bound) == (status, best, proved)


@pytest.mark.parametrize(
    "stream",
    [
        [found("AA", 1.0, 5.0), found("BB", 1.0, 5.0)],
        [found("AA", 1.0, 5.0), found("BB", 1.0, 4.0)],
        [found("AA", 2.0, 1.0), found("BB", 1.0, 9.0)],
        [bound(1.0), found("AA", 2.0, 5.0)],
        [bound(2.0, 4.0), found("AA", 2.0, 5.0)],
        [found("AA", 2.0, 5.0), bound(1.0, 9.0)],
    ],
)
def test_an_engine_that_contradicts_itself_by_several_criteria_is_at_fault(stream: list[Event]) -> None:
    with pytest.raises(EngineError):
        tally(SUMMED, [Started("some"), *stream])


@pytest.mark.parametrize("numbers", [(3.0,), (0.1,), (1.0, 2.5), (2.0, 1.0, 0.0)])
def test_a_plain_value_is_one_number_or_a_list_and_can_be_read_again(numbers: Value) -> None:
    written = json.loads(json.dumps(value_to_json(numbers)))
    assert written == (numbers[0] if len(numbers) == 1 else list(numbers))
    assert value_from_json(written) == numbers
    assert (value_to_json(None), value_from_json(None)) == (None, None)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((3.0,), "3"),
        ((0.1,), "0.1"),
        ((0.1 + 0.2,), "0.30000000000000004"),
        ((2.0, 1.5), "2 / 1.5"),
        ((1e22,), str(10**22)),
    ],
)
def test_a_value_is_shown_in_as_few_digits_as_tell_it_from_others(numbers: Value, text: str) -> None:
    assert format_value(numbers) == text


LONG = (1.0, *(40.0,) * 9, 41.0)


@pytest.mark.parametrize(
    ("measures", "value", "bound", "said"),
    [
        ("min", (1.0,), (2.0,), "minimum score 1, at most 2 possible"),
        ("min sum", (1.0, 3.5), (2.0,), "minimum score 1, sum of scores 3.5, at most 2 possible"),
        ("leximin", (1.0, 4.0), (1.0, 5.0), "worst scores 1, 4; none better than worst scores 1, 5"),
        ("theme leximin", (2.0, 1.0, 4.0), (3.0,), "theme 2, worst scores 1, 4; none better than theme 3"),
        (
            "levels",
            (0.0, -3.0),
            (0.0, -1.0),
            "words under each level 0, 3; none better than words under each level 0, 1",
        ),
        (
            "leximin",
            LONG,
            (1.0, 41.0),
            "worst scores 1, 40, 40, 40, 40, 40, 40, 40 …; none better than worst scores 1, 41",
        ),
        (
            "leximin",
            LONG,
            (*LONG[:9], 50.0),
            (
                "worst scores 1, 40, 40, 40, 40, 40, 40, 40, 40, 40 …; "
                "none better than worst scores 1, 40, 40, 40, 40, 40, 40, 40, 40, 50"
            ),
        ),
    ],
)
def test_a_gap_is_told_up_to_what_differs(measures: str, value: Value, bound: Value, said: str) -> None:
    assert describe_gap([Criterion(each) for each in measures.split()], value, bound) == said


VALUES = [value for n in (1, 2) for value in itertools.product((0.0, 1.0, 2.0), repeat=n)]


@pytest.mark.parametrize("one", VALUES)
def test_a_bound_excludes_what_it_says(one: Value) -> None:
    """A bound stands for every value that begins no better than it."""
    every = [value for value in VALUES if len(value) == 2]
    left = {value for value in every if not exceeds(value, one)}
    assert left == {
        value for value in every if value[0] < one[0] or (value[0] == one[0] and value[1:] <= (one[1:] or value[1:]))
    }
    for other in VALUES:
        others = {value for value in every if not exceeds(value, other)}
        if is_tighter(one, other):
            assert left <= others
        elif one != other:
            assert is_tighter(other, one)
    assert is_tighter(one, None)
    assert not is_tighter(one, one)


WEAKEST = question("..", "##", "..", words={"AA": 1.0, "BB": 2.0, "CC": 3.0, "DD": 1.0}, min_slot_length=2)


@pytest.mark.parametrize(
    ("first", "second", "is_better"),
    [
        ("AABB", "AACC", True),  # the weakest word is as weak, the other one scores more
        ("AACC", "AABB", False),
        ("AABB", "BBAA", False),
        ("AABB", "BBDD", False),
        ("AACC", "BBCC", True),
    ],
)
def test_a_fill_that_takes_the_place_of_another_is_better_from_its_weakest_word_on(
    first: str, second: str, *, is_better: bool
) -> None:
    problem = WEAKEST.problem(Objective.GOOD)
    one, two = (Fill((*word[:2], "", "", *word[2:]), problem.grid) for word in (first, second))
    stream: list[Event] = [
        Started("scripted"),
        Found(one, one.value(problem)),
        Found(two, two.value(problem), better=True),
    ]
    if is_better:
        assert tally(problem, stream).fill == two
    else:
        with pytest.raises(EngineError, match=r"engine scripted reports 1 / \d.* after 1 / \d"):
            tally(problem, stream)


# The audit


class Scripted:
    """An engine that reports what the test gives it."""

    name: ClassVar[str] = "scripted"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self, *stream: Event) -> None:
        self.stream = stream
        self.closed = False

    def search(self, problem: Problem, limits: Limits) -> Generator[Event, None, None]:
        del problem, limits
        try:
            yield from self.stream
        finally:
            self.closed = True


@pytest.mark.parametrize(
    "wrong",
    [found("AB", 1.0), found("A", 1.0), found("BB", 3.0), found("BB", 1.999), found("BB", 2.0, 2.0), found("BB")],
)
def test_a_wrong_fill_or_value_is_never_passed_on(wrong: Found) -> None:
    engine = Scripted(Started("scripted"), ONE, wrong, EXHAUSTED)
    stream = events(ASKED.problem(), engine=engine)
    assert [next(stream), next(stream)] == [Started("scripted"), ONE]
    with pytest.raises(InvalidFillError, match="scripted"):
        next(stream)
    assert engine.closed
    with pytest.raises(InvalidFillError):
        solve(ASKED.problem(), engine=Scripted(Started("scripted"), wrong, EXHAUSTED))


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        ([ONE], "expected one Finished, last, found none"),
        ([ONE, Progress("x")], "expected one Finished, last, found none"),
        ([ONE, EXHAUSTED, EXHAUSTED], "expected one Finished, last, found an event after it"),
        ([ONE, EXHAUSTED, TWO], "expected one Finished, last, found an event after it"),
        ([ONE, TWO, ONE, EXHAUSTED], "expected each fill once, found AA again"),
    ],
)
def test_an_engine_that_breaks_its_contract_proves_nothing(stream: list[Event], said: str) -> None:
    problem, engine = ASKED.problem(), Scripted(Started("scripted"), *stream)
    where = f"engine scripted of the module {__name__}: {said}"
    for ask in (solve, count_fills, partial(diverse_result, limits=Limits(fills=9))):
        with pytest.raises(EngineError) as caught:
            ask(problem, engine=engine)
        assert str(caught.value) == where
    assert engine.closed


def diverse_result(problem: Problem, *, engine: Scripted, limits: Limits) -> SolveResult:
    return tally(problem, diverse_fills(problem, engine=engine, limits=limits))


def test_a_stop_ends_a_search_for_an_engine_that_does_not() -> None:
    stop = StopToken()
    stop.set()
    result = solve(ASKED.problem(), engine=Scripted(Started("scripted")), limits=Limits(stop=stop))
    assert (result.status, result.stop_reason) == (Status.UNKNOWN, StopReason.INTERRUPTED)


@pytest.mark.parametrize("twice", [False, True])
def test_of_many_fills_a_share_is_noted(*, twice: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.engines.audited.MOST_NOTED", 16)
    letters = [f"{one}{two}" for one in "ABCDEFGHIJ" for two in "ABCDEFGHIJ"]
    problem = question("..", words=" ".join(letters)).problem()
    fills = [Found(Fill(tuple(word), problem.grid), (50.0,)) for word in letters]
    engine = Scripted(Started("scripted"), *fills, *(fills if twice else []), EXHAUSTED)
    if twice:
        with pytest.raises(EngineError, match="expected each fill once"):
            count_fills(problem, engine=engine)
    else:
        assert count_fills(problem, engine=engine).fills == 100


def test_closing_the_events_closes_the_search() -> None:
    engine = Scripted(Started("scripted"), ONE, TWO, EXHAUSTED)
    stream = events(ASKED.problem(), engine=engine)
    next(stream)
    opened = not engine.closed
    assert opened
    stream.close()
    assert engine.closed
    engine = Scripted(Started("scripted"), ONE, TWO, EXHAUSTED)
    fills = enumerate_fills(ASKED.problem(), engine=engine)
    next(fills)
    fills.close()
    assert engine.closed


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_three_ways_to_ask(engine: str) -> None:
    problem = ASKED.problem()
    assert solve(problem, engine=engine).status is Status.SATISFIED
    assert {rows_of(problem, f) for f in enumerate_fills(problem, engine=engine)} == {("AA",), ("BB",), ("CC",)}
    counted = count_fills(problem, engine=engine)
    assert (counted.fills, counted.status) == (3, Status.ALL_FILLS)
    assert len(list(enumerate_fills(problem, engine=engine, limits=Limits(fills=2)))) == 2
    assert count_fills(problem, engine=engine, limits=Limits(fills=2)).status is Status.SATISFIED
    if engine in MAXIMISERS:
        assert solve(ASKED.problem(Objective.MIN), engine=engine).value == (3.0,)


def test_an_engine_that_is_asked_for_too_much_says_so_at_once() -> None:
    with pytest.raises(InputError, match="did you mean 'cpsat'"):
        events(ASKED.problem(), engine="cpsta")


# Small things that hold results


def test_a_deadline_passes_or_not() -> None:
    assert Deadline(0.0).passed
    assert Deadline(0.0).remaining_s() == 0.0
    never = Deadline(None)
    assert not never.passed
    assert never.remaining_s(7.0) == 7.0
    later = Deadline(1000.0)
    assert not later.passed
    assert 0 < later.remaining_s() <= 1000.0
    assert later.remaining_s(2.0) == 2.0


def test_a_share_of_a_deadline_is_part_of_the_time_left() -> None:
    stop = StopToken()
    later = Deadline(1000.0, stop)
    assert 490 < later.share(0.5).remaining_s() <= 500.0
    assert later.share(0.5, 2.0).remaining_s() <= 2.0
    assert Deadline(0.0).share(0.5).passed
    never = Deadline(None, stop)
    assert never.share(0.5).time_s is None
    assert never.share(0.5, 2.0).remaining_s() <= 2.0
    shares = [later.share(0.5), never.share(0.5)]
    assert not any(share.passed for share in shares)
    stop.set()
    assert all(share.passed for share in shares)


def test_unsupported_is_no_input_error() -> None:
    pairs = itertools.permutations((InputError, UnsupportedError, EngineError), 2)
    assert not any(issubclass(one, other) for one, other in pairs)
    assert issubclass(InputError, ValueError)
    assert issubclass(InvalidFillError, EngineError)
