"""The formats in which cpfill writes a problem for other solvers, and the data of the MiniZinc models in `models/`.

The README of the models defines each key of the data, which contain only words that have the length of some slot and
the minimum score.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from importlib import import_module
from itertools import compress, repeat
from typing import TYPE_CHECKING, NamedTuple, cast

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.problem.problem import Objective
from cpfill.problem.value import Criterion
from cpfill.puzzle.grid import BLOCK
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Grid, Place
    from cpfill.words.lexicon import WordId, WordTable


class DataFormat(NamedTuple):
    """A format: the module and function that write it, and its file suffixes."""

    writer: str
    suffixes: tuple[str, ...] = ()


DATA_FORMATS = {
    "dzn": DataFormat("cpfill.solvers.data:write_dzn", (".dzn",)),
    "minizinc-json": DataFormat("cpfill.solvers.data:write_json"),
    "wcsp": DataFormat("cpfill.solvers.wcsp:write_wcsp", (".wcsp",)),
    "xcsp3": DataFormat("cpfill.solvers.xcsp3:write_xcsp3", (".xml",)),
    "opb": DataFormat("cpfill.solvers.opb:write_opb", (".opb",)),
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

_CRITERIA = {
    Criterion.THEME: 1,
    Criterion.MIN: 2,
    Criterion.SUM: 3,
    Criterion.LEXIMIN: 4,
    Criterion.LEVELS: 4,
    Criterion.LETTERS: 5,
}


def write_dzn(problem: Problem) -> str:
    data = collect_data(problem)
    lines = []
    for key, value in data.items():
        expression = _write_expression(key, value, data)
        lines.append(f"{key} = {expression};\n")
    return "".join(lines)


def list_places(grid: Grid) -> list[Place]:
    """Return the places of a grid in reading order; a rebus cell has a place for each of its letters."""
    return list(grid.list_places(compress(range(len(grid.cells)), grid.cells)))


def collect_data(problem: Problem) -> Data:
    """Return the data of a problem by its keys; numbers count from 1."""
    if problem.narrowed:
        found = say("{narrowed} narrowed", narrowed=len(problem.narrowed))
        raise expected("a problem whose slots may all hold every word", found)
    if problem.parted:
        raise expected("a problem without several answers in a slot", "--either")
    kept = _list_words(problem)
    numbers = _number_words(problem, kept)
    data: Data = {}
    _add_sizes(data, problem.grid, kept)
    _add_cells(data, problem)
    ranks = _add_words(data, problem, kept)
    _add_rules(data, problem, kept, numbers)
    _add_letter_values(data, problem)
    data["levels"] = _list_levels(problem, ranks)
    data["criteria"] = list(map(_CRITERIA.__getitem__, problem.criteria))
    return data


def _add_letter_values(data: Data, problem: Problem) -> None:
    """Add the values of letters, and of all blocks, in whole units; 0 if they do not count."""
    values = problem.letter_values
    per_unit = 10**values.decimals
    letters = problem.grid.alphabet.letters
    data["worth"] = [0] * len(letters)
    data["blocks"] = 0
    if Criterion.LETTERS in problem.criteria:
        data["worth"] = [round(values.letters.get(letter, 0.0) * per_unit) for letter in letters]
        data["blocks"] = round(values.block * per_unit) * problem.grid.cells.count(BLOCK)


def _number_words(problem: Problem, kept: list[Word]) -> dict[str, int]:
    """Return the number of each word; check that all required words have one."""
    numbers = {}
    for number, (table, id_) in enumerate(kept, start=1):
        numbers[table.words[id_]] = number
    rules = problem.rules
    low = sorted(rules.required - numbers.keys())
    if low:
        raise expected("required words that score {min_score:g} or better", low[0], min_score=rules.min_score)
    return numbers


def _add_sizes(data: Data, grid: Grid, kept: list[Word]) -> None:
    data["n_letters"] = len(grid.alphabet.letters)
    data["n_cells"] = len(list_places(grid))
    data["n_slots"] = len(grid.slots)
    data["n_words"] = len(kept)
    data["max_length"] = _find_longest(kept)


def _find_longest(kept: list[Word]) -> int:
    """Return the length of the longest word; 1 if there is no word."""
    return max((table.length for table, _ in kept), default=1)


def _add_cells(data: Data, problem: Problem) -> None:
    grid = problem.grid
    allowed = []
    number = {}
    for place in list_places(grid):
        allowed.append(_number_bits(grid.letter_set(place)))
        number[place] = len(allowed)
    data["allowed"] = allowed
    data["slot"] = [frozenset(map(number.__getitem__, slot.places)) for slot in grid.slots]
    ties: set[frozenset[int]] = set()
    for cell, group in grid.tied.items():
        if cell in grid.slots_at:
            ties.add(frozenset(map(number.__getitem__, zip(group, repeat(0)))))
    data["ties"] = sorted(ties, key=min)
    _add_counts(data, problem, number)


def _add_counts(data: Data, problem: Problem, number: dict[Place, int]) -> None:
    """Add the limits of letters; `number` has the number of each place."""
    codes = problem.grid.alphabet.codes
    data["counted"] = [_number_places(number, count.cells) for count in problem.counts]
    data["counted_letter"] = [1 + codes[count.letter] for count in problem.counts]
    data["at_least"] = [count.least for count in problem.counts]
    most = [count.most for count in problem.counts]
    data["at_most"] = [len(number) if each is None else each for each in most]


def _number_places(number: dict[Place, int], cells: frozenset[CellId]) -> frozenset[int]:
    return frozenset(numbered for (cell, _), numbered in number.items() if cell in cells)


def _add_words(data: Data, problem: Problem, kept: list[Word]) -> dict[float, int]:
    """Add the keys that have a value for each word; return the rank of each score, lowest first."""
    longest = _find_longest(kept)
    lengths = []
    spellings = []
    scores = []
    for table, id_ in kept:
        lengths.append(table.length)
        spellings.append(_spell(table, id_, longest))
        scores.append(table.scores[id_])
    ranks: dict[float, int] = {}
    for score in sorted(set(scores)):
        ranks[score] = len(ranks) + 1
    data["length"] = lengths
    data["spelling"] = spellings
    data["rank"] = list(map(ranks.__getitem__, scores))
    data["gain"] = _list_gains(problem, Criterion.SUM, kept)
    data["weight"] = _list_gains(problem, Criterion.THEME, kept)
    return ranks


def _add_rules(data: Data, problem: Problem, kept: list[Word], numbers: dict[str, int]) -> None:
    rules = problem.rules
    data["repeats"] = rules.repeats
    data["marks"] = _list_marks(problem, kept)
    data["obscure"] = _find_obscure(kept, rules.below)
    max_obscure = rules.max_obscure
    if max_obscure is None:
        max_obscure = len(problem.grid.slots)
    data["max_obscure"] = max_obscure
    data["others"] = _list_others(problem, kept)
    data["required"] = frozenset(map(numbers.__getitem__, rules.required))
    data["theme"] = frozenset(numbers[word] for word in problem.theme if word in numbers)


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
    return frozenset(code + 1 for code in walk_members(letters))


def _spell(table: WordTable, id_: WordId, longest: int) -> list[int]:
    """Return the numbers of the letters of a word, and a 0 for each letter that it is shorter than the longest."""
    start = id_ * table.length
    end = start + table.length
    spelling = [code + 1 for code in table.codes[start:end]]
    spelling += [0] * (longest - table.length)
    return spelling


def _list_gains(problem: Problem, criterion: Criterion, kept: list[Word]) -> list[int]:
    """Return the gain of each word by a criterion: 0 if the problem lacks it."""
    if criterion not in problem.criteria:
        return [0] * len(kept)
    gains = problem.gains(criterion)
    by_length = {table.length: gains.by_kind[kind] for kind, table in problem.kind_tables.items()}
    return [by_length[table.length][id_] for table, id_ in kept]


def _list_marks(problem: Problem, kept: list[Word]) -> list[frozenset[int]]:
    """Return the numbers of the marks of each word."""
    marks = problem.constraints.marks
    if not marks:
        return [frozenset()] * len(kept)
    listed = []
    for table, id_ in kept:
        its_marks = marks.of[table.length][id_]
        listed.append(frozenset(mark + 1 for mark in its_marks))
    return listed


def _list_others(problem: Problem, kept: list[Word]) -> list[frozenset[int]]:
    """Return, for each word and each of its places, the letters by which a name becomes another fair entry (C9)."""
    if not problem.rules.no_naticks:
        return []
    lexicon = problem.lexicon
    codes = problem.grid.alphabet.codes
    longest = _find_longest(kept)
    listed = []
    for table, id_ in kept:
        word = table.words[id_]
        named = word in lexicon.names(table.length)
        for pos in range(longest):
            letters = lexicon.list_others(word, pos) if named and pos < table.length else ()
            listed.append(frozenset(1 + codes[letter] for letter in letters))
    return listed


def _find_obscure(kept: list[Word], below: float | None) -> frozenset[int]:
    """Return the numbers of the words that score below a limit."""
    obscure = set()
    if below is not None:
        for number, (table, id_) in enumerate(kept, start=1):
            if table.scores[id_] < below:
                obscure.add(number)
    return frozenset(obscure)


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
            return "{" + _list_numbers(sorted(value)) + "}"
        case list() if key == "spelling":
            cells = ",\n  ".join(map(_list_numbers, value))
            return f"array2d(1..{len(value)}, 1..{data['max_length']}, [\n  {cells}\n])"
        case list():
            items = [_write_expression("", item, data) for item in value]
            return "[" + ", ".join(items) + "]"
    return str(value)


def _list_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _is_range(numbers: frozenset[int]) -> bool:
    """Return whether a set is shorter when written as a range."""
    if len(numbers) <= 2:
        return False
    return max(numbers) - min(numbers) == len(numbers) - 1


def write_json(problem: Problem) -> str:
    lines = []
    for key, value in collect_data(problem).items():
        record = json.dumps(_make_record(value))
        lines.append(f"  {json.dumps(key)}: {record}")
    text = ",\n".join(lines)
    return f"{{\n{text}\n}}\n"


def _make_record(value: object) -> object:
    """Return a value as the JSON of MiniZinc has it: a set is an object."""
    if isinstance(value, list):
        return list(map(_make_record, value))
    if not isinstance(value, frozenset):
        return value
    if _is_range(value):
        return {"set": [[min(value), max(value)]]}
    return {"set": sorted(value)}
