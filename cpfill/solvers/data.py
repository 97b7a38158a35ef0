"""The formats in which cpfill writes a problem for other solvers, and the data of the MiniZinc models in `models/`.

The README of the models defines each key of the data, which contain only words that have the length of some slot and
the minimum score.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.problem.problem import Criterion, Objective
from cpfill.puzzle.grid import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid, Place
    from cpfill.words.lexicon import WordId, WordTable


class DataFormat(NamedTuple):
    """A format: the module and function that write it, and its file suffixes."""

    writer: str
    suffixes: tuple[str, ...] = ()


DATA_FORMATS = {
    "dzn": DataFormat("cpfill.solvers.data:write_dzn", (".dzn",)),
    "minizinc-json": DataFormat("cpfill.solvers.data:write_json"),
    "wcsp": DataFormat("cpfill.solvers.statement:write_wcsp", (".wcsp",)),
    "xcsp3": DataFormat("cpfill.solvers.statement:write_xcsp3", (".xml",)),
    "opb": DataFormat("cpfill.solvers.statement:write_opb", (".opb",)),
    "cnf": DataFormat("cpfill.proofs.folder:write_cnf", (".cnf",)),
}


def write_data(problem: Problem, kind: str) -> str:
    """Return the text of a problem in a format of `DATA_FORMATS`.

    Raises:
        InputError: the format cannot express the problem.
    """
    module, _, name = DATA_FORMATS[kind].writer.partition(":")
    write = getattr(import_module(module), name)
    return cast("Callable[[Problem], str]", write)(problem)


DataValue = bool | int | frozenset[int] | list[int] | list[frozenset[int]] | list[list[int]]
Data = dict[str, DataValue]

_CRITERIA = {Criterion.THEME: 1, Criterion.MIN: 2, Criterion.SUM: 3, Criterion.LEXIMIN: 4, Criterion.LEVELS: 4}


def write_dzn(problem: Problem) -> str:
    data = collect_data(problem)
    return "".join(f"{key} = {_write_expression(key, value, data)};\n" for key, value in data.items())


def list_places(grid: Grid) -> list[Place]:
    """Return the places of a grid in reading order; a rebus cell has a place for each of its letters."""
    open_cells = (cell for cell, letters in enumerate(grid.cells) if letters != BLOCK)
    return [(cell, nth) for cell in open_cells for nth in range(len(grid.rebus.get(cell, "?")))]


def collect_data(problem: Problem) -> Data:
    """Return the data of a problem by its keys; numbers count from 1."""
    if problem.narrowed:
        raise expected(
            "a problem whose slots may all hold every word", say("{narrowed} narrowed", narrowed=len(problem.narrowed))
        )
    grid = problem.grid
    rules = problem.rules
    places = list_places(grid)
    kept = _list_words(problem)
    numbers = {table.words[id_]: number for number, (table, id_) in enumerate(kept, start=1)}
    if low := sorted(rules.required - numbers.keys()):
        raise expected("required words that score {min_score:g} or better", low[0], min_score=rules.min_score)
    scores = [table.scores[id_] for table, id_ in kept]
    ranks = {score: rank for rank, score in enumerate(sorted(set(scores)), start=1)}
    longest = max((table.length for table, _ in kept), default=1)
    return {
        "n_letters": len(grid.alphabet.letters),
        "n_cells": len(places),
        "n_slots": len(grid.slots),
        "n_words": len(kept),
        "max_length": longest,
        "allowed": [_number_bits(grid.letter_set(place)) for place in places],
        "slot": _number_cells(grid, places),
        "length": [table.length for table, _ in kept],
        "spelling": [_spell(table, id_, longest) for table, id_ in kept],
        "rank": [ranks[score] for score in scores],
        "gain": _list_gains(problem, Criterion.SUM, kept),
        "weight": _list_gains(problem, Criterion.THEME, kept),
        "repeats": rules.repeats,
        "marks": _list_marks(problem, kept),
        "obscure": _find_obscure(scores, rules.below),
        "max_obscure": len(grid.slots) if rules.max_obscure is None else rules.max_obscure,
        "required": frozenset(numbers[word] for word in rules.required),
        "theme": frozenset(numbers[word] for word in problem.theme if word in numbers),
        "levels": _list_levels(problem, ranks),
        "criteria": [_CRITERIA[criterion] for criterion in problem.criteria],
    }


Word = tuple["WordTable", "WordId"]
"""A table, and the id of a word in it."""


def _list_words(problem: Problem) -> list[Word]:
    """Return the words with the minimum score, shortest first."""
    least = problem.rules.min_score
    kept = []
    for table in sorted(set(problem.tables), key=lambda table: table.length):
        kept += [(table, id_) for id_, score in enumerate(table.scores) if score >= least]
    return kept


def _number_bits(letters: int) -> frozenset[int]:
    """Return the numbers of the letters in a set."""
    return frozenset(code + 1 for code in range(letters.bit_length()) if letters >> code & 1)


def _number_cells(grid: Grid, places: list[Place]) -> list[frozenset[int]]:
    """Return the numbers of the places of each slot."""
    number = {place: number for number, place in enumerate(places, start=1)}
    return [frozenset(map(number.__getitem__, slot.places)) for slot in grid.slots]


def _spell(table: WordTable, id_: WordId, longest: int) -> list[int]:
    """Return the numbers of the letters of a word, and a 0 for each letter that it is shorter than the longest."""
    start = id_ * table.length
    codes = table.codes[start : start + table.length]
    return [code + 1 for code in codes] + [0] * (longest - table.length)


def _list_gains(problem: Problem, criterion: Criterion, kept: list[Word]) -> list[int]:
    """Return the gain of each word by a criterion: 0 if the problem lacks it."""
    if criterion not in problem.criteria:
        return [0] * len(kept)
    by_length = problem.gains(criterion).by_length
    return [by_length[table.length][id_] for table, id_ in kept]


def _list_marks(problem: Problem, kept: list[Word]) -> list[frozenset[int]]:
    """Return the numbers of the marks of each word."""
    marks = problem.constraints.marks
    if not marks:
        return [frozenset()] * len(kept)
    listed = []
    for table, id_ in kept:
        listed.append(frozenset(mark + 1 for mark in marks.of[table.length][id_]))
    return listed


def _find_obscure(scores: list[float], below: float | None) -> frozenset[int]:
    """Return the numbers of the words that score below a limit."""
    if below is None:
        return frozenset()
    return frozenset(number for number, score in enumerate(scores, start=1) if score < below)


def _list_levels(problem: Problem, ranks: dict[float, int]) -> list[int]:
    """Return the ranks under which words are counted, in rising order."""
    if problem.objective is not Objective.LEXIMIN:
        return []
    if not problem.levels:
        return list(ranks.values())[1:]
    scores = list(ranks)
    return [bisect_left(scores, level) + 1 for level in problem.levels]


def _write_expression(key: str, value: object, data: Data) -> str:
    match value:
        case bool():
            return str(value).lower()
        case frozenset() if _is_range(value):
            return f"{min(value)}..{max(value)}"
        case frozenset():
            return "{" + ", ".join(map(str, sorted(value))) + "}"
        case list() if key == "spelling":
            cells = ",\n  ".join(", ".join(map(str, row)) for row in value)
            return f"array2d(1..{len(value)}, 1..{data['max_length']}, [\n  {cells}\n])"
        case list():
            return "[" + ", ".join(_write_expression("", each, data) for each in value) + "]"
    return str(value)


def _is_range(numbers: frozenset[int]) -> bool:
    """Return whether a set is shorter when written as a range."""
    return len(numbers) > 2 and max(numbers) - min(numbers) == len(numbers) - 1


def write_json(problem: Problem) -> str:
    def record(value: object) -> object:
        if isinstance(value, frozenset):
            return {"set": [[min(value), max(value)]] if _is_range(value) else sorted(value)}
        return [record(each) for each in value] if isinstance(value, list) else value

    lines = ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(record(value))}" for key, value in collect_data(problem).items()
    )
    return f"{{\n{lines}\n}}\n"
