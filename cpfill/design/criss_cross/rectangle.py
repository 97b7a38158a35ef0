"""The search in a rectangle of one size: words are taken out, and put in again where they cross most.

It is a large neighbourhood search (Shaw, 1998) that accepts worse positions as simulated annealing does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cpfill.design.board import list_bits
from cpfill.design.criss_cross.board import Spot, WordBoard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from cpfill.design.criss_cross.arrangement import Arrangement, Own

WIDE = 12
"""The most words compared for the next place."""

MOST_OUT = 5
"""The most words taken out at once."""

SPREAD = 1.5
"""How much chance counts beside a crossing when the next word is chosen."""

DEAR = 2.0
"""How many crossings a word of mean weight is worth."""

HEAT = 1.0
"""The mean loss, in crossings, that is accepted."""


class RectangleSearch:
    """Words in a rectangle of one size, ever better.

    Attributes:
        best: the best arrangement met, or None if no word has room.
        value: its value: the weight of the words that stand, then the crossings.
    """

    def __init__(self, words: Sequence[Own], size: tuple[int, int], chance: Random) -> None:
        self._words = words
        self._chance = chance
        self._board = WordBoard([each.word for each in words], *size)
        self._mean = sum(each.weight for each in words) / len(words) or 1.0
        self.best: Arrangement | None = None
        self.value = (0.0, 0)
        self._worth = 0.0

    def begin(self, arrangement: Arrangement | None = None) -> None:
        """Begin anew, or with the words of an arrangement that have room."""
        self._board.clear()
        if arrangement:
            spare = (self._board.height - arrangement.height, self._board.width - arrangement.width)
            row, column = (self._chance.randint(min(0, each), max(0, each)) for each in spare)
            self._board.show(arrangement, row, column)
        self._fill()
        self._worth = -math.inf
        self._judge()

    def improve(self) -> None:
        """Take some words out and put words in; keep the change if it is good, or not too bad."""
        before = self._board.save()
        self._board.remove(self._draw_victims())
        self._fill()
        if not self._judge():
            self._board.restore(before)

    def _judge(self) -> bool:
        """Return whether the position is kept, and keep the best."""
        weight = sum(self._words[word].weight for word in self._board.spots)
        value = (weight, self._board.crossings)
        worth = DEAR * weight / self._mean + value[1]
        if worth < self._worth + HEAT * math.log(1 - self._chance.random()):
            return False
        self._worth = worth
        if value > self.value:
            self.value = value
            self.best = self._board.read()
        return True

    def _draw_victims(self) -> list[int]:
        """Return some words, near one another or anywhere."""
        words = [*self._board.spots]
        if not words:
            return []
        if self._chance.random() < 1 / 2:
            near = self._board.widen(self._board.cells(self._chance.choice(words)))
            words = [word for word in words if near & self._board.cells(word)]
        count = self._chance.randint(1, MOST_OUT)
        return self._chance.sample(words, min(count, len(words)))

    def _fill(self) -> None:
        """Put in as many words as have room, one after another, each where it crosses most."""
        left = [number for number in range(len(self._words)) if number not in self._board.spots]
        self._chance.shuffle(left)
        if not self._board.spots:
            self._put_first(left)
        while left:
            found = self._find_next(left)
            if found is None:
                return
            word, spot = found
            self._board.place(word, spot)
            left.remove(word)

    def _put_first(self, left: list[int]) -> None:
        for word in left:
            ways = []
            for down in (0, 1):
                ways += [Spot(down, first) for first in list_bits(self._board.find_room(word, down))]
            if ways:
                self._board.place(word, self._chance.choice(ways))
                left.remove(word)
                return

    def _find_next(self, left: list[int]) -> tuple[int, Spot] | None:
        """Return a word and its place, one of those that cross most."""
        best = None
        most = 0.0
        for tried, word in enumerate(left):
            if best and tried >= WIDE:
                break
            for down in (0, 1):
                ways = self._board.find_ways(word, down)
                score = sum(map(bool, ways))
                if not score:
                    continue
                liked = score + self._chance.random() * SPREAD
                if liked > most:
                    most = liked
                    best = (word, down, ways[score - 1])
        if best is None:
            return None
        word, down, firsts = best
        return word, Spot(down, self._chance.choice([*list_bits(firsts)]))
