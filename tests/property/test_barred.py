"""Barred grids against their rules, read off the bars alone, and proofs against all patterns there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.base.alphabet import Alphabet
from cpfill.design import STYLES, Demands, Symmetry, generate
from cpfill.design.figures import CUSTOMS, FaultKind, find_faults
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits
from cpfill.puzzle.grid import Grid
from tests.property.patterns import take_grids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Place = tuple[int, int]
Bars = frozenset[frozenset[Place]]
Cuts = tuple[tuple[int, ...], ...]
"""The lengths of the runs along each row, or each column."""

UNCHECKED = {2: 0, 3: 0, 4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 3, 10: 4, 11: 4, 12: 5, 13: 5, 14: 6, 15: 6}
"""How many cells of a slot may be unchecked."""

TURNS: dict[str, list[Callable[[int, int, int, int], Place]]] = {
    "none": [],
    "rotate": [lambda h, w, r, c: (h - 1 - r, w - 1 - c)],
    "rotate90": [lambda h, w, r, c: (c, h - 1 - r)],  # noqa: ARG005 - of a square
    "mirror": [lambda h, w, r, c: (r, w - 1 - c)],  # noqa: ARG005
    "diagonal": [lambda h, w, r, c: (c, r)],  # noqa: ARG005
}


def bars_of(grid: Grid) -> Bars:
    return frozenset(frozenset(divmod(cell, grid.width) for cell in bar) for bar in grid.bars)


def list_runs(height: int, width: int, bars: Bars) -> Iterator[list[Place]]:
    """Yield the places of every run, those of one cell among them."""
    lines = [[(r, c) for c in range(width)] for r in range(height)]
    lines += [[(r, c) for r in range(height)] for c in range(width)]
    for line in lines:
        run = [line[0]]
        for one, other in pairwise(line):
            if frozenset({one, other}) in bars:
                yield run
                run = []
            run.append(other)
        yield run


def connected(height: int, width: int, bars: Bars) -> bool:
    seen, todo = {(0, 0)}, [(0, 0)]
    while todo:
        r, c = todo.pop()
        for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            inside = 0 <= place[0] < height and 0 <= place[1] < width
            if inside and place not in seen and frozenset({(r, c), place}) not in bars:
                seen.add(place)
                todo.append(place)
    return len(seen) == height * width


def keeps(height: int, width: int, bars: Bars, symmetry: str, shortest: int) -> bool:
    """Return whether a barred grid keeps the rules."""
    runs = list(list_runs(height, width, bars))
    times = Counter(place for run in runs if len(run) > 1 for place in run)
    for run in runs:
        checked = "".join("x" if times[place] == 2 else "." for place in run)
        if 1 < len(run) < shortest:
            return False
        if len(run) > 1 and (checked.count(".") > UNCHECKED[len(run)] or ".." in checked):
            return False
    moved = [frozenset(frozenset(turn(height, width, *at) for at in bar) for bar in bars) for turn in TURNS[symmetry]]
    return len(times) == height * width and connected(height, width, bars) and all(each == bars for each in moved)


def barred(symmetry: str = "rotate", shortest: int = 4) -> Demands:
    style = replace(STYLES["barred"], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    return Demands(12, 12, style)


@pytest.mark.parametrize("symmetry", ["rotate", "mirror", "diagonal"])
def test_barred_grids_keep_the_rules_and_look_printed(symmetry: str) -> None:
    found, reason = take_grids(barred(symmetry), 4)
    assert (len({grid.bars for grid in found}), reason) == (4, StopReason.FILLS)
    for grid in found:
        assert keeps(12, 12, bars_of(grid), symmetry, 4)
        lengths = [len(run) for run in list_runs(12, 12, bars_of(grid)) if len(run) > 1]
        assert 34 <= len(lengths) <= 38
        assert sum(lengths) >= 5.5 * len(lengths)
        assert sum(lengths) <= 1.68 * 144


@settings(max_examples=15)
@given(
    st.integers(4, 10),
    st.integers(4, 10),
    st.sampled_from([2, 3, 4]),
    st.integers(0, 9),
    st.sampled_from(["rotate", "none"]),
)
@example(4, 4, 4, 0, "rotate")
def test_barred_grids_of_any_size_keep_the_rules(
    height: int, width: int, shortest: int, seed: int, symmetry: str
) -> None:
    demands = replace(barred(symmetry, shortest), height=height, width=width)
    stream = generate(demands, limits=Limits(time_s=0.7, fills=2, seed=seed))
    for grid in stream:
        assert (grid.height, grid.width, grid.cells.count(0)) == (height, width, 0)
        assert keeps(height, width, bars_of(grid), symmetry, shortest)


def compositions(total: int, shortest: int) -> list[tuple[int, ...]]:
    """Return the ways to cut a line into single cells and slots."""
    if not total:
        return [()]
    parts = [1, *range(max(2, shortest), total + 1)]
    return [(part, *rest) for part in parts if part <= total for rest in compositions(total - part, shortest)]


def ends(cut: Sequence[int]) -> Iterator[int]:
    """Yield the last cells of the runs of a line, less the end of the line."""
    end = 0
    for length in cut[:-1]:
        end += length
        yield end - 1


@cache
def find_singles(cut: tuple[int, ...]) -> list[int]:
    """Return the places of the cells of a line that are alone."""
    return [sum(cut[:at]) for at, length in enumerate(cut) if length == 1]


@cache
def every(height: int, width: int, symmetry: str, shortest: int) -> frozenset[Bars]:
    """Return all barred grids that keep the rules, tried one by one."""
    found = set()
    for rows in product(compositions(width, shortest), repeat=height):
        across = [frozenset({(r, c), (r, c + 1)}) for r, cut in enumerate(rows) for c in ends(cut)]
        if symmetry == "mirror" and any(cut != cut[::-1] for cut in rows):
            continue
        if symmetry == "rotate" and rows != tuple(cut[::-1] for cut in reversed(rows)):
            continue
        single = {(r, c) for r, cut in enumerate(rows) for c in find_singles(cut)}
        for columns in product(compositions(height, shortest), repeat=width):
            if any((r, c) in single for c, cut in enumerate(columns) for r in find_singles(cut)):
                continue  # a cell in no slot
            down = [frozenset({(r, c), (r + 1, c)}) for c, cut in enumerate(columns) for r in ends(cut)]
            bars = frozenset([*across, *down])
            if keeps(height, width, bars, symmetry, shortest):
                found.add(bars)
    return frozenset(found)


SMALL = [
    (4, 4, "none", 4),
    (4, 4, "none", 3),
    (4, 4, "diagonal", 3),
    (4, 4, "rotate90", 3),
    (3, 3, "none", 2),
    (3, 3, "rotate90", 2),
    (4, 5, "rotate", 3),
    (3, 4, "mirror", 2),
    (3, 5, "none", 3),
]


@pytest.mark.parametrize("lengths", [None, {4}, {3}, {2, 4}], ids=str)
@pytest.mark.parametrize(("height", "width", "symmetry", "shortest"), SMALL)
def test_every_barred_grid_with_slots_of_some_lengths_is_found(
    height: int, width: int, symmetry: str, shortest: int, lengths: set[int] | None
) -> None:
    demands = replace(barred(symmetry, shortest), height=height, width=width)
    found, reason = take_grids(replace(demands, lengths=None if lengths is None else frozenset(lengths)), None)
    known = {
        bars
        for bars in every(height, width, symmetry, shortest)
        if {len(run) for run in list_runs(height, width, bars)} <= ({*range(9)} if lengths is None else {1, *lengths})
    }
    assert known or lengths is not None
    assert reason is StopReason.EXHAUSTED
    assert len(found) == len(known)
    assert {bars_of(grid) for grid in found} == known


def test_at_most_so_many_words() -> None:
    counts = [sum(len(run) > 1 for run in list_runs(4, 4, bars)) for bars in every(4, 4, "none", 3)]
    for most in range(min(counts) - 1, max(counts) + 1):
        found, _ = take_grids(replace(barred("none", 3), height=4, width=4, max_words=most), None)
        assert len(found) == sum(count <= most for count in counts)


def test_every_way_to_place_a_word_in_a_barred_grid_is_found() -> None:
    word = "ABC"
    found, reason = take_grids(replace(barred("rotate", 3), height=4, width=4, seed_words=(word,)), None)
    places = [run for bars in every(4, 4, "rotate", 3) for run in list_runs(4, 4, bars) if len(run) == 3]
    assert (reason, len(found)) == (StopReason.EXHAUSTED, len(places))
    for grid in found:
        assert any(grid.given_word(slot) == word for slot in grid.slots)


@given(st.data())
@settings(max_examples=60)
def test_a_grid_keeps_the_rules_just_if_stats_finds_no_fault_but_against_customs(data: st.DataObject) -> None:
    height, width, symmetry, shortest = data.draw(st.sampled_from(SMALL))
    alphabet, style = Alphabet(), replace(STYLES["barred"], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    right = data.draw(st.booleans())
    bars = data.draw(st.sampled_from(sorted(every(height, width, symmetry, shortest), key=sorted_bars)))
    if not right:
        places = [frozenset({(r, c), (r, c + 1)}) for r in range(height) for c in range(width - 1)]
        bars ^= data.draw(st.frozensets(st.sampled_from(places), min_size=1, max_size=4))
    numbered = frozenset((min(cells), max(cells)) for bar in bars if (cells := [r * width + c for r, c in bar]))
    grid = Grid(height, width, (alphabet.full,) * (height * width), alphabet, shortest, bars=numbered)
    faults = {fault.kind for fault in find_faults(grid, style)}
    assert (not faults - CUSTOMS) == keeps(height, width, bars, symmetry, shortest)


def sorted_bars(bars: Bars) -> list[list[Place]]:
    return sorted(sorted(bar) for bar in bars)


def test_a_block_is_a_fault_of_a_barred_grid() -> None:
    grid = Grid(4, 4, (0, *(Alphabet().full,) * 15), Alphabet(), 4)
    assert FaultKind.BLOCK in {fault.kind for fault in find_faults(grid, STYLES["barred"])}
