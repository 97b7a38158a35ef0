"""What `claim.json` says: what was proved, and which files of its folder show it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT_BYTES, SCORE, Fault, InputError
from cpfill.base.files import read_bytes
from cpfill.base.records import has_shape, parse_object, quote_json
from cpfill.base.texts import say
from cpfill.problem.problem import Objective
from cpfill.questions.proof.fill_to_cnf import RefusedError, read_arguments
from cpfill.words.wordlist import PACKAGED, packaged_text

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from cpfill.base.records import Shape
    from cpfill.problem.problem import Value
    from cpfill.problem.result import Deadline

CLAIM = "claim.json"

NO_FILL, NO_BETTER, NO_OTHER = "no fill", "no better fill", "no other fill"

MAX_STEPS = 5_000
"""The most steps of one claim; V5 takes one for each different score of a fill, and a large tree some hundred parts."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """A file of the folder, and the SHA-256 that it has."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """What cpfill read a file of the folder from: a path, or the name of a packaged list; its SHA-256 if it has one."""

    name: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A refutation: a formula, what the script is given for it after grid and words, and a proof; its cases, if any."""

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
        fill: the fill that no other is better than; or all fills, where there is no other.
        value: the value of it, where that is claimed.
    """

    text: str
    version: str
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
    steps: tuple[Step, ...]

    @property
    def files(self) -> list[File]:
        """Every file of the folder that the claim rests on."""
        named = [self.grid, self.words, self.fill]
        named += [file for step in self.steps for file in (step.cases, step.formula, step.proof)]
        return list(dict.fromkeys(file for file in named if file is not None))


def read_claim(folder: Path, deadline: Deadline) -> Claim:
    """Return the claim of a folder.

    Raises:
        InputError: there is none, or it is not as cpfill writes it, or names a file outside its folder.
        TimeoutError: it has too many steps to be read by the deadline.
    """
    path = folder / CLAIM
    if folder.is_dir() and not path.exists():
        raise InputError(
            Fault(say("a claim: without one the proof was not written to its end"), say("none"), str(path))
        )
    try:
        return _read(parse_object(read_bytes(path, most=MAX_TEXT_BYTES)), deadline)
    except InputError as error:
        raise InputError(*(Fault(f.expected, f.got, f.path or str(path)) for f in error.faults)) from None
    except RefusedError as error:
        raise InputError(Fault(say("arguments of fill_to_cnf.py"), str(error), str(path))) from None


def _read(data: dict[str, Any], deadline: Deadline) -> Claim:
    _require(data, "a claim", _CLAIM)
    text, steps, fill = data["claim"], data["steps"], data["fill"]
    if text not in {NO_FILL, NO_BETTER, NO_OTHER} or (fill is None) != (text == NO_FILL):
        expected = say("'no fill'; 'no better fill', with a fill; or 'no other fill', with all fills")
        raise InputError(Fault(expected, quote_json(text) + say(" without any") * (fill is None)))
    if len(steps) > MAX_STEPS:
        raise InputError(Fault(say("at most {most} steps", most=MAX_STEPS), str(len(steps))))
    if data["objective"] not in {Objective.ANY, Objective.MIN, Objective.LEXIMIN}:
        raise InputError(Fault(say("an objective of which proofs are written"), quote_json(data["objective"])))
    rules = _read_texts(data["rules"])
    return Claim(
        text=text,
        version=data["cpfill"],
        alphabet=data["alphabet"],
        rules=rules,
        asked=_read_rules(rules),
        objective=Objective(data["objective"]),
        levels=_read_numbers(data["levels"]),
        grid=_read_file(data["grid"]),
        grid_source=_read_source(data["grid"], "source_sha256"),
        words=_read_file(data["words"]),
        lists=tuple(map(_read_source, data["words"].get("lists", ()))),
        fill=None if fill is None else _read_file(fill),
        value=_read_value(fill) if fill and text == NO_BETTER else None,
        steps=tuple(map(_read_step, deadline.each(steps))),
    )


def _read_rules(rules: Sequence[str]) -> Namespace:
    """Return the rules of a claim, among which nothing stands that is of a formula alone."""
    asked = read_arguments(rules)
    for name in ("above", "slots", "blocked", "cases", "part"):
        if getattr(asked, name) is not None:
            raise InputError(Fault(say("the rules of the problem"), say("--{name}, which is of a formula", name=name)))
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


def _read_step(data: object) -> Step:
    step = _require(data, "a step", _STEP)
    arguments = _read_texts(step["arguments"])
    asked = read_arguments(arguments)
    if asked.blocked:
        _check_name(asked.blocked)
    cases = _read_file(step.get("cases")) if asked.cases else None
    if cases and cases.name != asked.cases:
        raise InputError(Fault(say("the cases of {cases}", cases=f"{asked.cases:.60}"), cases.name))
    return Step(
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
        raise InputError(Fault(say("a SHA-256 of 64 digits"), quote_json(file["sha256"])))
    return File(file["file"], file["sha256"])


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(Fault(say("the plain name of a file beside the claim"), quote_json(name)))


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


def _read_value(fill: dict[str, Any]) -> Value:
    value = fill.get("value")
    return _read_numbers(value if isinstance(value, list) else [value])


def _read_texts(data: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(each, str) for each in data):
        raise InputError(Fault(say("a list of texts"), quote_json(data)))
    return tuple(data)


def _read_numbers(data: list[Any]) -> tuple[float, ...]:
    if not all(isinstance(each, (int, float)) and abs(each) <= SCORE.high for each in data):
        raise InputError(Fault(say("a list of numbers up to {high:g}", high=SCORE.high), quote_json(data)))
    return tuple(map(float, data))


def _require(data: object, what: str, shape: Shape) -> dict[str, Any]:
    """Return an object that has the fields it is to have."""
    if not isinstance(data, dict) or not has_shape(data, shape):
        raise InputError(Fault(say("{what}, with {shape}", what=what, shape=", ".join(shape)), quote_json(data)))
    return data
