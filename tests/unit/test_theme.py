"""Theme entries stand as constructors place them: across, in rows that mirror each other."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from cpfill.alphabet import LATIN
from cpfill.generate import Demands, generate
from cpfill.generate.board import Board
from cpfill.generate.theme import Crossings, Layout, draw_layout
from cpfill.limits import Limits

SIDE = 15


def words_of(*lengths: int) -> tuple[str, ...]:
    """Return different words of these lengths."""
    return tuple(LATIN[start : start + 1] + "E" * (length - 1) for start, length in enumerate(lengths))


def place_of(run: range) -> tuple[int, int]:
    return divmod(run.start, Board(SIDE, SIDE).stride)


@pytest.mark.parametrize(
    "lengths", [(10, 10), (10, 13, 10), (9, 8), (15, 15, 15), (7, 12, 8), (11, 11, 9, 9), (14, 12)]
)
def test_a_layout_is_as_constructors_place_a_theme(lengths: tuple[int, ...]) -> None:
    words = words_of(*lengths)
    demands, found = Demands(SIDE, SIDE, seed_words=words), 0
    for seed in range(20):
        layout = draw_layout(demands, Random(seed))
        if layout is None:
            continue
        found += 1
        placed = {word: place_of(run) for word, run in layout.placed}
        assert sorted(placed) == sorted(words)
        assert all(run.step == 1 for _, run in layout.placed)
        rows = sorted({row for row, _ in placed.values()})
        assert len(rows) == len(words)
        assert all(below - above >= 2 for above, below in itertools.pairwise(rows))
        board = Board(SIDE, SIDE)
        for row in range(SIDE):
            for column in range(SIDE):
                turned = board.bit(SIDE - 1 - row, SIDE - 1 - column)
                assert bool(layout.blocks & board.bit(row, column)) == bool(layout.blocks & turned)
                assert bool(layout.open & board.bit(row, column)) == bool(layout.open & turned)
        for word, (row, column) in placed.items():
            text = "".join("#" if layout.blocks & board.bit(row, c) else "." for c in range(SIDE))
            rests = text[:column], text[column + len(word) :]
            assert "#" not in text[column : column + len(word)]
            for rest in rests:
                assert not rest or rest.strip("#") == "" or len(rest.strip("#")) > 3  # no orphan of three letters
            twin = [other for other, at in placed.items() if at == (SIDE - 1 - row, SIDE - len(word) - column)]
            partners = sum(len(other) == len(word) for other in words)
            if partners == 2:
                assert twin
                assert twin[0] != word
    assert found


def test_a_theme_of_other_lengths_than_pairs_gets_grids() -> None:
    for lengths in ((10, 13, 10), (9, 8), (7, 12, 8)):
        demands = Demands(SIDE, SIDE, seed_words=words_of(*lengths))
        grids = list(generate(demands, limits=Limits(fills=2)))
        assert len(grids) == 2
        for grid in grids:
            given = ["".join(grid.alphabet.members(grid.cells[cell]) for cell in slot.cells) for slot in grid.slots]
            assert set(demands.seed_words) <= set(given)


def test_an_entry_that_fits_down_alone_has_no_layout() -> None:
    demands = Demands(9, 5, seed_words=words_of(7))
    assert draw_layout(demands, Random(0)) is None
    (grid,) = generate(demands, limits=Limits(fills=1, time_s=60))
    assert any(slot.length == 7 for slot in grid.slots)


def test_a_slot_with_too_few_words_is_dead() -> None:
    """Two entries two rows apart, over columns that a block parts or not."""
    demands = Demands(5, 3, seed_words=("ABC", "DEF"), count_words=lambda length, _: 0 if length > 3 else 9)
    board = demands.board
    runs = tuple((word, range(row * board.stride, row * board.stride + 3)) for word, row in (("ABC", 0), ("DEF", 4)))
    crossings = Crossings(demands, Layout(runs))
    assert crossings.count_dead(0) == 3  # three columns of five
    assert crossings.count_dead(board.bit(2, 0)) == 2  # one is parted in two of two
    assert crossings.count_dead(board.bit(2, 0) | board.bit(2, 1) | board.bit(2, 2)) == 0
