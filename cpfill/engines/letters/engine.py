"""The engine `letters`: all fills in lexicographic order, row by row (Didier Rémy's goes letter by letter).

If no rule compares the words of slots that do not cross, fills are counted without a search. The count goes cell by
cell. A partial fill affects the rest of the grid only by the letters that can follow in the open slots. These letters
are a state, and it is enough to count the ways to reach each state. Word beginnings with the same
continuations are merged (as in a word graph), so there may be far more fills than could be listed.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from contextlib import closing
from itertools import combinations, groupby
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.engines.contract import Feature
from cpfill.engines.letters import KERNEL
from cpfill.engines.letters.cubes import (
    CUBES_A_CLUSTER,
    SLICE_S,
    UNLIMITED,
    CubeSearcher,
    LettersSpec,
    choose_brief_depth,
    choose_depth,
    list_cubes,
    list_turns,
    search_cube,
    search_in_threads,
    search_on_cluster,
)
from cpfill.engines.letters.journal import Journal, identify_search
from cpfill.engines.options import RESUME, REVERSE, SCHEDULER, TRACE
from cpfill.engines.requirements import require_features
from cpfill.engines.toolkit.propagation import Wipeout, require_words
from cpfill.engines.toolkit.worker import Control, Stopped, run_in_thread
from cpfill.problem.event import Finished, Progress, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cpfill.engines.cluster import Cluster, Connection
    from cpfill.engines.letters._letters import Kernel
    from cpfill.engines.letters.cubes import Cube, CubeSlice
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import Place, SlotId
    from cpfill.words.lexicon import WordId


class FillDecoder:
    """Decodes the texts that a kernel finds: one letter code per visited cell."""

    def __init__(self, problem: Problem, *, reverse: bool) -> None:
        turns = list_turns(problem, reverse=reverse)
        self.cells = len(turns)
        self._slots = []
        for slot, table in zip(problem.slots, problem.tables, strict=True):
            self._slots.append((table.ids, [turns[place] for place in slot.places]))
        self._letters = dict(enumerate(problem.grid.alphabet.letters))

    def decode(self, codes: bytes) -> str:
        """Return the letters of codes."""
        return codes.decode("latin-1").translate(self._letters)

    def split(self, letters: str) -> Iterator[str]:
        """Split concatenated texts."""
        for start in range(0, len(letters), self.cells):
            yield letters[start : start + self.cells]

    def find_words(self, text: str) -> Sequence[WordId]:
        """Return the word ids that a text spells, one per slot.

        Raises:
            KeyError: the text spells something that is not a word.
        """
        words = []
        for ids, turns in self._slots:
            words.append(ids["".join(map(text.__getitem__, turns))])
        return words


MAX_STATES = 2**19
"""The limit on states at once, of some hundred bytes each; beyond it, the engine searches for fills."""

STATES_BETWEEN_LOOKS = 4096

MAX_WIDTH = 6
"""The limit on open slots at once: with more there are usually too many states."""


def count_by_states(problem: Problem, check: Callable[[], None]) -> int | None:
    """Return the number of fills of a problem that `may_count_by_states`; `None` if there are too many states.

    `check` is called regularly.
    """
    grid_width = problem.grid.width
    by_row = list(list_turns(problem, reverse=False))
    by_column = sorted(by_row, key=lambda place: (place[0] % grid_width, place))
    order = by_row
    width = _find_width(problem, by_row)
    width_by_column = _find_width(problem, by_column)
    if width_by_column < width:
        order = by_column
        width = width_by_column
    if width > MAX_WIDTH:
        return None
    return _Count(problem, order).count(check)


def may_count_by_states(problem: Problem) -> bool:
    """Return whether no constraint on the possible words compares slots that do not cross."""
    if problem.constraints.tie_components:
        return False
    for one, other in combinations(problem.slots, 2):
        if one.length == other.length:
            common = problem.domains[one.id] & problem.domains[other.id]
            if common & problem.singles[one.length]:
                return False
    return True


def _find_width(problem: Problem, order: Sequence[Place]) -> int:
    """Return the greatest number of slots that are open at once."""
    turns = {place: turn for turn, place in enumerate(order)}
    begun = [0] * (len(order) + 1)
    for slot in problem.slots:
        begun[turns[slot.places[0]]] += 1
        begun[turns[slot.places[-1]]] -= 1
    width = most = 0
    for change in begun:
        width += change
        most = max(most, width)
    return most


_State = tuple[int, ...]
"""The continuations of each open slot, by their numbers."""


class _Step(NamedTuple):
    """A cell of a count; indices are into a state that is followed by `roots`.

    Attributes:
        others: the indices of the open slots that are not in the cell.
        at: the indices of the slots in the cell.
        kept: which of those continue after the cell.
        roots: the first continuations of the slots in the cell, for those that begin there.
    """

    others: list[int]
    at: list[int]
    kept: list[int]
    roots: _State


class _Count:
    """One count. A number stands for a set of continuations of a slot; `_follows` maps it to the next by letter."""

    def __init__(self, problem: Problem, order: Sequence[Place]) -> None:
        self._order = order
        self._slots_at: dict[Place, list[SlotId]] = {place: [] for place in order}
        self._last = [slot.places[-1] for slot in problem.slots]
        self._follows: list[dict[int, int]] = [{}]  # 0: nothing follows, the word is complete
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        roots: dict[tuple[int, int], int] = {}
        self._roots = []
        for slot, table, domain in zip(problem.slots, problem.tables, problem.domains, strict=True):
            for place in slot.places:
                self._slots_at[place].append(slot.id)
            if (slot.length, domain) not in roots:
                words = []
                for word in walk_members(domain):
                    start = word * slot.length
                    words.append(table.codes[start : start + slot.length])
                roots[slot.length, domain] = self._number(sorted(words), 0)
            self._roots.append(roots[slot.length, domain])

    def _number(self, words: Sequence[bytes], pos: int) -> int:
        """Return the number of the continuations after `pos` in sorted words that agree before it."""
        if words and pos == len(words[0]):
            return 0
        groups = groupby(words, key=lambda word: word[pos])
        follows = tuple((letter, self._number(list(group), pos + 1)) for letter, group in groups)
        if follows not in self._numbers:
            self._numbers[follows] = len(self._follows)
            self._follows.append(dict(follows))
        return self._numbers[follows]

    def count(self, check: Callable[[], None]) -> int | None:
        """Return the number of fills, or `None` if there are too many states."""
        under_way: list[SlotId] = []
        ways: dict[_State, int] = {(): 1}
        for place in self._order:
            here = self._slots_at[place]
            going_on = [slot for slot in here if self._last[slot] != place]
            ways = self._go_on(ways, self._plan(under_way, here, going_on), check)
            under_way = [slot for slot in under_way if slot not in here]
            under_way += going_on
            if len(ways) > MAX_STATES:
                return None
        return sum(ways.values())

    def _plan(self, under_way: Sequence[SlotId], here: Sequence[SlotId], going_on: Sequence[SlotId]) -> _Step:
        """Return the step over a cell in the slots `here`, some of which go on."""
        others = [index for index, slot in enumerate(under_way) if slot not in here]
        at = []
        for number, slot in enumerate(here):
            begun = slot in under_way
            at.append(under_way.index(slot) if begun else len(under_way) + number)
        kept = [number for number, slot in enumerate(here) if slot in going_on]
        return _Step(others, at, kept, tuple([self._roots[slot] for slot in here]))

    def _go_on(self, ways: dict[_State, int], step: _Step, check: Callable[[], None]) -> dict[_State, int]:
        """Return the ways after a step."""
        others, at, kept, roots = step
        after: dict[_State, int] = {}
        for done, (state, number) in enumerate(ways.items()):
            if done % STATES_BETWEEN_LOOKS == 0:
                check()
            rest = tuple([state[index] for index in others])
            numbers = state + roots
            follows = [self._follows[numbers[index]] for index in at]
            for letter in follows[0]:
                if letter in follows[-1]:  # in one slot, or in both slots of a crossing
                    new = rest + tuple([follows[which][letter] for which in kept])
                    after[new] = after.get(new, 0) + number
            if len(after) > MAX_STATES:
                break
        return after


WORTHWHILE_S = 0.25
"""Seconds of search after which the engine tries to count by states instead."""

CUBES_A_WORKER = 16
"""The least number of cubes per worker: enough that all workers end at about the same time."""

CUBES_A_JOURNAL = 256
"""The least number of cubes with a journal: enough that a crash loses only a small part of the work."""


class LettersEngine:
    """Row by row; complete: finds all fills in lexicographic order, counts them, proves that no fill exists.

    Rows are filled in reading order. Each tries its words in alphabetical order; a word must leave each column the
    beginning of a word and each row below some word. So fills come in lexicographic order of their letters in reading
    order, or with `reverse` of their letters from the last cell to the first: the last cell varies slowest, and words
    are read from their ends. The nodes of a search are the words placed across; a cell in no slot across counts as a
    word. With a journal (`resume`), fills are reported when their cube is finished, so the first may take a while. If
    the reflection of every fill is a fill, a count searches for one of the two.
    """

    name: ClassVar[str] = "letters"
    features: ClassVar[frozenset[Feature]] = frozenset({Feature.SATISFY, Feature.ENUMERATE})

    def __init__(
        self,
        *,
        reverse: bool = REVERSE.default,
        resume: str | os.PathLike[str] | None = RESUME.default,
        scheduler: str | None = SCHEDULER.default,
        trace: bool = TRACE.default,
    ) -> None:
        if trace and not (resume is None and scheduler is None):
            raise expected("trace alone, or resume and scheduler", say("both"))
        load_kernel(KERNEL)
        self.trace = trace
        self.reverse = reverse
        self.resume = None if resume is None else os.fspath(resume)
        self.cluster: Cluster | None = None
        if scheduler is not None:
            from cpfill.engines.cluster import Cluster

            self.cluster = Cluster(scheduler)

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search; the contract is in `cpfill.engines.contract`."""
        return self._run(problem, limits, keep=True)

    def count(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Count the fills: like `search`, but reports no fill; `counted` of the events is the number.

        If words may repeat and few slots are open at once, counts without a search; see `count_by_states`.
        """
        return self._run(problem, limits, keep=False)

    def _run(self, problem: Problem, limits: Limits, *, keep: bool) -> Generator[Event]:
        require_features(self, problem, limits)
        if self.cluster and limits.workers > 1:
            found = say("{workers} workers and a scheduler", workers=limits.workers)
            raise expected("several workers here or a scheduler", found)

        def work(control: Control) -> Finished:
            if self.trace and keep:
                from cpfill.engines.letters.trace import TracedLetters

                return TracedLetters(problem, control, reverse=self.reverse).work()
            return _LettersSearch(self, problem, control, keep=keep).work()

        return run_in_thread(self.name, limits, work)


class _LettersSearch:
    """Searches one problem with the kernel."""

    def __init__(self, engine: LettersEngine, problem: Problem, control: Control, *, keep: bool) -> None:
        self._engine = engine
        self._problem = problem
        self._control = control
        self._limits = control.limits
        self._keep = keep  # if false, only count
        self._nodes = 0
        self._counted: int | None = None if keep else 0
        self._build_s = 0.0
        self._connection: Connection | None = None
        self._cubes_left = 0
        self._proof = "row-by-row search"

    def work(self) -> Finished:
        """Run the search; the events go to the control."""
        try:
            require_words(self._problem.domains)
            self._search()
        except Wipeout as wipeout:
            return self._finish("node consistency", wipeout.slot)
        except Stopped as stop:
            return Finished(stop.reason, stats=self._stats(), counted=self._counted)
        assert not self._cubes_left, "there is more"
        return self._finish(self._proof)

    def _finish(self, proof: str, wipeout: SlotId | None = None) -> Finished:
        return Finished(StopReason.EXHAUSTED, proof, wipeout, self._stats(), self._counted)

    def _search(self) -> None:
        engine = self._engine
        spec = LettersSpec.of(self._problem, reverse=engine.reverse, halved=not self._keep)
        self._decoder = FillDecoder(self._problem, reverse=engine.reverse)
        kernel = spec.make_kernel()
        self._build_s = self._control.deadline.elapsed_s
        if engine.cluster is None:
            self._search_with(spec, kernel)
            return
        with engine.cluster.connect(self._control.check) as connection:
            self._connection = connection
            self._search_with(spec, kernel)

    def _search_with(self, spec: LettersSpec, kernel: Kernel) -> None:
        engine = self._engine
        if engine.resume is not None:
            known = identify_search(self._problem, reverse=engine.reverse, keep=self._keep)
            with Journal(engine.resume, known, spec.cells) as journal:
                self._resume(journal, spec, kernel)
            return
        if not self._keep and self._limits.nodes is None and self._count_by_states(spec, kernel):
            return
        depth = self._choose_depth(spec, kernel, 1)
        cubes, self._nodes = list_cubes(kernel, depth, self._control.check)
        fills = self._limits.fills or UNLIMITED
        with closing(self._search_cubes(spec, kernel, cubes, fills=fills, ordered=self._keep)) as parts:
            for part in parts:
                self._count(part.fills)
                self._tell(self._decoder.decode(part.texts))

    def _choose_depth(self, spec: LettersSpec, kernel: Kernel, enough: int) -> int:
        """Return a depth that gives `enough` cubes or more, depending on the searching threads or workers."""
        workers = self._limits.workers
        check = self._control.check
        if self._connection:
            return choose_brief_depth(kernel, spec.cells, max(enough, CUBES_A_CLUSTER), check)
        if workers > 1:
            enough = max(enough, workers * CUBES_A_WORKER)
        return choose_depth(kernel, spec.cells, enough, check)

    def _count_by_states(self, spec: LettersSpec, kernel: Kernel) -> bool:
        """Count by states if words may repeat and a search would take long; return whether that succeeded."""
        if not may_count_by_states(self._problem):
            return False
        kernel.start(b"", spec.cells, False)
        end_s = self._control.deadline.elapsed_s + WORTHWHILE_S
        while self._control.deadline.elapsed_s < end_s:
            if kernel.step(SLICE_S, UNLIMITED, UNLIMITED):
                return False  # the search is short and soon repeated
            self._control.check()
        fills = count_by_states(self._problem, self._control.check)
        if fills is None:
            return False
        self._proof = "a count by states"
        self._count(fills)
        return True

    def _resume(self, journal: Journal, spec: LettersSpec, kernel: Kernel) -> None:
        """Search the cubes that the journal lacks, and report or count all cubes from the journal."""
        depth = journal.depth
        check = self._control.check
        if depth is None:
            depth = self._choose_depth(spec, kernel, CUBES_A_JOURNAL)
        cubes, self._nodes = list_cubes(kernel, depth, check)
        journal.begin(depth, len(cubes))
        todo = [cube for cube in cubes if cube.number not in journal]
        self._count(journal.fills)
        told = self._replay(journal, 0)
        fills: Counter[int] = Counter()  # by cube under search; its texts follow
        texts: dict[int, bytearray] = defaultdict(bytearray)
        with closing(self._search_cubes(spec, kernel, todo, fills=UNLIMITED, ordered=False)) as parts:
            for part in parts:
                fills[part.cube] += part.fills
                texts[part.cube] += part.texts
                journal.check_room(len(texts[part.cube]))
                if part.done:
                    letters = None
                    text = bytes(texts.pop(part.cube))
                    if self._keep:
                        letters = self._decoder.decode(text)
                    journal.record(part.cube, fills.pop(part.cube), letters)
                    told = self._replay(journal, told)
                journal.sync()
                self._count(part.fills)

    def _replay(self, journal: Journal, cube: int) -> int:
        """Report the fills of this cube and its successors, as far as the journal has them; return the next cube."""
        while self._keep and cube in journal:
            try:
                self._tell(journal.read_letters(cube))
            except KeyError as exc:
                wanted = say("cube {cube} to have words of the lexicon", cube=cube)
                raise journal.make_fault(wanted, str(exc.args[0])) from None
            cube += 1
        return cube

    def _search_cubes(
        self, spec: LettersSpec, kernel: Kernel, cubes: Sequence[Cube], *, fills: int, ordered: bool
    ) -> Generator[CubeSlice]:
        """Yield the parts of cubes, searched in this thread or by several workers."""
        self._cubes_left = len(cubes)
        self._check()
        workers = self._limits.workers
        if self._connection:
            searcher = CubeSearcher(spec, self._keep, fills)
            yield from search_on_cluster(
                self._connection, searcher, cubes, ordered=ordered, add=self._add, check=self._check
            )
            return
        if workers > 1:
            yield from search_in_threads(
                spec, cubes, workers, keep=self._keep, ordered=ordered, add=self._add, check=self._check
            )
            return
        for cube in cubes:
            nodes = UNLIMITED
            if self._limits.nodes is not None:
                nodes = self._limits.nodes - self._nodes
            for part in search_cube(kernel, cube, spec.cells, self._keep, nodes, fills):
                self._add(part)
                yield part
                self._check()

    def _add(self, part: CubeSlice) -> None:
        """Add the nodes of a part."""
        self._nodes += part.nodes
        self._cubes_left -= part.done
        self._control.progress = Progress("search", self._stats(), self._counted)

    def _check(self) -> None:
        """Check the limits.

        Raises:
            Stopped: a limit is reached, or the stream was closed.
        """
        if self._limits.nodes is not None and self._nodes >= self._limits.nodes and self._cubes_left:
            raise Stopped(StopReason.NODES)
        self._control.check()

    def _tell(self, letters: str) -> None:
        """Report fills, given their letters one fill after another."""
        for text in self._decoder.split(letters):
            words = self._decoder.find_words(text)
            self._control.report_fill(Fill.of_words(self._problem, words), self._problem.score(words))

    def _count(self, fills: int) -> None:
        """Count fills that are not reported.

        Raises:
            Stopped: the requested number is reached.
        """
        if self._counted is None:
            return
        self._counted += fills
        if self._limits.fills is not None and self._counted >= self._limits.fills:
            self._counted = self._limits.fills
            raise Stopped(StopReason.FILLS)

    def _stats(self) -> Stats:
        search_s = max(0.0, self._control.deadline.elapsed_s - self._build_s)
        return Stats(self._nodes, build_s=self._build_s, search_s=search_s)
