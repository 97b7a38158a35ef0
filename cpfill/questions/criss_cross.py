"""Grids of the style criss-cross: one's own words, each once, all connected, and no other word."""

from __future__ import annotations

import math
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import MAX_SIDE, SCORE, InvalidFillError, expected, name_first, quote_value
from cpfill.base.texts import later, say, say_count
from cpfill.design.board import Board
from cpfill.design.criss_cross import Own, Wanted, arrange
from cpfill.problem.event import StopReason
from cpfill.problem.result import SolveResult, Status
from cpfill.puzzle.clues import ClueCollection, place_clues
from cpfill.puzzle.grid import BLOCK
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.generate import BestSoFar, FoundGrid, Generated, Outcome
from cpfill.questions.question import Desk
from cpfill.questions.records import puzzle_record

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.base.alphabet import Alphabet
    from cpfill.design.criss_cross import Arranged, Arrangement, Bounds
    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.questions.generate import Generate
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
    def of(cls, question: Generate) -> OwnWords:
        """Return the words and clues of a question; seed words, if there are any, choose among those with clues.

        Raises:
            InputError: there are no words, or too many; or one of them is no word, stands twice or exceeds the size.
        """
        alphabet = question.request.alphabet
        clues: dict[str, dict[str, None]] = {}
        for written, clue in question.clues:
            own = clues.setdefault(_fold(written, alphabet), {})
            if clue:
                own[clue] = None
        seeds = [_weigh(text, alphabet) for text in question.seed_words]
        words = seeds or list(map(Own, clues))
        wanted = Wanted(tuple(words), question.size, question.most)
        _check(wanted)
        return cls(wanted, ClueCollection({word: tuple(own) for word, own in clues.items() if own}, alphabet))

    def make_puzzle(self, grid: Grid, seed: int) -> Puzzle:
        """Return a grid as a puzzle with the clues, whose outer blocks are not drawn."""
        puzzle = Puzzle.of_grid(grid)
        puzzle = replace(puzzle, voids=_find_outside(grid))
        if not self.clues.words:
            return puzzle
        clued, _ = place_clues(puzzle, self.clues, seed)
        return clued


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
class FoundCrissCross(FoundGrid):
    """A criss-cross: the grid, its arrangement with the bounds, and the words that were wanted."""

    arranged: Arranged = field(kw_only=True)
    own: OwnWords = field(kw_only=True)

    @property
    def puzzle(self) -> Puzzle:
        """The grid as a puzzle, with the clues."""
        return self.own.make_puzzle(self.grid, self.question.seed)

    @property
    def liberties(self) -> list[str]:
        """No sentences: there are no customs."""
        return []

    @property
    def told(self) -> str:
        """The size and the crossings in words, with the bounds on them, and the words that do not stand."""
        return _describe(self.arranged, self.own.wanted)

    @property
    def drawn(self) -> Drawn:
        """The words, the puzzle, and the arrangement with its bounds, as JSON."""
        arrangement, bounds = self.arranged
        assert arrangement is not None
        record: ArrangementRecord = {
            "words": len(arrangement.placements),
            "unplaced": _list_unplaced(self.arranged, self.own.wanted),
            "crossings": arrangement.crossings,
            "least_cells": bounds.area,
            "most_crossings": _finite(bounds.crossings),
            "most_weight": _finite(bounds.weight),
            "told": self.told,
        }
        words = [each.word for each in arrangement.placements]
        return {"theme": [], "entries": words, "puzzle": puzzle_record(self.puzzle), "arrangement": record}


class CrissCross(NamedTuple):
    """The answer as one value.

    Attributes:
        status: OPTIMAL if no arrangement is better, UNSATISFIABLE if there is none, both proved.
        puzzle: the puzzle, with the clues; `None` if no arrangement was found.
        arrangement: its words and their places.
        bounds: the proved bounds.
        told: all this in words, or why there is no arrangement.
    """

    status: Status
    puzzle: Puzzle | None = None
    arrangement: Arrangement | None = None
    bounds: Bounds | None = None
    told: str = ""

    def __str__(self) -> str:
        rows = [] if self.arrangement is None else self.arrangement.rows
        return "\n".join([*rows, self.told])


def find_criss_cross(question: Generate) -> CrissCross:
    """Return the answer to a question for a criss-cross."""
    found: FoundCrissCross | None = None
    for part in answer(question, Desk()):
        if isinstance(part, FoundCrissCross):
            found = part
        elif isinstance(part, Generated):
            status, why = part.result.status, part.why
    if found is None:
        return CrissCross(status, told=why)
    return CrissCross(status, found.puzzle, *found.arranged, found.told)


