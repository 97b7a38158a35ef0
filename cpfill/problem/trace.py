"""What a search does, step by step: told where it is traced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.puzzle.grid import SlotId


@dataclass(frozen=True, slots=True)
class Revision:
    """Words are taken from a domain before any word is placed: no fill, or no better one, can use them there.

    Attributes:
        slot: whose domain it is.
        support: the crossing slot in which they have no support, or whose only word they are; `None` where several
            slots together exclude them, or the objective.
        before: how many words it had.
        after: how many it has; with 0 there is no fill.
    """

    slot: SlotId
    support: SlotId | None
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """A word is put into a slot, and what follows is taken from the other domains. It is a node of the search.

    Attributes:
        slot: the slot.
        word: the word.
        depth: how many slots have their word now; words that stood at this depth or deeper are gone.
        sizes: the slots whose domains it shrinks, each with the number of words left.
        wipeout: the slot that it leaves without a word, if there is one: then it is taken back.
    """

    slot: SlotId
    word: str
    depth: int
    sizes: Mapping[SlotId, int]
    wipeout: SlotId | None


@dataclass(frozen=True, slots=True)
class Backtrack:
    """All words of a slot were tried in vain: the words from `target` on are taken back.

    Attributes:
        slot: the slot.
        depth: the depth of its words.
        target: the depth at which the next word is tried, in the slot there; 0 where none is left to try.
        conflicts: the conflict set of the slot, in the order in which they have their words.
    """

    slot: SlotId
    depth: int
    target: int
    conflicts: tuple[SlotId, ...]

    @property
    def jumps(self) -> bool:
        """Whether it is a backjump, which passes over a slot at least."""
        return self.target < self.depth - 1


@dataclass(frozen=True, slots=True)
class Refutation:
    """The last word that was put into a slot is taken back, and from the domain of that slot.

    Attributes:
        slot: the slot.
        word: the word.
        depth: how many slots still have their word; the slot keeps all words but this one as long as those stand.
        sizes: the slots whose domains are smaller than before the word was put there, with the number of words left.
        wipeout: the slot that is left without a word, if there is one: then the word before is refuted in turn.
    """

    slot: SlotId
    word: str
    depth: int
    sizes: Mapping[SlotId, int]
    wipeout: SlotId | None


@dataclass(frozen=True, slots=True)
class Restart:
    """All words are taken back. The search begins again, with what was refuted before the first of them.

    Attributes:
        number: how many restarts there were, this one included.
    """

    number: int


Step = Revision | Assignment | Backtrack | Refutation | Restart
"""What a search does that is traced."""
