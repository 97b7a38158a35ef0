"""Generated grids against the rules of their styles, and proofs against all patterns there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.design import STYLES, Demands, Symmetry, grids
from cpfill.design import board as flaws
from cpfill.problem.event import StopReason
from tests.property.patterns import (
    BLOCKED,
    block_count,
    cells_of,
    count_slots,
    every,
    find_cheaters,
    keeps,
    runs,
    slots,
    split,
    squares,
    take,
    transposed,
)

if TYPE_CHECKING:
    from tests.property.patterns import Place, Rows

LOOK_S = 0.5
"""Where any outcome will do: some demands that are drawn are hard."""
WORDS = ("CAB", "CABLE", "BLEAK", "ELK")


@st.composite
def demanded(draw: st.DrawFn) -> tuple[str, Demands]:
    name = draw(st.sampled_from(BLOCKED))
    height = draw(st.integers(3, 11))
    width = draw(st.sampled_from([height, height, *range(3, 12)]))
    own = STYLES[name]
    square = {Symmetry.ROTATE90, Symmetry.DIAGONAL} if height != width else set()
    symmetry = draw(st.sampled_from([own.symmetry, *(each for each in Symmetry if each not in square)]))
    shortest = draw(st.sampled_from([own.min_slot_length] * 3 + [1, 2, 3]))
    style = replace(own, symmetry=symmetry, min_slot_length=shortest)
    cells = height * width
    least = draw(st.integers(0, cells // 3))
    blocks = draw(st.sampled_from([None, (least, least), (least, min(cells, least + 4))]))
    max_words = draw(st.none() | st.none() | st.integers(2, 30))
    lengths = draw(st.none() | st.none() | st.frozensets(st.integers(2, 11), min_size=3))
    words = draw(st.just(()) | st.lists(st.sampled_from(WORDS), max_size=3, unique=True).map(tuple))
    if words:
        fitting = tuple(word for word in words if len(word) <= max(height, width))
        return name, Demands(height, width, style, seed_words=fitting)
    return name, Demands(height, width, style, blocks, max_words, lengths=lengths)


@example(("arrow", Demands(5, 3, STYLES["arrow"], seed_words=("CABLE", "ELK", "CAB"))), 0, True)  # has one grid
@settings(max_examples=70)
@given(demanded(), st.integers(0, 3), st.booleans())
def test_grids_keep_the_rules(asked: tuple[str, Demands], seed: int, grows: bool) -> None:
    name, demands = asked
    with pytest.MonkeyPatch.context() as patch:
        if not grows:
            patch.setattr(grids, "grow_patterns", lambda *_: iter(()))
        found, reason = take(demands, 3, seed, LOOK_S)
    shortest = demands.style.min_slot_length
    assert (len(found) == 3) == (reason is StopReason.FILLS)
    for rows in found:
        assert (len(rows), {len(row) for row in rows}) == (demands.height, {demands.width})
        assert keeps(rows, name, demands.style.symmetry, shortest)
        assert demands.blocks is None or demands.blocks[0] <= block_count(rows) <= demands.blocks[1]
        assert demands.max_words is None or len(slots(rows, shortest)) <= demands.max_words
        assert demands.lengths is None or demands.lengths >= {len(slot) for slot in slots(rows, shortest)}
        check_seed_words(rows, demands.seed_words)


def check_seed_words(rows: Rows, words: tuple[str, ...]) -> None:
    """Check that seed words stand in slots of their own, and nothing else is written."""
    spelt = {"".join(rows[r][c] for r, c in run) for run in runs(rows)}
    assert spelt.issuperset(words)
    assert sum(cell.isalpha() for cell in "".join(rows)) <= sum(map(len, words))


@dataclass(frozen=True)
class Small:
    """A size whose patterns can all be tried out."""

    height: int
    width: int
    style: str
    symmetry: str
    shortest: int

    @property
    def known(self) -> frozenset[Rows]:
        return every(self.height, self.width, self.style, self.symmetry, self.shortest)

    def demands(self, blocks: int, max_words: int | None = None, lengths: frozenset[int] | None = None) -> Demands:
        own = replace(STYLES[self.style], symmetry=Symmetry(self.symmetry), min_slot_length=self.shortest)
        return Demands(self.height, self.width, own, (blocks, blocks), max_words, lengths=lengths)


SMALL = [
    Small(4, 4, "american", "diagonal", 2),
    Small(3, 4, "american", "none", 2),
    Small(5, 5, "american", "rotate", 3),
    Small(4, 4, "japanese", "none", 2),
    Small(5, 5, "japanese", "rotate90", 2),
    Small(3, 4, "french", "none", 2),
    Small(5, 5, "french", "rotate90", 3),
    Small(5, 5, "british", "rotate90", 3),
    Small(3, 5, "british", "rotate", 3),
    Small(3, 4, "british", "none", 2),
    Small(3, 5, "arrow", "none", 2),
    Small(4, 4, "arrow", "none", 2),
    Small(5, 5, "arrow", "diagonal", 3),
    Small(3, 3, "free", "diagonal", 2),
    Small(3, 3, "free", "mirror", 1),
]


@pytest.fixture(params=["grow_patterns", "model"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have patterns grown as far as possible, or all of them from the model."""
    if request.param == "model":
        monkeypatch.setattr(grids, "grow_patterns", lambda *_: iter(()))


