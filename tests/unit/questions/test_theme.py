"""Theme entries stand as constructors place them, and patterns around them promise fills."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest

import cpfill
from cpfill.base.alphabet import LATIN
from cpfill.problem.limits import Limits
from cpfill.questions.generate import Demands, Symmetry, generate
from cpfill.questions.generate.board import Board
from cpfill.questions.generate.columns import AGREEMENT, CAUTION, CHARGE, PRICE, SHORT_PRICE, ColumnSearch
from cpfill.questions.generate.demands import STYLES
from cpfill.questions.generate.rules import obeys
from cpfill.questions.generate.theme import Theme, list_liberties

SIDE = 15
SHARE = 1e-3


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
    theme = Theme(demands)
    for seed in range(20):
        layout = theme.draw(Random(seed))
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


def count_words(length: int, letters: object) -> int:
    """Fewer words for longer slots, and for those with letters."""
    return 20_000 // (length**2) // (1 + 5 * len(letters))  # type: ignore[arg-type]


@pytest.mark.parametrize("symmetry", [Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.NONE])
@pytest.mark.parametrize(("height", "width"), [(15, 15), (13, 12), (9, 10)])
def test_a_pattern_promises_what_its_slots_do(symmetry: Symmetry, height: int, width: int) -> None:
    """The sum over columns and rows of the search is the sum over the slots of the pattern it comes to."""
    style = STYLES["american"].__class__(symmetry, (0, 1), min_slot_length=3, checked=True)
    demands = Demands(height, width, style, seed_words=words_of(7, 5), count_words=count_words)
    board, chance, found = demands.board, Random(3), 0
    theme, search = Theme(demands), ColumnSearch(demands, chance)
    for _ in range(30):
        layout = theme.draw(chance, free=True)
        assert layout
        letters = {cell: letter for word, run in layout.placed for cell, letter in zip(run, word, strict=True)}
        for promise, pattern in search.find(layout, height * width // 4):
            found += 1
            assert pattern & layout.blocks == layout.blocks
            assert not pattern & layout.open
            assert pattern.bit_count() <= height * width // 4
            total = -PRICE * pattern.bit_count()
            for run in board.runs(board.full & ~pattern):
                given = {pos: letters[cell] for pos, cell in enumerate(run) if cell in letters}
                if len(given) < len(run):
                    words = count_words(len(run), given)
                    total += math.log(words) - CAUTION / words - AGREEMENT / 2 * (len(run) - len(given))
                total -= SHORT_PRICE * (len(run) == 3)
            assert promise == pytest.approx(total)
    assert found > 5


@pytest.mark.parametrize("symmetry", [Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.NONE])
def test_a_blamed_slot_promises_less(symmetry: Symmetry) -> None:
    """What is charged for all slots of a pattern is all that the same pattern promises less from then on."""
    style = STYLES["american"].__class__(symmetry, (0, 1), min_slot_length=3, checked=True)
    demands = Demands(10, 9, style, seed_words=words_of(5), count_words=count_words)
    board, found = demands.board, 0
    for seed in range(20):
        layout = Theme(demands).draw(Random(seed), free=True)
        assert layout
        before = {pattern: promise for promise, pattern in ColumnSearch(demands, Random(seed)).find(layout, 30)}
        if not before:
            continue
        pattern = max(before, key=before.__getitem__)
        slots = [tuple(cell // 10 * 9 + cell % 10 for cell in run) for run in board.runs(board.full & ~pattern)]
        search = ColumnSearch(demands, Random(seed))
        search.charge(layout, dict.fromkeys(slots, SHARE))
        after = {pattern: promise for promise, pattern in search.find(layout, 30)}
        if pattern in after:
            found += 1
            assert after[pattern] == pytest.approx(before[pattern] - CHARGE * SHARE * len(slots))
        assert all(promise <= before.get(other, math.inf) + 1e-6 for other, promise in after.items())
    assert found


def test_what_is_unusual_about_a_theme_is_said() -> None:
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
