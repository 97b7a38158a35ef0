"""Questions with verdicts: words of a slot, letters of cells, the best fill with a word, the rules a fill breaks."""

from __future__ import annotations

import math
import re
from collections import Counter
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
from cpfill.problem.check import violations
from cpfill.problem.problem import Fill
from cpfill.problem.result import Deadline, Limits
from cpfill.puzzle.grid import find_cell, find_slot
from cpfill.questions.candidates import QUESTION_NODES, Verdict
from cpfill.questions.question import Question
from cpfill.questions.records import audit_record, rows_of
from cpfill.questions.request import read_letters

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.candidates import Candidate, Candidates, CellLetters, Dead
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import (
        AuditRecord,
        BestRecord,
        DeadRecord,
        DoneRecord,
        FillableRecord,
        JudgedRecord,
        LettersOfCell,
        ListedWord,
        Remark,
        WordRecord,
        WordsEnd,
        WordsListed,
    )
    from cpfill.questions.request import Request

LISTED = 200
"""How many words of a slot are listed at once, if nothing else is asked."""

JUDGED = 100
"""How many words with a fill are sought, if nothing else is asked."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Judging(Question):
    """What both questions have.

    Attributes:
        overview: whether to say first whether a fill exists; for a slot, all its words are listed before that.
    """

    time_limit: float | None = asked_time(10.0, help="For all words and letters together.")
    node_limit: int = asked_number(NODES, QUESTION_NODES, help="For each single word or letter.", section="Limits")
    overview: bool = asked(Field(read_flag), default=False)
    near: tuple[str, ...] | None = asked(Field(TEXTS))
    """The rows of letters of which fills keep what they can; they need be no words."""

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return Limits(self.time_limit, self.node_limit, seed=self.seed, stop=self.stop)

    def begin(self, desk: Desk, state: Candidates) -> None:
        """Bring to mind what is known: the letters to keep to, or the fills of earlier questions.

        Raises:
            InputError: the rows are no grid of this size.
        """
        if self.near is None:
            desk.teach(state)
            return
        state.approach(read_letters(self.near, state.problem.grid))


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

    def judge(self, state: Candidates, verdicts: Counter[Verdict]) -> Iterator[Candidate]:
        """Yield the words to show, each with its verdict; count the verdicts of all words that were judged.

        Where there is no fill, they are judged without the part that is dead.
        """
        return islice(self._filter(state, verdicts), None if self.overview else self.number)

    def _filter(self, whole: Candidates, verdicts: Counter[Verdict]) -> Iterator[Candidate]:
        slot = find_slot(whole.problem.grid, self.slot).name
        state = whole.beside_dead(slot)
        for candidate in state.judge_words(find_slot(state.problem.grid, slot).id, promising=self.overview):
            verdicts[candidate.verdict] += 1
            if self.only is None or candidate.verdict == self.only:
                yield candidate
            if self.overview and (state.is_over or verdicts[Verdict.YES] == self.number):
                return

    def records(self, desk: Desk) -> Generator[WordsListed | FillableRecord | DeadRecord | JudgedRecord | WordsEnd]:
        """Yield each word with its verdict, and a fill that shows it."""
        problem = desk.pose(self.request, every=True)
        slot = find_slot(problem.grid, self.slot).name
        verdicts: Counter[Verdict] = Counter()
        with desk.candidates(problem, self.limits) as state:
            listed: set[str] = set()
            if self.overview:
                yield self._list(state, slot, listed)
                self.begin(desk, state)
                yield fillable_record(state)
            if (dead := state.find_dead()) is not None:
                yield dead_record(problem, dead)
            if self.overview and (rest := state.beside_dead(slot)) is not state:
                yield self._list(rest, slot, listed)
                self.begin(desk, rest)
            for candidate in self.judge(state, verdicts):
                if self.overview and candidate.verdict is not Verdict.YES and candidate.word not in listed:
                    continue
                yield {**candidate_record(candidate), "witness": rows_of(candidate.witness)}
        yes, no, undecided = (verdicts[verdict] for verdict in Verdict)
        yield {"done": True, "yes": yes, "no": no, "open": undecided, "accepted": list(problem.accepted)}

    def _list(self, state: Candidates, name: str, listed: set[str]) -> WordsListed:
        """Return the first words of a slot, and note that they are listed."""
        slot = find_slot(state.problem.grid, name).id
        words: list[ListedWord] = [
            (word, whole_score(score), reason)
            if (reason := state.find_reason(slot, word, score))
            else (word, whole_score(score))
            for word, score in islice(state.list_words(slot), self.listed)
        ]
        listed.update(word for word, *_ in words)
        return {"words": words, "total": state.count_words(slot)}


def _read_cells(name: str, value: object) -> tuple[int | str, ...]:
    if not isinstance(value, list | tuple):
        raise wrong(say("an array of cells"), name, value)
    return tuple(value)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Letters(_Judging):
    """The letters of cells, given by their numbers or names; by default of every cell that is in a slot."""

    USUAL: ClassVar[dict[str, Any]] = {"overview": True}

    cells: tuple[int | str, ...] | None = asked(Field(_read_cells))

    def judge(self, state: Candidates) -> Iterator[CellLetters]:
        """Yield the letters of each cell by their verdicts, where there is no fill without the part that is dead."""
        cells = state.list_cells() if self.cells is None else self._find_cells(state.problem.grid)
        return self._judge_each(state, cells)

    @staticmethod
    def _judge_each(state: Candidates, cells: Iterable[CellId]) -> Iterator[CellLetters]:
        dead = state.find_dead()
        rest = state if dead is None or dead.rest is None else dead.rest
        for cell in cells:
            judging = rest if cell in rest.problem.grid.slots_at else state
            yield from judging.judge_letters([cell])

    def _find_cells(self, grid: Grid) -> list[CellId]:
        within = Range(0, len(grid.cells) - 1, later("the number of a cell"))
        cells: list[CellId] = []
        for cell in self.cells or ():
            if isinstance(cell, str):
                cells.append(find_cell(grid, cell))
            else:
                within.check(cell, "cells")
                cells.append(cell)
        return cells

    def records(self, desk: Desk) -> Generator[FillableRecord | DeadRecord | LettersOfCell | DoneRecord]:
        """Yield each cell with its letters by their verdicts."""
        problem = desk.pose(self.request, every=True)
        with desk.candidates(problem, self.limits) as state:
            judged = self.judge(state)
            if self.overview:
                self.begin(desk, state)
                yield fillable_record(state)
            if (dead := state.find_dead()) is not None:
                yield dead_record(problem, dead)
            for letters in judged:
                yield letters_record(letters.cell, letters)
        yield {"done": True}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Best(Question):
    """How good a fill with each of some words in a slot can be: its best minimum score, by halving.

    Attributes:
        slot: the name of the slot.
        words: the words; by default those that arc consistency leaves, or the first `number` of them. They share the
            time equally, and what one leaves goes to those after it.
    """

    slot: str = asked(Field(TEXT), "")
    words: tuple[str, ...] | None = asked(Field(TEXTS))
    number: int | None = asked_number(COUNT, help="")

    def records(self, desk: Desk) -> Generator[BestRecord | DoneRecord]:
        """Yield each word, rated."""
        yield from self.rate(desk)
        yield {"done": True}

    def rate(self, desk: Desk) -> Generator[BestRecord]:
        """Yield each word with its `value`, which a fill reaches, and its `bound`: none reaches `bound` + 1.

        Entries given whole do not count, because they are exempt from the minimum score. A word without a known fill is
        passed over.
        """
        deadline = Deadline(self.time_limit, self.stop)
        request, words = self._prepare(desk)
        for at, word in enumerate(words):
            share = Deadline(None if deadline.time_s is None else deadline.time_s / (len(words) - at))
            found = desk.pose(request, every=True).lexicon.find(word)
            low = math.floor(request.min_score)
            high = low if found is None else max(low, math.floor(found[0]))
            reached: int | None = None
            while (reached is None or low < high) and not share.passed:
                level = low if reached is None else (low + high + 1) // 2
                least = max(float(level), request.min_score)
                problem = desk.pose(replace(request, min_score=least), every=True)
                slot = find_slot(problem.grid, self.slot)
                narrowed = {**problem.narrowed, (slot.direction, slot.cells[0]): frozenset({word})}
                limits = replace(self.limits, time_s=share.time_s)
                result = settle(replace(problem, narrowed=narrowed), limits=limits)
                if result.fill is not None:
                    reached = low = level
                elif reached is not None and result.status.refuted:
                    high = level - 1
                else:
                    break
            if reached is not None:
                yield {"word": word, "value": reached, "bound": high}

    def _prepare(self, desk: Desk) -> tuple[Request, Sequence[str]]:
        """Return what is asked, without the part that is dead where there is no fill, and the words to rate."""
        request, problem = self.request, desk.pose(self.request, every=True)
        slot = find_slot(problem.grid, self.slot).name
        with desk.candidates(problem, self.limits) as state:
            dead, judging = state.find_dead(), state.beside_dead(slot)
            listed = judging.list_words(find_slot(judging.problem.grid, slot).id)
            words = [word for word, _ in islice(listed, self.number)] if self.words is None else self.words
        if judging is not state and dead is not None:
            required = [word for word in request.require if request.alphabet.word(word) not in dead.required]
            request = replace(request, open=(*request.open, *dead.slots), require=tuple(required))
        return request, words


_ENUMERATION = re.compile(r"\((\d{1,2}(?:[\s,.'\u2019/-]{1,3}\d{1,2}){0,20})\)\s*")
"""The lengths of the words of an answer, at the end of its clue."""


def find_remarks(puzzle: Puzzle | None) -> list[Remark]:
    """Return where the lengths at the end of a clue are not those of its answer; no rule of a fill knows of them."""
    if puzzle is None:
        return []
    remarks: list[Remark] = []
    for slot in puzzle.slots:
        text = puzzle.clue(slot)
        match = _ENUMERATION.fullmatch(text[text.rfind("(") :]) if "(" in text else None
        if match is None:
            continue
        said = sum(map(int, re.findall(r"\d+", match[1])))
        linked = puzzle.split_linked((slot.direction, slot.number))
        slots = [slot, *(puzzle.slot_of[child] for child in linked.children)] if linked else [slot]
        letters = sum(len(puzzle.answer(each)) for each in slots)
        if said not in {letters, sum(each.length for each in slots)}:  # of a rebus cell one letter, or all
            told = say("the clue says ({said}), its answer has {letters} letters", said=match[1], letters=letters)
            remarks.append({"detail": told, "at": [each.name for each in slots]})
    return remarks


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Check(Question):
    """Which rules the letters of a grid break, or what the fill is worth.

    Only locked entries and required words are own entries.
    """

    def records(self, desk: Desk) -> Generator[AuditRecord | DoneRecord]:
        """Yield the audit, and remarks on the clues."""
        problem = desk.pose(self.request, every=True, locked=self.request.locked)
        fill = Fill.of_grid(problem.grid)
        remarks = find_remarks(self.request.templates()[0].puzzle)
        yield audit_record(problem, fill, violations(problem, fill), remarks)
        yield {"done": True}


def fillable_record(state: Candidates) -> FillableRecord:
    """Return as JSON whether there is a fill, one if there is, how many words each slot has left, and own entries."""
    verdict, fill = state.judge()
    left = {slot.name: state.count_words(slot.id) for slot in state.problem.slots}
    accepted = list(state.problem.accepted)
    return {"fillable": _FILLABLE[verdict], "witness": rows_of(fill), "left": left, "accepted": accepted}


def dead_record(problem: Problem, dead: Dead) -> DeadRecord:
    """Return the part that is dead as JSON, and how many words propagation leaves each slot without it."""
    rest = dead.rest
    left = dict.fromkeys((slot.name for slot in problem.slots), 0)
    if rest is not None:
        left |= {slot.name: rest.count_words(slot.id) for slot in rest.problem.slots}
    return {"dead": list(dead.slots), "required": list(dead.required), "left": left}


_FILLABLE = {Verdict.YES: True, Verdict.NO: False, Verdict.OPEN: None}


def candidate_record(candidate: Candidate) -> WordRecord:
    """Return a word with its verdict as JSON, without its witness."""
    told: WordRecord = {
        "word": candidate.word,
        "score": whole_score(candidate.score),
        "verdict": candidate.verdict,
    }
    return {**told, "reason": candidate.reason} if candidate.reason else told


def letters_record(cell: int, letters: CellLetters) -> LettersOfCell:
    """Return the letters of a cell by their verdicts as JSON."""
    return {"cell": cell, "yes": letters.yes, "no": letters.no, "open": letters.open, "forced": letters.forced}


def whole_score(score: float) -> float:
    """Return a score as an int if it is a whole number."""
    return int(score) if score.is_integer() else score
