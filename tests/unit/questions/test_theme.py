"""Theme entries stand as constructors place them, and patterns around them promise fills."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import cpfill
from cpfill.base.alphabet import LATIN
from cpfill.design import Demands, Symmetry, fill_grids, generate
from cpfill.design.board import STYLES, Board, Style
from cpfill.design.columns import AGREEMENT, CAUTION, CHARGE, PRICE, SHORT_PRICE, ColumnSearch
from cpfill.design.demands import obeys
from cpfill.design.grids import add_words, tell_unpaired
from cpfill.design.layouts import Layout, Theme, list_liberties, list_unpaired, may_pair
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from cpfill.testing import brute_force
from cpfill.words.wordlist import parse_word_list
from tests.tables import Case, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE = 15
SHARE = 1e-3


def words_of(*lengths: int) -> tuple[str, ...]:
    """Return different words of these lengths."""
    return tuple(LATIN[start : start + 1] + "E" * (length - 1) for start, length in enumerate(lengths))


def draw(board: Board, cells: int) -> list[str]:
    """Return a square board as text, with `#` for some cells."""
    signs = {True: "#", False: "."}
    side = range(SIDE)
    return ["".join(signs[bool(cells & board.bit(row, column))] for column in side) for row in side]


@pytest.mark.parametrize(
    "lengths", [(10, 10), (10, 13, 10), (9, 8), (15, 15, 15), (7, 12, 8), (11, 11, 9, 9), (14, 12)]
)
def test_a_layout_is_as_constructors_place_a_theme(lengths: tuple[int, ...]) -> None:
    words = words_of(*lengths)
    demands = Demands(SIDE, SIDE, seed_words=words)
    theme = Theme(demands)
    layouts = [layout for seed in range(20) if (layout := theme.draw(Random(seed))) is not None]
    assert layouts
    for layout in layouts:
        assert sorted(word for word, _ in layout.placed) == sorted(words)
        assert {run.step for _, run in layout.placed} == {1}
        placed = {divmod(run.start, demands.board.stride): word for word, run in layout.placed}
        rows = sorted(row for row, _ in placed)
        assert all(below - above >= 2 for above, below in itertools.pairwise(rows))
        blocks = draw(demands.board, layout.blocks)
        for cells in (blocks, draw(demands.board, layout.open)):
            assert cells == [row[::-1] for row in cells[::-1]]
        for (row, column), word in placed.items():
            end = column + len(word)
            assert "#" not in blocks[row][column:end]
            for rest in (blocks[row][:column], blocks[row][end:]):
                assert len(rest.strip("#")) not in {1, 2, 3}  # no orphan of three letters
            if lengths.count(len(word)) == 2:
                assert placed[SIDE - 1 - row, SIDE - end] != word


def test_an_entry_that_fits_down_alone_has_no_layout() -> None:
    demands = Demands(9, 5, seed_words=words_of(7))
    assert Theme(demands).draw(Random(0)) is None
    (grid,) = generate(demands, limits=Limits(fills=1, time_s=60))
    assert any(slot.length == 7 for slot in grid.slots)


def test_an_entry_is_moved_within_the_rules() -> None:
    demands = Demands(SIDE, SIDE, seed_words=words_of(10, 13, 10, 8))
    theme, chance = Theme(demands), Random(5)
    for free in (False, True):
        layout, seen = theme.draw(chance, free=free), set()
        assert layout
        for _ in range(20):
            layout = theme.move(layout, chance, free=free) or layout
            seen.add(layout.placed)
            assert sorted(word for word, _ in layout.placed) == sorted(demands.seed_words)
            assert obeys(demands, layout.blocks)
            assert not layout.blocks & layout.open
            assert free or not layout.liberties
        assert len(seen) > 1


def count_words(length: int, letters: Any) -> int:
    """Fewer words for longer slots, and for those with letters."""
    return 20_000 // (length**2) // (1 + 5 * len(letters))


def demands_of(symmetry: Symmetry, height: int, width: int, *lengths: int) -> Demands:
    style = Style(symmetry, (0, 1), min_slot_length=3, checked=True)
    return Demands(height, width, style, seed_words=words_of(*lengths), count_words=count_words)


def promise_of(demands: Demands, layout: Layout, pattern: int) -> float:
    """Return the sum over the slots of a pattern."""
    letters = {cell: letter for word, run in layout.placed for cell, letter in zip(run, word, strict=True)}
    total = -PRICE * pattern.bit_count()
    for run in demands.board.runs(demands.board.full & ~pattern):
        given = [pos for pos, cell in enumerate(run) if cell in letters]
        if len(given) < len(run):
            words = count_words(len(run), given)
            total += math.log(words) - CAUTION / words - AGREEMENT / 2 * (len(run) - len(given))
        if len(run) == 3:
            total -= SHORT_PRICE
    return total


SYMMETRIES = pytest.mark.parametrize("symmetry", [Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.NONE])


@SYMMETRIES
@pytest.mark.parametrize(("height", "width"), [(15, 15), (13, 12), (9, 10)])
def test_a_pattern_promises_what_its_slots_do(symmetry: Symmetry, height: int, width: int) -> None:
    """The search adds up columns and rows."""
    demands = demands_of(symmetry, height, width, 7, 5)
    chance = Random(3)
    theme, search = Theme(demands), ColumnSearch(demands, chance)
    found = 0
    for _ in range(30):
        layout = theme.draw(chance, free=True)
        assert layout
        for promise, pattern in search.find(layout, height * width // 4):
            found += 1
            assert pattern & layout.blocks == layout.blocks
            assert not pattern & layout.open
            assert pattern.bit_count() <= height * width // 4
            assert promise == pytest.approx(promise_of(demands, layout, pattern))
    assert found > 5


@SYMMETRIES
def test_a_blamed_slot_promises_less(symmetry: Symmetry) -> None:
    """A pattern promises less by the charges for all its slots."""
    demands = demands_of(symmetry, 10, 9, 5)
    found = 0
    for seed in range(20):
        layout = Theme(demands).draw(Random(seed), free=True)
        assert layout
        before = {pattern: promise for promise, pattern in ColumnSearch(demands, Random(seed)).find(layout, 30)}
        if not before:
            continue
        pattern = max(before, key=before.__getitem__)
        runs = demands.board.runs(demands.board.full & ~pattern)
        slots = [tuple(cell // 10 * 9 + cell % 10 for cell in run) for run in runs]
        search = ColumnSearch(demands, Random(seed))
        search.charge(layout, dict.fromkeys(slots, SHARE))
        after = {pattern: promise for promise, pattern in search.find(layout, 30)}
        if pattern in after:
            found += 1
            assert after[pattern] == pytest.approx(before[pattern] - CHARGE * SHARE * len(slots))
        assert all(promise <= before.get(other, math.inf) + 1e-6 for other, promise in after.items())
    assert found


def test_liberties_of_a_theme_are_named() -> None:
    demands = Demands(7, 7, seed_words=("TOP", "SEVENTH", "DOWNS"))
    _, (grid,) = cpfill.read_grids("SEVENTH\n......#\nTOP#..D\n......O\n......W\n......N\n......S")
    alone, *others = list_liberties(demands, grid)
    assert alone.startswith("no entry of its length mirrors ")
    assert all(f"{word} ({len(word)})" in alone for word in demands.seed_words)
    assert others == ["TOP has a slot of three letters beside it", "DOWNS is placed down"]
    _, (paired,) = cpfill.read_grids("TOP....\nSEVENTH\n.......\n.......\n.......\nELEVENS\n.......")
    assert list_liberties(Demands(7, 7, seed_words=("SEVENTH", "ELEVENS")), paired) == []
    assert list_liberties(Demands(7, 7), paired) == []
    near = Demands(7, 7, STYLES["free"], seed_words=("SEVENTH", "ELEVENS"))
    _, (close,) = cpfill.read_grids("SEVENTH\nELEVENS\n.......\n.......\n.......\n.......\n.......")
    assert list_liberties(near, close) == ["SEVENTH and ELEVENS are close together"]


def images_of(place: tuple[int, int], height: int, width: int, symmetry: Symmetry) -> set[tuple[int, int]]:
    row, column = place
    return {
        Symmetry.ROTATE: {place, (height - 1 - row, width - 1 - column)},
        Symmetry.MIRROR: {place, (row, width - 1 - column)},
        Symmetry.DIAGONAL: {place, (column, row)},
    }[symmetry]


def patterns_of(height: int, width: int, symmetry: Symmetry) -> Iterator[tuple[str, ...]]:
    """Yield all patterns of blocks that a symmetry maps to themselves."""
    places = list(itertools.product(range(height), range(width)))
    orbits = {frozenset(images_of(place, height, width, symmetry)) for place in places}
    for chosen in itertools.product((False, True), repeat=len(orbits)):
        blocks = frozenset[tuple[int, int]]().union(*itertools.compress(sorted(orbits, key=sorted), chosen))
        yield tuple("".join(".#"[(row, column) in blocks] for column in range(width)) for row in range(height))


def may_hold(pattern: tuple[str, ...], seeds: tuple[str, ...], words: dict[str, float]) -> bool:
    """Return whether a pattern has a fill with each seed word, found by trying its places one after the other."""
    if not seeds:
        return bool(brute_force.solve(brute_force.cells_of(*pattern), words).fills)
    for turned in (False, True):
        lines = list(map("".join, zip(*pattern, strict=True))) if turned else list(pattern)
        for number, line in enumerate(lines):
            for run in re.finditer("[^#]+", line):
                if len(run[0]) != len(seeds[0]) or any(
                    a not in {".", b} for a, b in zip(run[0], seeds[0], strict=True)
                ):
                    continue
                placed = [*lines]
                placed[number] = line[: run.start()] + seeds[0] + line[run.end() :]
                rows = tuple(map("".join, zip(*placed, strict=True))) if turned else tuple(placed)
                if may_hold(rows, seeds[1:], words):
                    return True
    return False


@cases("unit/questions/cases.toml", "pairing")
def test_entries_that_cannot_pair_up_stand_in_no_grid(case: Case) -> None:
    """The lists have no other word of the length of an entry: all grids there are against what cpfill says at once."""
    height, width = case["size"]
    seeds = tuple(case["seeds"])
    symmetry = Symmetry(case["symmetry"])
    others = ["AB", "BA", "AA", "BB", "CA", "AC", "CB", "BC", "DA", "AD"]
    words = dict.fromkeys([*seeds, *others], 50.0)
    style = replace(STYLES["free"], symmetry=symmetry)
    demands = Demands(height, width, style, blocks=(0, height * width), seed_words=seeds)
    lexicon = cpfill.Lexicon([parse_word_list("\n".join(others))])
    exists = any(may_hold(pattern, seeds, words) for pattern in patterns_of(height, width, symmetry))
    known, _ = add_words(demands, lexicon)
    if not may_pair(list_unpaired(known, Rules())):
        assert not exists
        assert tell_unpaired(demands, lexicon, Rules()).startswith(f"no grid with this symmetry holds {seeds[0]} (")
    found = next(fill_grids(demands, lexicon, limits=Limits(time_s=20)), None)
    assert (found is not None) == exists


def test_unpaired_lengths_are_named() -> None:
    lexicon = cpfill.Lexicon([parse_word_list("abcde\nbcdea\nabcd\nabc\nab")])

    def tell(height: int, width: int, *seeds: str, repeats: bool = False) -> str:
        return tell_unpaired(Demands(height, width, seed_words=seeds), lexicon, Rules(repeats=repeats))

    assert tell(7, 7, "CDEAB") == ""  # it may stand in the middle
    assert "CDEAB (5) must be mirrored by other words, of which few are allowed (2 of 5 letters)" in tell(8, 8, "CDEAB")
    assert tell(8, 8, "CDEAB", "DEABC") == ""  # they mirror each other
    both = tell(7, 7, "CDEAB", "BCD")
    assert "CDEAB (5) and BCD (3) must be mirrored" in both
    assert "(2 of 5 letters, 1 of 3 letters)" in both
    assert "no grid with this symmetry holds BCDEAC (6): another word" in tell(9, 9, "BCDEAC")
    assert tell(9, 9, "BCDEAC", repeats=True) == ""  # it may mirror itself
