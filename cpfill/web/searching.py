"""Questions that are searched: words and letters with verdicts, fills, how many there are, why there is none."""

from __future__ import annotations

import math
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from cpfill.base.ranges import SEED
from cpfill.base.reading import TEXT, TEXTS, number_reader
from cpfill.engines import DEFAULT_ENGINE, make_engine
from cpfill.engines.search import Tally, count, search, settle
from cpfill.formats.grid_like import templates_of
from cpfill.problem.event import Finished, Found, Progress
from cpfill.problem.fill import Fill
from cpfill.problem.limits import Deadline
from cpfill.problem.result import Status
from cpfill.puzzle.region import find_slot
from cpfill.questions.as_json.candidates import candidate_record, letters_record, whole_score
from cpfill.questions.as_json.explanations import explanation_record
from cpfill.questions.as_json.searches import event_record, posing_record, result_record
from cpfill.questions.candidates import Verdict
from cpfill.questions.diverse import find_another
from cpfill.questions.explain.explanation import explain_in_steps
from cpfill.questions.explain.oracle import Kind
from cpfill.questions.explain.wording import name_constraint, tell_repair
from cpfill.questions.posing import describe_posing
from cpfill.web.asked import PULSE_S
from cpfill.web.wire import check_cells

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.limits import Limits
    from cpfill.questions.candidates import Candidates
    from cpfill.questions.explain.explanation import Explanation
    from cpfill.questions.explain.oracle import Subset
    from cpfill.web.asked import Asked, Record

_LISTED = 200
"""How many words of a slot are listed at once."""

_JUDGED = 100
"""How many of them are judged."""


