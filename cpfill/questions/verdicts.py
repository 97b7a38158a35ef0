"""Questions with verdicts: the words of a slot, the letters of cells, the best fill with a word."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.base.errors import COUNT, NODES, Range
from cpfill.base.reading import (
    TEXT,
    TEXTS,
    Field,
    asked,
    asked_number,
    asked_time,
    name_reader,
    number_reader,
    read_flag,
    wrong,
)
from cpfill.base.texts import later, say
from cpfill.engines.audited import settle
from cpfill.formats.registry import read_letters
from cpfill.problem.fill import Fill
from cpfill.problem.result import Deadline, Limits
from cpfill.puzzle.grid import find_cell, find_slot
from cpfill.questions.candidates import QUESTION_NODES, Verdict
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import rows_of

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.grid import CellId
    from cpfill.questions.candidates import Candidate, Candidates, CellLetters, Dead
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import (
        BestRecord,
        DeadRecord,
        DoneRecord,
        FillableRecord,
        JudgedEnd,
        JudgedRecord,
        LettersOfCell,
        ListedWord,
        WordsListed,
    )
    from cpfill.questions.request import Request

LISTED = 200
"""How many words of a slot are listed at once by default."""

JUDGED = 100
"""How many words with a fill the page looks for by default."""


@dataclass(frozen=True, slots=True)
class ListedWords(Part):
    """The first words of a slot.

    Attributes:
        words: the words, in the order of a constructor.
        total: how many words arc consistency leaves the slot.
    """

    words: tuple[Candidate, ...]
    total: int

    @property
    def record(self) -> WordsListed:
        """The words as JSON; a word without a reason has three entries."""
        words: list[ListedWord] = []
        for each in self.words:
            row = each.word, _shorten(each.score), each.support
            words.append((*row, each.reason) if each.reason else row)
        return {"words": words, "total": self.total}


@dataclass(frozen=True, slots=True)
class Fillable(Part):
    """Whether there is a fill.

    Attributes:
        verdict: whether there is a fill.
        witness: a fill, if the verdict is yes.
        left: how many words arc consistency leaves each slot.
        accepted: own entries that no list has.
    """

    verdict: Verdict
    witness: Fill | None
    left: Mapping[str, int]
    accepted: tuple[str, ...]

    @classmethod
    def of(cls, state: Candidates) -> Fillable:
        """Return whether the problem of some candidates has a fill."""
        verdict, fill = state.judge()
        left = {slot.name: state.count_words(slot.id) for slot in state.problem.slots}
        return cls(verdict, fill, left, state.problem.accepted)

    @property
    def record(self) -> FillableRecord:
        """The verdict and the rest as JSON."""
        return {
            "fillable": _FILLABLE[self.verdict],
            "witness": rows_of(self.witness),
            "left": dict(self.left),
            "accepted": list(self.accepted),
        }


_FILLABLE = {Verdict.YES: True, Verdict.NO: False, Verdict.OPEN: None}


@dataclass(frozen=True, slots=True)
class DeadPart(Part):
    """The part of a grid that has no fill; words and letters of all other slots are judged without it."""

    problem: Problem
    dead: Dead

    @property
    def record(self) -> DeadRecord:
        """The part as JSON, and how many words propagation leaves each slot without it."""
        left = {slot.name: 0 for slot in self.problem.slots}
        rest = self.dead.rest
        if rest is not None:
            for slot in rest.problem.slots:
                left[slot.name] = rest.count_words(slot.id)
        return {"dead": list(self.dead.slots), "required": list(self.dead.required), "left": left}


@dataclass(frozen=True, slots=True)
class JudgedWord(Part):
    """A word of a slot with its verdict."""

    candidate: Candidate

    @property
    def record(self) -> JudgedRecord:
        """The word as JSON, with the fill that shows it."""
        word = self.candidate
        told: JudgedRecord = {
            "word": word.word,
            "score": _shorten(word.score),
            "support": word.support,
            "verdict": word.verdict,
            "witness": rows_of(word.witness),
        }
        if word.reason:
            told["reason"] = word.reason
        if word.weakest:
            text, score = word.weakest
            told["weakest"] = {"word": text, "score": _shorten(score)}
        return told


@dataclass(frozen=True, slots=True)
class JudgedLetters(Part):
    """The letters of a cell by their verdicts."""

    letters: CellLetters

    @property
    def record(self) -> LettersOfCell:
        """The letters as JSON; the cell is a number."""
        found = self.letters
        return {"cell": found.cell, "yes": found.yes, "no": found.no, "open": found.open, "forced": found.forced}


@dataclass(frozen=True, slots=True)
class JudgedAll(End):
    """How many words or letters have each verdict.

    Attributes:
        verdicts: the numbers, of all words or letters that were judged.
        accepted: own entries that no list has.
        refuted: whether there is proved to be no fill.
        interrupted: whether an interrupt cut the answer short.
    """

    verdicts: Counter[Verdict]
    accepted: tuple[str, ...]
    refuted: bool
    interrupted: bool

    @property
    def record(self) -> JudgedEnd:
        """The numbers and the own entries as JSON."""
        return {
            "done": True,
            "yes": self.verdicts[Verdict.YES],
            "no": self.verdicts[Verdict.NO],
            "open": self.verdicts[Verdict.OPEN],
            "accepted": list(self.accepted),
        }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Judging(Question):
    """A question for verdicts on words or letters.

    Attributes:
        overview: whether to say first whether a fill exists; for a slot, all its words are listed before that.
    """

    time_limit: float | None = asked_time(10.0, help="For all words and letters together.")
    node_limit: int = asked_number(NODES, QUESTION_NODES, help="For each single word or letter.", section="Limits")
    overview: bool = asked(Field(read_flag), default=False)
    near: tuple[str, ...] | None = asked(Field(TEXTS))
    """The rows of letters that fills keep as far as they can; they need not spell words."""

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return Limits(self.time_limit, self.node_limit, seed=self.seed, stop=self.stop)

    def _begin(self, desk: Desk, state: Candidates) -> None:
        """Start from known letters: those to keep to, or the fills of earlier questions.

        Raises:
            InputError: the rows are no grid of this size.
        """
        if self.near is None:
            desk.teach(state)
            return
        state.approach(Fill.of_grid(read_letters(self.near, state.problem.grid)))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Words(_Judging):
    """The words of a slot, which is given by its name.

    Attributes:
        listed: how many words an overview lists. After it the words that promise most are judged early, until `number`
            have a fill; of words without one only those that are listed come.
    """

    USUAL: ClassVar[dict[str, Any]] = {"overview": True, "number": JUDGED}

    slot: str = asked(Field(TEXT), "")
    number: int | None = asked_number(COUNT, short="-n", help="Only the first N words.", section="Goal")
    only: str | None = asked(
        Field(
            name_reader(later("a verdict"), Verdict),
            f"Leave out all but one of {', '.join(Verdict)}.",
            metavar="VERDICT",
        )
    )
    listed: int = asked(Field(number_reader(COUNT)), LISTED)

    def answer(self, desk: Desk) -> Generator[ListedWords | Fillable | DeadPart | JudgedWord | JudgedAll]:
        """Yield each word with its verdict, and a fill that shows it.

        If the grid has no fill, the dead part comes first, and words are judged without it.
        """
        problem = desk.pose(self.request, every=True)
        slot = find_slot(problem.grid, self.slot).name
        verdicts: Counter[Verdict] = Counter()
        listed: set[str] = set()
        dead: Dead | None = None
        finished = False
        with suppress(KeyboardInterrupt), desk.candidates(problem, self.limits) as state:
            if self.overview:
                yield self._list(state, slot, listed)
                self._begin(desk, state)
                yield Fillable.of(state)
            dead = state.find_dead()
            if dead is not None:
                yield DeadPart(problem, dead)
            rest = state.beside_dead(slot)
            if self.overview and rest is not state:
                yield self._list(rest, slot, listed)
                self._begin(desk, rest)
            for candidate in self._judge(rest, slot, verdicts):
                if self._shows(candidate, listed):
                    yield JudgedWord(candidate)
            finished = True
        refuted = dead is not None or (finished and self._refutes(verdicts))
        yield JudgedAll(verdicts, problem.accepted, refuted=refuted, interrupted=not finished)

    def _shows(self, candidate: Candidate, listed: Container[str]) -> bool:
        return not self.overview or candidate.verdict is Verdict.YES or candidate.word in listed

    def _refutes(self, verdicts: Counter[Verdict]) -> bool:
        """Return whether the verdicts are those of all words, and all no."""
        return self.number is None and not self.overview and not _may_fill(verdicts)

    def _judge(self, state: Candidates, slot: str, verdicts: Counter[Verdict]) -> Iterator[Candidate]:
        """Yield the words to show, each with its verdict; count the verdicts of all words that are judged."""
        shown = self._filter(state, slot, verdicts)
        return shown if self.overview else islice(shown, self.number)

    def _filter(self, state: Candidates, slot: str, verdicts: Counter[Verdict]) -> Iterator[Candidate]:
        place = find_slot(state.problem.grid, slot).id
        for candidate in state.judge_words(place, promising=self.overview):
            verdicts[candidate.verdict] += 1
            if self.only is None or candidate.verdict == self.only:
                yield candidate
            if self.overview and (state.is_over or verdicts[Verdict.YES] == self.number):
                return

    def _list(self, state: Candidates, name: str, listed: set[str]) -> ListedWords:
        """Return the first words of a slot, and note that they are listed."""
        slot = find_slot(state.problem.grid, name).id
        words = tuple(islice(state.list_words(slot), self.listed))
        listed.update(each.word for each in words)
        return ListedWords(words, state.count_words(slot))


def _may_fill(verdicts: Counter[Verdict]) -> bool:
    """Return whether a word or letter has a fill, or is undecided."""
    return bool(verdicts[Verdict.YES] or verdicts[Verdict.OPEN])


def _read_cells(name: str, value: object) -> tuple[int | str, ...]:
    if not isinstance(value, list | tuple):
        raise wrong(say("an array of cells"), name, value)
    return tuple(value)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Letters(_Judging):
    """The letters of cells, given by their numbers or names; by default of every cell that is in a slot."""

    USUAL: ClassVar[dict[str, Any]] = {"overview": True}

    cells: tuple[int | str, ...] | None = asked(Field(_read_cells))

    def answer(self, desk: Desk) -> Generator[Fillable | DeadPart | JudgedLetters | JudgedAll]:
        """Yield each cell with its letters by their verdicts.

        If the grid has no fill, the dead part comes first, and letters are judged without it.
        """
        problem = desk.pose(self.request, every=True)
        verdicts: Counter[Verdict] = Counter()
        dead: Dead | None = None
        finished = False
        with suppress(KeyboardInterrupt), desk.candidates(problem, self.limits) as state:
            cells = self._find_cells(state)
            if self.overview:
                self._begin(desk, state)
                yield Fillable.of(state)
            dead = state.find_dead()
            if dead is not None:
                yield DeadPart(problem, dead)
            for cell in cells:
                letters = _judge_cell(state, dead, cell)
                verdicts.update({verdict: len(each) for verdict, each in letters.by_verdict.items()})
                yield JudgedLetters(letters)
            finished = True
        refuted = dead is not None or (finished and self.cells != () and not _may_fill(verdicts))
        yield JudgedAll(verdicts, problem.accepted, refuted=refuted, interrupted=not finished)

    def _find_cells(self, state: Candidates) -> list[CellId]:
        if self.cells is None:
            return state.list_cells()
        grid = state.problem.grid
        within = Range(0, len(grid.cells) - 1, later("the number of a cell"))
        cells: list[CellId] = []
        for cell in self.cells:
            if isinstance(cell, str):
                cells.append(find_cell(grid, cell))
            else:
                within.check(cell, "cells")
                cells.append(cell)
        return cells


def _judge_cell(state: Candidates, dead: Dead | None, cell: CellId) -> CellLetters:
    """Return the letters of a cell, judged without the part that is dead if the cell is in another slot."""
    judging = state
    if dead is not None and dead.rest is not None and cell in dead.rest.problem.grid.slots_at:
        judging = dead.rest
    (letters,) = judging.judge_letters([cell])
    return letters


@dataclass(frozen=True, slots=True)
class RatedWord(Part):
    """A word of a slot, and how good a fill with it can be.

    Attributes:
        word: the word.
        value: the minimum score of a fill with it.
        bound: no fill with it has a minimum score of `bound` + 1.
    """

    word: str
    value: int
    bound: int

    @property
    def record(self) -> BestRecord:
        """The word and its value as JSON."""
        return {"word": self.word, "value": self.value, "bound": self.bound}


@dataclass(frozen=True, slots=True)
class RatedAll(End):
    """The end of the ratings.

    Attributes:
        refuted: whether there is proved to be no fill; words are then rated without the dead part.
        interrupted: whether an interrupt cut the answer short.
    """

    refuted: bool
    interrupted: bool

    @property
    def record(self) -> DoneRecord:
        """The end as JSON."""
        return {"done": True}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Best(Question):
    """How good a fill with each of some words in a slot can be: its best minimum score, by halving.

    Attributes:
        slot: the name of the slot.
        words: the words; by default those that arc consistency leaves, or the first `number` of them. They share the
            time equally; the time that a word leaves is shared by the words after it.
        node_limit: the nodes for finding the part that has no fill.
    """

    slot: str = asked(Field(TEXT), "")
    words: tuple[str, ...] | None = asked(Field(TEXTS))
    number: int | None = asked_number(COUNT, help="")
    node_limit: int = asked_number(NODES, QUESTION_NODES, help="")

    def answer(self, desk: Desk) -> Generator[DeadPart | RatedWord | RatedAll]:
        """Yield each word that has a fill, rated.

        Entries given whole do not count, because they are exempt from the minimum score. If the grid has no fill, the
        dead part comes first, and words are rated without it.
        """
        deadline = Deadline(self.time_limit, self.stop)
        problem = desk.pose(self.request, every=True)
        slot = find_slot(problem.grid, self.slot).name
        dead: Dead | None = None
        finished = False
        with suppress(KeyboardInterrupt):
            with desk.candidates(problem, replace(self.limits, nodes=self.node_limit)) as state:
                dead = state.find_dead()
                judging = state.beside_dead(slot)
                words = self._list_words(judging, slot)
            if dead is not None:
                yield DeadPart(problem, dead)
            request = self.request
            if dead is not None and judging is not state:
                request = _drop_dead(request, dead)
            for at, word in enumerate(words):
                rated = self._rate(desk, request, word, deadline.share(1 / (len(words) - at)))
                if rated is not None:
                    yield rated
            finished = True
        yield RatedAll(refuted=dead is not None, interrupted=not finished)

    def _list_words(self, state: Candidates, slot: str) -> Sequence[str]:
        """Return the words to rate."""
        if self.words is not None:
            return self.words
        listed = state.list_words(find_slot(state.problem.grid, slot).id)
        return [each.word for each in islice(listed, self.number)]

    def _rate(self, desk: Desk, request: Request, word: str, share: Deadline) -> RatedWord | None:
        """Return how good a fill with a word can be; `None` without a known fill."""
        low = math.floor(request.min_score)
        high = low
        found = desk.pose(request, every=True).lexicon.find(word)
        if found is not None:
            high = max(low, math.floor(found[0]))
        if share.passed or self._fill(desk, request, word, low, share).fill is None:
            return None
        while low < high and not share.passed:
            level = (low + high + 1) // 2
            result = self._fill(desk, request, word, level, share)
            if result.fill is not None:
                low = level
            elif result.status.refuted:
                high = level - 1
            else:
                break
        return RatedWord(word, low, high)

    def _fill(self, desk: Desk, request: Request, word: str, level: int, share: Deadline) -> SolveResult:
        """Return the result of a search for a fill with a word in the slot, where all words score a level or more."""
        least = max(float(level), request.min_score)
        problem = desk.pose(replace(request, min_score=least), every=True)
        slot = find_slot(problem.grid, self.slot)
        narrowed = {**problem.narrowed, (slot.direction, slot.cells[0]): frozenset({word})}
        return settle(replace(problem, narrowed=narrowed), limits=replace(self.limits, time_s=share.time_s))


def _drop_dead(request: Request, dead: Dead) -> Request:
    """Return a request without the part that is dead."""
    required = [word for word in request.require if request.alphabet.word(word) not in dead.required]
    return replace(request, open=(*request.open, *dead.slots), require=tuple(required))


def _shorten(score: float) -> float:
    """Return a score as an int if it is a whole number."""
    return int(score) if score.is_integer() else score
