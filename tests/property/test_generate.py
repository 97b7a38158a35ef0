"""Generated grids against their styles' rules, read off rows of text, and proofs against all patterns there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.design import STYLES, Demands, Symmetry, generate, grids
from cpfill.design import board as flaws
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits
from cpfill.testing.brute_force import runs_in
from tests.support import drain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.puzzle.grid import Grid

Rows = tuple[str, ...]
Place = tuple[int, int]
BLOCKED = sorted(STYLES.keys() - {"barred"})
"""The styles whose grids have blocks; barred ones have tests of their own."""

HANG_S = 20.0
LOOK_S = 0.5
"""Where any outcome will do: some demands that are drawn are hard."""


def rows_of(grid: Grid) -> Rows:
    """Return a grid with `#` for a block, `.` for an empty cell."""
    members = [grid.alphabet.members(cell) for cell in grid.cells]
    text = "".join("#" if not m else m if len(m) == 1 else "." for m in members)
    return tuple(text[start : start + grid.width] for start in range(0, len(text), grid.width))


def take(demands: Demands, number: int | None, seed: int = 0, time_s: float = HANG_S) -> tuple[list[Rows], StopReason]:
    found, reason = drain(generate(demands, limits=Limits(time_s=time_s, fills=number, seed=seed)))
    return [rows_of(grid) for grid in found], reason


def turned(rows: Rows) -> Rows:
    """Return the rows after a quarter of a turn."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def image(rows: Rows, symmetry: str) -> Rows:
    match symmetry:
        case "rotate":
            return turned(turned(rows))
        case "rotate90":
            return turned(rows)
        case "mirror":
            return tuple(row[::-1] for row in rows)
        case "diagonal":
            return tuple("".join(column) for column in zip(*rows, strict=True))
    return rows


def blocks_of(rows: Rows) -> Rows:
    return tuple("".join("#" if cell == "#" else "." for cell in row) for row in rows)


def runs(rows: Rows) -> Iterator[list[Place]]:
    """Yield the places of every maximal run of open cells, those of one cell among them."""
    for (direction, r, c), text in runs_in(rows, 1).items():
        yield [(r, c + n) if direction == "Across" else (r + n, c) for n in range(len(text))]


def slots(rows: Rows, shortest: int) -> list[list[Place]]:
    return [run for run in runs(rows) if len(run) >= min(2, shortest)]


def connected(rows: Rows) -> bool:
    todo = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "#"}
    reached = [todo.pop()] if todo else []
    while reached:
        r, c = reached.pop()
        near = todo & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        todo -= near
        reached += near
    return not todo


def is_lattice(rows: Rows, shortest: int) -> bool:
    offsets = product((0, 1), repeat=2)
    if not any(all(set(row[left::2]) <= {"#"} for row in rows[top::2]) for top, left in offsets):
        return False
    times = Counter(place for run in runs(rows) if len(run) > 1 for place in run)
    for slot in slots(rows, shortest):
        marks = "".join("c" if times[place] == 2 else "u" for place in slot)
        if marks.count("c") < len(slot) // 2 or "uuu" in marks:
            return False
    return True


