"""The question for the rules that fills break, or for their values."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, GridError
from cpfill.base.reading import TEXTS, Field, asked, wrong
from cpfill.base.texts import say
from cpfill.formats.registry import Template, templates_of
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.questions.question import Done, Part, Question
from cpfill.questions.records import audit_record

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.problem.check import Violation
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import CellId, Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import AuditedRecord, Remark

_ENUMERATION = re.compile(r"\((\d{1,2}(?:[\s,.'\u2019/-]{1,3}\d{1,2}){0,20})\)\s*")
"""The lengths of the words of an answer, at the end of its clue."""


def find_remarks(puzzle: Puzzle | None) -> list[Remark]:
    """Return where the lengths at the end of a clue are not those of its answer; no rule of a fill knows of them."""
    remarks: list[Remark] = []
    if puzzle is not None:
        for slot in puzzle.slots:
            remarks += _compare_lengths(puzzle, slot)
    return remarks


def _compare_lengths(puzzle: Puzzle, slot: Slot) -> list[Remark]:
    """Return a remark if the lengths at the end of the clue of a slot are not those of its answer."""
    text = puzzle.clue(slot)
    _, bracket, lengths = text.rpartition("(")
    match = _ENUMERATION.fullmatch(bracket + lengths)
    if match is None:
        return []
    said = sum(map(int, re.findall(r"\d+", match[1])))
    linked = puzzle.split_linked((slot.direction, slot.number))
    slots = [slot]
    if linked:
        slots += [puzzle.slot_of[child] for child in linked.children]
    letters = sum(len(puzzle.answer(each)) for each in slots)
    cells = sum(each.length for each in slots)
    if said in {letters, cells}:  # of a rebus cell one letter, or all
        return []
    told = say("the clue says ({said}), its answer has {letters} letters", said=match[1], letters=letters)
    return [{"detail": told, "at": [each.name for each in slots]}]


@dataclass(frozen=True, slots=True)
class Audited(Part):
    """The audit of a fill.

    Attributes:
        number: the number of the fill, from 1.
        problem: the problem.
        fill: the fill.
        violations: the rules that it breaks.
        remarks: clues that tell another length than their answers have.
    """

    number: int
    problem: Problem
    fill: Fill
    violations: Sequence[Violation]
    remarks: list[Remark]

    @property
    def value(self) -> Value | None:
        """The value of the fill, if it breaks no rule."""
        return None if self.violations else self.fill.value(self.problem)

    @property
    def record(self) -> AuditedRecord:
        """The audit as JSON."""
        return {"fill": self.number, **audit_record(self.problem, self.fill, self.violations, self.remarks)}


def _read_fills(name: str, value: object) -> tuple[Template | tuple[str, ...], ...]:
    """Return fills, each as its rows, which are never the name of a file; a program may also give templates."""
    if not isinstance(value, list | tuple) or not value:
        raise wrong(say("an array of fills, each an array of its rows,"), name, value)
    return tuple(_read_fill(name, each) for each in value)


def _read_fill(name: str, value: object) -> Template | tuple[str, ...]:
    if isinstance(value, Template):
        return value
    rows: tuple[str, ...] = TEXTS(name, value)
    return rows


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Check(Question):
    """The rules that fills of a grid break, or their values.

    Attributes:
        fills: the fills; by default the letters of the grid itself, of which only locked entries and required words are
            own entries.
    """

    fills: tuple[Template | tuple[str, ...], ...] | None = asked(Field(_read_fills, option=list))

    def answer(self, desk: Desk) -> Generator[Audited | Done]:
        """Yield the audit of each fill, and remarks on its clues.

        Raises:
            GridError: a fill is not as large as the grid.
        """
        template = self.request.templates()[0]
        problem = self._pose(desk)
        finished = False
        with suppress(KeyboardInterrupt):
            for number, fill in enumerate(self._list_fills(template), start=1):
                _check_size(fill, problem)
                letters = Fill.of_grid(fill.grid)
                remarks = find_remarks(fill.puzzle or template.puzzle)
                yield Audited(number, problem, letters, violations(problem, letters), remarks)
            finished = True
        yield Done(interrupted=not finished)

    def _pose(self, desk: Desk) -> Problem:
        """Return the problem; its value is that of the theme if the grid can hold a word of it."""
        locked: frozenset[CellId] | None = None
        if self.fills is None:
            locked = self.request.locked
        problem = desk.pose(self.request, every=True, locked=locked)
        if any(map(problem.grid.can_hold, self.request.pool(desk.lists))):
            problem = desk.pose(self.request, locked=locked)
        return problem

    def _list_fills(self, template: Template) -> list[Template]:
        if self.fills is None:
            return [template]
        grid = template.grid
        length = grid.min_slot_length
        fills: list[Template] = []
        for each in self.fills:
            fills += templates_of(each, alphabet=grid.alphabet, min_slot_length=length, dialect="native")
        return fills


def _check_size(fill: Template, problem: Problem) -> None:
    """Raise unless a fill is as large as the grid."""
    grid = problem.grid
    if (fill.grid.height, fill.grid.width) != (grid.height, grid.width):
        wanted = say("a fill of {height} x {width} cells", height=grid.height, width=grid.width)
        raise GridError(Fault(path=fill.name, expected=wanted, got=f"{fill.grid.height} x {fill.grid.width}"))
