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

An order chooses the next slot: it scores the unassigned slots, and the least score goes first. A random permutation,
drawn once from the seed, breaks ties, so that seeds differ and the same seed repeats the same search.

Branch and bound removes words that no better fill can use. The criteria are maximised one after another. While one is
being maximised, a better fill must reach the best value of each earlier criterion and exceed the best value of this
one. Under V5, no fill is better than the sorted best scores of the slots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from cpfill.engines.toolkit.propagation import Narrowing, bound_sum
from cpfill.problem.event import Stats
from cpfill.problem.value import Criterion
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from cpfill.engines.options import SlotOrder
    from cpfill.engines.toolkit.propagation import SideConstraints
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Value
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
        self._links = problem.grid.links
        self._constraints = constraints
        self._narrowers: list[SideConstraints | ImprovementRule] = []
        if constraints.narrow:
            self._narrowers.append(constraints)
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
        self.root = domains
        self._domains = domains.copy()
        self._sizes = [domain.bit_count() for domain in domains]

    def narrow(self, domains: Sequence[int]) -> list[int]:
        """Return the domains at the root after the constraints on more than two slots."""
        kept = self.improvement.drop_low_scores(domains)
        # All are found before any is applied.
        narrowings = [*self._constraints.find_narrowings(kept), *self.improvement.find_narrowings(kept)]
        for narrowing in narrowings:
            kept[narrowing.slot] &= narrowing.kept
        return kept

    def tighten(self, domains: list[int]) -> None:
        """Make these domains the root; no fill, or no better one, can use the words that they lack.

        Called before the search and whenever a fill was found; closes the nodes below the first removed word.
        """
        level = 0
        while level < len(self._frames) and domains[self._frames[level].slot] >> self._frames[level].word & 1:
            level += 1
        self._return_to(level)
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
        slot = frame.slot
        level_bit = 1 << (len(self._frames) - 1)
        frame.trail.append((slot, self._domains[slot], self._past[slot]))
        self._domains[slot] = 1 << word
        self._sizes[slot] = 1
        self._past[slot] = level_bit
        table = self._tables[slot]
        codes = table.codes
        start = word * table.length
        for pos, other, other_pos in self._links[slot]:
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
        target = level - 1
        if self._backjump:
            target = blame.bit_length() - 1
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


class Ordering:
    """Chooses slots for one search."""

    def __init__(self, order: SlotOrder, problem: Problem, domains: Sequence[int], rng: Random) -> None:
        self._order = order
        self._ties = list(range(len(problem.slots)))
        rng.shuffle(self._ties)
        self._links = problem.grid.links
        self._rank: list[int] = []
        if order == "static":
            self._rank = rank_slots(problem, domains, self._ties)

    def choose_slot(self, unassigned: Sequence[SlotId], sizes: Sequence[int], assigned: Sequence[bool]) -> SlotId:
        """Return the slot to fill next; `sizes` has the number of words left per slot."""
        ties = self._ties
        links = self._links
        match self._order:
            case "mrv":  # minimum remaining values: fewest words left
                return min(unassigned, key=lambda s: (sizes[s], ties[s]))
            case "degree":  # most crossings
                return min(unassigned, key=lambda s: (-len(links[s]), ties[s]))
            case "bound-degree":  # most crossings with slots that have their word
                return min(unassigned, key=lambda s: (-sum(assigned[o] for _, o, _ in links[s]), ties[s]))
            case "static":  # most constrained first, decided before the search
                return min(unassigned, key=self._rank.__getitem__)
            case "random":  # one random order for the whole search
                return min(unassigned, key=ties.__getitem__)


