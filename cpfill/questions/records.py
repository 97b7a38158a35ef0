"""Events, fills and results of searches, as JSON; `cli/JSON.md` documents the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.problem.criteria import value_to_json
from cpfill.problem.event import Bound, Finished, Found, Progress, Started
from cpfill.puzzle.grid import split_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.problem.check import Violation
    from cpfill.problem.criteria import Value
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Change, Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.posing import Posed


def audit_record(problem: Problem, fill: Fill, broken: Sequence[Violation]) -> dict[str, Any]:
    """Return the audit of a fill as JSON: the rules that it breaks, or its value."""
    value = None if broken else fill.value(problem)
    rules = [{"rule": each.rule, "detail": each.detail} for each in broken]
    return {"valid": not broken, "value": value_to_json(value), "violations": rules}


def fill_record(problem: Problem, fill: Fill, value: Value) -> dict[str, Any]:
    """Return a fill as JSON: rows (null for a block), and each slot's word with its score and spelling."""
    rows = split_rows([letter or None for letter in fill.letters], problem.grid.width)
    words = []
    for slot in problem.slots:
        word = fill.word_at(slot)
        score, spelling = problem.lexicon.find(word) or (None, None)
        words.append({"slot": slot.name, "word": word, "spelling": spelling, "score": score})
    return {"value": value_to_json(value), "rows": rows, "words": words}


def changes_record(changes: Iterable[Change]) -> list[dict[str, str]]:
    """Return the refilled slots as JSON."""
    return [{"slot": each.slot.name, "old": each.old, "new": each.new} for each in changes]


def event_record(problem: Problem, event: Event) -> dict[str, Any]:
    """Return an event as JSON."""
    kind = {"event": type(event).__name__.lower()}
    match event:
        case Started():
            return {**kind, "engine": event.engine}
        case Progress():
            return {**kind, "note": event.note, "stats": event.stats._asdict()}
        case Found():
            return {**kind, "better": event.better, **fill_record(problem, event.fill, event.value)}
        case Bound():
            return {**kind, "value": value_to_json(event.value)}
        case Finished():
            return kind


def result_record(problem: Problem, result: SolveResult) -> dict[str, Any]:
    """Return a result as JSON, without its fill."""
    return {
        "status": result.status,
        "reason": result.stop_reason,
        "engine": result.engine,
        "fills": result.fills,
        "value": value_to_json(result.value),
        "bound": value_to_json(result.bound),
        "proof": result.proof or None,
        "wipeout": None if result.wipeout is None else problem.slots[result.wipeout].name,
        "stats": result.stats._asdict(),
    }


def posing_record(posed: Posed) -> dict[str, object]:
    """Return as JSON which words of a request a problem accepts, refuses or skips."""
    return {
        "accepted": list(posed.accepted),
        "exempt": dict(posed.exempt),
        "refused": dict(posed.refused),
        "theme_skipped": posed.theme_skipped,
    }


def puzzle_record(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as the page has it; `parse_puzzle` reads it."""
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "cells": list(puzzle.cells),
        "givens": sorted(puzzle.givens),
        "bars": sorted(map(list, puzzle.bars)),
        "circles": sorted(puzzle.circles),
        "shades": {str(cell): colour for cell, colour in sorted(puzzle.shades.items())},
        "voids": sorted(puzzle.voids),
        "letter_sets": {str(cell): letters for cell, letters in sorted(puzzle.letter_sets.items())},
        "clues": {f"{number}-{way}": puzzle.clues[way, number] for way, number in sorted(puzzle.clues)},
        "drafts": {f"{number}-{way}": list(puzzle.drafts[way, number]) for way, number in sorted(puzzle.drafts)},
        "metadata": {part.value: text for part, text in puzzle.metadata.items()},
    }
