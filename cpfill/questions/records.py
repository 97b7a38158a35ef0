"""Events, fills and results of searches, as JSON; `cli/JSON.md` documents the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from cpfill.problem.event import Bound, Found, Progress, Started
from cpfill.problem.lack import Refusal
from cpfill.problem.value import value_to_json
from cpfill.puzzle.grid import split_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.problem.check import Violation
    from cpfill.problem.event import Stats
    from cpfill.problem.fill import Change, Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import SolveResult
    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import CellId, Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.record_types import (
        AuditRecord,
        ChangeRecord,
        EventRecord,
        FillRecord,
        FoundRecord,
        PosingRecord,
        PuzzleRecord,
        Remark,
        ResultRecord,
        SlotWord,
        StatsRecord,
    )
    from cpfill.questions.request import Request
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.sources import Shelf


def audit_record(problem: Problem, fill: Fill, broken: Sequence[Violation], remarks: list[Remark]) -> AuditRecord:
    """Return the audit of a fill as JSON: the rules that it breaks, or its value, and remarks on its clues."""
    value = None if broken else fill.value(problem)
    return {
        "valid": not broken,
        "value": value_to_json(value),
        "violations": [{"rule": each.rule, "detail": each.detail, "at": each.name_places(problem)} for each in broken],
        "remarks": remarks,
    }


def fill_record(problem: Problem, fill: Fill, value: Value) -> FillRecord:
    """Return a fill as JSON: rows (null for a block), and each slot's word with its score and spelling.

    Where slots have several answers, `alternatives` has the letters of cells in the other readings.
    """
    cells = [letter or None for letter in fill.letters]
    rows = [list(row) for row in split_rows(cells, problem.grid.width)]
    words = [_word_record(problem, slot, fill.word_at(slot)) for slot in problem.slots]
    record: FillRecord = {"value": value_to_json(value), "rows": rows, "words": words}
    if fill.alternatives:
        record["alternatives"] = _list_alternatives(fill.alternatives)
    return record


def _list_alternatives(alternatives: Mapping[CellId, Sequence[str]]) -> dict[str, list[str]]:
    return {str(cell): list(letters) for cell, letters in sorted(alternatives.items())}


def _word_record(problem: Problem, slot: Slot, word: str) -> SlotWord:
    entry = problem.lexicon.find(word)
    spelling: str | None = None
    if entry is not None:
        _, spelling = entry
    record: SlotWord = {"slot": slot.name, "word": word, "spelling": spelling, "score": problem.find_score(word)}
    if word in problem.theme:
        record["theme"] = True
    return record


def rows_of(fill: Fill | None) -> list[str] | None:
    """Return the rows of a fill, if there is one."""
    return None if fill is None else fill.rows


def changes_record(changes: Iterable[Change]) -> list[ChangeRecord]:
    """Return the refilled slots as JSON."""
    return [{"slot": each.slot.name, "old": each.old, "new": each.new} for each in changes]


def event_record(problem: Problem, event: Started | Progress | Found | Bound) -> EventRecord:
    match event:
        case Started():
            return {"event": "started", "engine": event.engine}
        case Progress():
            return {"event": "progress", "note": event.note, "stats": _stats_record(event.stats)}
        case Found():
            found = fill_record(problem, event.fill, event.value)
            return cast("FoundRecord", {"event": "found", "better": event.better, **found})
        case Bound():
            return {"event": "bound", "value": value_to_json(event.value)}


def _stats_record(stats: Stats) -> StatsRecord:
    return cast("StatsRecord", stats._asdict())


def result_record(problem: Problem, result: SolveResult) -> ResultRecord:
    """Return a result as JSON, without its fill."""
    wipeout: str | None = None
    if result.wipeout is not None:
        wipeout = problem.slots[result.wipeout].name
    return {
        "status": result.status,
        "reason": result.stop_reason,
        "engine": result.engine,
        "fills": result.fills,
        "value": value_to_json(result.value),
        "bound": value_to_json(result.bound),
        "proof": result.proof or None,
        "wipeout": wipeout,
        "stats": _stats_record(result.stats),
    }


def posing_record(posed: Posed) -> PosingRecord:
    """Return as JSON which words of a request a problem accepts, refuses or skips."""
    return {
        "accepted": list(posed.accepted),
        "exempt": dict(posed.exempt),
        "refused": dict(posed.refused),
        "theme_skipped": posed.theme_skipped,
    }


def puzzle_record(puzzle: Puzzle) -> PuzzleRecord:
    """Return a puzzle as the page has it; `parse_puzzle` reads it."""
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "cells": list(puzzle.cells),
        "givens": sorted(puzzle.givens),
        "bars": sorted(puzzle.bars),
        "circles": sorted(puzzle.circles),
        "shades": _by_cell(puzzle.shades),
        "labels": _by_cell(puzzle.labels),
        "alternatives": _list_alternatives(puzzle.alternatives),
        "voids": sorted(puzzle.voids),
        "letter_sets": _by_cell(puzzle.letter_sets),
        "clues": {f"{number}-{way}": puzzle.clues[way, number] for way, number in sorted(puzzle.clues)},
        "drafts": {f"{number}-{way}": list(puzzle.drafts[way, number]) for way, number in sorted(puzzle.drafts)},
        "metadata": {part.value: text for part, text in puzzle.metadata.items()},
        "work": dict(puzzle.work),
    }


def list_readings(puzzle: Puzzle | None) -> dict[str, list[str]]:
    """Return the answers of each slot that has several, by its name; `?` is an empty cell."""
    if puzzle is None or not puzzle.alternatives:
        return {}
    answers = {slot.name: puzzle.list_answers(slot) for slot in puzzle.slots}
    return {name: each for name, each in answers.items() if len(each) > 1}


def _by_cell(texts: Mapping[CellId, str]) -> dict[str, str]:
    return {str(cell): texts[cell] for cell in sorted(texts)}


class Posed(NamedTuple):
    """Which words were accepted, refused or skipped.

    Attributes:
        accepted: completely given words that no list has; they count as own entries.
        exempt: own entries whose lists score them lower than the rules allow, each with that score.
        refused: completely given words that no fill may have, in alphabetical order, each with the reason.
        theme: the number of theme words.
        theme_skipped: the number of theme words that fit no slot.
    """

    accepted: tuple[str, ...]
    exempt: Mapping[str, float]
    refused: Mapping[str, Refusal]
    theme: int
    theme_skipped: int


def describe_posing(problem: Problem, request: Request, shelf: Shelf) -> Posed:
    """Return which words of a request one of its problems accepts, refuses or skips; `shelf` holds the lists read."""
    pool = request.pool(shelf)
    placeable = problem.theme.keys() | (pool.keys() & problem.avoided)
    own: Mapping[str, float] = {}
    if request.personal is not None:
        own = shelf.word_list(request.personal, request.alphabet).weights
    refused: dict[str, Refusal] = {}
    for word in sorted(problem.grid.given_words):
        refusal = _find_refusal(word, problem.lexicon, request.min_score, own)
        if refusal is not None:
            refused[word] = refusal
    return Posed(problem.accepted, problem.exempt, refused, len(pool), len(pool.keys() - placeable))


def _find_refusal(word: str, lexicon: Lexicon, min_score: float, own: Mapping[str, float]) -> Refusal | None:
    """Return why no fill may have a given word, if so; `own` has the words of the personal list."""
    entry = lexicon.find(word)
    if entry is not None:
        score, _ = entry
        return Refusal.LOW if score < min_score else None
    if own.get(word) == 0:
        return Refusal.BANNED
    if lexicon.unlisted([word]):
        return Refusal.UNLISTED
    return Refusal.EXCLUDED