def is_arrowword(rows: Rows) -> bool:
    """Return whether the edges alternate clue cells and letters, each slot has a clue cell, each block one or two."""
    for edge in (rows[0], "".join(row[0] for row in rows)):
        if any((cell == "#") != (at % 2 == 0) for at, cell in enumerate(edge)):
            return False
    held: Counter[Place] = Counter()
    for slot in slots(rows, 2):
        r, c = slot[0]
        across = slot[1] == (r, c + 1)
        before = (r, c - 1) if across else (r - 1, c)
        beside = (r - 1, c) if across else (r, c - 1)
        held[before if min(before) >= 0 else beside] += 1
    return (
        dict.fromkeys(held, "#")
        == {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
        and max(held.values(), default=0) <= 2
    )


def is_apart(rows: Rows) -> bool:
    """Return whether no two blocks are neighbours, and none stands in a corner."""
    corners = rows[0][0] + rows[0][-1] + rows[-1][0] + rows[-1][-1]
    return "#" not in corners and not any("##" in line for line in (*rows, *image(rows, "diagonal")))


def keeps(rows: Rows, style: str, symmetry: str, shortest: int) -> bool:
    """Return whether rows keep the rules of a style."""
    if (style == "arrow" and not is_arrowword(rows)) or (style == "japanese" and not is_apart(rows)):
        return False
    if blocks_of(image(rows, symmetry)) != blocks_of(rows) or any(len(s) < shortest for s in slots(rows, shortest)):
        return False
    times = Counter(place for slot in slots(rows, shortest) for place in slot)
    open_cells = sum(cell != "#" for row in rows for cell in row)
    if not times:
        return False
    if style != "free" and not (len(times) == open_cells and connected(rows)):
        return False
    if style == "american":
        return all(count == 2 for count in times.values())
    return style != "british" or is_lattice(rows, shortest)


@cache
def every(height: int, width: int, style: str, symmetry: str, shortest: int) -> frozenset[Rows]:
    """Return every pattern of that size that keeps the rules, tried out one by one."""
    free = [(r, c) for r in range(height) for c in range(width)]
    names = tuple("".join(chr(33 + r * width + c) for c in range(width)) for r in range(height))
    orbit: dict[str, str] = {name: name for row in names for name in row}
    moved = names
    for _ in range(3):
        moved = image(moved, symmetry)
        for r, c in free:
            orbit[names[r][c]] = min(orbit[names[r][c]], moved[r][c])
    heads = sorted(set(orbit.values()))
    found = set()
    for cells in product("#.", repeat=len(heads)):
        cell_of = dict(zip(heads, cells, strict=True))
        rows = tuple("".join(cell_of[orbit[name]] for name in row) for row in names)
        if keeps(rows, style, symmetry, shortest):
            found.add(rows)
    return frozenset(found)


def block_count(rows: Rows) -> int:
    return "".join(rows).count("#")


@st.composite
def demanded(draw: st.DrawFn) -> tuple[str, Demands]:
    name = draw(st.sampled_from(BLOCKED))
    height = draw(st.integers(3, 11))
    width = draw(st.sampled_from([height, height, *range(3, 12)]))
    symmetries = [s for s in Symmetry if height == width or s not in {Symmetry.ROTATE90, Symmetry.DIAGONAL}]
    own = STYLES[name]
    style = replace(
        own,
        symmetry=draw(st.sampled_from([own.symmetry, *symmetries])),
        min_slot_length=draw(st.sampled_from([own.min_slot_length] * 3 + [1, 2, 3])),
    )
    cells = height * width
    least = draw(st.none() | st.integers(0, cells // 3))
    blocks = None if least is None else (least, draw(st.sampled_from([least, min(cells, least + 4)])))
    max_words = draw(st.none() | st.none() | st.integers(2, 30))
    lengths = draw(st.none() | st.none() | st.frozensets(st.integers(2, 11), min_size=3))
    return name, Demands(height, width, style, blocks, max_words, lengths=lengths)


@settings(max_examples=50)
@given(demanded(), st.integers(0, 3), st.booleans())
def test_grids_keep_the_rules(asked: tuple[str, Demands], seed: int, grows: bool) -> None:
    name, demands = asked
    with pytest.MonkeyPatch.context() as patch:
        if not grows:
            patch.setattr(grids, "grow_patterns", lambda *_: iter(()))
        found, reason = take(demands, 3, seed, LOOK_S)
    shortest = demands.style.min_slot_length
    assert len(set(found)) == len(found)
    assert (len(found) == 3) == (reason is StopReason.FILLS)
    for rows in found:
        assert (len(rows), {len(row) for row in rows}) == (demands.height, {demands.width})
        assert keeps(rows, name, demands.style.symmetry, shortest)
        assert demands.blocks is None or demands.blocks[0] <= block_count(rows) <= demands.blocks[1]
        assert demands.max_words is None or len(slots(rows, shortest)) <= demands.max_words
        assert demands.lengths is None or demands.lengths >= {len(slot) for slot in slots(rows, shortest)}


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


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("small", SMALL, ids=str)
def test_there_is_a_grid_where_there_is_one(small: Small) -> None:
    for count in range(small.height * small.width + 1):
        exact = {rows for rows in small.known if block_count(rows) == count}
        found, reason = take(small.demands(count), 1)
        assert set(found) <= exact
        assert reason is (StopReason.FILLS if exact else StopReason.EXHAUSTED)
        fewest = min((len(slots(rows, small.shortest)) for rows in exact), default=0)
        if fewest > 1:
            assert take(small.demands(count, fewest), 1)[1] is StopReason.FILLS
            assert take(small.demands(count, fewest - 1), 1) == ([], StopReason.EXHAUSTED)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("small", SMALL, ids=str)
@pytest.mark.parametrize("lengths", [None, {2, 4}, {3}, {1, 3, 5}], ids=str)
def test_every_grid_with_slots_of_some_lengths_is_found(small: Small, lengths: set[int] | None) -> None:
    fitting = {rows for rows in small.known if {*map(len, slots(rows, small.shortest))} <= (lengths or {*range(9)})}
    counts = Counter(map(block_count, fitting))
    most = max((count for count, there in counts.items() if there <= 30 + 30 * (lengths is None)), default=0)
    found, reason = take(small.demands(most, lengths=None if lengths is None else frozenset(lengths)), None)
    assert reason is StopReason.EXHAUSTED
    assert sorted(found) == sorted(rows for rows in fitting if block_count(rows) == most)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(("height", "width", "style"), [(5, 5, "american"), (2, 4, "french"), (3, 3, "french")])
def test_without_a_number_of_blocks_every_number_comes_in_the_end(height: int, width: int, style: str) -> None:
    own = STYLES[style]
    found, reason = take(Demands(height, width, own), None)
    assert reason is StopReason.EXHAUSTED
    assert sorted(found) == sorted(every(height, width, style, own.symmetry, own.min_slot_length))


@pytest.mark.parametrize(("symmetry", "least"), [("none", 70), ("rotate", 68)])
def test_there_are_dense_japanese_grids(symmetry: str, least: int) -> None:
    style = replace(STYLES["japanese"], symmetry=Symmetry(symmetry))
    found, reason = take(Demands(15, 15, style, (least, 74)), 1, time_s=60)
    assert reason is StopReason.FILLS
    assert least <= block_count(found[0]) <= 74
    assert keeps(found[0], "japanese", symmetry, 2)


def find_cheaters(rows: Rows) -> int:
    """Return how many blocks can go without the number of words changing."""
    count, words = 0, len(slots(rows, 2))
    for r, row in enumerate(rows):
        for c in range(len(row)):
            less = (*rows[:r], row[:c] + "." + row[c + 1 :], *rows[r + 1 :])
            count += row[c] == "#" and len(slots(less, 2)) == words
    return count


def squares(rows: Rows) -> int:
    """Return how many squares of two by two blocks there are."""
    pairs = [{c for c in range(len(row)) if row[c : c + 2] == "##"} for row in rows]
    return sum(len(one & other) for one, other in pairwise(pairs))


def test_american_grids_look_like_printed_ones() -> None:
    for side, most_words in ((15, 78), (21, 140)):
        found, _ = take(Demands(side, side), 20 if side == 15 else 5)
        assert sum(squares(rows) > 0 for rows in found) <= len(found) // 20
        assert sum(find_cheaters(rows) > 4 for rows in found) <= len(found) // 20
        assert sum(len(slots(rows, 2)) > most_words for rows in found) <= len(found) // 20


def test_british_grids_look_like_printed_ones() -> None:
    found, _ = take(Demands(15, 15, STYLES["british"]), 20)
    lengths = [len(slot) for rows in found for slot in slots(rows, 2)]
    assert sum(squares(rows) > 0 for rows in found) <= len(found) // 20
    assert 28 <= len(lengths) / len(found) <= 32
    assert lengths.count(3) <= len(lengths) // 20


def test_arrowwords_look_like_printed_ones() -> None:
    found, _ = take(Demands(12, 10, STYLES["arrow"]), 20)
    lengths = [len(slot) for rows in found for slot in slots(rows, 2)]
    lines = [line for rows in found for line in (*rows, *image(rows, "diagonal"))]
    assert sum(squares(rows) > 0 for rows in found) <= len(found) // 20
    assert sum("##" in line for line in lines) <= 4 * len(found)
    assert sum(length > 9 for length in lengths) <= len(found)
    assert lengths.count(2) <= len(lengths) // 4
    assert 3.5 <= sum(lengths) / len(lengths) <= 5


@pytest.mark.parametrize(
    ("style", "blocks"), [("arrow", (22, 26)), ("american", (20, 20)), ("american", (44, 44))], ids=str
)
def test_flaws_are_what_they_are_said_to_be(style: str, blocks: tuple[int, int]) -> None:
    demands = Demands(13, 13 if style == "american" else 11, STYLES[style], blocks)
    board = demands.board
    for rows in take(demands, 5)[0]:
        cells = sum(board.bit(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#")
        assert flaws.find_squares(board, cells).bit_count() == squares(rows)
        if style == "american":
            assert flaws.find_cheaters(board, cells).bit_count() == find_cheaters(rows)
            continue
        times = Counter(place for slot in slots(rows, 2) for place in slot)
        alone = sum(count == 1 and min(place) > 0 for place, count in times.items())
        assert flaws.find_uncrossed(board, cells).bit_count() == alone
        assert flaws.find_long(board, cells).bit_count() == sum(max(0, len(slot) - 9) for slot in slots(rows, 2))


WORDS = ("CAB", "CABLE", "BLEAK", "ELK")


@settings(max_examples=30)
@given(
    st.sampled_from(BLOCKED),
    st.integers(3, 9),
    st.integers(3, 9),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    st.integers(0, 3),
)
@example("arrow", 5, 3, ["CABLE", "ELK", "CAB"], 0)  # one grid, however its words are put in
def test_seed_words_stand_in_slots_of_their_own(
    name: str, height: int, width: int, words: list[str], seed: int
) -> None:
    fitting = tuple(word for word in words if len(word) <= max(height, width))
    demands = Demands(height, width, STYLES[name], seed_words=fitting)
    found, reason = take(demands, 2, seed, LOOK_S)
    assert len(set(found)) == len(found)
    assert (len(found) == 2) == (reason is StopReason.FILLS)
    for rows in found:
        assert keeps(rows, name, demands.style.symmetry, demands.style.min_slot_length)
        spelt = Counter("".join(rows[r][c] for r, c in run) for run in runs(rows))
        assert all(spelt[word] for word in fitting)
        letters = sum(cell.isalpha() for row in rows for cell in row)
        assert letters <= sum(map(len, fitting))


def ways(height: int, width: int, words: tuple[str, ...]) -> set[Rows]:
    """Return every way to place words in a grid without blocks."""
    lines = [[(r, c) for c in range(width)] for r in range(height)]
    lines += [[(r, c) for r in range(height)] for c in range(width)]
    found = set()
    for places in product(lines, repeat=len(words)):
        letters: dict[Place, str] = {}
        if all(len(place) == len(word) for place, word in zip(places, words, strict=True)) and all(
            letters.setdefault(at, letter) == letter
            for place, word in zip(places, words, strict=True)
            for at, letter in zip(place, word, strict=True)
        ):
            found.add(tuple("".join(letters.get((r, c), ".") for c in range(width)) for r in range(height)))
    return found


@pytest.mark.parametrize(
    ("height", "width", "words"),
    [(1, 3, ("CAB",)), (3, 3, ("CAB",)), (2, 3, ("CAB", "ABC")), (3, 3, ("CAB", "ABC")), (1, 4, ("CAB",))],
)
def test_every_way_to_place_words_is_found(height: int, width: int, words: tuple[str, ...]) -> None:
    found, reason = take(Demands(height, width, STYLES["french"], (0, 0), seed_words=words), None)
    assert reason is StopReason.EXHAUSTED
    assert len(found) == len(set(found))
    assert set(found) == ways(height, width, words)
