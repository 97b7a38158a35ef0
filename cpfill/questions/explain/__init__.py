"""Why a problem has no fill: a minimal conflict, the rules it depends on, and repairs of the grid, in sentences.

A conflict is a set of slots, givens and required words that cannot be satisfied together, any part of which can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from cpfill.base.reading import asked_time
from cpfill.base.texts import later, say
from cpfill.problem.problem import format_value
from cpfill.problem.result import Status
from cpfill.puzzle.grid import Direction
from cpfill.questions.explain.conflict import Constraint, Kind, collect_letters
from cpfill.questions.explain.explanation import Explanation, Repair, explain, explain_in_steps
from cpfill.questions.question import Question
from cpfill.questions.records import rows_of

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot, SlotId
    from cpfill.questions.explain.conflict import Conflict, Subset
    from cpfill.questions.explain.explanation import Ceiling
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import ElementRecord, ExplainEnd, ExplainRecord, ExplanationRecord, RepairRecord

__all__ = ["Explain", "Explanation", "Repair", "explain", "explain_in_steps", "tell"]

_AND, _OR = later("and"), later("or")

LISTED = 12
"""The most constraints that a sentence lists; beyond that it gives their number, and the drawing marks them."""


def tell_reason(explanation: Explanation) -> str:
    """Return a sentence that says why there is no fill, or that there is one; empty if neither is known."""
    words = _Wording(explanation.problem)
    if explanation.status is Status.SATISFIED:
        return say("There is a fill: nothing to explain.")
    if explanation.conflict is None:
        return ""
    return words.tell_reason(explanation.conflict.subset, explanation.lifted)


def tell(explanation: Explanation) -> list[str]:
    """Return all sentences: the reason, the repairs, the undecided questions."""
    words = _Wording(explanation.problem)
    said = [tell_reason(explanation)]
    if explanation.conflict is not None:
        said += words.tell_doubts(explanation.conflict)
        said += words.tell_repairs(explanation, explanation.conflict)
        if explanation.ceiling is not None:
            said += words.tell_ceiling(explanation.ceiling)
    return [sentence for sentence in said if sentence]


def tell_repair(problem: Problem, repair: Repair) -> str:
    """Return a sentence that says what helps, and how."""
    return _Wording(problem).tell_repair(repair)


def name_constraint(problem: Problem, constraint: Constraint) -> str:
    """Return the name of a constraint: `17-Across`, `R4C7 (Q)` or a required word."""
    kind, id_ = constraint
    if kind is Kind.SLOT:
        return problem.slots[id_].name
    if kind is Kind.REQUIRED:
        return sorted(problem.rules.required)[id_]
    members = problem.grid.alphabet.members(problem.grid.cells[id_])
    return f"{problem.grid.name_cell(id_)} ({members if len(members) == 1 else f'[{members}]'})"


def relax(problem: Problem, subset: Subset) -> Problem:
    """Return the problem with only the givens of a subset: its patterns and domains are those of the subset."""
    grid = problem.grid
    free = [
        cell if Constraint(Kind.GIVEN, at) in subset else cell and grid.alphabet.full
        for at, cell in enumerate(grid.cells)
    ]
    return replace(problem, grid=replace(grid, cells=tuple(free)))


@dataclass(frozen=True, slots=True)
class _Wording:
    """Sentences about a problem."""

    problem: Problem

    def tell_reason(self, subset: Subset, lifted: frozenset[str]) -> str:
        """Return why the constraints of a subset have no common fill."""
        here = relax(self.problem, subset)
        slots = [here.slots[id_] for kind, id_ in sorted(subset) if kind is Kind.SLOT]
        words = [each for each in sorted(subset) if each.kind is Kind.REQUIRED]
        if words:
            return self._tell_required(subset, slots, [self._name(word) for word in words], lifted)
        if len(slots) == 1 and not here.domains[slots[0].id]:
            return self._tell_empty_domain(here, slots[0])
        score = _format_score(self.problem.rules.min_score)
        said = {
            "patterns": self._list_patterns(here, slots),
            "scored": say(" that score {score} or more", score=score) if "C2" in lifted else "",
            "because": self._tell_rules(lifted),
        }
        if len(slots) != 2:
            return say(
                "{patterns} cannot be a word{scored}{because}."
                if len(slots) == 1
                else "{patterns} cannot all be words{scored}{because}.",
                **said,
            )
        if crossing := self._find_crossing(here, *slots):
            return say(
                "{patterns} cannot both be words{scored}: at {cell} {one} can have {letters}, {other} {others}.",
                **said,
                **crossing,
            )
        if _same_word(here, slots):
            word = here.tables[slots[0].id].words[here.domains[slots[0].id].bit_length() - 1]
            return say("{patterns} can both only be {word}{because}.", **said, word=word)
        return say("{patterns} cannot both be words{scored}{because}.", **said)

    def _tell_empty_domain(self, here: Problem, slot: Slot) -> str:
        table, said = here.tables[slot.id], {"slot": self._name_slot(slot), "pattern": here.grid.pattern(slot)}
        if not len(table):
            longest = max(here.lexicon.lengths, default=0)
            size = say("{count} cells" if slot.length == len(slot.cells) else "{count} letters", count=slot.length)
            return say(
                "{slot} has {size}, longer than any word ({longest})."
                if slot.length > longest
                else "{slot} has {size}, a length no word has.",
                **said,
                size=size,
                longest=longest,
            )
        fitting = replace(here, rules=replace(here.rules, min_score=0.0)).domains[slot.id]
        if not fitting:
            narrowed = (slot.direction, slot.cells[0]) in here.narrowed
            return say(
                "No allowed word fits {slot} `{pattern}`."
                if narrowed
                else "No word of {length} letters fits {slot} `{pattern}`.",
                **said,
                length=slot.length,
            )
        best = (fitting & -fitting).bit_length() - 1  # words are sorted by score, best first
        asked, score = _format_score(here.rules.min_score), _format_score(table.scores[best])
        return say(
            "No word that fits {slot} `{pattern}` scores {asked} or more: the best is {word} with {score}.",
            **said,
            asked=asked,
            word=table.words[best],
            score=score,
        )

    def _find_crossing(self, here: Problem, across: Slot, down: Slot) -> dict[str, str]:
        """Return the letters that two slots can have where they cross, if they share no letter; else nothing."""
        for pos, other, other_pos in here.grid.neighbours[across.id]:
            if other == down.id:
                first, second = collect_letters(here, across.id, pos), collect_letters(here, other, other_pos)
                if first & second == 0:
                    return {
                        "cell": here.grid.name_cell(across.places[pos][0]),
                        "one": self._name_slot(across),
                        "letters": self._list_letters(first),
                        "other": self._name_slot(down),
                        "others": self._list_letters(second),
                    }
        return {}

    def _tell_required(
        self, subset: Subset, slots: Sequence[Slot], words: Sequence[str], lifted: frozenset[str]
    ) -> str:
        listed = self._join(words)
        givens = self._join([self._name(each) for each in sorted(subset) if each.kind is Kind.GIVEN])
        if not slots:
            if len(words) == 1:
                return say(
                    "The required word {words} fits no slot, because the givens {givens} are in the way."
                    if givens
                    else "The required word {words} fits no slot.",
                    words=listed,
                    givens=givens,
                )
            return say(
                "The required words {words} do not all fit in the grid with the givens {givens}."
                if givens
                else "The required words {words} do not all fit in the grid.",
                words=listed,
                givens=givens,
            )
        return say(
            "{required} stand in the grid if {patterns} is a word{because}."
            if len(slots) == 1
            else "{required} stand in the grid if {patterns} are words{because}.",
            required=say(
                "The required word {words} cannot" if len(words) == 1 else "The required words {words} cannot",
                words=listed,
            ),
            patterns=self._list_patterns(relax(self.problem, subset), slots),
            because=self._tell_rules(lifted),
        )

    def _tell_rules(self, lifted: frozenset[str]) -> str:
        causes = self.problem.rules.say(lifted)
        return say(", because {causes}", causes=self._join(causes)) if causes else ""

    def tell_doubts(self, conflict: Conflict) -> list[str]:
        """Return which constraints of a conflict may not be needed."""
        undecided = sorted(conflict.undecided)
        return (
            [say("Not proved minimal: this reason may not need {listed}.", listed=self._list_names(undecided))]
            if undecided
            else []
        )

    def tell_repairs(self, explanation: Explanation, conflict: Conflict) -> list[str]:
        """Return the single changes that give the grid a fill."""
        repairs = explanation.repairs
        said = [
            self.tell_repair(each)
            for kind in (Kind.GIVEN, Kind.REQUIRED)
            for each in repairs
            if each.constraint.kind is kind
        ]
        slots = [each for each in repairs if each.constraint.kind is Kind.SLOT]
        if words := sorted((each for each in slots if each.reads), key=self._score, reverse=True):
            named = [
                say("{word} ({score}) in {slot}", word=each.reads, score=score, slot=self._name(each.constraint))
                for each in words[:LISTED]
                for score in [_format_score(self._score(each))]
            ]
            said.append(say("Allowing one word helps: {words}.", words=self._join(named, _OR)))
        if opened := [self._name(each.constraint) for each in slots if not each.reads]:
            said.append(
                say(
                    "Leaving one slot open helps: {slots}. It is then no listed word, so try other blocks there.",
                    slots=self._join(opened[:LISTED], _OR),
                )
            )
        tried = explanation.useless | explanation.openable | {repair.constraint for repair in repairs}
        untried = sorted(conflict.subset - tried)
        if untried:
            said.append(say("Undecided: it may be enough to change {listed}.", listed=self._list_names(untried)))
        return said or [say("No single one of these changes is enough: there are other reasons as well.")]

    def tell_repair(self, repair: Repair) -> str:
        """Return a sentence that says what helps, and how."""
        named = self._name(repair.constraint)
        match repair.constraint.kind:
            case Kind.GIVEN:
                doubtful = self._list_letters(repair.doubtful, _AND) if repair.doubtful else ""
                return say(
                    "Freeing {cell} helps: {letters} works there{doubtful}."
                    if repair.letters.bit_count() == 1
                    else "Freeing {cell} helps: {letters} work there{doubtful}.",
                    cell=named,
                    letters=self._list_letters(repair.letters, _AND),
                    doubtful=say(" (undecided: {letters})", letters=doubtful) if doubtful else "",
                )
            case Kind.REQUIRED:
                return say("Leaving out the required word {word} helps.", word=named)
            case Kind.SLOT if repair.reads:
                score = _format_score(self._score(repair))
                return say("Allowing {word} ({score}) in {slot} helps.", word=repair.reads, score=score, slot=named)
            case Kind.SLOT:
                return say("Leaving {slot} open helps, but it is then no listed word.", slot=named)

    def tell_ceiling(self, ceiling: Ceiling) -> list[str]:
        """Return how good a fill can be, and why no better one exists."""
        best, bound, level = map(_format_score, (ceiling.best, ceiling.bound, ceiling.level))
        said = [
            say(
                "A fill with a minimum score of {best} was found; no fill has more than {bound}."
                if ceiling.bound > ceiling.best
                else "The best minimum score of a fill is {best}.",
                best=best,
                bound=bound,
            )
        ]
        rules = self.problem.rules
        if ceiling.conflict and ceiling.level < rules.min_score and len(ceiling.conflict.subset) <= LISTED:
            above = _Wording(replace(self.problem, rules=replace(rules, min_score=ceiling.level)))
            reason = above.tell_reason(ceiling.conflict.subset, frozenset({"C2"}))
            said.append(
                say(
                    "At {level} (not proved minimal): {reason}"
                    if ceiling.conflict.undecided
                    else "At {level}: {reason}",
                    level=level,
                    reason=reason,
                )
            )
        return said

    def _score(self, repair: Repair) -> float:
        """Return the score of the word that a repair allows in a slot."""
        table = self.problem.tables[repair.constraint.id]
        return table.scores[table.ids[repair.reads]]

    def _name(self, constraint: Constraint) -> str:
        if constraint.kind is Kind.SLOT:
            return self._name_slot(self.problem.slots[constraint.id])
        return name_constraint(self.problem, constraint)

    def _name_slot(self, slot: Slot) -> str:
        across = slot.direction is Direction.ACROSS
        return say("{number}-Across" if across else "{number}-Down", number=slot.number)

    def _list_patterns(self, here: Problem, slots: Sequence[Slot]) -> str:
        if len(slots) > LISTED:
            return say("{count} slots", count=len(slots))
        return self._join([f"{self._name_slot(slot)} `{here.grid.pattern(slot)}`" for slot in slots])

    def _list_names(self, constraints: Sequence[Constraint]) -> str:
        if len(constraints) > LISTED:
            return say("{count} of them", count=len(constraints))
        return self._join([self._name(constraint) for constraint in constraints], _OR)

    def _list_letters(self, letters: int, last: str = _OR) -> str:
        """Return a letter set in words."""
        alphabet = self.problem.grid.alphabet
        missing = alphabet.members(alphabet.full & ~letters)
        if not missing:
            return say("any letter")
        if len(missing) < len(alphabet.letters) // 2:
            return say("any letter but {letters}", letters=self._join(missing))
        members = alphabet.members(letters)
        if last == _OR and len(members) == 1:
            return say("only {letters}", letters=members)
        return self._join(members, last)

    def _join(self, texts: Sequence[str], last: str = _AND) -> str:
        *others, end = texts or [""]
        return f"{', '.join(others)} {say(last)} {end}" if others else end


def _same_word(problem: Problem, slots: Sequence[Slot]) -> bool:
    domains = {(slot.length, problem.domains[slot.id]) for slot in slots}
    return len(domains) == 1 and all(domain.bit_count() == 1 for _, domain in domains)


def _format_score(score: float) -> str:
    return format_value((float(score),))


def draw_conflict(problem: Problem, subset: Subset) -> list[list[tuple[str, bool]]]:
    """Return for each row its cells as (sign, whether it is in the conflict).

    `#` is a block, `.` a cell outside the conflict, `?` a free cell in it. A given of the conflict appears as its
    letter (in a rebus cell, its first letter), a letter set as `*`.
    """
    here = relax(problem, subset)
    slots: set[SlotId] = {id_ for kind, id_ in subset if kind is Kind.SLOT}
    marked = {cell for slot in slots for cell in problem.slots[slot].cells}
    marked |= {id_ for kind, id_ in subset if kind is Kind.GIVEN}

    def sign(cell: int) -> str:
        letters = here.grid.cells[cell]
        if not letters or cell not in marked:
            return "." if letters else "#"
        return here.grid.givens[cell][:1] or ("?" if letters == here.grid.alphabet.full else "*")

    width = problem.grid.width
    return [
        [(sign(cell), cell in marked) for cell in range(row * width, (row + 1) * width)]
        for row in range(problem.grid.height)
    ]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Explain(Question):
    """Why there is no fill, and what would help."""

    IMPROVES = True

    time_limit: float | None = asked_time(15.0, help="For each grid.")

    def records(self, desk: Desk) -> Generator[ExplainRecord | ExplainEnd]:
        """Yield the explanation each time it improves, with the cells of its conflict and a fill if there is one."""
        problem = desk.pose(self.request, every=True)
        last = Explanation(problem, Status.UNKNOWN)
        for last in explain_in_steps(problem, limits=self.limits):
            yield {
                **explanation_record(last),
                "cells": _conflict_cells(last),
                "repairs": [_repair_record(last, number) for number in range(len(last.repairs))],
                "witness": rows_of(last.fill),
            }
        yield {"done": True, "status": last.status, "finished": last.finished}


def _conflict_cells(explanation: Explanation) -> list[int]:
    subset: Subset = frozenset() if explanation.conflict is None else explanation.conflict.subset
    slots = explanation.problem.slots
    cells = {cell for kind, id_ in subset if kind is Kind.SLOT for cell in slots[id_].cells}
    return sorted(cells | {id_ for kind, id_ in subset if kind is Kind.GIVEN})


def _repair_record(explanation: Explanation, number: int) -> RepairRecord:
    problem, repair = explanation.problem, explanation.repairs[number]
    kind, id_ = repair.constraint
    named = problem.grid.name_cell(id_) if kind is Kind.GIVEN else name_constraint(problem, repair.constraint)
    members = problem.grid.alphabet.members
    record: RepairRecord = {"free": named, "kind": kind, "reads": repair.reads, "text": tell_repair(problem, repair)}
    if kind is Kind.GIVEN:
        record |= {"works": members(repair.letters), "undecided": members(repair.doubtful)}
    return record


def explanation_record(explanation: Explanation) -> ExplanationRecord:
    """Return an explanation as JSON, with its sentences; undecided values are null."""
    problem, conflict, ceiling = explanation.problem, explanation.conflict, explanation.ceiling
    record: ExplanationRecord = {
        "status": explanation.status,
        "finished": explanation.finished,
        "reason": tell_reason(explanation) or None,
        "text": tell(explanation),
        "minimal": None if conflict is None else explanation.minimal,
        "rules": sorted(explanation.lifted),
        "elements": []
        if conflict is None
        else [_element_record(explanation, each) for each in sorted(conflict.subset)],
        "best": None,
    }
    if ceiling is not None:
        above = ceiling.conflict
        record["best"] = {
            "score": ceiling.best,
            "bound": ceiling.bound,
            "next": ceiling.level,
            "elements": None if above is None else [name_constraint(problem, each) for each in sorted(above.subset)],
            "minimal": above is not None and not above.undecided,
        }
    return record


def _element_record(explanation: Explanation, constraint: Constraint) -> ElementRecord:
    assert explanation.conflict is not None
    problem, subset = explanation.problem, explanation.conflict.subset
    grid, (kind, id_) = problem.grid, constraint
    repair = next((each for each in explanation.repairs if each.constraint == constraint), None)
    helps = repair is not None or constraint in explanation.openable
    repairs = True if helps else False if constraint in explanation.useless else None
    record = cast("ElementRecord", {"kind": kind})
    match kind:
        case Kind.SLOT:
            slot = problem.slots[id_]
            cells = [grid.name_cell(cell) for cell in slot.cells]
            record |= {"slot": slot.name, "pattern": relax(problem, subset).grid.pattern(slot), "cells": cells}
        case Kind.GIVEN:
            record |= {"cell": grid.name_cell(id_), "letters": grid.alphabet.members(grid.cells[id_])}
        case Kind.REQUIRED:
            record |= {"word": name_constraint(problem, constraint)}
    record |= {"needed": None if constraint in explanation.conflict.undecided else True, "repairs": repairs}
    if repair and kind is Kind.GIVEN:
        record |= {
            "works": grid.alphabet.members(repair.letters),
            "undecided": grid.alphabet.members(repair.doubtful),
        }
    elif repair and repair.reads:
        record |= {"reads": repair.reads}
    return record
