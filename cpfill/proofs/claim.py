"""Reads `claim.json`, and checks that the files and formulas of its folder imply the claim.

cpfill folds letters and rounds numbers; the script compares code points and decimals. If the two read a file
differently, one of them would check a different claim. So any difference is refused, and so is any character that is
not a plain letter of the alphabet.

The refuted formulas must together exclude every better fill. A better fill obeys bounds (at most N of its words score
under a threshold), which depend on the first number of its value that is greater. A formula excludes such fills if it
demands only the rules and consequences of the bounds.
"""

from __future__ import annotations

import hashlib
import math
import re
from argparse import Namespace
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT_BYTES, SCORE, SLOTS, Fault, InputError, Range, expected
from cpfill.base.files import read_bytes
from cpfill.base.reading import TEXTS, number_reader
from cpfill.base.records import has_shape, parse_object, quote_json
from cpfill.base.texts import later, say
from cpfill.problem.problem import Objective
from cpfill.problem.value import format_value
from cpfill.proofs.read_inputs import (
    RefusedError,
    find_slots,
    read_arguments,
    read_cases,
    read_input,
    read_limits,
    read_rows,
    read_words,
    with_ties,
)
from cpfill.puzzle.grid import BLOCK
from cpfill.words.wordlist import PACKAGED, packaged_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.base.records import Shape
    from cpfill.problem.counts import LetterCount
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline
    from cpfill.problem.value import Value
    from cpfill.proofs import read_inputs
    from cpfill.puzzle import grid as read_by_cpfill

CLAIM = "claim.json"

NO_FILL = "no fill"
NO_BETTER = "no better fill"
NO_OTHER = "no other fill"

_GREATER = {
    Objective.SUM: later("with a greater sum"),
    Objective.LETTER_VALUES: later("with letters of a greater value"),
}
"""The kind of fill that a formula with a sum excludes, for each objective that has one."""

