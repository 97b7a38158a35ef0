"""A run of `fc` or `fc-cbj` that reports each step.

It overrides methods of the run and of the search, so that an untraced run does not even test a flag.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from cpfill.engines.backtrack.run import BacktrackRun
from cpfill.engines.backtrack.search import BacktrackSearch
from cpfill.problem.event import Assignment, Backtrack, Revision, Stats
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cpfill.engines.backtrack.search import Frame
    from cpfill.problem.event import Step
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId

_MOST_REMOVED = 12
"""Words that a revision names; the first removes tens of thousands."""


class TracedRun(BacktrackRun):
    """A run that reports each step of arc consistency and of its search."""

    _search: BacktrackSearch | None = None

    def make_search(self, domains: list[int], kind: Callable[..., BacktrackSearch] | None = None) -> BacktrackSearch:
        """Return a search within the domains that reports its steps."""
        self._search = super().make_search(domains, kind or partial(TracedSearch, self._control.report_step))
        return self._search

    def note_revision(self, slot: SlotId, support: SlotId, before: int, after: int, queue: Iterable[SlotId]) -> None:
        """Report the revision."""
        words = self._problem.tables[slot].words
        removed = tuple(words[word] for word in islice(walk_members(before & ~after), _MOST_REMOVED))
        revision = Revision(slot, support, before.bit_count(), after.bit_count(), removed, tuple(queue))
        stats = self._search.stats() if self._search else Stats()
        self._control.report_step(revision, stats)


class TracedSearch(BacktrackSearch):
    """A search that calls `tell` with each step, and with its counters so far."""

    def __init__(self, tell: Callable[[Step, Stats], None], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._tell = tell
        self._shrunk: dict[SlotId, int] = {}

    def narrow(self, domains: Sequence[int]) -> list[int]:
        """Narrow as the search does, and report the domains that shrink."""
        kept = super().narrow(domains)
        for slot, (before, after) in enumerate(zip(domains, kept, strict=True)):
            if before != after:
                self._tell(Revision(slot, None, before.bit_count(), after.bit_count()), self.stats())
        return kept

    def _assign(self, frame: Frame, word: WordId) -> bool:
        self._shrunk = {}
        slot = frame.slot
        depth = len(self._frames)
        stands = super()._assign(frame, word)
        # Forward checking stops at the first slot without a word, so that slot shrank last.
        wipeout = None if stands else next(reversed(self._shrunk))
        self._tell(Assignment(slot, self._tables[slot].words[word], depth, self._shrunk, wipeout), self.stats())
        return stands

    def _restrict(self, frame: Frame, slot: SlotId, kept: int, blame: int) -> bool:
        if kept != self._domains[slot]:
            self._shrunk.pop(slot, None)  # keeps the slot that shrank last at the end
            self._shrunk[slot] = kept.bit_count()
        return super()._restrict(frame, slot, kept, blame)

    def _retreat(self, frame: Frame) -> None:
        depth = len(self._frames)
        blame = frame.conflicts | self._past[frame.slot]
        conflicts = tuple(self._frames[level].slot for level in walk_members(blame))
        super()._retreat(frame)
        self._tell(Backtrack(frame.slot, depth, len(self._frames), conflicts), self.stats())
