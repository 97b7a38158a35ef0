"""Criss-crosses against all that there are of a few short words, and by a checker that shares no code with cpfill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.base.threads import StopToken
from cpfill.design.criss_cross import Arranged, Own, Wanted, arrange
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits
from cpfill.puzzle.grid import Direction
from tests.property.criss_crosses import every, is_right

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.design.criss_cross import Arrangement

SHORT = st.lists(st.text("ABCDE", min_size=2, max_size=4), min_size=1, max_size=4, unique=True)
LONGER = st.lists(st.text("ABCDEFG", min_size=2, max_size=9), min_size=1, max_size=12, unique=True)
SIZES = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))
ANY = Limits(fills=None)


def wanted_of(words: list[str], size: tuple[int, int] | None = None, *, most: bool = False) -> Wanted:
    return Wanted(tuple(Own(word) for word in words), size, most)


def follow(answer: Generator[Arranged, None, StopReason]) -> tuple[list[Arranged], StopReason]:
    """Return all arrangements and bounds, and why the search ended."""
    told: list[Arranged] = []
    while True:
        try:
            told.append(next(answer))
        except StopIteration as end:
            return told, end.value


def ask(wanted: Wanted, limits: Limits = ANY) -> tuple[list[Arranged], StopReason]:
    """Return all arrangements, each checked, with their bounds, and why the search ended."""
    told, reason = follow(arrange(wanted, limits))
    for arrangement, _ in told:
        if arrangement:
            check(wanted, arrangement)
    return told, reason


def check(wanted: Wanted, arrangement: Arrangement) -> None:
    places = [(word, row, column, way is Direction.DOWN) for word, row, column, way in arrangement.placements]
    assert is_right(places)
    cells = arrangement.letters
    assert {row for row, _ in cells} == set(range(arrangement.height))
    assert {column for _, column in cells} == set(range(arrangement.width))
    words = {own.word for own in wanted.words}
    standing = {place[0] for place in places}
    assert standing <= words if wanted.most else standing == words
    if wanted.size:
        assert arrangement.height <= wanted.size[0]
        assert arrangement.width <= wanted.size[1]


def rate(arrangement: Arrangement | None, *, sized: bool) -> tuple[float, int, int] | None:
    if arrangement is None:
        return None
    area = 0 if sized else -arrangement.area
    return len(arrangement.placements), area, arrangement.crossings


def find_best(wanted: Wanted) -> tuple[float, int, int] | None:
    """Return the best value among all criss-crosses."""
    best = None
    for words, height, width, crossings in every([own.word for own in wanted.words]):
        if len(words) < len(wanted.words) and not wanted.most:
            continue
        if wanted.size and (height > wanted.size[0] or width > wanted.size[1]):
            continue
        value = (len(words), 0 if wanted.size else -height * width, crossings)
        best = max(best, value) if best else value
    return best


@given(SHORT, SIZES, st.booleans())
@settings(max_examples=8)
@example(["AB", "AC", "AD"], None, False)
@example(["AB", "AC", "AD"], None, True)
@example(["AB", "CD", "AC", "BD"], None, False)
@example(["ABC", "BB"], (1, 4), True)
@example(["AB", "CC"], None, True)
def test_the_best_of_all_is_found_and_proved(words: list[str], size: tuple[int, int] | None, most: bool) -> None:
    wanted = wanted_of(words, size, most=most)
    told, reason = ask(wanted)
    assert reason is StopReason.EXHAUSTED
    last = told[-1]
    best = find_best(wanted)
    assert rate(last.arrangement, sized=size is not None) == best
    for _, bounds in told:
        if best:
            assert bounds.weight >= best[0]
            assert size or bounds.area <= -best[1]
            assert bounds.crossings >= best[2]
    if best and last.arrangement:
        assert last.bounds.weight == best[0]
        assert last.bounds.crossings == best[2]
        assert size or last.bounds.area == last.arrangement.area


@given(LONGER, SIZES | st.just((9, 12)), st.booleans(), st.integers(0, 9))
@settings(max_examples=8)
def test_every_arrangement_is_right(words: list[str], size: tuple[int, int] | None, most: bool, seed: int) -> None:
    limits = Limits(nodes=60, seed=seed)
    wanted = wanted_of(words, size, most=most)
    told, reason = ask(wanted, limits)
    assert reason in {StopReason.NODES, StopReason.EXHAUSTED}
    values = [rate(each.arrangement, sized=size is not None) for each in told if each.arrangement]
    assert values == sorted(values, key=lambda value: value or ())
    assert ask(wanted, limits) == (told, reason)


@given(SHORT, st.tuples(st.integers(1, 6), st.integers(1, 6)))
@settings(max_examples=3)
def test_order_and_transposition_change_no_value(words: list[str], size: tuple[int, int]) -> None:
    values = []
    for each in (words, sorted(words)):
        for turned in (size, size[::-1]):
            told, _ = ask(wanted_of(each, turned, most=True))
            values.append(rate(told[-1].arrangement, sized=True))
    assert len(set(values)) == 1


def test_the_heaviest_words_stand_if_not_all_fit() -> None:
    words = (Own("ABCD", 1.0), Own("AEFG", 1.5), Own("BH", 0.25), Own("ZZ", 9.0))
    told, reason = ask(Wanted(words, (4, 4), most=True))
    assert reason is StopReason.EXHAUSTED
    assert told[-1].arrangement
    assert [each.word for each in told[-1].arrangement.placements] == ["ZZ"]
    assert told[-1].bounds.weight == 9.0


def test_a_token_that_is_set_stops_the_search() -> None:
    token = StopToken()
    answer = arrange(wanted_of(["LONDON", "PARIS", "OSLO", "ROME", "MADRID", "LISBON"]), Limits(stop=token))
    assert next(answer).arrangement
    token.set()
    assert follow(answer)[1] is StopReason.INTERRUPTED