def rank_slots(problem: Problem, domains: Sequence[int], ties: Sequence[int]) -> list[int]:
    """Return each slot's rank in a fixed order that repeatedly picks the slot with the fewest expected words.

    The expected number of words in a slot is its domain size times, for each crossing with a slot ranked earlier, the
    probability that a word of either has the same letter there. The idea (fix the order beforehand, fill first where
    there is little choice) is from P. D. Smith and S. Y. Steen, A prototype crossword compiler, The Computer Journal
    24(2), 1981, 107-111; the measure is ours.
    """
    sizes = [domain.bit_count() for domain in domains]
    expected = list(map(_log, sizes))
    frequencies: dict[tuple[SlotId, int], list[float]] = {}

    def measure(slot: SlotId, pos: int) -> list[float]:
        if (slot, pos) not in frequencies:
            counts = [(domains[slot] & mask).bit_count() for mask in problem.tables[slot].masks(pos)]
            frequencies[slot, pos] = [count / (sizes[slot] or 1) for count in counts]
        return frequencies[slot, pos]

    ranks = [-1] * len(domains)
    for rank in range(len(domains)):
        slot = min((s for s, r in enumerate(ranks) if r < 0), key=lambda s: (expected[s], ties[s]))
        ranks[slot] = rank
        for pos, other, other_pos in problem.grid.links[slot]:
            pairs = zip(measure(slot, pos), measure(other, other_pos), strict=True)
            agree = sum(a * b for a, b in pairs)
            expected[other] += _log(agree)
    return ranks


def _log(number: float) -> float:
    """Return the natural logarithm, minus infinity for 0."""
    if number:
        return math.log(number)
    return -math.inf


class LeximinRule:
    """V5."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return an upper bound on fills within these domains."""
        return self._problem.order(sorted(self._find_best_scores(domains)))

    def find_narrowings(
        self, domains: Sequence[int], root: Sequence[int], value: Value, *, exceed: bool
    ) -> Iterator[Narrowing]:
        """Yield slots with words that score too little to reach (or exceed) a value, whatever the other slots score.

        A word stays iff its score, sorted with the best scores of the other slots, reaches (exceeds) the value.
        """
        best = self._find_best_scores(domains)
        because = 0
        for slot, before in enumerate(self._find_best_scores(root)):
            if best[slot] < before:
                because |= 1 << slot
        enough: dict[float, float | None] = {}
        for slot, score in enumerate(best):
            if score not in enough:
                others = best[:slot] + best[slot + 1 :]
                enough[score] = self._find_least(others, score, value, exceed=exceed)
            least = enough[score]
            if least is None:
                yield Narrowing(slot, 0, because)
                return
            table = self._problem.tables[slot]
            domain = domains[slot]
            if table.scores[domain.bit_length() - 1] < least:
                yield Narrowing(slot, domain & table.at_least(least), because)

    def _find_least(self, others: Sequence[float], score: float, value: Value, *, exceed: bool) -> float | None:
        """Return the least sufficient score of a slot, given the best scores of the others; None if none suffices."""
        scale = self._problem.ranking
        if score not in scale or not self._suffices([*others, score], value, exceed=exceed):
            return None
        low = -1
        high = scale.index(score)
        while high - low > 1:
            middle = (low + high) // 2
            if self._suffices([*others, scale[middle]], value, exceed=exceed):
                high = middle
            else:
                low = middle
        return scale[high]

    def _suffices(self, scores: Sequence[float], value: Value, *, exceed: bool) -> bool:
        reached = self._problem.order(sorted(scores))
        if exceed:
            return reached > value
        return reached >= value

    def _find_best_scores(self, domains: Sequence[int]) -> list[float]:
        """Return the best score in each domain; -1 for an empty one."""
        return [
            table.scores[(domain & -domain).bit_length() - 1] if domain else -1.0
            for table, domain in zip(self._problem.tables, domains, strict=True)
        ]


