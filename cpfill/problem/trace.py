"""The single steps of a traced search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.puzzle.grid import SlotId


@dataclass(frozen=True, slots=True)
class Revision:
    """Words are removed from a domain before any word is placed: no fill, or no better fill, can use them there.

    Attributes:
        slot: the slot whose domain it is.
        support: the crossing slot in which the words have no support, or the slot whose only word they are; `None` if
            several slots together, or the objective, exclude them.
        before: the size of the domain before.
        after: the size of the domain after; 0 means that no fill exists.
    """

    slot: SlotId
    support: SlotId | None
    before: int
    after: int


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


Step = Revision | Assignment | Backtrack | Refutation | Restart
"""Any step of a traced search."""
