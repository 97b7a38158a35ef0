"""Reads `claim.json`, and checks that the files and formulas of its folder say what it claims.

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
from cpfill.problem.problem import Objective, format_value
from cpfill.proofs.fill_to_cnf import (
    RefusedError,
    find_slots,
    read_arguments,
    read_cases,
    read_file,
    read_grids,
    read_words,
)
from cpfill.puzzle.grid import BLOCK
from cpfill.words.wordlist import PACKAGED, packaged_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.base.records import Shape
    from cpfill.problem.problem import Problem, Value
    from cpfill.problem.result import Deadline
    from cpfill.proofs import fill_to_cnf
    from cpfill.puzzle import grid as read_by_cpfill

CLAIM = "claim.json"

NO_FILL, NO_BETTER, NO_OTHER = "no fill", "no better fill", "no other fill"

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
    """A refutation: a formula, the script's arguments for it after grid and words, a proof, and the cases, if any."""

    formula: File
    arguments: tuple[str, ...]
    asked: Namespace
    proof: File
    cases: File | None


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
        named += [file for step in self.steps for file in (step.cases, step.formula, step.proof)]
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
    text, steps, fill = data["claim"], data["steps"], data["fill"]
    if text not in {NO_FILL, NO_BETTER, NO_OTHER} or (fill is None) != (text == NO_FILL):
        raise expected(
            "'no fill'; 'no better fill', with a fill; or 'no other fill', with all fills",
            quote_json(text) + say(" without any") * (fill is None),
        )
    if len(steps) > MAX_STEPS:
        raise expected("at most {most} steps", str(len(steps)), most=MAX_STEPS)
    if data["objective"] not in {Objective.ANY, Objective.MIN, Objective.LEXIMIN}:
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
    if asked.blocked:
        _check_name(asked.blocked)
    cases = _read_file(step.get("cases")) if asked.cases else None
    if cases and cases.name != asked.cases:
        raise expected("the cases of {cases}", cases.name, cases=f"{asked.cases:.60}")
    return ProofStep(
        _read_file({"file": step["formula"], "sha256": step["formula_sha256"]}),
        arguments,
        asked,
        _read_file({"file": step["proof"], "sha256": step["proof_sha256"]}),
        cases,
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
    return Source(source["source"], source[known] if isinstance(source.get(known), str) else None)


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
    return tuple(_NUMBER(name, each) for each in (data if isinstance(data, list) else [data]))


_NUMBER = number_reader(Range(-SLOTS.high, SCORE.high, later("a number"), whole=False))


def _require(data: object, what: str, shape: Shape) -> dict[str, Any]:
    if not isinstance(data, dict) or not has_shape(data, shape):
        raise expected("{what}, with {shape}", quote_json(data), what=what, shape=", ".join(shape))
    return data


class Reading(NamedTuple):
    """The files of a claim as the script reads them; the cases are those of every step."""

    grid: fill_to_cnf.Grid
    words: Mapping[str, fill_to_cnf.Word]
    fills: Sequence[fill_to_cnf.Grid]
    cases: Sequence[fill_to_cnf.Case]

    @classmethod
    def of(cls, claim: Claim, folder: Path) -> Reading:
        """Read the files.

        Raises:
            OSError, UnicodeDecodeError: a file cannot be read, or is no UTF-8.
        """
        grid, *others = read_grids(read_file(folder / claim.grid.name), claim.grid.name)
        if others:
            raise RefusedError(f"{claim.grid.name}: expected one grid, got {1 + len(others)}")
        fills = [] if claim.fill is None else read_grids(read_file(folder / claim.fill.name), claim.fill.name)
        files = dict.fromkeys(step.cases for step in claim.steps if step.cases is not None)
        cases = [case for file in files for case in read_cases(read_file(folder / file.name))]
        return cls(grid, read_words(read_file(folder / claim.words.name)), fills, cases)

    def differs_from(self, problem: Problem, claim: Claim) -> str | None:
        """Return the first difference between a problem that cpfill read from the files and this reading, if any."""
        asked = [claim.asked, *(step.asked for step in claim.steps)]
        return next(
            chain(
                _compare_cells(problem.grid, self.grid),
                _compare_slots(problem.grid, find_slots(self.grid, claim.asked.min_length, claim.asked.open)),
                _compare_words(problem, self.words),
                *map(_compare_numbers, asked),
                self._find_foreign(asked, problem.grid.alphabet),
            ),
            None,
        )

    def _find_foreign(self, asked: Iterable[Namespace], alphabet: Alphabet) -> Iterator[str]:
        words = chain(*(each.required for each in asked), (one.word.replace(".", "") for one in chain(*self.cases)))
        filled = (letter for fill in self.fills for cell in fill.cells for letter in cell)
        for text in chain(words, filled):
            if alphabet.foreign(text):
                yield say("'{text}' is not over the alphabet {letters}", text=text, letters=alphabet.letters)


def _compare_cells(grid: read_by_cpfill.Grid, read: fill_to_cnf.Grid) -> Iterator[str]:
    if (grid.width, len(grid.cells)) != (read.width, len(read.cells)):
        yield say(
            "the grid has {cells} cells in rows of {width}, or {cells2} of {width2}",
            cells=len(read.cells),
            width=read.width,
            cells2=len(grid.cells),
            width2=grid.width,
        )
        return
    every = "".join(sorted(grid.alphabet.letters))
    for cell, (letters, there) in enumerate(zip(grid.cells, read.cells, strict=True)):
        mine: fill_to_cnf.Cell = () if letters == BLOCK else (grid.alphabet.members(letters),)
        mine = tuple(grid.rebus.get(cell, mine))
        if [*map(sorted, mine)] != [sorted(each or every) for each in there]:
            yield say(
                "{cell} is {there} to the script, {mine} to cpfill", cell=grid.name_cell(cell), there=there, mine=mine
            )


def _compare_slots(grid: read_by_cpfill.Grid, slots: Sequence[fill_to_cnf.Slot]) -> Iterator[str]:
    mine = {slot.name: (slot.cells, slot.length) for slot in grid.slots}
    there = {slot.name: (slot.cells, len(slot.places)) for slot in slots}
    if mine != there:
        yield say("the slot {value} differs", value=min((name for name, _ in mine.items() ^ there.items())))


def _compare_words(problem: Problem, words: Mapping[str, fill_to_cnf.Word]) -> Iterator[str]:
    for table in {slot.length: problem.lexicon.table(slot.length) for slot in problem.slots}.values():
        mine = {word: Decimal(repr(score)) for word, score in zip(table.words, table.scores, strict=True)}
        there = {word: listed.score for word, listed in words.items() if len(word) == table.length}
        if mine != there:
            yield say(
                "the word {value} or its score differs",
                value=min((word for word, _ in mine.items() ^ there.items())),
            )


def _compare_numbers(asked: Namespace) -> Iterator[str]:
    for number in (asked.min_score, asked.above, *asked.under):
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
    for what, bounds in list_ways(claim, ranking):
        if not any(_leaves_out(asked, claim, bounds) for asked in deadline.each(formulas)):
            return say("no formula excludes every fill {what}", what=what)
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
    if claim.text != NO_BETTER:
        yield say("that obeys the rules") + (say(" and is not listed") if claim.text == NO_OTHER else ""), []
        return
    assert claim.value is not None
    if claim.levels:
        numbers = [round(-number) for number in claim.value]
        for place, (level, number) in enumerate(zip(claim.levels, numbers, strict=True)):
            if number:
                so_far = list(zip(claim.levels[:place], numbers[:place], strict=True))
                yield (
                    say("with fewer than {number} words under {level:g}", number=number, level=level),
                    [*so_far, (level, number - 1)],
                )
        return
    for score in sorted(set(claim.value)):
        over = next(iter(ranking[bisect_right(ranking, score) :]), math.inf)
        so_far = [(each, bisect_left(claim.value, each)) for each in sorted(set(claim.value)) if each <= score]
        more = bisect_right(claim.value, score) - 1
        yield (
            say("with at most {more} words that score up to {value}", more=more, value=format_value((score,))),
            [*so_far, (over, more)],
        )


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
    if asked.above is not None and not _follows(bounds, asked.above, 0, above=True):
        return False
    if asked.min_score > rules.min_score and not _follows(bounds, asked.min_score, 0):
        return False
    known = set(zip(rules.at_most, rules.under, strict=True))
    return all(
        (most, under) in known or _follows(bounds, under, most)
        for most, under in zip(asked.at_most, asked.under, strict=True)
    )


_VARYING = {"above", "min_score", "at_most", "under", "blocked", "slots", "cases", "part"}
"""The arguments in which a formula may differ from the rules."""


def _follows(bounds: Bounds, threshold: Decimal, most: int, *, above: bool = False) -> bool:
    """Return whether at most `most` words score under a threshold, or up to it, by the bound at the next one.

    Scores are compared as they are written: the float 0.3 is less than 0.3.
    """
    written = ((Decimal(repr(under)), number) for under, number in bounds)
    allowed = next((number for under, number in written if (under > threshold if above else under >= threshold)), None)
    return allowed is not None and allowed <= most
