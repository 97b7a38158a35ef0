"""Events added up, values and bounds in order, and engines that break their contract."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import pytest

from cpfill.base.errors import EngineError, InputError, InvalidFillError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.engines.audited import tally
from cpfill.engines.contract import Feature
from cpfill.problem.event import Bound, Event, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Deadline, Limits, SolveResult
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
from tests.support import question
from tests.tables import read_rows

if TYPE_CHECKING:
    from collections.abc import Generator

ASKED = question("..", words={"AA": 1.0, "BB": 2.0, "CC": 3.0})
STARTED = Started("scripted")
SIGNS: dict[str, Event] = {
    "proof": Finished(StopReason.EXHAUSTED, "proof"),
    "time": Finished(StopReason.TIME),
    "note": Progress("x"),
}


def read_value(text: str) -> Value:
    return tuple(float(number) for number in text.split("/") if number not in {"", "-"})


def read_events(text: str) -> list[Event]:
    """Return a stream such as `<3 AA=1 BB=2 proof`: a bound, two fills with their values, an end."""
    stream: list[Event] = [STARTED]
    for sign in text.split():
        letters, _, value = sign.partition("=")
        if sign in SIGNS:
            stream.append(SIGNS[sign])
        elif sign.startswith("<"):
            stream.append(Bound(read_value(sign[1:])))
        else:
            stream.append(Found(Fill(tuple(letters), ASKED.problem().grid), read_value(value)))
    return stream


# Objective, events; the status, the reason, the value, the bound and the number of fills.
TALLIES = read_rows("""
any          |                      | UNKNOWN       interrupted - - 0
any          | note                 | UNKNOWN       interrupted - - 0
any          | AA=1                 | SATISFIED     interrupted 1 - 1
any          | BB=2 AA=1 proof      | ALL_FILLS     exhausted 1 - 2
any          | BB=2 time            | SATISFIED     time 2 - 1
any          | time                 | UNKNOWN       time - - 0
any          | proof                | UNSATISFIABLE exhausted - - 0
min          | <3 AA=1              | SATISFIED     interrupted 1 3 1
min          | <3 AA=1 <2 time      | SATISFIED     time 1 2 1
min          | <2 <3 time           | UNKNOWN       time - 2 0
min          | <3 AA=1 BB=2 proof   | OPTIMAL       exhausted 2 2 2
min          | CC=3 proof           | OPTIMAL       exhausted 3 3 1
min          | proof                | UNSATISFIABLE exhausted - - 0
min-then-sum | <3 AA=1/1            | SATISFIED     interrupted 1/1 3 1
min-then-sum | <3 <3/9              | UNKNOWN       interrupted - 3/9 0
min-then-sum | <3/9 <3              | UNKNOWN       interrupted - 3/9 0
min-then-sum | <3/9 <2              | UNKNOWN       interrupted - 2 0
min-then-sum | <2 <3/9              | UNKNOWN       interrupted - 2 0
min-then-sum | AA=1/5 <1 BB=1/6     | SATISFIED     interrupted 1/6 1 2
min-then-sum | AA=1/5 BB=2/2 proof  | OPTIMAL       exhausted 2/2 2/2 2
""")


@pytest.mark.parametrize(("objective", "stream", "expected"), TALLIES)
def test_events_add_up_to_a_result(objective: str, stream: str, expected: str) -> None:
    status, reason, value, bound, fills = expected.split()
    result = tally(ASKED.problem(Objective(objective)), read_events(stream))
    assert (result.status, result.stop_reason, result.fills) == (status, reason, int(fills))
    assert (result.value or (), result.bound or ()) == (read_value(value), read_value(bound))
    assert (result.fill is None) == (result.value is None)
    assert result.engine == "scripted"


def test_a_result_keeps_what_the_end_says() -> None:
    stats = Stats(nodes=3, backtracks=2, backjumps=1, checks=9, build_s=0.5, search_s=1.5)
    result = tally(ASKED.problem(), [STARTED, Finished(StopReason.EXHAUSTED, "some proof", 0, stats)])
    assert (result.proof, result.wipeout, result.stats) == ("some proof", 0, stats)


CONTRADICTIONS = read_rows("""
min          | BB=2 AA=1
min          | BB=2 BB=2
min          | <1 BB=2
min          | BB=2 <1
min          | CC=3 <3 <2
min-then-sum | AA=1/5 BB=1/5
min-then-sum | AA=1/5 BB=1/4
min-then-sum | AA=2/1 BB=1/9
min-then-sum | <1 AA=2/5
min-then-sum | <2/4 AA=2/5
min-then-sum | AA=2/5 <1/9
""")


@pytest.mark.parametrize(("objective", "stream"), CONTRADICTIONS)
def test_contradictions_are_errors(objective: str, stream: str) -> None:
    with pytest.raises(EngineError):
        tally(ASKED.problem(Objective(objective)), read_events(stream))


@pytest.mark.parametrize("numbers", [(3.0,), (0.1,), (1.0, 2.5), (2.0, 1.0, 0.0)])
def test_a_value_survives_json(numbers: Value) -> None:
    written = json.loads(json.dumps(value_to_json(numbers)))
    assert written in (list(numbers), numbers[0])
    assert isinstance(written, list) == (len(numbers) > 1)
    assert value_from_json(written) == numbers
    assert (value_to_json(None), value_from_json(None)) == (None, None)


@pytest.mark.parametrize("text", ["3", "0.1", "0.30000000000000004", "2 / 1.5", "1" + "0" * 22])
def test_a_value_has_few_digits(text: str) -> None:
    assert format_value(read_value(text)) == text


GAPS = read_rows("""
min | 1 | 2 | minimum score 1, at most 2 possible
min sum | 1/3.5 | 2 | minimum score 1, sum of scores 3.5, at most 2 possible
leximin | 1/4 | 1/5 | worst scores 1, 4; none better than worst scores 1, 5
theme leximin | 2/1/4 | 3 | theme 2, worst scores 1, 4; none better than theme 3
levels | 0/-3 | 0/-1 | words under each level 0, 3; none better than words under each level 0, 1
leximin | 1/40/40/40/40/40/40/40/40/40/41 | 1/41 | worst scores 1, 40, 40, 40, 40, 40, 40, 40 …; \
none better than worst scores 1, 41
leximin | 1/40/40/40/40/40/40/40/40/40/41 | 1/40/40/40/40/40/40/40/40/50 | \
worst scores 1, 40, 40, 40, 40, 40, 40, 40, 40, 40 …; \
none better than worst scores 1, 40, 40, 40, 40, 40, 40, 40, 40, 50
""")


@pytest.mark.parametrize(("measures", "value", "bound", "said"), GAPS)
def test_a_gap_is_told_up_to_the_difference(measures: str, value: str, bound: str, said: str) -> None:
    criteria = list(map(Criterion, measures.split()))
    assert describe_gap(criteria, read_value(value), read_value(bound)) == said


NUMBERS = (0.0, 1.0, 2.0)
PAIRS = list(itertools.product(NUMBERS, repeat=2))
VALUES: list[Value] = [*((number,) for number in NUMBERS), *PAIRS]


def allowed_by(bound: Value) -> set[Value]:
    """Return the values that begin no better than a bound."""
    return {value for value in PAIRS if value[: len(bound)] <= bound}


@pytest.mark.parametrize("one", VALUES)
def test_a_bound_excludes_better_values(one: Value) -> None:
    assert {value for value in PAIRS if not exceeds(value, one)} == allowed_by(one)
    for other in VALUES:
        if is_tighter(one, other):
            assert allowed_by(one) <= allowed_by(other)
        else:
            assert one == other or is_tighter(other, one)
    assert is_tighter(one, None)
    assert not is_tighter(one, one)


WEAKEST = question("..", "##", "..", words={"AA": 1.0, "BB": 2.0, "CC": 3.0, "DD": 1.0}, min_slot_length=2)
GOOD = WEAKEST.problem(Objective.GOOD)


def replace_fill(*words: str) -> SolveResult:
    """Add up a fill of two words and another, which is said to be better."""
    fills = [Fill((*pair[:2], "", "", *pair[2:]), GOOD.grid) for pair in words]
    first, second = (Found(fill, fill.value(GOOD)) for fill in fills)
    return tally(GOOD, [STARTED, first, replace(second, better=True)])


@pytest.mark.parametrize(("first", "second"), [("AABB", "AACC"), ("AACC", "BBCC")])
def test_a_better_fill_takes_the_place_of_a_fill(first: str, second: str) -> None:
    result = replace_fill(first, second)
    assert "".join(result.fill.letters if result.fill else ()) == second


@pytest.mark.parametrize(("first", "second"), [("AACC", "AABB"), ("AABB", "BBAA"), ("AABB", "BBDD")])
def test_no_other_fill_takes_its_place(first: str, second: str) -> None:
    with pytest.raises(EngineError, match=r"engine scripted reports 1 / \d.* after 1 / \d"):
        replace_fill(first, second)


# The audit


class Scripted:
    """An engine that reports the events in a text."""

    name: ClassVar[str] = "scripted"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self, stream: str) -> None:
        self.stream = read_events(stream)
        self.closed = False

    def search(self, problem: Problem, limits: Limits) -> Generator[Event, None, None]:
        del problem, limits
        try:
            yield from self.stream
        finally:
            self.closed = True


@pytest.mark.parametrize("wrong", ["AB=1", "A=1", "BB=3", "BB=1.999", "BB=2/2", "BB="])
def test_a_wrong_fill_is_never_passed_on(wrong: str) -> None:
    engine = Scripted(f"AA=1 {wrong} proof")
    stream = events(ASKED.problem(), engine=engine)
    assert [next(stream), next(stream)] == engine.stream[:2]
    with pytest.raises(InvalidFillError, match="scripted"):
        next(stream)
    assert engine.closed
    with pytest.raises(InvalidFillError):
        solve(ASKED.problem(), engine=engine)


BREACHES = read_rows("""
AA=1                 | expected one Finished, last, found none
AA=1 note            | expected one Finished, last, found none
AA=1 proof proof     | expected one Finished, last, found an event after it
AA=1 proof BB=2      | expected one Finished, last, found an event after it
AA=1 BB=2 AA=1 proof | expected each fill once, found AA again
""")


def diverse_result(problem: Problem, *, engine: Scripted, limits: Limits) -> SolveResult:
    return tally(problem, diverse_fills(problem, engine=engine, limits=limits))


@pytest.mark.parametrize("ask", [solve, count_fills, partial(diverse_result, limits=Limits(fills=9))])
@pytest.mark.parametrize(("stream", "said"), BREACHES)
def test_a_broken_contract_proves_nothing(stream: str, said: str, ask: partial[SolveResult]) -> None:
    engine = Scripted(stream)
    with pytest.raises(EngineError) as caught:
        ask(ASKED.problem(), engine=engine)
    assert str(caught.value) == f"engine scripted of the module {__name__}: {said}"
    assert engine.closed


def test_of_many_fills_a_share_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.engines.audited.MOST_NOTED", 16)
    words = list(map("".join, itertools.product("ABCDEFGHIJ", repeat=2)))
    problem = question("..", words=" ".join(words)).problem()
    fills = " ".join(f"{word}=50" for word in words)
    assert count_fills(problem, engine=Scripted(f"{fills} proof")).fills == 100
    with pytest.raises(EngineError, match="expected each fill once"):
        count_fills(problem, engine=Scripted(f"{fills} {fills} proof"))


@pytest.mark.parametrize("ask", [events, enumerate_fills])
def test_closing_a_stream_closes_the_search(ask: partial[Generator[object]]) -> None:
    engine = Scripted("AA=1 BB=2 proof")
    stream = ask(ASKED.problem(), engine=engine)
    next(stream)
    assert not engine.closed
    stream.close()
    assert engine.closed


# Deadlines and errors


def test_a_deadline_has_shares() -> None:
    stop = StopToken()
    over, later, never = (Deadline(time_s, stop) for time_s in (0.0, 1000.0, None))
    assert over.share(0.5).passed
    assert (over.passed, over.remaining_s()) == (True, 0.0)
    assert 990 < later.remaining_s() <= 1000.0
    assert (later.remaining_s(2.0), never.remaining_s(7.0)) == (2.0, 7.0)
    assert 490 < later.share(0.5).remaining_s() <= 500.0
    assert never.share(0.5).time_s is None
    going_on = [later, never, later.share(0.5), never.share(0.5), later.share(0.5, 2.0), never.share(0.5, 2.0)]
    assert all(share.remaining_s() <= 2.0 for share in going_on[-2:])
    assert not any(each.passed for each in going_on)
    stop.set()
    assert all(each.passed for each in going_on)


def test_errors_are_told_apart() -> None:
    pairs = itertools.permutations((InputError, UnsupportedError, EngineError), 2)
    assert not any(issubclass(one, other) for one, other in pairs)
    assert issubclass(InputError, ValueError)
    assert issubclass(InvalidFillError, EngineError)
