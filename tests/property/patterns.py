"""Grids as rows of text, `#` for a block, and the rules of styles, read off the rows; nothing of cpfill is asked."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

from cpfill.design import STYLES, Demands, generate
from cpfill.problem.result import Limits
from cpfill.testing.brute_force import runs_in
from tests.support import drain

if TYPE_CHECKING:
    from cpfill.problem.event import StopReason
    from cpfill.puzzle.grid import Grid

Rows = tuple[str, ...]
Place = tuple[int, int]
BLOCKED = sorted(STYLES.keys() - {"barred"})
"""The styles whose grids have blocks; barred grids have tests of their own."""
HANG_S = 20.0


def split(text: str, width: int) -> Rows:
    return tuple(text[start : start + width] for start in range(0, len(text), width))


def rows_of(grid: Grid) -> Rows:
    """Return a grid with `#` for a block, `.` for an empty cell."""
    signs = {0: "#", grid.alphabet.full: "."}
    text = "".join(signs.get(cell) or grid.alphabet.members(cell) for cell in grid.cells)
    return split(text, grid.width)


def take_grids(
    demands: Demands, number: int | None, seed: int = 0, time_s: float = HANG_S
) -> tuple[list[Grid], StopReason]:
    return drain(generate(demands, limits=Limits(time_s=time_s, fills=number, seed=seed)))


def take(demands: Demands, number: int | None, seed: int = 0, time_s: float = HANG_S) -> tuple[list[Rows], StopReason]:
    """Return the rows of some grids, all different, and why the search ended."""
    found, reason = take_grids(demands, number, seed, time_s)
    rows = list(map(rows_of, found))
    assert len(set(rows)) == len(rows)
    return rows, reason


def transposed(rows: Rows) -> Rows:
    return tuple(map("".join, zip(*rows, strict=True)))


def image(rows: Rows, symmetry: str) -> Rows:
    """Return the rows moved by a symmetry: half a turn, a quarter of one, or a reflection."""
    match symmetry:
        case "rotate":
            return tuple(row[::-1] for row in reversed(rows))
        case "rotate90":
            return transposed(rows[::-1])
        case "mirror":
            return tuple(row[::-1] for row in rows)
        case "diagonal":
            return transposed(rows)
    return rows


def blocks_of(rows: Rows) -> Rows:
    return tuple("".join("#" if cell == "#" else "." for cell in row) for row in rows)


def block_count(rows: Rows) -> int:
    return "".join(rows).count("#")


def cells_of(rows: Rows) -> dict[Place, str]:
    """Return the sign of each place."""
    return {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row)}


def runs(rows: Rows) -> list[list[Place]]:
    """Return the places of every maximal run of open cells, those of one cell among them."""
    found = []
    for (direction, r, c), text in runs_in(rows, 1).items():
        across = [(r, c + step) for step in range(len(text))]
        down = [(r + step, c) for step in range(len(text))]
        found.append(across if direction == "Across" else down)
    return found


def slots(rows: Rows, shortest: int) -> list[list[Place]]:
    return [run for run in runs(rows) if len(run) >= min(2, shortest)]


def count_slots(rows: Rows, shortest: int) -> Counter[Place]:
    """Return in how many slots each place is."""
    return Counter(place for slot in slots(rows, shortest) for place in slot)


def connected(rows: Rows) -> bool:
    todo = {place for place, cell in cells_of(rows).items() if cell != "#"}
    reached = [todo.pop()] if todo else []
    while reached:
        r, c = reached.pop()
        near = todo & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        todo -= near
        reached += near
    return not todo


def is_checked(rows: Rows, shortest: int) -> bool:
    return set(count_slots(rows, shortest).values()) == {2}


def is_lattice(rows: Rows, shortest: int) -> bool:
    """Return whether every second cell of every second row is a block, and enough letters are checked."""
    corners = [split("".join(row[left::2] for row in rows[top::2]), 1) for top, left in product((0, 1), repeat=2)]
    times = count_slots(rows, 2)
    for slot in slots(rows, shortest):
        marks = "".join("c" if times[place] == 2 else "u" for place in slot)
        if marks.count("c") < len(slot) // 2 or "uuu" in marks:
            return False
    return any(set(corner) <= {"#"} for corner in corners)


def is_arrowword(rows: Rows, _shortest: int) -> bool:
    """Return whether the edges alternate clue cells and letters, each slot has a clue cell, each block one or two."""
    for edge in (rows[0], transposed(rows)[0]):
        if any((cell == "#") != (at % 2 == 0) for at, cell in enumerate(edge)):
            return False
    held: Counter[Place] = Counter()
    for slot in slots(rows, 2):
        r, c = slot[0]
        left, above = (r, c - 1), (r - 1, c)
        before, beside = (left, above) if slot[1] == (r, c + 1) else (above, left)
        held[before if min(before) >= 0 else beside] += 1
    blocks = {place for place, cell in cells_of(rows).items() if cell == "#"}
    return held.keys() == blocks and max(held.values(), default=0) <= 2


def is_apart(rows: Rows, _shortest: int) -> bool:
    """Return whether no two blocks are neighbours, and none stands in a corner."""
    corners = rows[0][0] + rows[0][-1] + rows[-1][0] + rows[-1][-1]
    return "#" not in corners and not any("##" in line for line in (*rows, *transposed(rows)))


def keeps(rows: Rows, style: str, symmetry: str, shortest: int) -> bool:
    """Return whether rows keep the rules of a style."""
    if blocks_of(image(rows, symmetry)) != blocks_of(rows):
        return False
    if any(len(slot) < shortest for slot in slots(rows, shortest)):
        return False
    times = count_slots(rows, shortest)
    if style == "free" or not times:
        return bool(times)
    open_cells = len("".join(rows)) - block_count(rows)
    if len(times) < open_cells or not connected(rows):
        return False
    further = {"american": is_checked, "british": is_lattice, "arrow": is_arrowword, "japanese": is_apart}
    return style not in further or further[style](rows, shortest)


@cache
def every(height: int, width: int, style: str, symmetry: str, shortest: int) -> frozenset[Rows]:
    """Return every pattern of that size that keeps the rules, tried out one by one."""
    names = split("".join(map(chr, range(33, 33 + height * width))), width)
    orbit = {name: name for row in names for name in row}
    moved = names
    for _ in range(3):
        moved = image(moved, symmetry)
        for name, other in zip("".join(names), "".join(moved), strict=True):
            orbit[name] = min(orbit[name], other)
    heads = sorted(set(orbit.values()))
    found = set()
    for cells in product("#.", repeat=len(heads)):
        cell_of = dict(zip(heads, cells, strict=True))
        rows = split("".join(cell_of[orbit[name]] for row in names for name in row), width)
        if keeps(rows, style, symmetry, shortest):
            found.add(rows)
    return frozenset(found)


def fits(rows: Rows, draft: list[str]) -> bool:
    """Return whether rows of `#` and `.` are a draft completed."""
    pairs = zip("".join(rows), "".join(draft), strict=True)
    return all(sign == "?" or (sign == "#") == (cell == "#") for cell, sign in pairs)


def squares(rows: Rows) -> int:
    """Return how many squares of two by two blocks there are."""
    pairs = [{c for c in range(len(row)) if row[c : c + 2] == "##"} for row in rows]
    return sum(len(one & other) for one, other in pairwise(pairs))


def find_cheaters(rows: Rows, shortest: int = 2) -> list[Place]:
    """Return the blocks that can go without the number of words changing."""
    found = []
    for (r, c), cell in cells_of(rows).items():
        less = (*rows[:r], rows[r][:c] + "." + rows[r][c + 1 :], *rows[r + 1 :])
        if cell == "#" and len(slots(less, shortest)) == len(slots(rows, shortest)):
            found.append((r, c))
    return found
