"""The events that an engine yields while it works.

An engine yields `Started`, then any number of `Progress`, `Found` and `Bound`, and exactly one `Finished`, last.
Everything a person sees is a fold over these events. An engine that traces its search reports each step, such as an
`Assignment`, in its own `Progress`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.problem.fill import Fill
    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import CellId, SlotId


class StopReason(StrEnum):
    """Why a search ended."""

    EXHAUSTED = "exhausted"
    FILLS = "fills"
    TIME = "time"
    NODES = "nodes"
    SOLVER = "solver"
    """A limit that was set by a parameter of the solver."""
    TRIES = "tries"
    """A limited number of tries found no further fill, which proves nothing."""
    ALIKE = "alike"
    """Every other fill is proved to be too similar to a given one, or to one found before."""
    INTERRUPTED = "interrupted"


class Stats(NamedTuple):
    """The cost of a search. Counters that do not apply to an engine stay 0.

    Attributes:
        nodes: assignments tried (branches of CP-SAT).
        backtracks: dead ends (conflicts of CP-SAT).
        backjumps: backtracks that passed over at least one level.
        checks: bitset intersections at a crossing.
        build_s: seconds before the search: arc consistency, model building.
        search_s: seconds of search.
    """

    nodes: int = 0
    backtracks: int = 0
    backjumps: int = 0
    checks: int = 0
    build_s: float = 0.0
    search_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Started:
    """The engine accepts the problem and begins."""

    engine: str


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life.

    Attributes:
        note: the current activity.
        stats: the cost of the search so far.
        counted: the number of fills so far, if fills are counted but not reported; `None` if each is reported.
        step: the last step of a traced search; `None` for a mere sign of life.
    """

    note: str
    stats: Stats = field(default_factory=Stats)
    counted: int | None = None
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A fill and its value. With an objective, each fill is better than the one before.

    Attributes:
        fill: the fill.
        value: its value.
        better: whether the fill replaces the one before although nothing is maximised: its `quality` is greater, even
            if its value is the same.
    """

    fill: Fill
    value: Value
    better: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """The proof that no fill is worth more than `value`.

    If several criteria are maximised, the bound may cover only the first ones: `value` is then shorter than the values
    of fills.
    """

    value: Value


@dataclass(frozen=True, slots=True)
class Finished:
    """The end.

    Attributes:
        reason: why the search ended.
        proof: the basis of the proof, if something was proved; otherwise empty.
        wipeout: the slot left without a word, if that alone proves that no fill exists.
        stats: the cost of the search.
        counted: the number of fills, if they were counted but not reported; `None` if each was reported.
    """

    reason: StopReason
    proof: str = ""
    wipeout: SlotId | None = None
    stats: Stats = field(default_factory=Stats)
    counted: int | None = None

    @property
    def exhausted(self) -> bool:
        """Whether the engine proved that no further fill, or no better fill, exists."""
        return self.reason is StopReason.EXHAUSTED


Event = Started | Progress | Found | Bound | Finished
"""Any event that an engine yields."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Words are removed from a domain before any word is placed: no fill, or no better fill, can use them there.

    AC-3 reports the revisions that remove no word too.

    Attributes:
        slot: the slot whose domain it is.
        support: the crossing slot in which the words have no support, or the slot whose only word they are; `None` if
            several slots together, or the objective, exclude them.
        before: the size of the domain before.
        after: the size of the domain after; 0 means that no fill exists.
        removed: some of the words that AC-3 removes.
        queue: the slots whose arcs AC-3 has still to revise, the next one first.
    """

    slot: SlotId
    support: SlotId | None
    before: int
    after: int
    removed: tuple[str, ...] = ()
    queue: tuple[SlotId, ...] = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """A word is placed in a slot and propagated to the other domains. This is a node of the search.

    Attributes:
        slot: the slot.
        word: the word.
        depth: the number of slots that now have a word; words placed before at this depth or deeper are gone.
        sizes: the slots whose domains shrink, each with the number of words left.
        wipeout: the slot left without a word, if there is one: then the word is taken back.
    """

    slot: SlotId
    word: str
    depth: int
    sizes: Mapping[SlotId, int]
    wipeout: SlotId | None


@dataclass(frozen=True, slots=True)
class Backtrack:
    """All words of a slot failed: the words from depth `target` on are taken back.

    Attributes:
        slot: the slot.
        depth: the depth of its words.
        target: the depth whose slot tries its next word; 0 if there is nothing left to try.
        conflicts: the conflict set of the slot, in the order in which its slots received their words.
    """

    slot: SlotId
    depth: int
    target: int
    conflicts: tuple[SlotId, ...]

    @property
    def jumps(self) -> bool:
        """Whether it is a backjump, which skips at least one slot."""
        return self.target < self.depth - 1


@dataclass(frozen=True, slots=True)
class Refutation:
    """The word placed last is taken back and removed from the domain of its slot.

    Attributes:
        slot: the slot.
        word: the word.
        depth: the number of slots that still have a word; as long as they keep it, this word stays removed.
        sizes: the slots whose domains are smaller than before the word was placed, each with the number of words left.
        wipeout: the slot left without a word, if there is one: then the previous word is refuted in turn.
    """

    slot: SlotId
    word: str
    depth: int
    sizes: Mapping[SlotId, int]
    wipeout: SlotId | None


@dataclass(frozen=True, slots=True)
class Restart:
    """All words are taken back. The search begins again, but keeps the words refuted at depth 0 removed.

    Attributes:
        number: the number of restarts, including this one.
    """

    number: int


@dataclass(frozen=True, slots=True)
class LetterPlaced:
    """A letter is written into a cell.

    Attributes:
        cell: the cell.
        letter: the letter.
        allowed: the letters that go on the beginnings of words through the cell; earlier ones were tried before.
        depth: the number of cells that now have a letter; letters written before at this depth or deeper are gone.
        sizes: the slots through the cell, each with the number of words left.
        wipeout: the slot left without a word by a rule, if there is one: then the letter is taken back.
    """

    cell: CellId
    letter: str
    allowed: str
    depth: int
    sizes: Mapping[SlotId, int]
    wipeout: SlotId | None


@dataclass(frozen=True, slots=True)
class NoLetter:
    """No letter is left for a cell: the letter before is replaced by its next one.

    Attributes:
        cell: the cell.
        depth: the number of cells that would have a letter with this one; 1 if nothing is left to try.
    """

    cell: CellId
    depth: int


Step = Revision | Assignment | Backtrack | Refutation | Restart | LetterPlaced | NoLetter
"""Any step of a traced search."""
