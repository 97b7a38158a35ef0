"""What is asked of the grid of a job: lists, rules, objective, engine, limits. A job's line has them by these names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from cpfill.alphabet import Alphabet
from cpfill.budgets import MAX_LIST_BYTES
from cpfill.engines import DEFAULT_ENGINE, engine_class
from cpfill.errors import Fault, InputError, LexiconError, unknown_name
from cpfill.formats.dialects import dialect_named
from cpfill.json_lines import shown
from cpfill.lexicon.wordlist import DEFAULT_LIST, PACKAGED
from cpfill.limits import Limits, parse_seconds
from cpfill.problem import Objective, Rules
from cpfill.ranges import NODES, OBSCURE, SCORE, SECONDS, SEED, SLOT_LENGTH, Range
from cpfill.sources import STDIN, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class ListFile:
    """A word list: the absolute path of a file and the digest of its text, or a packaged name and no digest."""

    name: str
    digest: str = ""


class Lists:
    """Finds word lists and takes their digests, each file once."""

    def __init__(self) -> None:
        self._known: dict[Path, ListFile] = {}

    def find(self, name: str, base: Path) -> ListFile:
        """Return the list of that name: a file as seen from the directory `base`, or a packaged one.

        Raises:
            LexiconError: there is none, or it cannot be read.
        """
        path = (base / name).absolute()
        if name in PACKAGED and not path.exists():
            return ListFile(name)
        if name in {"", STDIN}:
            raise LexiconError(Fault("a word list: a file, or a packaged one, for every process to read", f"'{name}'"))
        if path not in self._known:
            self._known[path] = ListFile(str(path), digest(read_text(path, LexiconError, MAX_LIST_BYTES)))
        return self._known[path]


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a job.

    Attributes:
        words: the word lists; none is the packaged English one, unless there is a weighted list.
        weighted: the list that has the scores; words of the others score 0.
        exclude: lists of words that are not used.
        theme: the list of theme words.
        objective: its name; by default `min` with a weighted list, `any` without.
        time_limit: seconds.
        node_limit: nodes of the search.
        require: words that must stand in the grid, as they were written.

    The others are as the command line has them.

    Raises:
        InputError: a value makes no sense.
    """

    words: tuple[ListFile, ...] = ()
    weighted: ListFile | None = None
    exclude: tuple[ListFile, ...] = ()
    theme: ListFile | None = None
    objective: str | None = None
    engine: str = DEFAULT_ENGINE
    seed: int = 0
    time_limit: float | None = None
    node_limit: int | None = None
    min_slot_length: int = 2
    alphabet: str = "latin"
    dialect: str | None = None
    min_score: float = 0.0
    repeats: bool = False
    no_shared: int | None = None
    max_obscure: int | None = None
    below: float | None = None
    require: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.objective is not None and self.objective not in set(Objective):
            raise InputError(unknown_name("an objective", self.objective, Objective))
        if (self.max_obscure is None) != (self.below is None):
            raise InputError(Fault("max_obscure and below together", "one without the other"))
        SLOT_LENGTH.check(self.min_slot_length, "min_slot_length")
        if self.dialect is not None:
            dialect_named(self.dialect)
        engine_class(self.engine)
        _ = self.letters, self.limits, self.rules

    @property
    def letters(self) -> Alphabet:
        """The alphabet of that name."""
        return Alphabet.named(self.alphabet)

    @property
    def goal(self) -> Objective:
        """The objective of that name."""
        if self.objective is not None:
            return Objective(self.objective)
        return Objective.ANY if self.weighted is None else Objective.MIN

    @property
    def limits(self) -> Limits:
        """The limits, with one worker: it is the jobs that run side by side."""
        return Limits(time_s=self.time_limit, nodes=self.node_limit, seed=self.seed)

    @property
    def rules(self) -> Rules:
        """The rules."""
        return Rules(
            repeats=self.repeats,
            min_score=self.min_score,
            no_shared=self.no_shared,
            max_obscure=self.max_obscure,
            below=self.below or 0.0,
            required=frozenset(map(self.letters.word, self.require)),
        )

    @property
    def lists(self) -> tuple[ListFile, ...]:
        """The lists whose union the lexicon is, less the weighted one."""
        return self.words or (() if self.weighted else (ListFile(DEFAULT_LIST),))

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides an answer beside the grid, as JSON has it: a list is its text, wherever it stands."""
        return {field.name: _identity(getattr(self, field.name)) for field in fields(self)}

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListFile]) -> Terms:
        """Return the terms with what the line of a job says, decoded; `find` finds lists.

        Raises:
            InputError: there is no such term, or it has a value that makes no sense.
        """
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in _READERS:
                raise InputError(unknown_name("a field of a job", name, {"id", "grid", *_READERS}))
            read, expected = _READERS[name]
            if value is None and name in _OPTIONAL:
                values[name] = None
                continue
            try:
                values[name] = read(value, find)
            except _WrongError:
                raise InputError(Fault(f"{expected} for '{name}'", shown(value))) from None
        return replace(self, **values)


_OPTIONAL = {field.name for field in fields(Terms) if field.default is None}


def _identity(value: object) -> object:
    if isinstance(value, tuple):
        return [_identity(each) for each in value]
    return value.digest or value.name if isinstance(value, ListFile) else value


class _WrongError(Exception):
    """A value is not of the type that its field has, or out of its range."""


def _text(value: object, _: object = None) -> str:
    if not isinstance(value, str):
        raise _WrongError
    return value


def _texts(value: object, _: object = None) -> tuple[str, ...]:
    if value == []:
        raise _WrongError
    return tuple(_text(each) for each in value) if isinstance(value, list) else (_text(value),)


def _list(value: object, find: Callable[[str], ListFile]) -> ListFile:
    return find(_text(value))


def _lists(value: object, find: Callable[[str], ListFile]) -> tuple[ListFile, ...]:
    return tuple(map(find, _texts(value)))


def _number(within: Range) -> tuple[Callable[[Any, object], float], str]:
    """Return what reads a number of a range, and what to expect of it."""

    def read(value: Any, _: object) -> float:  # noqa: ANN401 - whatever JSON holds
        if not within.holds(value):
            raise _WrongError
        return value if within.whole else float(value)

    return read, str(within)


def _flag(value: object, _: object = None) -> bool:
    if not isinstance(value, bool):
        raise _WrongError
    return value


def _seconds(value: Any, _: object = None) -> float:  # noqa: ANN401
    seconds: Any = parse_seconds(value) if isinstance(value, str) else value
    if not SECONDS.holds(seconds):
        raise _WrongError
    return float(seconds)


_READERS: dict[str, tuple[Callable[[Any, Callable[[str], ListFile]], Any], str]] = {
    "words": (_lists, "a word list, or an array of them,"),
    "weighted": (_list, "a word list"),
    "exclude": (_lists, "a word list, or an array of them,"),
    "theme": (_list, "a word list"),
    "objective": (_text, "the name of an objective"),
    "engine": (_text, "the name of an engine"),
    "seed": _number(SEED),
    "time_limit": (_seconds, f"{SECONDS}, or a time such as '10s',"),
    "node_limit": _number(NODES),
    "min_slot_length": _number(SLOT_LENGTH),
    "alphabet": (_text, "an alphabet"),
    "dialect": (_text, "the name of a dialect"),
    "min_score": _number(SCORE),
    "repeats": (_flag, "true or false"),
    "no_shared": _number(SLOT_LENGTH),
    "max_obscure": _number(OBSCURE),
    "below": _number(SCORE),
    "require": (_texts, "a word, or an array of them,"),
}