def answer(question: Generate, desk: Desk) -> Generator[BestSoFar | FoundCrissCross | Generated]:
    """Yield better and better arrangements, at last the best one as a grid; after an interrupt the best so far."""
    own = OwnWords.of(question)
    why = find_strangers(own.wanted)
    outcome = Outcome()
    best: FoundCrissCross | None = None
    due_s = 0.0
    if why:
        outcome.reason = StopReason.EXHAUSTED
    else:
        with suppress(KeyboardInterrupt), closing(outcome.follow(arrange(own.wanted, question.limits))) as stream:
            for arranged in stream:
                if arranged.arrangement is None:
                    continue
                best = _audit(question, own, arranged)
                if time.monotonic() >= due_s:
                    due_s = time.monotonic() + desk.pulse_s
                    yield BestSoFar(best)
    if best:
        outcome.grids = 1
        with suppress(KeyboardInterrupt):
            yield best
    exhausted = outcome.reason is StopReason.EXHAUSTED
    status = Status.of(found=best is not None, exhausted=exhausted, optimising=True)
    yield Generated(SolveResult(status, outcome.reason, engine="generate", fills=outcome.grids), None, why)


def find_strangers(wanted: Wanted) -> str:
    """Return a sentence on the words that share no letter with the others, empty if all words hang together."""
    groups: list[list[str]] = []
    for own in wanted.words:
        akin = [group for group in groups if any(set(own.word) & set(word) for word in group)]
        groups = [group for group in groups if group not in akin]
        groups.append([*chain.from_iterable(akin), own.word])
    strangers = list(chain.from_iterable(sorted(groups, key=len)[:-1]))
    if not strangers or wanted.most:
        return ""
    words = name_first(strangers, _NAMED)
    return say("no letter of {words} stands in the other words; --most leaves such words out", words=words)


def _audit(question: Generate, own: OwnWords, arranged: Arranged) -> FoundCrissCross:
    """Return a grid whose slots are the words of its arrangement, each once, all in one part."""
    assert arranged.arrangement is not None
    grid = arranged.arrangement.grid(question.request.alphabet)
    words = sorted(filter(None, map(grid.given_word, grid.slots)))
    placed = sorted(each.word for each in arranged.arrangement.placements)
    known = {each.word for each in own.wanted.words}
    whole = len(placed) == len(known) or own.wanted.most
    if words != placed or len({*words} & known) != len(words) or len(grid.components) != 1 or not whole:
        raise InvalidFillError(f"criss-cross: {words} stand in the grid, {placed} were placed")
    return FoundCrissCross(question, grid, arranged=arranged, own=own)


def _finite(bound: float) -> float | None:
    return bound if math.isfinite(bound) else None


def _list_unplaced(arranged: Arranged, wanted: Wanted) -> list[str]:
    assert arranged.arrangement is not None
    placed = {each.word for each in arranged.arrangement.placements}
    return [own.word for own in wanted.words if own.word not in placed]


def _describe(arranged: Arranged, wanted: Wanted) -> str:
    """Return in words how good an arrangement is."""
    arrangement, unplaced = arranged.arrangement, _list_unplaced(arranged, wanted)
    assert arrangement is not None
    words = say_count(len(wanted.words), "word")
    if unplaced:
        words = say("{placed} of {words}", placed=len(arrangement.placements), words=words)
    said = say(
        "{words} in {size} = {cells}, {crossings}",
        words=words,
        size=f"{arrangement.height}x{arrangement.width}",
        cells=say_count(arrangement.area, "cell"),
        crossings=say_count(arrangement.crossings, "crossing"),
    )
    said += _describe_bound(arranged, wanted)
    if unplaced:
        said += say("; not placed: {words}", words=name_first(unplaced, _NAMED))
    return said


def _describe_bound(arranged: Arranged, wanted: Wanted) -> str:
    """Return the end of the sentence: the first of weight, cells and crossings whose bound is not reached."""
    arrangement, bounds = arranged
    assert arrangement is not None
    left_out = set(_list_unplaced(arranged, wanted))
    weight = sum(own.weight for own in wanted.words if own.word not in left_out)
    if left_out and weight < bounds.weight:
        told = later("; no grid has a greater weight than {bound:g} (this one {weight:g}), proved")
        return say(told, bound=bounds.weight, weight=weight) if math.isfinite(bounds.weight) else ""
    if not wanted.size and arrangement.area > bounds.area:
        cells = say_count(bounds.area, "cell")
        return say("; no grid has fewer than {cells}, proved", cells=cells) if bounds.area else ""
    if arrangement.crossings < bounds.crossings:
        return "" if wanted.size else say(", the least possible, proved")
    return say(", the best possible, proved")