def ask_candidates(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell the words of a slot, all at once, whether there is a fill, then each word with its verdict."""
    problem = asked.pose_all()
    slot = find_slot(problem.grid, asked.read("slot", TEXT, "")).id
    verdicts: Counter[Verdict] = Counter()
    with asked.memory.candidates(problem, limits) as state:
        words = [[word, whole_score(score)] for word, score in islice(state.list_words(slot), _LISTED)]
        yield {"words": words, "total": state.count_words(slot)}
        asked.memory.teach(state)
        yield _fillable_record(state)
        for candidate in islice(state.judge_words(slot), _JUDGED):
            verdicts[candidate.verdict] += 1
            yield {**candidate_record(candidate), "witness": _rows(candidate.witness)}
    counts = {verdict.value: verdicts[verdict] for verdict in Verdict}
    yield {"done": True, **counts, "accepted": list(problem.accepted)}


def ask_best(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell how good a fill with each of some words in a slot can be: its best minimum score, by halving.

    Entries given whole do not count, for they are exempt from the minimum score. The words share the time equally, and
    what one leaves goes to those after it. `value` is reached by a fill, and no fill reaches `bound` + 1; a word for
    which no fill was met is passed over.
    """
    name, words = asked.read("slot", TEXT, ""), asked.read("words", TEXTS, ())
    deadline = Deadline(limits.time_s, limits.stop)
    for at, word in enumerate(words):
        share = Deadline(deadline.remaining_s() / (len(words) - at))
        found = asked.pose_all().lexicon.find(word)
        low = math.ceil(asked.request.min_score)
        high = low if found is None else max(low, math.floor(found[0]))
        reached: int | None = None
        while (reached is None or low < high) and not share.passed:
            level = low if reached is None else (low + high + 1) // 2
            problem = asked.pose_all(replace(asked.request, min_score=float(level)))
            slot = find_slot(problem.grid, name)
            narrowed = {**problem.narrowed, (slot.direction, slot.cells[0]): frozenset({word})}
            result = settle(replace(problem, narrowed=narrowed), limits=replace(limits, time_s=share.time_s))
            if result.fill is not None:
                reached = low = level
            elif reached is not None and result.status is Status.UNSATISFIABLE:
                high = level - 1
            else:
                break
        if reached is not None:
            yield {"word": word, "value": reached, "bound": high}
    yield {"done": True}


def ask_letters(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell whether there is a fill at all, then the letters of cells by their verdicts."""
    problem = asked.pose_all()
    chosen = asked.more.get("cells")
    cells = None if chosen is None else check_cells("cells", chosen, len(problem.grid.cells))
    with asked.memory.candidates(problem, limits) as state:
        asked.memory.teach(state)
        yield _fillable_record(state)
        for letters in state.judge_letters(cells):
            yield {**letters_record(problem.grid, letters), "cell": letters.cell}
    yield {"done": True}


def _fillable_record(state: Candidates) -> Record:
    """Return whether there is a fill, one if there is, and how many words propagation leaves each slot."""
    verdict, fill = state.judge()
    left = {slot.name: state.count_words(slot.id) for slot in state.problem.slots}
    return {"fillable": _FILLABLE[verdict], "witness": _rows(fill), "left": left}


_FILLABLE = {Verdict.YES: True, Verdict.NO: False, Verdict.OPEN: None}


def ask_solve(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell the events of a search, as `solve --json` does."""
    engine = make_engine(asked.read("engine", TEXT, DEFAULT_ENGINE))
    problem = asked.memory.pose(asked.request)
    limits = replace(limits, seed=asked.read("seed", number_reader(SEED), 0))
    rows = asked.read("different", TEXTS)
    if rows is None:
        events = search(problem, engine=engine, limits=limits)
    else:
        before, *_ = templates_of(rows, alphabet=problem.grid.alphabet, dialect="native")
        events = find_another(problem, Fill.of_grid(before.grid), engine=engine, limits=limits)
    tally, due_s = Tally(problem), 0.0
    with closing(events) as stream:
        for event in stream:
            tally.add(event)
            if isinstance(event, Found):
                asked.memory.keep(event.fill)
            elif isinstance(event, Finished):
                continue
            elif isinstance(event, Progress):
                if time.monotonic() < due_s:
                    continue
                due_s = time.monotonic() + PULSE_S
            yield event_record(problem, event)
    posed = describe_posing(problem, asked.request, asked.memory.lists)
    yield {"done": True, **result_record(problem, tally.result), **posing_record(posed)}


def ask_count(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell how many fills were counted so far, and at last how many there are, or that there are as many at least."""
    problem = asked.pose_all()
    tally, due_s = Tally(problem), time.monotonic() + PULSE_S
    with closing(count(problem, limits=replace(limits, fills=None))) as stream:
        for event in stream:
            tally.add(event)
            if time.monotonic() >= due_s:
                due_s = time.monotonic() + PULSE_S
                yield {"counted": tally.result.fills}
    result = tally.result
    exact = result.status in {Status.ALL_FILLS, Status.UNSATISFIABLE}
    yield {"done": True, "exact": exact, **result_record(problem, result)}


def ask_explain(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell why there is no fill, each time it is known better."""
    record = dict[str, object]()
    for explanation in explain_in_steps(asked.pose_all(), limits=limits):
        record = {
            **explanation_record(explanation),
            "cells": _conflict_cells(explanation),
            "repairs": [_repair_record(explanation, number) for number in range(len(explanation.repairs))],
            "witness": _rows(explanation.fill),
        }
        yield record
    yield {"done": True, "status": record["status"], "finished": record["finished"]}


def _conflict_cells(explanation: Explanation) -> list[int]:
    subset: Subset = frozenset() if explanation.conflict is None else explanation.conflict.subset
    slots = explanation.problem.slots
    cells = {cell for kind, id_ in subset if kind is Kind.SLOT for cell in slots[id_].cells}
    return sorted(cells | {id_ for kind, id_ in subset if kind is Kind.GIVEN})


def _repair_record(explanation: Explanation, number: int) -> Record:
    problem, repair = explanation.problem, explanation.repairs[number]
    kind, id_ = repair.constraint
    named = problem.grid.name_cell(id_) if kind is Kind.GIVEN else name_constraint(problem, repair.constraint)
    members = problem.grid.alphabet.members
    record = {"free": named, "kind": kind, "reads": repair.reads, "text": tell_repair(problem, repair)}
    if kind is Kind.GIVEN:
        record |= {"works": members(repair.letters), "undecided": members(repair.doubtful)}
    return record


def _rows(fill: Fill | None) -> list[str] | None:
    return None if fill is None else fill.rows
