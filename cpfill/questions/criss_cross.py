"""Own words of a criss-cross: read and checked, laid out as a puzzle, and how good the grid is."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import MAX_SIDE, SCORE, InvalidFillError, expected, name_first, quote_value
from cpfill.base.texts import later, say, say_count
from cpfill.design.board import Board
from cpfill.design.criss_cross import Own, Wanted, find_groups
from cpfill.puzzle.clues import NO_CLUE, ClueCollection, place_clues
from cpfill.puzzle.grid import BLOCK
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.records import puzzle_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.base.alphabet import Alphabet
    from cpfill.design.criss_cross import Arrangement, Bounds
    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.questions.record_types import ArrangementRecord, Drawn

MOST_WORDS = 1000
"""The most words of a criss-cross: with more of them a grid would be larger than any page."""

_NAMED = 8
"""The most words that a sentence names."""


class OwnWords(NamedTuple):
    """The words of a question, and their clues, if it has any."""

    wanted: Wanted
    clues: ClueCollection

    @classmethod
    def of(
        cls,
        words: Iterable[str],
        clues: Iterable[tuple[str, str]],
        alphabet: Alphabet,
        size: tuple[int, int] | None = None,
        *,
        most: bool = False,
    ) -> OwnWords:
        """Return words, each perhaps with its weight (`CAT;3`), or without them those that have clues.

        Raises:
            InputError: there are no words, or too many; or one of them is no word, stands twice or exceeds the size.
        """
        said: dict[str, dict[str, None]] = {}
        for written, clue in clues:
            own = said.setdefault(_fold(written, alphabet), {})
            if clue:
                own[clue] = None
        weighed = [_weigh(text, alphabet) for text in words] or list(map(Own, said))
        wanted = Wanted(tuple(weighed), size, most)
        _check(wanted)
        return cls(wanted, ClueCollection({word: tuple(own) for word, own in said.items() if own}, alphabet))

    def make_puzzle(self, grid: Grid, seed: int) -> Puzzle:
        """Return a grid as a puzzle with the clues that there are, whose outer blocks are not drawn."""
        clued, _ = place_clues(Puzzle.of_grid(grid), self.clues, seed)
        clues = {slot: clue for slot, clue in clued.clues.items() if clue != NO_CLUE}
        return replace(clued, clues=clues, voids=_find_outside(grid))


def _find_outside(grid: Grid) -> frozenset[CellId]:
    """Return the blocks that are connected to the edge; any other is a hole, which would pass for an open cell."""
    board = Board(grid.height + 2, grid.width + 2)
    bits = [board.bit(cell // grid.width + 1, cell % grid.width + 1) for cell in range(len(grid.cells))]
    words = sum(bit for bit, letters in zip(bits, grid.cells, strict=True) if letters != BLOCK)
    outside = board.component(board.full & ~words)
    return frozenset(cell for cell, bit in enumerate(bits) if bit & outside)


def _fold(written: str, alphabet: Alphabet) -> str:
    folded = alphabet.word(written)
    if not 2 <= len(folded) <= MAX_SIDE:
        raise expected("words of 2 to {most} letters", quote_value(written), most=MAX_SIDE)
    return folded


def _weigh(text: str, alphabet: Alphabet) -> Own:
    """Return a seed word, which may have its weight behind a semicolon, as in lists."""
    written, _, weight = text.partition(";")
    word = _fold(written, alphabet)
    if not weight:
        return Own(word)
    with suppress(ValueError):
        if SCORE.holds(float(weight)):
            return Own(word, float(weight))
    raise expected("a word, or WORD;WEIGHT", quote_value(text))


def _check(wanted: Wanted) -> None:
    words = [own.word for own in wanted.words]
    if not words:
        raise expected("words in --seed-words or --clues, for --style criss-cross", say("none"))
    if len(words) > MOST_WORDS:
        raise expected("at most {most:,} words of one's own", f"{len(words):,}", most=MOST_WORDS)
    twice = [word for word, times in Counter(words).items() if times > 1]
    if twice:
        raise expected("each seed word once", say("{word} twice", word=twice[0]))
    if wanted.size:
        _check_size(wanted.size, max(words, key=len), most=wanted.most)


def _check_size(size: tuple[int, int], longest: str, *, most: bool) -> None:
    told = "x".join(map(quote_value, size))
    if min(size) < 1 or max(size) > MAX_SIDE:
        raise expected("a size from 1x1 to {most}x{most}", told, most=MAX_SIDE)
    if len(longest) > max(size) and not most:
        found = say("'{word}', of {word2}", word=longest, word2=len(longest))
        raise expected("words that fit into {size}, or --most to leave some out", found, size=told)


@dataclass(frozen=True)
class Laid:
    """An arrangement of own words, laid out as a grid whose slots are audited.

    Attributes:
        own: the words that were wanted.
        arrangement: the arrangement.
        bounds: the proved bounds on all arrangements.
        seed: chooses among the clues of a word.
    """

    own: OwnWords
    arrangement: Arrangement
    bounds: Bounds
    seed: int

    @cached_property
    def grid(self) -> Grid:
        """The grid: its slots are the words of the arrangement, each once, all in one part."""
        grid = self.arrangement.grid(self.own.clues.alphabet)
        words = Counter(filter(None, map(grid.given_word, grid.slots)))
        wanted = Counter(own.word for own in self.own.wanted.words)
        placed = wanted - Counter(self.unplaced)
        if words != placed or len(grid.components) != 1 or (self.unplaced and not self.own.wanted.most):
            raise InvalidFillError(f"criss-cross: {sorted(words)} stand in the grid, {sorted(placed)} were placed")
        return grid

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle, with the clues."""
        return self.own.make_puzzle(self.grid, self.seed)

    @property
    def unplaced(self) -> list[str]:
        """The words that do not stand."""
        placed = {each.word for each in self.arrangement.placements}
        return [own.word for own in self.own.wanted.words if own.word not in placed]

    @property
    def drawn(self) -> Drawn:
        """The words, the puzzle, and the arrangement with its bounds, as JSON."""
        bounds = self.bounds
        record: ArrangementRecord = {
            "unplaced": self.unplaced,
            "crossings": self.arrangement.crossings,
            "least_cells": bounds.area,
            "most_crossings": bounds.crossings if math.isfinite(bounds.crossings) else None,
            "told": self.told,
        }
        words = [each.word for each in self.arrangement.placements]
        return {"theme": [], "entries": words, "puzzle": puzzle_record(self.puzzle), "arrangement": record}

    @property
    def told(self) -> str:
        """The size and the crossings in words, with a bound on them, and the words that do not stand."""
        unplaced = self.unplaced
        words = say_count(len(self.own.wanted.words), "word")
        if unplaced:
            words = say("{placed} of {words}", placed=len(self.arrangement.placements), words=words)
        said = say(
            "{words} in {size} = {cells}, {crossings}",
            words=words,
            size=f"{self.arrangement.height}x{self.arrangement.width}",
            cells=say_count(self.arrangement.area, "cell"),
            crossings=say_count(self.arrangement.crossings, "crossing"),
        )
        said += self._describe_weight() if unplaced else self._describe_bound()
        if unplaced:
            said += say("; not placed: {words}", words=name_first(unplaced, _NAMED))
        return said

    def _describe_weight(self) -> str:
        """Return the bound on the weight of the words that stand, or if it is reached that on the grid."""
        unplaced, bound = set(self.unplaced), self.bounds.weight
        weight = sum(own.weight for own in self.own.wanted.words if own.word not in unplaced)
        if weight >= bound:
            return self._describe_bound()
        if math.isinf(bound):
            return ""
        told = later("; no grid has a greater weight than {bound:g} (this one {weight:g}), proved")
        return say(told, bound=bound, weight=weight)

    def _describe_bound(self) -> str:
        """Return the bound on the cells, or if it is reached that on the crossings."""
        bounds, sized = self.bounds, self.own.wanted.size is not None
        if self.arrangement.area > bounds.area and not sized:
            cells = say_count(bounds.area, "cell")
            return say("; no grid has fewer than {cells}, proved", cells=cells) if bounds.area else ""
        if self.arrangement.crossings < bounds.crossings:
            return "" if sized else say(", the least possible, proved")
        return say(", the best possible, proved")


def find_strangers(wanted: Wanted) -> str:
    """Return a sentence on the words that share no letter with the others, empty if all words hang together."""
    words = [own.word for own in wanted.words]
    akin = max(find_groups(words), key=len)
    strangers = [word for word in words if word not in akin]
    if not strangers or wanted.most:
        return ""
    named = name_first(strangers, _NAMED)
    return say("no letter of {words} stands in the other words; --most leaves such words out", words=named)
