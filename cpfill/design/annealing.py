"""Patterns of blocks and words as annealing needs them: how promising they are, and random changes of them.

The promise of a pattern is the logarithm of the number of fills that it would have if letters were independent: for
each slot the number of words that its letters allow, for each crossing of empty cells the chance that the letters of
such words agree. It takes microseconds where a search takes milliseconds, and if any pattern can be filled, the most
promising ones usually can.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from operator import mul
from typing import TYPE_CHECKING

from cpfill.design.board import BlockPattern, list_bits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from cpfill.design.board import Cells
    from cpfill.design.demands import Demands
    from cpfill.problem.rules import Rules
    from cpfill.words.lexicon import Lexicon

NEVER = -99.0
"""The promise of a slot without a word, and of a crossing without a letter."""

TOP = (1 << 4096) - 1
"""The first of the words of a length, which score best: letters are counted in these alone if enough of them fit."""

ENOUGH = 30
"""How many of the first words must fit."""

MOST_LINES = 100_000
"""The number of lines that are kept in mind."""


class Promise:
    """The promise of patterns for the words of a lexicon."""

    def __init__(self, demands: Demands, lexicon: Lexicon, rules: Rules) -> None:
        self._board = demands.board
        self._shortest = max(1, demands.style.min_slot_length)
        self._lexicon = lexicon
        self._least = rules.min_score
        self._given: dict[int, str] = {}
        for cell, letters in demands.given.items():
            members = demands.alphabet.members(letters)
            if len(members) == 1:
                self._given[cell] = members
        self._top: dict[tuple[int, int], Sequence[int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._words: dict[str, int] = {}
        self._counts: dict[str, float] = {}
        self._places: dict[str, list[int]] = {}
        self._agreement = _Agreement()

    def of(self, pattern: BlockPattern, least: float) -> float:
        """Return the promise of a pattern; minus infinity if it is under `least`."""
        if len(self._counts) > MOST_LINES:
            self._forget()
        board = self._board
        text = self._write(pattern)
        end = board.height * board.stride
        rows = [text[start : start + board.width] for start in range(0, end, board.stride)]
        columns = [text[start : end : board.stride] for start in range(board.width)]
        promise = sum(map(self._count, rows)) + sum(map(self._count, columns))
        if promise < least:
            return -math.inf
        across = chain.from_iterable(map(self._find_places, rows))
        down = chain.from_iterable(zip(*map(self._find_places, columns), strict=True))
        promise += sum(map(self._agreement.__getitem__, zip(across, down, strict=True)))
        return promise if promise >= least else -math.inf

    def _write(self, pattern: BlockPattern) -> str:
        """Return the cells of a pattern: 1 is a block, 0 is empty."""
        cells = list(self._board.digits(pattern.blocks))
        for cell, letter in self._given.items():
            if cells[cell] == "0":
                cells[cell] = letter
        for word, run in pattern.placed:
            cells[run.start : run.stop : run.step] = word
        return "".join(cells)

    def _count(self, line: str) -> float:
        """Return log10 of the product of the numbers of words of the slots of a line."""
        if line not in self._counts:
            slots = (run for run in line.split("1") if len(run) >= self._shortest)
            self._counts[line] = sum(map(self._count_words, slots))
        return self._counts[line]

    def _count_words(self, run: str) -> float:
        """Return log10 of the number of words that fit a slot."""
        count = self._find_words(run).bit_count()
        return math.log10(count) if count else NEVER

    def _find_words(self, run: str) -> int:
        if run not in self._words:
            table = self._lexicon.table(len(run))
            words = table.at_least(self._least)
            for pos, letter in enumerate(run):
                if letter != "0":
                    words &= table.masks(pos)[self._lexicon.alphabet.codes[letter]]
            self._words[run] = words
        return self._words[run]

    def _find_places(self, line: str) -> list[int]:
        """Return a number for each cell of a line: equal places have the same, blocks and letters have 0."""
        if line in self._places:
            return self._places[line]
        first, *others = line.split("1")
        if others:
            places = [*self._find_places(first)]
            for run in others:
                places.append(0)
                places += self._find_places(run)
        else:
            places = [self._find_place(line, pos) for pos in range(len(line))]
        self._places[line] = places
        return places

    def _find_place(self, run: str, pos: int) -> int:
        """Return the number of a place of a run."""
        words = 0
        if len(run) >= self._shortest and run[pos] == "0":
            words = self._find_words(run)
        if not words:
            return self._agreement.add([])
        masks: Sequence[int] = self._lexicon.table(len(run)).masks(pos)
        if (words & TOP).bit_count() >= ENOUGH:
            words &= TOP
            key = len(run), pos
            if key not in self._top:
                self._top[key] = [mask & TOP for mask in masks]
            masks = self._top[key]
        return self._agreement.add([(words & mask).bit_count() for mask in masks])


class _Agreement(dict[tuple[int, int], float]):
    """For two places, log10 of the chance that two of their words have the same letter there."""

    def __init__(self) -> None:
        self._shares: list[list[float]] = [[]]
        self._numbers: dict[tuple[int, ...], int] = {(): 0}

    def add(self, counts: Sequence[int]) -> int:
        """Return the number of a place with these numbers of words for each letter."""
        key = tuple(counts)
        if key not in self._numbers:
            self._numbers[key] = len(self._shares)
            self._shares.append([count / sum(counts) for count in counts])
        return self._numbers[key]

    def __missing__(self, places: tuple[int, int]) -> float:
        one, other = (self._shares[place] for place in places)
        chance = sum(map(mul, one, other))
        agreement = 0.0
        if chance:
            agreement = math.log10(chance)
        elif one and other:
            agreement = NEVER
        self[places] = agreement
        return agreement


TOGGLING = 0.1
"""The share of changes that add or remove blocks; others move them."""

PLACING = 0.3
"""The share of changes that place or remove a word, if there are words."""


class Moves:
    """Random changes of patterns that keep the demands on symmetry, seed words and the draft.

    Args:
        demands: the demands.
        words: the words to place, seed words and words of a pool.
        most: the number of blocks beyond which no change goes.
        chance: decides the changes.
    """

    def __init__(self, demands: Demands, words: Sequence[str], most: int, chance: Random) -> None:
        self._demands = demands
        self._board = demands.board
        self._words = words
        self._most = most
        self._chance = chance
        fixed = demands.fixed[0] | demands.fixed[1]
        self._orbits = [orbit for orbit in self._board.orbits(demands.style.symmetry) if not orbit & fixed]
        self._orbit_of: dict[int, Cells] = {}
        for orbit in self._orbits:
            self._orbit_of.update(dict.fromkeys(list_bits(orbit), orbit))
        self._runs: dict[int, list[range]] = {}
        self._held: dict[range, tuple[Cells, Cells]] = {}

    def change(self, pattern: BlockPattern) -> BlockPattern | None:
        """Return a pattern with a random change, if it is possible."""
        roll = self._chance.random()
        if self._words and roll < PLACING:
            return self._place(pattern, self._chance.choice(self._words))
        blocks = self._change_blocks(pattern.blocks, roll)
        if blocks is None or pattern.blocks.bit_count() < blocks.bit_count() > self._most:
            return None
        for _, run in pattern.placed:
            if not self._holds(run, blocks):
                return None
        return replace(pattern, blocks=blocks)

    def _change_blocks(self, blocks: Cells, roll: float) -> Cells | None:
        """Return blocks with some added, removed or moved; `None` if there is no block to remove."""
        if roll > 1 - TOGGLING / 2 and self._orbits:
            return blocks ^ self._chance.choice(self._orbits)
        own = [orbit for orbit in self._orbits if orbit & blocks]
        if not own:
            return None
        taken = self._chance.choice(own)
        blocks &= ~taken
        if roll < 1 - TOGGLING:
            blocks |= self._choose_orbit(taken)
        return blocks

    def _choose_orbit(self, taken: Cells) -> Cells:
        """Return a random orbit of cells, in every second case beside the orbit that was taken away."""
        beside = [cell for cell in list_bits(self._board.around(taken)) if cell in self._orbit_of]
        if beside and self._chance.random() < 0.5:
            return self._orbit_of[self._chance.choice(beside)]
        return self._chance.choice(self._orbits)

    def _hold(self, run: range) -> tuple[Cells, Cells]:
        """Return the cells that must be open and those that must be blocks if a word stands in a run."""
        if run not in self._held:
            symmetry = self._demands.style.symmetry
            ends = [cell for cell in (run.start - run.step, run.stop) if cell >= 0 and self._board.full >> cell & 1]
            of_run = sum(1 << cell for cell in run)
            of_ends = sum(1 << cell for cell in ends)
            self._held[run] = self._board.close(of_run, symmetry), self._board.close(of_ends, symmetry)
        return self._held[run]

    def _holds(self, run: range, blocks: Cells) -> bool:
        """Return whether a word may stand in a run between these blocks."""
        open_, closed = self._hold(run)
        return not (open_ & blocks or closed & ~blocks)

    def _place(self, pattern: BlockPattern, word: str) -> BlockPattern | None:
        """Return the pattern with a word placed or moved, without the words in its way; or with a word removed."""
        others = [place for place in pattern.placed if place[0] != word]
        placed_before = len(others) < len(pattern.placed)
        if placed_before and word not in self._demands.seed_words and self._chance.random() < 0.5:
            return replace(pattern, placed=tuple(others))
        runs = self._list_runs(len(word))
        if not runs:
            return None
        run = self._chance.choice(runs)
        open_, ends = self._hold(run)
        if open_ & ends or not self._demands.may_stand(word, run):
            return None
        blocks = pattern.blocks & ~open_ | ends
        if self._demands.style.apart:
            blocks &= ~self._board.close(self._board.around(ends) & ~ends, self._demands.style.symmetry)
        placed = self._add(word, run, others, blocks)
        if placed is None:
            return None
        most = max(self._most, pattern.blocks.bit_count())
        blocks = self._thin(blocks, placed, most)
        closed, open_ = self._demands.fixed
        if closed & ~blocks or open_ & blocks or blocks.bit_count() > most:
            return None
        return BlockPattern(blocks, tuple(placed))

    def _add(
        self, word: str, run: range, others: Sequence[tuple[str, range]], blocks: Cells
    ) -> list[tuple[str, range]] | None:
        """Return the words with a new one, without those in its way; `None` if a seed word is in its way."""
        letters = dict(zip(run, word, strict=True))
        placed = [(word, run)]
        for other, at in others:
            agree = all(letters.get(cell, letter) == letter for cell, letter in zip(at, other, strict=True))
            if agree and self._holds(at, blocks):
                placed.append((other, at))
            elif other in self._demands.seed_words:
                return None
        return placed

    def _thin(self, blocks: Cells, placed: Sequence[tuple[str, range]], most: int) -> Cells:
        """Return blocks without random ones that no word needs, so that there are at most `most` if possible."""
        kept = 0
        for _, run in placed:
            kept |= self._hold(run)[1]
        own = [orbit for orbit in self._orbits if orbit & blocks and not orbit & kept]
        while own and blocks.bit_count() > most:
            blocks &= ~own.pop(self._chance.randrange(len(own)))
        return blocks

    def _list_runs(self, length: int) -> list[range]:
        if length not in self._runs:
            self._runs[length] = list(self._board.windows(length))
        return self._runs[length]