def list_lengths(rows: Rows, shortest: int) -> set[int]:
    return {len(slot) for slot in slots(rows, shortest)}


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("small", SMALL, ids=str)
def test_there_is_a_grid_where_there_is_one(small: Small) -> None:
    for count in range(small.height * small.width + 1):
        exact = {rows for rows in small.known if block_count(rows) == count}
        found, reason = take(small.demands(count), 1)
        assert exact.issuperset(found)
        assert reason is (StopReason.FILLS if exact else StopReason.EXHAUSTED)
        fewest = min((len(slots(rows, small.shortest)) for rows in exact), default=0)
        if fewest > 1:
            assert take(small.demands(count, fewest), 1)[1] is StopReason.FILLS
            assert take(small.demands(count, fewest - 1), 1) == ([], StopReason.EXHAUSTED)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("small", SMALL, ids=str)
@pytest.mark.parametrize("lengths", [None, {2, 4}, {3}, {1, 3, 5}], ids=str)
def test_every_grid_with_slots_of_some_lengths_is_found(small: Small, lengths: set[int] | None) -> None:
    fitting = [rows for rows in small.known if list_lengths(rows, small.shortest) <= (lengths or {*range(9)})]
    counts = Counter(map(block_count, fitting))
    limit = 60 if lengths is None else 30
    most = max((count for count, there in counts.items() if there <= limit), default=0)
    found, reason = take(small.demands(most, lengths=frozenset(lengths) if lengths else None), None)
    assert reason is StopReason.EXHAUSTED
    assert set(found) == {rows for rows in fitting if block_count(rows) == most}


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(("height", "width", "style"), [(5, 5, "american"), (2, 4, "french")])
def test_every_number_of_blocks_comes_in_the_end(height: int, width: int, style: str) -> None:
    own = STYLES[style]
    found, reason = take(Demands(height, width, own), None)
    assert reason is StopReason.EXHAUSTED
    assert set(found) == every(height, width, style, own.symmetry, own.min_slot_length)


@pytest.mark.parametrize(("symmetry", "least"), [("none", 70), ("rotate", 68)])
def test_there_are_dense_japanese_grids(symmetry: str, least: int) -> None:
    style = replace(STYLES["japanese"], symmetry=Symmetry(symmetry))
    (rows,), _ = take(Demands(15, 15, style, (least, 74)), 1, time_s=60)
    assert least <= block_count(rows) <= 74
    assert keeps(rows, "japanese", symmetry, 2)


@pytest.mark.parametrize(
    ("style", "height", "width", "words"),
    [("american", 15, 15, (60, 78)), ("british", 15, 15, (28, 32)), ("arrow", 12, 10, (40, 70))],
)
def test_grids_look_like_printed_ones(style: str, height: int, width: int, words: tuple[int, int]) -> None:
    found, _ = take(Demands(height, width, STYLES[style]), 20)
    lengths = [len(slot) for rows in found for slot in slots(rows, 2)]
    assert words[0] <= len(lengths) / len(found) <= words[1]
    assert sum(squares(rows) > 0 for rows in found) <= len(found) // 20
    match style:
        case "american":
            assert sum(len(find_cheaters(rows)) > 4 for rows in found) <= len(found) // 20
        case "british":
            assert lengths.count(3) <= len(lengths) // 20
        case "arrow":
            assert sum("##" in line for rows in found for line in (*rows, *transposed(rows))) <= 4 * len(found)
            assert sum(length > 9 for length in lengths) <= len(found)
            assert lengths.count(2) <= len(lengths) // 4
            assert 3.5 <= sum(lengths) / len(lengths) <= 5


@pytest.mark.parametrize(("style", "blocks"), [("arrow", (22, 26)), ("american", (20, 20)), ("american", (44, 44))])
def test_flaws_are_found_on_the_board(style: str, blocks: tuple[int, int]) -> None:
    demands = Demands(13, 13 if style == "american" else 11, STYLES[style], blocks)
    board = demands.board
    for rows in take(demands, 5)[0]:
        cells = sum(board.bit(r, c) for (r, c), cell in cells_of(rows).items() if cell == "#")
        assert flaws.find_squares(board, cells).bit_count() == squares(rows)
        if style == "american":
            assert flaws.find_cheaters(board, cells).bit_count() == len(find_cheaters(rows))
            continue
        alone = sum(count == 1 and min(place) > 0 for place, count in count_slots(rows, 2).items())
        assert flaws.find_uncrossed(board, cells).bit_count() == alone
        assert flaws.find_long(board, cells).bit_count() == sum(max(0, len(slot) - 9) for slot in slots(rows, 2))


def ways(height: int, width: int, words: tuple[str, ...]) -> set[Rows]:
    """Return every way to place words in a grid without blocks."""
    lines = slots(("." * width,) * height, 2)
    found = set()
    for places in product(lines, repeat=len(words)):
        letters: dict[Place, str] = {}
        fitting = True
        for place, word in zip(places, words, strict=True):
            fitting = fitting and len(place) == len(word)
            for at, letter in zip(place, word, strict=False):
                fitting = fitting and letters.setdefault(at, letter) == letter
        if fitting:
            found.add(split("".join(letters.get(divmod(at, width), ".") for at in range(height * width)), width))
    return found


@pytest.mark.parametrize(
    ("height", "width", "words"),
    [(1, 3, ("CAB",)), (3, 3, ("CAB",)), (2, 3, ("CAB", "ABC")), (3, 3, ("CAB", "ABC")), (1, 4, ("CAB",))],
)
def test_every_way_to_place_words_is_found(height: int, width: int, words: tuple[str, ...]) -> None:
    found, reason = take(Demands(height, width, STYLES["french"], (0, 0), seed_words=words), None)
    assert reason is StopReason.EXHAUSTED
    assert set(found) == ways(height, width, words)
