"""The search for an arrangement: words are placed one after another where they cross most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.arrangement import Arranged, Arrangement, Bounds, Placement
from cpfill.problem.event import StopReason
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.design.criss_cross.arrangement import Wanted
    from cpfill.problem.result import Limits

Letters = dict[tuple[int, int], str]


def arrange(wanted: Wanted, limits: Limits) -> Generator[Arranged, None, StopReason]:
    """Yield the best arrangement whenever there is a better one, or a better bound; return why the search ended.

    It ends as `EXHAUSTED` once the best arrangement is proved to be best, or that there is none.
    """
    del limits
    unbounded = Bounds(math.inf, 0, math.inf)
    found = _place_all(wanted)
    yield Arranged(found, unbounded)
    return StopReason.TIME


def _place_all(wanted: Wanted) -> Arrangement | None:
    """Return all words, each where it crosses most words placed before it and takes the least area."""
    words = sorted((own.word for own in wanted.words), key=len, reverse=True)
    first, *left = words
    placed = [Placement(first, 0, 0, Direction.ACROSS)]
    while left:
        letters = {cell: letter for each in placed for cell, letter in zip(each.cells, each.word, strict=True)}
        ways = [way for word in left for way in _list_ways(word, letters, placed)]
        if not ways:
            return None
        best = min(ways, key=lambda way: _span(letters, way))
        placed.append(best)
        left.remove(best.word)
    top = min(each.row for each in placed)
    side = min(each.column for each in placed)
    moved = tuple(Placement(each.word, each.row - top, each.column - side, each.direction) for each in placed)
    cells = [cell for each in moved for cell in each.cells]
    return Arrangement(max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1, moved)


def _span(letters: Letters, way: Placement) -> int:
    rows = [row for row, _ in [*letters, *way.cells]]
    columns = [column for _, column in [*letters, *way.cells]]
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)


def _list_ways(word: str, letters: Letters, placed: list[Placement]) -> Iterator[Placement]:
    """Yield the places where a word crosses another and touches nothing else."""
    for each in placed:
        down = each.direction is Direction.ACROSS
        for cell in each.cells:
            for index, letter in enumerate(word):
                if letters[cell] != letter:
                    continue
                row, column = cell
                way = Placement(
                    word, row - index * down, column - index * (not down), (Direction.ACROSS, Direction.DOWN)[down]
                )
                if _fits(way, letters):
                    yield way


def _fits(way: Placement, letters: Letters) -> bool:
    down = way.direction is Direction.DOWN
    cells = way.cells
    before, after = (way.row - down, way.column - (not down)), (cells[-1][0] + down, cells[-1][1] + (not down))
    if before in letters or after in letters:
        return False
    for (row, column), letter in zip(cells, way.word, strict=True):
        if (row, column) in letters:
            if letters[row, column] != letter:
                return False
        elif {(row + (not down), column + down), (row - (not down), column - down)} & letters.keys():
            return False
    return True
