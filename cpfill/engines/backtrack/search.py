"""Forward checking with conflict-directed backjumping, FC-CBJ; plain FC is the case that never jumps.

P. Prosser, Hybrid algorithms for the constraint satisfaction problem, Computational Intelligence 9(3), 1993, 268-299.

A *level* is the depth at which a slot got its word. A set of levels is an int with one bit per level:

- `past[slot]`: the levels whose words removed words from the slot's domain (Prosser's past-fc), or gave it its word;
- `Frame.conflicts`: the earlier levels that share the blame for the words that failed at this level (his conf-set).

At a dead end the search returns to the deepest level in conflicts | past: a different word at a level in between could
not have helped. Plain FC goes back one level. A level under which a fill was found blames every earlier level, so that
the search jumps over no fill.

If several domains together remove words from another one, the levels in the past of all of them are to blame. With an
objective, words that no better fill can use leave the domains at the root. No level is to blame for that, so it enters
no conflict set: under V1, a fill worth v closes every node below the first word that scores at most v.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from cpfill.problem.event import Stats
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from cpfill.engines.backtrack.bounding import ImprovementRule
    from cpfill.engines.backtrack.ordering import Ordering
    from cpfill.engines.toolkit.side_constraints import SideConstraints
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import SlotId
    from cpfill.words.lexicon import WordId


@dataclass(slots=True)
class Frame:
    """One level: its slot, the words still to try, the blame so far, and the changes made by its current word."""

    slot: SlotId
    words: Iterator[WordId]
    conflicts: int = 0
    word: WordId = -1
    trail: list[tuple[SlotId, int, int]] = field(default_factory=list)
    """(slot, its domain before, its past before)"""


class BacktrackSearch:
    """One search; `advance` continues to the next fill.

    `ordering` chooses the slots. Words are tried best score first, or in random order if `shuffle` is a random source.
    `backjump` makes it FC-CBJ. The owner keeps `improvement` up to date.

    Attributes:
        root: the domains before any word is placed.
    """

    def __init__(
        self,
        problem: Problem,
        ordering: Ordering,
        constraints: SideConstraints,
        improvement: ImprovementRule,
        *,
        backjump: bool,
        shuffle: Random | None,
    ) -> None:
        self.nodes = self.backtracks = self.backjumps = self.checks = 0
        self._tables = problem.tables
        self._neighbours = problem.grid.neighbours
        self._constraints = constraints
        self._narrowers: list[SideConstraints | ImprovementRule] = [constraints] if constraints.narrow else []
        if improvement.spans:
            self._narrowers.append(improvement)
        self.improvement = improvement
        slots = len(problem.slots)
        self._past = [0] * slots
        self._assigned = [False] * slots
        self._unassigned = list(range(slots))
        self._ordering = ordering
        self._backjump = backjump
        self._shuffle = shuffle
        self._frames: list[Frame] = []
        self.start(list(problem.domains))

    def stats(self, build_s: float = 0.0, search_s: float = 0.0) -> Stats:
        """Return the counters, with these times."""
        return Stats(self.nodes, self.backtracks, self.backjumps, self.checks, build_s, search_s)

    def advance(self) -> Iterator[list[WordId] | None]:
        """Search: yield one word id per slot for every fill, and None after every node; end when all is searched."""
        self._open_level()
        while self._frames:
            frame = self._frames[-1]
            word = next(frame.words, None)
            if word is None:
                self._retreat(frame)
                continue
            if not self.root[frame.slot] >> word & 1:
                continue
            self.nodes += 1
            if not self._assign(frame, word):
                yield None
            elif self._unassigned:
                self._open_level()
                yield None
            else:
                # The caller may abandon the generator here, or resume it after `tighten` has changed the frames.
                frame.conflicts |= (1 << (len(self._frames) - 1)) - 1
                words = [-1] * len(self._domains)
                for level in self._frames:
                    words[level.slot] = level.word
                yield words
                if self._frames and self._frames[-1] is frame:
                    self._undo(frame)

    def start(self, domains: list[int]) -> None:
        """Begin, or restart, within these domains."""
        self._return_to(-1)
        self.root, self._domains = domains, domains.copy()
        self._sizes = [domain.bit_count() for domain in domains]

    def narrow(self, domains: Sequence[int]) -> list[int]:
        """Return what the constraints on more than two slots leave of the domains at the root."""
        kept = self.improvement.drop_low_scores(domains)
        for narrowing in (*self._constraints.find_narrowings(kept), *self.improvement.find_narrowings(kept)):
            kept[narrowing.slot] &= narrowing.kept
        return kept

    def tighten(self, domains: list[int]) -> None:
        """Make these domains the root; no fill, or no better one, can use the words that they lack.

        Called before the search and whenever a fill was found; closes the nodes below the first removed word.
        """
        gone = (level for level, frame in enumerate(self._frames) if not domains[frame.slot] >> frame.word & 1)
        self._return_to(next(gone, len(self._frames)))
        for frame in self._frames:
            frame.trail = [(slot, old & domains[slot], past) for slot, old, past in frame.trail]
        self.root = self.improvement.root = domains
        self._domains = [old & new for old, new in zip(self._domains, domains, strict=True)]
        self._sizes = [domain.bit_count() for domain in self._domains]

    def _open_level(self) -> None:
        slot = self._ordering.choose_slot(self._unassigned, self._sizes, self._assigned)
        words = walk_members(self._domains[slot])
        if self._shuffle:
            shuffled = list(words)
            self._shuffle.shuffle(shuffled)
            words = iter(shuffled)
        self._frames.append(Frame(slot, words))
        self._assigned[slot] = True
        self._unassigned.remove(slot)

    def _assign(self, frame: Frame, word: WordId) -> bool:
        """Give the frame's slot this word and check forward; undo and take the blame if a domain empties."""
        frame.word = word
        slot, level_bit = frame.slot, 1 << (len(self._frames) - 1)
        frame.trail.append((slot, self._domains[slot], self._past[slot]))
        self._domains[slot], self._sizes[slot], self._past[slot] = 1 << word, 1, level_bit
        table = self._tables[slot]
        codes, start = table.codes, word * table.length
        for pos, other, other_pos in self._neighbours[slot]:
            if not self._assigned[other]:
                self.checks += 1
                mask = self._tables[other].masks(other_pos)[codes[start + pos]]
                if not self._restrict(frame, other, self._domains[other] & mask, level_bit):
                    return False
        for other in self._constraints.partners[slot]:
            if not self._assigned[other]:
                conflicts = self._domains[other] & self._constraints.find_conflicts(slot, word, other)
                if conflicts:
                    self.checks += 1
                    if not self._restrict(frame, other, self._domains[other] ^ conflicts, level_bit):
                        return False
        return self._narrow(frame)

    def _narrow(self, frame: Frame) -> bool:
        """Propagate the constraints on more than two slots; return false on a wipeout."""
        for narrower in self._narrowers:
            for slot, kept, because in narrower.find_narrowings(self._domains):
                blame = reduce(or_, map(self._past.__getitem__, walk_members(because)), 0)
                if not self._restrict(frame, slot, self._domains[slot] & kept, blame):
                    return False
        return True

    def _restrict(self, frame: Frame, slot: SlotId, kept: int, blame: int) -> bool:
        """Keep only words of a slot, and blame the levels in `blame` for the others; false if no word is left."""
        before = self._domains[slot]
        if kept != before:
            frame.trail.append((slot, before, self._past[slot]))
            self._domains[slot] = kept
            self._sizes[slot] = kept.bit_count()
            self._past[slot] |= blame
        if kept:
            return True
        frame.conflicts |= self._past[slot] & ~(1 << (len(self._frames) - 1))
        self._undo(frame)
        return False

    def _undo(self, frame: Frame) -> None:
        for slot, domain, past in reversed(frame.trail):
            self._domains[slot] = domain
            self._sizes[slot] = domain.bit_count()
            self._past[slot] = past
        frame.trail.clear()

    def _retreat(self, frame: Frame) -> None:
        """Leave a level without words for the deepest level to blame; end the search if no level is to blame."""
        level = len(self._frames) - 1
        blame = frame.conflicts | self._past[frame.slot]
        self.backtracks += 1
        target = blame.bit_length() - 1 if self._backjump else level - 1
        self.backjumps += target < level - 1
        self._return_to(target)
        if self._frames:
            self._frames[-1].conflicts |= blame & ~(1 << target)

    def _return_to(self, level: int) -> None:
        """Close all deeper levels and take back the word of this one; -1 closes every level."""
        while len(self._frames) > level + 1:
            self._undo(self._frames[-1])
            slot = self._frames.pop().slot
            self._assigned[slot] = False
            self._unassigned.append(slot)
        if self._frames:
            self._undo(self._frames[-1])
