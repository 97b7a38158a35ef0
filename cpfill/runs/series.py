"""A series of puzzles in which no word stands twice.

Small grids are filled together: the least score of the whole series is raised, and for each score that is tried a
packing (`cpfill.runs.packing`) seeks fills for all of them. Large grids, and grids around themes, come one after
another, each as good as `generate` makes it. They are made in rounds: the puzzles of a round know the words of earlier
rounds alone, and of two with a common word the later is made again. So the series depends on the seed and on the
puzzles that exist, not on the number of processes or on when a run was stopped.

By counting, no series scores better than its `bound`: it needs n different words of a length, so its least score is at
most that of the n-th best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import chain
from math import inf
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import EngineError, expected
from cpfill.base.texts import say
from cpfill.design.grids import add_words, generate
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.requirements import require_probing
from cpfill.problem.problem import Problem
from cpfill.problem.result import Limits
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.generate import FoundGrid, Generate
from cpfill.questions.question import Desk
from cpfill.runs.packing import SHELF, Packing
from cpfill.runs.tasks import Record, Task
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from cpfill.design import Demands
    from cpfill.puzzle.grid import Grid
    from cpfill.words.lexicon import Lexicon

Run = Callable[[Iterable[Task]], Generator[Record]]
"""Carries out tasks, and yields the record of each as it is done."""

MINI = 100
"""The most cells of a grid that is filled together with the others of its series."""

PATTERNS = 40
"""The most patterns of a series of small grids."""

WEEK = 7
"""Fewer patterns than this would look alike."""

LEAST_FILLS = 5.0
"""log10 of the fills of strong words that a pattern should have, because it has to be filled many times."""

ROUND = 8
"""Puzzles made at a time. Few of so many have a word in common; more puzzles would keep more processes busy."""

HARDNESS = (0, 1, 2, 3, 4, 5, 3)
"""How hard the puzzle of each weekday is, Monday first, if asked: Sunday's is as hard as Thursday's, only larger."""


class Made(NamedTuple):
    """A puzzle of a series, by its number from 0."""

    number: int
    puzzle: Puzzle


class LeastTried(NamedTuple):
    """A least score that was tried for the whole series, and whether all grids have fills with it."""

    least: float
    reached: bool


class Missed(NamedTuple):
    """A puzzle that was not found, and why if that is known."""

    number: int
    error: str


@dataclass(frozen=True)
class Series:
    """What is asked for.

    Attributes:
        question: the grids, the words and the seed.
        count: the number of puzzles.
        start: the date of the first; without one, puzzles are numbered from 1.
        harder: whether the puzzles of a week become harder by the day.
        themes: the seed words of each puzzle; none if there are no themes.
    """

    question: Generate
    count: int
    start: date | None = None
    harder: bool = False
    themes: Sequence[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if self.themes and len(self.themes) < self.count:
            raise expected("a theme for each of {n} puzzles", str(len(self.themes)), n=self.count)
        if self.start is not None and self.start.toordinal() + self.count > date.max.toordinal():
            raise expected("days before the year 10000", str(self.count))
        self._check_harder()
        again = [word for word, times in Counter(self.theme_words).items() if times > 1]
        if again:
            raise expected("each theme word in one puzzle", say("{word} twice", word=again[0]))

    def _check_harder(self) -> None:
        if not self.harder:
            return
        if self.start is None:
            raise expected("--harder with --start, which tells the weekdays", say("no date"))
        if not self.together:
            raise expected(
                "--harder with grids of {most} cells at most and without themes", self.question.demands.size, most=MINI
            )

    @property
    def together(self) -> bool:
        """Whether the grids are filled together."""
        demands = self.question.demands
        return not self.themes and not demands.seed_words and demands.height * demands.width <= MINI

    @cached_property
    def names(self) -> list[str]:
        """The name of each puzzle: its date, or its number in as many digits as the last one has, three at least."""
        if self.start is None:
            width = max(3, len(str(self.count)))
            return [f"{number:0{width}}" for number in range(1, self.count + 1)]
        return [(self.start + timedelta(days=day)).isoformat() for day in range(self.count)]

    @property
    def theme_words(self) -> list[str]:
        """The folded seed words of all puzzles of the series."""
        words = chain.from_iterable(self.themes[: self.count])
        return list(map(self.question.request.alphabet.fold, words))

    def hardness(self, number: int) -> int | None:
        """Return how hard a puzzle is to be, from 0 to 5."""
        if not self.harder or self.start is None:
            return None
        return HARDNESS[(self.start + timedelta(days=number)).weekday()]


class Known(NamedTuple):
    """The words that no puzzle may have, and those of each puzzle that exists, by its number."""

    taken: frozenset[str]
    there: Mapping[int, frozenset[str]]


class Shortage(NamedTuple):
    """A length of which the series needs more words than there are."""

    length: int
    needed: int
    there: int


def find_bound(needed: Mapping[int, int], lexicon: Lexicon, least: float, taken: frozenset[str]) -> float | Shortage:
    """Return the score that the worst of so many different words of each length cannot exceed, or a shortage.

    Words that are taken, or score less than `least`, are not there.
    """
    bound = inf
    for length, number in sorted(needed.items()):
        table = lexicon.table(length)
        allowed = range(table.at_least(least).bit_count())
        free = [id_ for id_ in allowed if table.words[id_] not in taken]
        if len(free) < number:
            return Shortage(length, number, len(free))
        bound = min(bound, table.scores[free[number - 1]])
    return bound


def choose_patterns(series: Series, lexicon: Lexicon) -> list[Grid]:
    """Return the pattern of each small grid, or nothing if no grid exists: in turn, so that neighbours differ.

    Patterns with few fills of strong words are left out if there are others.
    """
    question, rules = series.question, series.question.request.rules
    demands, _ = add_words(question.demands, lexicon, rules)
    found = _find_patterns(demands, question.seed)
    if not found:
        return []
    strong = replace(rules, min_score=max(rules.min_score, LEAST[Band.STRONG]))
    engine = require_probing(make_engine(PROBING_ENGINE))
    fills = []
    for grid in found:
        probe = engine.probe(Problem(grid, lexicon, strong), 0)
        fills.append(probe.expect())
    rich = sum(each >= LEAST_FILLS for each in fills)
    ranked = sorted(range(len(found)), key=fills.__getitem__, reverse=True)
    patterns = list(map(found.__getitem__, ranked[: max(WEEK, rich)]))
    turns = _take_turns(patterns, series.count, Random(question.seed))  # noqa: S311 - variety
    return _sort_by_weekday(series, turns) if series.harder else turns


def _find_patterns(demands: Demands, seed: int) -> list[Grid]:
    """Return patterns with the usual number of blocks; if they are too few for a week, with fewer; at last any."""
    limits = Limits(fills=PATTERNS, seed=seed)
    if demands.blocks is not None or demands.draft is not None:
        return list(generate(demands, limits=limits))
    usual, every = demands.block_ranges
    found = list(generate(replace(demands, blocks=usual), limits=limits))
    if len(found) < WEEK:
        found = list(generate(replace(demands, blocks=(0, usual[1])), limits=limits))
    return found or list(generate(replace(demands, blocks=every), limits=limits))


def _take_turns(patterns: Sequence[Grid], count: int, chance: Random) -> list[Grid]:
    """Return `count` patterns: each comes again only after all others, and never next to itself."""
    turns: list[Grid] = []
    while len(turns) < count:
        turn = chance.sample(patterns, len(patterns))
        if turns and turn[0] == turns[-1]:
            turn.reverse()
        turns += turn
    return turns[:count]


def _sort_by_weekday(series: Series, grids: Sequence[Grid]) -> list[Grid]:
    """Return the grids with those of each week in another order: the harder the day, the longer its words."""
    assert series.start is not None
    weeks: dict[tuple[int, int], list[int]] = {}
    for number in range(series.count):
        year, week, _ = (series.start + timedelta(days=number)).isocalendar()
        weeks.setdefault((year, week), []).append(number)
    ordered = list(grids)
    for numbers in weeks.values():
        by_length = sorted(map(grids.__getitem__, numbers), key=_mean_length)
        hardest_last = sorted(numbers, key=lambda number: series.hardness(number) or 0)
        for number, grid in zip(hardest_last, by_length, strict=True):
            ordered[number] = grid
    for number in range(1, len(ordered) - 1):
        if ordered[number] == ordered[number - 1]:
            ordered[number : number + 2] = ordered[number + 1], ordered[number]
    return ordered


def _mean_length(grid: Grid) -> float:
    return fmean(slot.length for slot in grid.slots)


def make_together(
    series: Series, grids: Sequence[Grid], bound: float, known: Known, run: Run
) -> Generator[Made | LeastTried | Missed]:
    """Yield the small puzzles of these grids that do not exist, with the greatest least score that is found.

    No score above `bound` is tried.
    """
    hardness = tuple(map(series.hardness, range(series.count)))
    packing = Packing(series.question, tuple(grids), hardness, known.taken, 0.0)
    best = yield from _raise_least(packing, bound, run)
    used = known.taken.union(*known.there.values())
    for number, grid in enumerate(grids):
        if number in known.there:
            continue
        letters = best["fills"][number] if best else None
        puzzle = Puzzle.of_grid(grid, letters) if letters else None
        if puzzle is None or _words_of(puzzle, series) & used:  # a file was changed, or the series has become longer
            puzzle = _fill_alone(replace(packing, grids=(grid,), hardness=(None,), taken=used, least=0.0), bound)
        if puzzle is None:
            yield Missed(number, "")
            continue
        used |= _words_of(puzzle, series)
        yield Made(number, puzzle)


def _fill_alone(packing: Packing, bound: float) -> Puzzle | None:
    """Return one grid with as good a fill as scores alone tell."""
    levels = packing.levels(bound)
    best: Record | None = None
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        record = replace(packing, least=levels[middle]).answer(lambda: False)
        if record.get("fills"):
            best = record
            low = middle + 1
        else:
            high = middle
    return Puzzle.of_grid(packing.grids[0], best["fills"][0]) if best else None


def _raise_least(packing: Packing, bound: float, run: Run) -> Generator[LeastTried, None, Record | None]:
    """Return the packing with the greatest least score that is found: two scores are tried at a time."""
    levels = packing.levels(bound)
    low, high = -1, len(levels)
    best: Record | None = None
    while high - low > 1:
        third = (high - low) / 3
        tried = sorted({max(low + 1, int(low + third)), max(low + 1, int(low + 2 * third))})
        reached: dict[float, Record] = {}
        with closing(run(replace(packing, least=levels[at]) for at in tried)) as records:
            for record in records:
                if record.get("error"):
                    raise EngineError(record["error"])
                reached[record["id"]] = record
                yield LeastTried(record["id"], bool(record["fills"]))
        for at in tried:
            record = reached[levels[at]]
            if record["fills"]:
                low = at
                best = record
        high = min([high, *(at for at in tried if at > low)])
    return best


@dataclass(frozen=True)
class Single:
    """A task: one puzzle as `generate` makes it, without the words that are taken."""

    id: int
    question: Generate
    taken: frozenset[str]

    def answer(self, stopped: Callable[[], bool]) -> Record:
        """Return the puzzle, or why there is none."""
        request = self.question.request
        try:
            lexicon = request.lexicon(SHELF).without(self.taken)
            own = replace(request, words=lexicon, exclude=(), weighted=None, personal=None)
            with closing(replace(self.question, request=own).answer(Desk(SHELF))) as parts:
                for part in parts:
                    if isinstance(part, FoundGrid):
                        return {"id": self.id, "puzzle": part.puzzle, "error": ""}
                    if stopped():
                        break
        except Exception as error:  # noqa: BLE001 - the others go on
            return self.fail(error)
        return {"id": self.id, "puzzle": None, "error": ""}

    def fail(self, error: BaseException) -> Record:
        """Return the record of a task that failed."""
        return {"id": self.id, "puzzle": None, "error": str(error) or type(error).__name__}


def make_in_rounds(series: Series, known: Known, run: Run) -> Generator[Made | LeastTried | Missed]:
    """Yield the puzzles that do not exist, in order."""
    taken = known.taken
    there = dict(known.there)
    for first in range(0, series.count, ROUND):
        numbers = range(first, min(first + ROUND, series.count))
        before = taken.union(*(there[number] for number in range(first) if number in there))
        tasks = {number: _make_single(series, number, before) for number in numbers if number not in there}
        with closing(run(tasks.values())) as records:
            made = {record["id"]: record for record in records}
        for number in tasks:
            part = _take(series, made[number], taken.union(*there.values()), run)
            if isinstance(part, Made):
                there[number] = _words_of(part.puzzle, series)
            yield part


def _take(series: Series, record: Record, used: frozenset[str], run: Run) -> Made | Missed:
    """Return the puzzle of a record, or another one if its words are used.

    A puzzle that exists may be of a later round: it was changed by hand, or the series has become longer.
    """
    if record["puzzle"] and _words_of(record["puzzle"], series) & used:
        with closing(run([_make_single(series, record["id"], used)])) as records:
            (record,) = records
    if record["puzzle"] is None:
        return Missed(record["id"], record["error"])
    return Made(record["id"], record["puzzle"])


def _make_single(series: Series, number: int, taken: frozenset[str]) -> Single:
    """Return the task of a puzzle, which leaves the words of all other themes alone."""
    question = replace(series.question, seed=series.question.seed + number, filled=True)
    if not series.themes:
        return Single(number, question, taken)
    own = series.themes[number]
    fold = series.question.request.alphabet.fold
    others = frozenset(series.theme_words).difference(map(fold, own))
    return Single(number, replace(question, seed_words=own), taken | others)


def _words_of(puzzle: Puzzle, series: Series) -> frozenset[str]:
    return find_entries(puzzle, series.question)


def find_entries(puzzle: Puzzle, question: Generate) -> frozenset[str]:
    """Return the folded entries of a puzzle."""
    return puzzle.grid(question.request.alphabet, question.rules.min_slot_length).given_words