MAX_STEPS = 5_000
"""The most steps of one claim; V5 needs one per different score of a fill, and a large tree has some hundred parts."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """A file of the folder, with the SHA-256 that the claim gives."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a file of the folder: a path or the name of a packaged list, with its SHA-256 if it has one."""

    name: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class ProofStep:
    """A refutation: a formula, the script's arguments for it after grid and words, a proof, and the cases, if any.

    `asked` has the arguments, and as `total` the sum that the formula exceeds: `sum_above` as a number, or `None`.
    """

    formula: File
    arguments: tuple[str, ...]
    asked: Namespace
    proof: File
    cases: File | None
    sum_above: str | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim.

    Attributes:
        text: one of `NO_FILL`, `NO_BETTER`, `NO_OTHER`.
        alphabet: the letters of the alphabet.
        rules: the rules of the problem, as arguments of the script.
        fill: the file of the best fill, or of all fills if the claim is that no other exists.
        value: the value of the best fill, if the claim has one.
    """

    text: str
    alphabet: str
    rules: tuple[str, ...]
    asked: Namespace
    objective: Objective
    levels: tuple[float, ...]
    grid: File
    grid_source: Source
    words: File
    lists: tuple[Source, ...]
    fill: File | None
    value: Value | None
    steps: tuple[ProofStep, ...]

    @property
    def files(self) -> list[File]:
        """The files of the folder that the claim depends on."""
        named = [self.grid, self.words, self.fill]
        for step in self.steps:
            named += [step.cases, step.formula, step.proof]
        return list(dict.fromkeys(file for file in named if file is not None))


def read_claim(folder: Path, deadline: Deadline) -> Claim:
    """Return the claim of a folder.

    Raises:
        TimeoutError: it has too many steps to be read by the deadline.
    """
    path = folder / CLAIM
    if folder.is_dir() and not path.exists():
        raise expected("a claim: without one the proof was not written to its end", say("none"), str(path))
    try:
        return _read(parse_object(read_bytes(path, most=MAX_TEXT_BYTES)), deadline)
    except InputError as error:
        raise InputError(*(Fault(f.expected, f.got, f.path or str(path)) for f in error.faults)) from None
    except RefusedError as error:
        raise expected("arguments of fill_to_cnf.py", str(error), str(path)) from None


def _read(data: dict[str, Any], deadline: Deadline) -> Claim:
    _require(data, "a claim", _CLAIM)
    text = data["claim"]
    steps = data["steps"]
    fill = data["fill"]
    if text not in {NO_FILL, NO_BETTER, NO_OTHER} or (fill is None) != (text == NO_FILL):
        got = quote_json(text)
        if fill is None:
            got += say(" without any")
        raise expected("'no fill'; 'no better fill', with a fill; or 'no other fill', with all fills", got)
    if len(steps) > MAX_STEPS:
        raise expected("at most {most} steps", str(len(steps)), most=MAX_STEPS)
    if data["objective"] not in set(_GREATER) | {Objective.ANY, Objective.MIN, Objective.LEXIMIN}:
        raise expected("an objective of which proofs are written", quote_json(data["objective"]))
    rules = TEXTS("rules", data["rules"])
    return Claim(
        text=text,
        alphabet=data["alphabet"],
        rules=rules,
        asked=_read_rules(rules),
        objective=Objective(data["objective"]),
        levels=_read_numbers("levels", data["levels"]),
        grid=_read_file(data["grid"]),
        grid_source=_read_source(data["grid"], "source_sha256"),
        words=_read_file(data["words"]),
        lists=tuple(map(_read_source, data["words"].get("lists", ()))),
        fill=None if fill is None else _read_file(fill),
        value=_read_numbers("value", fill.get("value")) if fill and text == NO_BETTER else None,
        steps=tuple(map(_read_step, deadline.each(steps))),
    )


def _read_rules(rules: Sequence[str]) -> Namespace:
    """Return the rules of a claim; refuse arguments that only a formula may have."""
    asked = read_arguments(rules)
    for name in ("above", "slots", "blocked", "cases", "part"):
        if getattr(asked, name) is not None:
            raise expected("the rules of the problem", say("--{name}, which is of a formula", name=name))
    return asked


_CLAIM: Shape = {
    "cpfill": str,
    "claim": str,
    "alphabet": str,
    "rules": list,
    "objective": str,
    "levels": list,
    "grid": dict,
    "words": dict,
    "fill": (dict, type(None)),
    "steps": list,
}
_STEP: Shape = {"formula": str, "formula_sha256": str, "arguments": list, "proof": str, "proof_sha256": str}


def _read_step(data: object) -> ProofStep:
    step = _require(data, "a step", _STEP)
    arguments = TEXTS("arguments", step["arguments"])
    asked = read_arguments(arguments)
    sum_above = step.get("sum_above")
    asked.total = None
    if sum_above is not None:
        if not isinstance(sum_above, str):
            raise expected("a score in quotes", quote_json(sum_above))
        asked.total = read_arguments(["--above", sum_above]).above
    if asked.blocked:
        _check_name(asked.blocked)
    cases: File | None = None
    if asked.cases:
        cases = _read_file(step.get("cases"))
        if cases.name != asked.cases:
            raise expected("the cases of {cases}", cases.name, cases=f"{asked.cases:.60}")
    return ProofStep(
        _read_file({"file": step["formula"], "sha256": step["formula_sha256"]}),
        arguments,
        asked,
        _read_file({"file": step["proof"], "sha256": step["proof_sha256"]}),
        cases,
        sum_above,
    )


def _read_file(data: object) -> File:
    file = _require(data, "a file", {"file": str, "sha256": str})
    _check_name(file["file"])
    if not _HASH.fullmatch(file["sha256"]):
        raise expected("a SHA-256 of 64 digits", quote_json(file["sha256"]))
    return File(file["file"], file["sha256"])


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise expected("the plain name of a file beside the claim", quote_json(name))


def _read_source(data: object, known: str = "sha256") -> Source:
    source = _require(data, "a source", {"source": str})
    sha256 = source.get(known)
    return Source(source["source"], sha256 if isinstance(sha256, str) else None)


def hash_source(name: str) -> str | None:
    """Return the SHA-256 of a file, or of a packaged list by name; `None` if it is neither, or too large to be read."""
    try:
        if name in PACKAGED:
            data = packaged_text(name).encode()
        elif Path(name).is_file():
            data = read_bytes(name, most=MAX_LIST_BYTES)
        else:
            return None
    except (InputError, OSError, ValueError):
        return None
    return hashlib.sha256(data).hexdigest()


def _read_numbers(name: str, data: object) -> tuple[float, ...]:
    """Return scores, given as a list or as one number; in a value, negative numbers count words."""
    numbers = data if isinstance(data, list) else [data]
    return tuple(_NUMBER(name, each) for each in numbers)


_NUMBER = number_reader(Range(-SLOTS.high, SCORE.high, later("a number"), whole=False))


def _require(data: object, what: str, shape: Shape) -> dict[str, Any]:
    if not isinstance(data, dict) or not has_shape(data, shape):
        raise expected("{what}, with {shape}", quote_json(data), what=what, shape=", ".join(shape))
    return data


class Reading(NamedTuple):
    """The files of a claim as the script reads them; the cases are those of every step."""

    grid: read_inputs.Grid
    words: Mapping[str, read_inputs.Word]
    fills: Sequence[read_inputs.Grid]
    cases: Sequence[read_inputs.Case]

    @classmethod
    def of(cls, claim: Claim, folder: Path) -> Reading:
        """Read the files.

        Raises:
            OSError, UnicodeDecodeError: a file cannot be read, or is no UTF-8.
        """
        read, *others = read_rows(read_input(folder / claim.grid.name), claim.grid.name)
        if others:
            raise RefusedError(f"{claim.grid.name}: expected one grid, got {1 + len(others)}")
        grid = with_ties(read, claim.asked.tie)
        fills: list[read_inputs.Grid] = []
        if claim.fill is not None:
            fills = read_rows(read_input(folder / claim.fill.name), claim.fill.name)
        cases: list[read_inputs.Case] = []
        for file in dict.fromkeys(step.cases for step in claim.steps):
            if file is not None:
                cases += read_cases(read_input(folder / file.name))
        return cls(grid, read_words(read_input(folder / claim.words.name)), fills, cases)

    def differs_from(self, problem: Problem, claim: Claim) -> str | None:
        """Return the first difference between a problem that cpfill read from the files and this reading, if any."""
        asked = [claim.asked, *(step.asked for step in claim.steps)]
        return next(
            chain(
                _compare_cells(problem.grid, self.grid),
                _compare_slots(problem.grid, find_slots(self.grid, claim.asked.min_length, claim.asked.open)),
                _compare_words(problem, self.words),
                _compare_names(problem, self.words),
                _compare_counts(problem, read_limits(self.grid, claim.asked.letter_counts)),
                *map(_compare_numbers, asked),
                self._find_foreign(asked, problem.grid.alphabet),
            ),
            None,
        )

    def _find_foreign(self, asked: Iterable[Namespace], alphabet: Alphabet) -> Iterator[str]:
        for text in self._list_texts(asked):
            if alphabet.foreign(text):
                yield say("'{text}' is not over the alphabet {letters}", text=text, letters=alphabet.letters)

    def _list_texts(self, asked: Iterable[Namespace]) -> Iterator[str]:
        """Yield the required words, the words and letters of the cases, and those of the fills."""
        for each in asked:
            yield from each.required
        for choice in chain(*self.cases):
            yield choice.word.replace(".", "")
        for fill in self.fills:
            yield from chain(*fill.cells)


def _compare_cells(grid: read_by_cpfill.Grid, read: read_inputs.Grid) -> Iterator[str]:
    if (grid.width, len(grid.cells)) != (read.width, len(read.cells)):
        yield say(
            "the grid has {cells} cells in rows of {width}, or {cells2} of {width2}",
            cells=len(read.cells),
            width=read.width,
            cells2=len(grid.cells),
            width2=grid.width,
        )
        return
    if grid.tied != dict(read.tied):
        yield say("other cells are tied")
    every = "".join(sorted(grid.alphabet.letters))
    for cell, there in enumerate(read.cells):
        mine = _spell_cell(grid, cell)
        if list(map(sorted, mine)) != [sorted(each or every) for each in there]:
            yield say(
                "{cell} is {there} to the script, {mine} to cpfill", cell=grid.name_cell(cell), there=there, mine=mine
            )


def _spell_cell(grid: read_by_cpfill.Grid, cell: int) -> read_inputs.Cell:
    """Return a cell that cpfill read as the script has it, except that an empty cell lists its letters."""
    if cell in grid.rebus:
        return tuple(grid.rebus[cell])
    letters = grid.cells[cell]
    if letters == BLOCK:
        return ()
    return (grid.alphabet.members(letters),)


def _compare_counts(problem: Problem, counts: Iterable[read_inputs.LetterLimit]) -> Iterator[str]:
    mine = _say_limits(problem.counts)
    there = _say_limits(counts)
    if mine != there:
        _, letter = min(mine.items() ^ there.items())[0]
        yield say("the letter {letter} is limited otherwise", letter=letter)


def _say_limits(counts: Iterable[LetterCount | read_inputs.LetterLimit]) -> dict[tuple[str, str], str]:
    """Return the limits of each letter in some cells, in words."""
    return {(str(sorted(cells)), letter): f"{least} {most}" for cells, letter, least, most in counts}


def _compare_slots(grid: read_by_cpfill.Grid, slots: Sequence[read_inputs.Slot]) -> Iterator[str]:
    mine = {slot.name: (slot.cells, slot.length) for slot in grid.slots}
    there = {slot.name: (slot.cells, len(slot.places)) for slot in slots}
    if mine != there:
        yield say("the slot {value} differs", value=_find_different(mine, there))


def _find_different(one: Mapping[str, object], other: Mapping[str, object]) -> str:
    """Return the first name whose values differ."""
    differing = one.items() ^ other.items()
    return min(name for name, _ in differing)


def _compare_words(problem: Problem, words: Mapping[str, read_inputs.Word]) -> Iterator[str]:
    for length in dict.fromkeys(slot.length for slot in problem.slots):
        table = problem.lexicon.table(length)
        mine = {word: Decimal(repr(score)) for word, score in zip(table.words, table.scores, strict=True)}
        there = {word: listed.score for word, listed in words.items() if len(word) == length}
        if mine != there:
            yield say("the word {value} or its score differs", value=_find_different(mine, there))


def _compare_names(problem: Problem, words: Mapping[str, read_inputs.Word]) -> Iterator[str]:
    if not problem.rules.no_naticks:
        return
    mine: set[str] = set()
    for length in {slot.length for slot in problem.slots}:
        mine |= problem.lexicon.names(length)
    different = mine ^ {word for word, listed in words.items() if listed.is_name}
    if different:
        yield say("{word} is a name to one of them alone", word=min(different))


def _compare_numbers(asked: Namespace) -> Iterator[str]:
    for number in (asked.min_score, asked.above, *asked.under, *dict(asked.letter_values).values()):
        if number is not None and Decimal(repr(float(number))) != number:
            yield say("{number} is {number2!r} to cpfill", number=number, number2=float(number))


Bounds = list[tuple[float, int]]
"""Thresholds in rising order, each with the most words that may score under it."""


def find_gap(claim: Claim, ranking: Sequence[float], deadline: Deadline) -> str | None:
    """Return which fills the steps of a claim fail to exclude, if any.

    `ranking` has the possible scores of words in rising order.

    Raises:
        TimeoutError: the deadline passed.
    """
    formulas = list(_list_asked(claim))
    for kind, bounds in list_ways(claim, ranking):
        if not any(_leaves_out(asked, claim, bounds) for asked in deadline.each(formulas)):
            return say("no formula excludes every fill {what}", what=kind)
    return None


def _list_asked(claim: Claim) -> Iterator[Namespace]:
    """Yield the arguments of each formula; if it is in parts, once, and only if every part is there."""
    found: dict[str, set[int]] = defaultdict(set)
    for step in claim.steps:
        number, parts = step.asked.part or (1, 1)
        whole = Namespace(**{**vars(step.asked), "part": parts})
        found[repr(whole)].add(number)
        if len(found[repr(whole)]) == parts:
            yield whole


def list_ways(claim: Claim, ranking: Sequence[float]) -> Iterator[tuple[str, Bounds]]:
    """Yield each kind of fill that the claim excludes: in words, and the bounds of such a fill."""
    if claim.text == NO_FILL:
        yield say("that obeys the rules"), []
    elif claim.text == NO_OTHER:
        yield say("that obeys the rules") + say(" and is not listed"), []
    elif claim.levels:
        assert claim.value is not None
        yield from _list_ways_by_level(claim.levels, [round(-number) for number in claim.value])
    elif claim.objective in _GREATER:
        yield say(_GREATER[claim.objective]), []
    else:
        assert claim.value is not None
        yield from _list_ways_by_score(claim.value, ranking)


def _list_ways_by_level(levels: Sequence[float], numbers: Sequence[int]) -> Iterator[tuple[str, Bounds]]:
    so_far: Bounds = []
    for level, number in zip(levels, numbers, strict=True):
        if number:
            kind = say("with fewer than {number} words under {level:g}", number=number, level=level)
            yield kind, [*so_far, (level, number - 1)]
        so_far.append((level, number))


def _list_ways_by_score(value: Value, ranking: Sequence[float]) -> Iterator[tuple[str, Bounds]]:
    so_far: Bounds = []
    for score in sorted(set(value)):
        so_far.append((score, bisect_left(value, score)))
        over = next(iter(ranking[bisect_right(ranking, score) :]), math.inf)
        more = bisect_right(value, score) - 1
        kind = say("with at most {more} words that score up to {value}", more=more, value=format_value((score,)))
        yield kind, [*so_far, (over, more)]


def _leaves_out(asked: Namespace, claim: Claim, bounds: Bounds) -> bool:
    """Return whether a formula demands only the rules and consequences of the bounds."""
    rules = claim.asked
    fixed = vars(asked).keys() - _VARYING
    if any(getattr(asked, name) != getattr(rules, name) for name in fixed):
        return False
    if claim.text == NO_OTHER and claim.fill is not None and asked.blocked not in {None, claim.fill.name}:
        return False
    if claim.text != NO_OTHER and asked.blocked is not None:
        return False
    if asked.total is not None and not _exceeds(claim, asked):
        return False
    return _follow_scores(asked, rules, bounds)


def _exceeds(claim: Claim, asked: Namespace) -> bool:
    """Return whether the fills that a claim excludes exceed the sum of a formula."""
    if claim.text != NO_BETTER or claim.objective not in _GREATER or claim.levels or claim.value is None:
        return False
    of_letters = claim.objective is Objective.LETTER_VALUES
    if asked.letter_values != (claim.asked.letter_values if of_letters else []):
        return False  # it is another sum
    (value,) = claim.value
    total: Decimal = asked.total
    return Decimal(repr(value)) >= total


def _follow_scores(asked: Namespace, rules: Namespace, bounds: Bounds) -> bool:
    """Return whether the demands of a formula on scores are among the rules, or follow from the bounds."""
    if asked.above is not None and not _follows(bounds, asked.above, 0, above=True):
        return False
    if asked.min_score > rules.min_score and not _follows(bounds, asked.min_score, 0):
        return False
    known = set(zip(rules.at_most, rules.under, strict=True))
    for most, under in zip(asked.at_most, asked.under, strict=True):
        if (most, under) not in known and not _follows(bounds, under, most):
            return False
    return True


_VARYING = {"above", "min_score", "at_most", "under", "blocked", "slots", "cases", "part", "total", "letter_values"}
"""The arguments in which a formula may differ from the rules."""


def _follows(bounds: Bounds, threshold: Decimal, most: int, *, above: bool = False) -> bool:
    """Return whether at most `most` words score under a threshold, or up to it, by the bound at the next one.

    Scores are compared as they are written: the float 0.3 is less than 0.3.
    """
    for under, number in bounds:
        written = Decimal(repr(under))
        if written > threshold or (written == threshold and not above):
            return number <= most
    return False
