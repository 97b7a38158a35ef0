"""Rule C10: cells spell a text, and entries hide one. The cases of a problem: one for each way to keep the rule.

    circled=PARIS,ROME                      the circled cells, in reading order, spell one of the words
    letter 3 of 17-Across,23-Across=AB,CD   so do the third cells of these entries
    R1C1,R2C2,5-Down=PARIS                  so do these cells, and the cells of these entries
    17-Across,20-Across hides OMAN,PERU     each of these entries has one of the words in it, each a different one if
                                            there are several words
    row 3 hides FRANCE                      so has a row, whose blocks do not count; or a column
    circled=@FILE                           the words of a list

A case is the problem with more givens and narrower slots, to which the texts come; its own texts are settled. Cases
can have fills in common, and together they have all fills of the problem.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property, partial
from itertools import compress, islice, repeat
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.texts import later, say
from cpfill.problem.counts import find_named_cells
from cpfill.problem.rules import Text
from cpfill.puzzle.grid import find_slot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Grid, RunStart, Slot

Run = tuple["CellId", ...]

_EXAMPLES = later("a text such as circled=PASSPORT, letter 3 of 17-Across,20-Across=AB or 17-Across hides OMAN,PERU")

_LINE = re.compile(r"(row|column)\s+(\d{1,4})", re.IGNORECASE | re.ASCII)


def parse_text(text: str, grid: Grid, read: Callable[[str], Collection[str]]) -> Text:
    """Return a text as users write it; `read` returns the words of a list by its name.

    Raises:
        InputError: it has another form, names no cells of the grid, or no word is as long as its cells.
    """
    where, hides, words = text.partition(" hides ")
    if hides:
        runs = tuple(map(partial(_find_run, grid), where.split(",")))
    else:
        where, _, words = text.partition("=")
        if not words.strip():
            raise expected(_EXAMPLES, f"'{text:.60}'")
        runs = (find_named_cells(grid, where.strip()),)
    kept = _read_words(words.strip(), grid, read)
    lengths = sorted(set(map(len, runs)))
    if words.strip().startswith("@"):
        kept = _list_fitting(kept, lengths, hidden=bool(hides)) or kept
    _check_lengths(kept, lengths, hidden=bool(hides))
    return Text(runs, kept, bool(hides))


def _read_words(words: str, grid: Grid, read: Callable[[str], Collection[str]]) -> tuple[str, ...]:
    if words.startswith("@"):
        return tuple(sorted(read(words[1:])))
    return tuple(dict.fromkeys(map(grid.alphabet.word, words.split(","))))


def _list_fitting(words: Iterable[str], lengths: Sequence[int], *, hidden: bool) -> tuple[str, ...]:
    """Return the words that are as long as the cells, or no longer if they are hidden."""
    return tuple(word for word in words if len(word) in lengths or (hidden and len(word) < lengths[-1]))


def _check_lengths(words: Sequence[str], lengths: Sequence[int], *, hidden: bool) -> None:
    fitting = _list_fitting(words, lengths, hidden=hidden)
    for word in words:
        if word not in fitting:
            wanted = later("a text of {length} letters")
            if hidden:
                wanted = later("a hidden word of at most {length} letters")
            raise expected(wanted, say("{word}, of {word2}", word=word, word2=len(word)), length=lengths[-1])


def _find_run(grid: Grid, name: str) -> Run:
    """Return the cells of a slot, or the open cells of a row or a column."""
    match = _LINE.fullmatch(name.strip())
    if match is None:
        return find_slot(grid, name).cells
    across = match[1].lower() == "row"
    last = grid.height if across else grid.width
    number = int(match[2])
    if not 1 <= number <= last:
        raise expected("a line from 1 to {last}", f"'{name.strip()}'", last=last)
    line = range(number - 1, len(grid.cells), grid.width)
    if across:
        line = range((number - 1) * grid.width, number * grid.width)
    return tuple(filter(grid.cells.__getitem__, line))


def add_texts(problem: Problem, texts: Iterable[str], read: Callable[[str], Collection[str]]) -> Problem:
    """Return the problem with texts: its only case, or a problem that has several cases, or none.

    Raises:
        InputError: as for `parse_text`; or no word of a text agrees with the givens.
    """
    joined = replace(problem, texts=tuple(parse_text(text, problem.grid, read) for text in texts))
    cases = Cases(joined)
    if not all(map(joined.grid.given_word, joined.slots)):  # in a filled grid, the audit finds the fault
        cases.check_givens()
    first = list(islice(cases, 2))
    return first[0] if len(first) == 1 else joined


class _State(NamedTuple):
    """What the words chosen so far come to: letter sets of cells, words of slots, and the words that stand by text."""

    cells: dict[CellId, int]
    narrowed: dict[RunStart, frozenset[str]]
    used: frozenset[tuple[int, str]]


class Cases:
    """The cases of a problem, made one by one as they are asked for; every iteration makes them anew."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._grid = problem.grid
        self._slots = {slot.cells: slot for slot in problem.slots}
        self._hiding: dict[tuple[Run, str], frozenset[str]] = {}
        self._steps: list[tuple[int, Text, Run]] = []
        for number, text in enumerate(problem.texts):
            self._steps += zip(repeat(number), repeat(text), text.runs)

    def check_givens(self) -> None:
        """Check that some word of each text that cells spell agrees with the givens.

        Raises:
            InputError: no word does.
        """
        for text in self._problem.texts:
            if not text.hidden and not any(self._spell(text.runs[0], word, {}) for word in text.words):
                cells = ",".join(map(self._grid.name_cell, text.runs[0]))
                told = ",".join(text.words)
                raise expected("a text that agrees with the letters of {cells:.60}", told[:60], cells=cells)

    def __iter__(self) -> Iterator[Problem]:
        return self._expand(0, _State({}, {}, frozenset()))

    def _make(self, letters: dict[CellId, int], narrowed: dict[RunStart, frozenset[str]]) -> Problem:
        """Return the problem with more givens and narrower slots."""
        cells = tuple(letters.get(cell, allowed) for cell, allowed in enumerate(self._grid.cells))
        return replace(
            self._problem,
            grid=replace(self._grid, cells=cells),
            narrowed={**self._problem.narrowed, **narrowed},
            texts=tuple(text._replace(settled=True) for text in self._problem.texts),
        )

    def _expand(self, step: int, state: _State) -> Iterator[Problem]:
        """Yield the cases in which the words of the first steps are chosen."""
        if step == len(self._steps):
            yield self._make(state.cells, state.narrowed)
            return
        number, text, run = self._steps[step]
        words = [word for word in text.words if (number, word) not in state.used]
        for chosen, then in self._choose(text, run, words, state):
            used = state.used
            if text.differ:
                used = used.union((number, word) for word in chosen)
            yield from self._expand(step + 1, then._replace(used=used))

    def _choose(
        self, text: Text, run: Run, words: Sequence[str], state: _State
    ) -> Iterator[tuple[Sequence[str], _State]]:
        """Yield each choice for a run: its words, and the state after it."""
        slot = self._slots.get(run)
        if text.hidden and slot is not None:
            choices = [[word] for word in words] if text.differ else [words]
            for chosen in choices:
                narrowed = self._narrow(slot, chosen, state)
                if narrowed:
                    yield chosen, state._replace(narrowed=narrowed)
            return
        for word in words:
            for start in range(len(run) - len(word) + 1):
                cells = self._spell(run[start : start + len(word)], word, state.cells)
                if cells:
                    yield [word], state._replace(cells=cells)

    def _spell(self, cells: Run, word: str, letters: dict[CellId, int]) -> dict[CellId, int] | None:
        """Return the letter sets with a word in some cells, unless one of them cannot hold its letter."""
        spelled = dict(letters)
        for cell, letter in zip(cells, word, strict=True):
            bit = self._grid.alphabet.letter_set(letter)
            if cell in self._grid.rebus:
                return None
            for each in self._grid.tied.get(cell, (cell,)):
                if not spelled.get(each, self._grid.cells[each]) & bit:
                    return None
                spelled[each] = bit
        return spelled

    def _narrow(self, slot: Slot, words: Sequence[str], state: _State) -> dict[RunStart, frozenset[str]] | None:
        """Return the narrowed slots if a slot hides one of some words, unless no word of it does."""
        kept = frozenset[str]().union(*map(partial(self._find_hiding, slot), words))
        start = (slot.direction, slot.cells[0])
        kept &= state.narrowed.get(start, kept)
        if not kept:
            return None
        return {**state.narrowed, start: kept}

    def _find_hiding(self, slot: Slot, hidden: str) -> frozenset[str]:
        """Return the words that fit a slot and hide a word."""
        if (slot.cells, hidden) not in self._hiding:
            self._hiding[slot.cells, hidden] = frozenset(word for word in self._fitting[slot.id] if hidden in word)
        return self._hiding[slot.cells, hidden]

    @cached_property
    def _fitting(self) -> list[list[str]]:
        """For each slot the words of its domain."""
        fitting = []
        for table, domain in zip(self._problem.tables, self._problem.domains, strict=True):
            digits = f"{domain:b}"[::-1]
            fitting.append([*compress(table.words, map("1".__eq__, digits))])
        return fitting
