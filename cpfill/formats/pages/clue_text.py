"""Short texts set in narrow cells: lines broken, words that are too long hyphenated, the whole shrunk until it fits.

Lengths are in one unit, widths of texts in heights of the font.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Width = Callable[[str], float]

LEADING = 1.1
"""From one base line to the next, in heights of the font."""
_STEP = 0.96
_WORTH = 0.85
"""Words are left whole where that shrinks a text to no less than this part of its size with hyphens."""
_PIECES = re.compile(r"[^-/]+[-/]*|[-/]+")
_VOWELS = frozenset("aeiouyœæ")
_TOGETHER = re.compile(r"ch|ph|th|sh|gn|qu|[bcdfgkptv][lr]")
"""Consonants that begin a syllable together, in French and in English."""
_LOOK = 100
"""How many letters of a long word are looked at to break it."""
_FEWEST = 2, 3
"""The fewest letters before a hyphen and after it."""


@dataclass(frozen=True, slots=True)
class ClueSetting:
    """Texts that stand one below the other: the lines of each, in one size."""

    size: float
    lines: list[list[str]]


def fit_clues(
    texts: Sequence[str], room: tuple[float, float], width: Width, largest: float, least: float
) -> ClueSetting:
    """Return texts set as large as fits into a room of that width and height, at most `largest`.

    Below `least` only where nothing else fits, and then with hyphens.
    """
    hyphened: ClueSetting | None = None
    least_area = LEADING * sum(width(text.replace(" ", "")) for text in texts)  # in size 1, without what is lost
    size = min(largest, math.sqrt(room[0] * room[1] / least_area)) if least_area else largest
    while True:
        if hyphened and size < max(least, _WORTH * hyphened.size):
            return hyphened
        lines = [break_clue(text, room[0] / size, width) for text in texts]
        high = sum(len(each) for each, _ in lines) * LEADING * size <= room[1]
        if high and all(width(line) * size <= room[0] for each, _ in lines for line in each):
            found = ClueSetting(size, [each for each, _ in lines])
            if size < least or not any(parted for _, parted in lines):
                return found
            hyphened = hyphened or found
        size *= _STEP


def break_clue(text: str, room: float, width: Width) -> tuple[list[str], bool]:
    """Return a text in lines of a width, and whether a word had to be hyphenated.

    Lines end at blanks and after hyphens and strokes; only words that are wider than the room get a hyphen.
    """
    lines: list[str] = []
    line, parted = "", False
    for joint, piece in _split(text):
        joined = f"{line}{joint}{piece}" if line else piece
        if width(joined) <= room:
            line = joined
            continue
        lines += [line] if line else []
        line = piece
        while len(line) > 1 and (width(line[:_LOOK]) > room or width(line) > room):
            end = _choose_break(line, room, width)
            lines.append(f"{line[:end]}-")
            line, parted = line[end:], True
    return [*lines, line] if line else lines, parted


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces that a line may end after, each with what joins it to the one before."""
    for word in filter(None, text.split(" ")):  # and not at a no-break space
        for index, piece in enumerate(_PIECES.findall(word)):
            yield "" if index else " ", piece


def _choose_break(word: str, room: float, width: Width) -> int:
    """Return how many letters of a word go before a hyphen: as many as fit, between syllables if that can be."""

    def fits(end: int) -> bool:
        return width(f"{word[:end]}-") <= room

    between = max(filter(fits, find_breaks(word[:_LOOK])), default=0)
    return between or max(itertools.takewhile(fits, range(1, len(word))), default=1)


def find_breaks(word: str) -> list[int]:
    """Return the positions in a word where a syllable may begin: before the consonant, or the group, before a vowel."""
    plain = "".join(unicodedata.normalize("NFD", letter)[0] for letter in word.lower())
    vowels = [letter in _VOWELS and plain[max(0, at - 1) : at + 1] != "qu" for at, letter in enumerate(plain)]
    breaks = []
    before = False
    for at in range(1, len(plain)):
        before = before or vowels[at - 1]
        if not (vowels[at] and plain[at - 1].isalpha() and not vowels[at - 1] and before):
            continue
        start = at - 2 if _TOGETHER.fullmatch(plain[at - 2 : at]) else at - 1
        if start >= _FEWEST[0] and len(word) - start >= _FEWEST[1] and plain[start - 1].isalpha():
            breaks.append(start)
    return breaks
