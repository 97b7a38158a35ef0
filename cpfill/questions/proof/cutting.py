"""A tree cut into parts, which are checked one by one.

For each lemma a checker propagates all of its decisions, and most by far is what the first of them leave out: a hundred
thousand words. A part begins with them: its formula has no such words, and a lemma takes a tenth or less of the time.
But a formula takes a second of its own, as much as some hundred lemmas; deeper parts gain less.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from cpfill.engines.mac.kernels import REFUTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.puzzle.grid import SlotId

Decision = tuple["SlotId", int, int]
"""A slot, the position of a letter in it or -1 for its word, and the letter's code or the word's id."""

LEAST = 250
"""Lemmas that a part has at least, for each decision that it begins with."""

DEEP = 4
"""Decisions from which on that is no more."""

MOST_PARTS = 400
"""About how many parts there are at most: of a larger tree they are larger."""


@dataclass(frozen=True)
class Part:
    """A part of a tree: what is under a decision, without the parts within.

    Attributes:
        start, end: where it stands in the log.
        taken: the decisions that it begins with.
        refuted: those refuted before it, beside one of them.
    """

    start: int
    end: int
    taken: tuple[Decision, ...] = ()
    refuted: tuple[Decision, ...] = ()


class CutTree:
    """A tree in parts: each after those within it, so that all of the tree that is in no other is the last.

    Args:
        log: of a tree that refutes and never restarts, as `Kernel.log` has it.
        slots: for each slot of the kernel that of the problem.
        whole: leave it in one part.
    """

    def __init__(self, log: Sequence[int], slots: Sequence[SlotId], *, whole: bool = False) -> None:
        self._log, self._slots = log, slots
        self.parts = [*(() if whole else self._cut()), Part(0, len(log))]

    def list_lemmas(self, part: Part) -> Iterator[Sequence[Decision]]:
        """Yield decisions that cannot go together with those of a part, as those before it and propagation show."""
        within = {other.start: other.end for other in self.parts if other is not part}
        stack: list[Decision] = []
        at = part.start
        while at < part.end:
            at = within.get(at, at)
            if self._log[at] == REFUTED:
                yield stack
                stack.pop()
                at += 1
            else:
                stack.append(self._read(at))
                at += 3

    def _cut(self) -> Iterator[Part]:
        least = max(LEAST, self._log.count(REFUTED) // MOST_PARTS)
        taken: list[Decision] = []
        refuted: list[list[Decision]] = [[]]  # under each decision that is taken
        starts, sizes = [0], [0]
        at = 0
        while at < len(self._log):
            if self._log[at] != REFUTED:
                taken.append(self._read(at))
                at += 3
                starts.append(at)
                sizes.append(0)
                refuted.append([])
                continue
            refuted.pop()
            start, size = starts.pop(), sizes.pop()
            if size >= least * min(len(taken), DEEP):
                yield Part(start, at, tuple(taken), tuple(chain(*refuted)))
                size = 0
            refuted[-1].append(taken.pop())
            sizes[-1] += size + 1
            at += 1

    def _read(self, at: int) -> Decision:
        slot, pos, value = self._log[at : at + 3]
        return self._slots[slot], pos, value
