"""A problem: a grid, a lexicon, the rules and the objective, complete and validated when an engine receives it.

The rules are numbered once, here as in the MiniZinc models, the CP-SAT formulations, `check.py` and the tests:

    C1  every open cell holds one letter of the alphabet
    C2  every slot spells a word of the lexicon
    C3  no word is used twice (`repeats` lifts it)
    C4  given letters stay; a cell's letter set is respected
    V1  the value of a fill is the minimum of its word scores; maximise it

A cell in no slot must be given, or any letter will do: it gets the first of its letter set, and fills that differ in
such cells alone are one fill.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from cpfill.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.grid import Grid, Slot, SlotId
    from cpfill.lexicon import Lexicon, WordTable


class Objective(StrEnum):
    """What is asked of a fill beyond the rules C1 to C4."""

    ANY = "any"
    MIN = "min"
    """V1: the greatest minimum word score."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that can be set: C3 lifted by `repeats`, C2 narrowed to words that score at least `min_score`."""

    repeats: bool = False
    min_score: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.min_score) and self.min_score >= 0):
            raise InputError(Fault(expected="a minimum score: a finite number >= 0", got=str(self.min_score)))


@dataclass(frozen=True)
class Problem:
    """What an engine solves.

    Raises:
        InputError: the grid has no slot, or grid and lexicon do not share one alphabet.
    """

    grid: Grid
    lexicon: Lexicon
    rules: Rules = Rules()
    objective: Objective = Objective.ANY

    def __post_init__(self) -> None:
        if not self.grid.slots:
            raise InputError(Fault(expected=f"a grid with a slot of {self.grid.min_slot_length} cells", got="none"))
        if self.grid.alphabet != self.lexicon.alphabet:
            raise InputError(
                Fault(
                    expected=f"a lexicon over the grid's alphabet {self.grid.alphabet.letters}",
                    got=self.lexicon.alphabet.letters,
                )
            )

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The grid's slots."""
        return self.grid.slots

    @cached_property
    def tables(self) -> tuple[WordTable, ...]:
        """For each slot, the table its word ids refer to."""
        return tuple(self.lexicon.table(slot.length) for slot in self.slots)

    @cached_property
    def peers(self) -> tuple[tuple[SlotId, ...], ...]:
        """For each slot, the slots that may not hold its word (C3): the others of its length, none with `repeats`."""
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        if not self.rules.repeats:
            for slot in self.slots:
                by_length[slot.length].append(slot.id)
        return tuple(tuple(other for other in by_length[slot.length] if other != slot.id) for slot in self.slots)

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """For each slot, the bitset of the words that fit its cells and the minimum score (node consistency)."""
        full = self.grid.alphabet.full
        domains = []
        for slot, table in zip(self.slots, self.tables, strict=True):
            domain = table.at_least(self.rules.min_score)
            for pos, cell in enumerate(slot.cells):
                if self.grid.cells[cell] != full:
                    domain &= table.having(pos, self.grid.cells[cell])
            domains.append(domain)
        return tuple(domains)

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The different scores a slot of this grid can have, rising: only these can be the value of a fill."""
        return tuple(sorted({score for table in set(self.tables) for score in table.scores}))

    def score(self, words: Sequence[int]) -> float:
        """Return the minimum score (V1) of one word id a slot."""
        return min(table.scores[word] for table, word in zip(self.tables, words, strict=True))
