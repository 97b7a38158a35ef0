"""Criss-crosses told apart from others, and all that there are of a few short words; this imports nothing of cpfill."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]
Place = tuple[str, int, int, bool]
"""A word, the row and the column of its first letter, and whether it is down."""


class Worth(NamedTuple):
    """The words of a criss-cross, its height and width, and its crossings."""

    words: frozenset[str]
    height: int
    width: int
    crossings: int


def cells_of(place: Place) -> list[Cell]:
    word, row, column, down = place
    return [(row + step * down, column + step * (not down)) for step in range(len(word))]


def letters_of(places: frozenset[Place]) -> dict[Cell, str] | None:
    """Return the letters; None where two words disagree."""
    letters: dict[Cell, str] = {}
    for place in places:
        for cell, letter in zip(cells_of(place), place[0], strict=True):
            if letters.setdefault(cell, letter) != letter:
                return None
    return letters


def runs_of(letters: dict[Cell, str]) -> list[Place]:
    """Return every run of two or more letters."""
    runs = []
    for row, column in letters:
        for down in (False, True):
            if (row - down, column - (not down)) in letters:
                continue
            text = ""
            while (row + len(text) * down, column + len(text) * (not down)) in letters:
                text += letters[row + len(text) * down, column + len(text) * (not down)]
            if len(text) > 1:
                runs.append((text, row, column, down))
    return runs


def hangs_together(letters: dict[Cell, str]) -> bool:
    start = next(iter(letters))
    met = {start}
    todo = [start]
    while todo:
        row, column = todo.pop()
        for cell in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if cell in letters and cell not in met:
                met.add(cell)
                todo.append(cell)
    return len(met) == len(letters)


def is_right(places: list[Place]) -> bool:
    """Return whether placed words are a criss-cross: connected, and each run one of them, once."""
    letters = letters_of(frozenset(places))
    if letters is None or not hangs_together(letters):
        return False
    return sorted(runs_of(letters)) == sorted(places) and len({place[0] for place in places}) == len(places)


def weigh(places: frozenset[Place]) -> Worth:
    covered = [cell for place in places for cell in cells_of(place)]
    rows = [row for row, _ in covered]
    columns = [column for _, column in covered]
    height = max(rows) - min(rows) + 1
    width = max(columns) - min(columns) + 1
    return Worth(frozenset(place[0] for place in places), height, width, len(covered) - len(set(covered)))


def every(words: list[str]) -> set[Worth]:
    """Return the worth of every criss-cross of some of the words.

    Words are added where they cross. Two that touch without a word through both may get it later.
    """
    met: set[frozenset[Place]] = set()
    todo = [frozenset({(word, 0, 0, down)}) for word in words for down in (False, True)]
    while todo:
        places = todo.pop()
        if places in met:
            continue
        met.add(places)
        for place in crossing_places(places, words):
            added = places | {place}
            if letters_of(added) is not None:
                todo.append(added)
    return {weigh(places) for places in met if is_right([*places])}


def crossing_places(places: frozenset[Place], words: list[str]) -> set[Place]:
    """Return the places where a further word crosses one that stands."""
    standing = {place[0] for place in places}
    found = set()
    for place in places:
        down = not place[3]
        for (row, column), letter in zip(cells_of(place), place[0], strict=True):
            for word in words:
                for index in range(len(word)):
                    if word not in standing and word[index] == letter:
                        found.add((word, row - index * down, column - index * (not down), down))
    return found