class ImprovementRule:
    """The rule that a fill must be better than the best one so far; before the first fill it has no effect.

    Attributes:
        best: the value of the best fill so far.
        stage: the index of the criterion that is being maximised; earlier ones have their greatest value.
        root: the domains before any word was placed; losses at the root enter no conflict set.
        spans: whether a criterion depends on all slots together, so that each placement may narrow domains.
    """

    def __init__(self, problem: Problem) -> None:
        self.best: Value | None = None
        self.stage = 0
        self.root: Sequence[int] = problem.domains
        self._problem = problem
        self._spanning: dict[int, SumRule | LeximinRule] = {}
        for stage, criterion in enumerate(problem.criteria):
            if criterion.is_vector:
                self._spanning[stage] = LeximinRule(problem)
            elif criterion is not Criterion.MIN:
                self._spanning[stage] = SumRule(problem, criterion)
        self.spans = bool(self._spanning)

    @property
    def settled(self) -> Value:
        """The greatest value, up to the criterion that was maximised; valid once the search is exhausted."""
        best = self.best or ()
        criteria = self._problem.criteria
        if criteria and criteria[self.stage].is_vector:
            return best
        return best[: self.stage + 1]

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return a value that no fill within these domains exceeds, up to the criterion that is being maximised."""
        if self.stage in self._spanning:
            bound = self._spanning[self.stage].find_bound(domains)
        else:
            scores = []
            for table, domain in zip(self._problem.tables, domains, strict=True):
                scores.append(table.scores[(domain & -domain).bit_length() - 1])
            bound = (min(scores),)
        return (*(self.best or ())[: self.stage], *bound)

    def drop_low_scores(self, domains: Sequence[int]) -> list[int]:
        """Return the domains without words that score too little (V1). V1 prunes at the root only."""
        if self.best is None or Criterion.MIN not in self._problem.criteria[: self.stage + 1]:
            return list(domains)
        stage = self._problem.criteria.index(Criterion.MIN)
        score = self.best[stage]
        kept = []
        for table, domain in zip(self._problem.tables, domains, strict=True):
            enough = table.above(score) if stage == self.stage else table.at_least(score)
            kept.append(domain & enough)
        return kept

    def find_narrowings(self, domains: Sequence[int]) -> Iterator[Narrowing]:
        """Yield the domains after all criteria except V1; the caller may narrow them meanwhile."""
        if self.best is None:
            return
        for stage, criterion in self._spanning.items():
            if stage <= self.stage:
                value = self.best[stage:]
                yield from criterion.find_narrowings(domains, self.root, value, exceed=stage == self.stage)


class SumRule:
    """A criterion that adds up."""

    def __init__(self, problem: Problem, criterion: Criterion) -> None:
        self._problem = problem
        self._criterion = criterion
        self._gains = problem.gains(criterion)
        self._kinds = problem.kinds

    def find_bound(self, domains: Sequence[int]) -> Value:
        """Return an upper bound on fills within these domains."""
        return (bound_sum(self._problem, self._criterion, domains) / self._gains.per_unit,)

    def find_narrowings(
        self, domains: Sequence[int], root: Sequence[int], value: Value, *, exceed: bool
    ) -> Iterator[Narrowing]:
        """Yield slots with words that add too little to reach (or exceed) a value, whatever the other slots add.

        A word w stays iff gain(w) + Σ over the other slots of their greatest gain ≥ floor.
        """
        gains = self._gains
        floor = round(value[0] * gains.per_unit) + exceed
        if bound_sum(self._problem, self._criterion, domains) < floor:
            yield Narrowing(0, 0, self._find_blame(domains, root))
            return
        best = list(map(gains.find_best, self._kinds, domains))
        slack = sum(best) - floor
        for slot, kind in enumerate(self._kinds):
            least = best[slot] - slack
            if least <= 0:
                continue
            last = domains[slot].bit_length() - 1
            if not (gains.by_score and gains.by_kind[kind][last] >= least):
                kept = domains[slot] & gains.select(kind, least)
                yield Narrowing(slot, kept, self._find_blame(domains, root))

    def _find_blame(self, domains: Sequence[int], root: Sequence[int]) -> int:
        """Return the slots that lost their best gain, or any gain if a word may be needed in a different slot."""
        gains = self._gains
        because = 0
        for slot, (kind, domain, before) in enumerate(zip(self._kinds, domains, root, strict=True)):
            if gains.by_score:
                lost = gains.find_best(kind, domain) < gains.find_best(kind, before)
            else:
                lost = bool(before & ~domain & gains.select(kind, 1))
            because |= lost << slot
        return because
