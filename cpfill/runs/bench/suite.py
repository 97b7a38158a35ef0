"""A suite: questions and the engines that answer them, read from one TOML file.

    name = "squares"
    limit = "20s"                      # seconds of search for each run; also 500ms, 2m
    grace = "10s"                      # a process that takes this much more is killed
    check = "10m"                      # additional time for checking a proof
    objective = "any"                  # or min, sum, min-then-sum, leximin, letter-values
    ask = "fill"                       # or all: every fill, reported; number: the number of fills;
                                       # words, letters: a verdict on every candidate;
                                       # edits: one on every single edit of the grid;
                                       # proof: write and check the proof of the answer
    workers = 1
    seeds = [0, 1]
    must_decide = false                # true: a run without an answer is a failure

    [lists.common]                     # packaged lists (en, en-gb, fr) need no such table
    words = ["my.words.txt"]           # files next to the suite, or packaged lists
    min_score = 40

    [[families]]
    name = "squares"
    grids = ["../squares/*.txt", "!../squares/8x8.txt"]
    lists = ["en", "common"]

    [[families]]
    name = "tiny"                      # without lists: the questions that known answers ask, of all grids or these
    answers = "../tiny/known_answers.toml"
    ask = "all"

    [[engines]]
    label = "cpsat table"              # by default the engine's name
    engine = "cpsat"
    options = { formulation = "table" }

The fields of a `Request` other than lists, and `ask`, may stand at the top or in a family; the `min_score` of a list
takes precedence. If a family has both lists and `answers`, the engines' answers are checked against the known ones.

Reads tables of a TOML file key by key, each with its reader; a key that is never read is an error.
"""

from __future__ import annotations

import glob
import json
import re
import string
import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import (
    COUNT,
    MAX_LINE_BYTES,
    MAX_SUITE_BYTES,
    SCORE,
    SEED,
    WORKERS,
    Fault,
    InputError,
    Range,
    expected,
    quote_value,
    unknown_name,
)
from cpfill.base.files import read_text
from cpfill.base.reading import (
    TEXT,
    TEXTS,
    name_reader,
    number_reader,
    numbers_reader,
    read_flag,
    read_some_seconds,
    wrong,
)
from cpfill.base.texts import hear, say
from cpfill.engines import ENGINES
from cpfill.problem.problem import Objective
from cpfill.questions.request import SINGLE, Request
from cpfill.words.wordlist import PACKAGED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.base.reading import Reader

_TOML_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_REQUIRED: Any = object()


def read_toml(path: str) -> Table:
    text = read_text(path, most=MAX_SUITE_BYTES)
    for number, size in enumerate(map(len, text.split("\n")), start=1):
        if size > MAX_LINE_BYTES:  # tomllib takes the square of the parts of a dotted key
            raise expected("a line of at most {most} characters", f"{size}", path, number, most=MAX_LINE_BYTES)
    try:
        return Table(path, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        raise InputError(_locate_fault(exc, path)) from None
    except RecursionError:
        raise InputError(Fault("TOML", say("brackets within brackets, hundreds deep"), path)) from None
    except ValueError:  # Python reads no whole number of over 4300 digits
        raise InputError(Fault("TOML", say("a number of thousands of digits"), path)) from None


def _locate_fault(error: tomllib.TOMLDecodeError, path: str) -> Fault:
    """Return the fault of a file, with its line and column if the message has them."""
    got = hear(_TOML_PLACE.sub("", str(error)).lower())
    place = _TOML_PLACE.search(str(error))
    if place is None or place["line"] is None:
        return Fault("TOML", got, path)
    return Fault("TOML", got, path, int(place["line"]), int(place["column"]))


def _read_table(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong(say("a table"), name, value)
    return value


def _read_tables(name: str, value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise wrong(say("tables [[{name}]]", name=name), name, value)
    return value


class Table:
    """A table and its place in a file."""

    def __init__(self, path: str, place: str, values: Mapping[str, Any]) -> None:
        self._path = path
        self._place = place
        self._values = values
        self._asked: set[str] = set()

    def fault(self, fault: Fault) -> InputError:
        place = f"{self._place}: " if self._place else ""
        return InputError(Fault(f"{place}{fault.expected}", fault.got, self._path))

    def error(self, expected: str, got: str) -> InputError:
        return self.fault(Fault(expected, got))

    def finish(self) -> None:
        """Check that every key was read."""
        for key in self._values:
            if key not in self._asked:
                raise self.fault(unknown_name(say("a key"), key, self._asked))

    def given(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return the given keys that the table has, with unparsed values."""
        wanted = set(keys)
        self._asked |= wanted
        return {key: value for key, value in self._values.items() if key in wanted}

    def read(self, key: str, reader: Reader, default: Any = _REQUIRED) -> Any:
        """Return the value of a key, parsed by a reader; the default if the table does not have it."""
        self._asked.add(key)
        if key not in self._values:
            if default is _REQUIRED:
                raise self.error(say("a key '{key}'", key=key), "none")
            return default
        return self._checked(reader, key, self._values[key])

    def _checked(self, reader: Reader, name: str, value: object) -> Any:
        try:
            return reader(name, value)
        except InputError as exc:
            raise self.fault(exc.faults[0]) from None

    def mapping(self, key: str) -> dict[str, Any]:
        """Return a table as it is, empty if it is not there."""
        return dict(self.read(key, _read_table, {}))

    def tables(self, key: str) -> list[Table]:
        """Return the tables `[[key]]`, empty if the table does not have the key."""
        tables = self.read(key, _read_tables, [])
        return [Table(self._path, f"[[{key}]] {number}", each) for number, each in enumerate(tables, start=1)]

    def named_tables(self, key: str) -> dict[str, Table]:
        """Return the tables `[key.NAME]` by name; empty if the table does not have the key."""
        tables = {}
        for name, each in self.mapping(key).items():
            place = f"[{key}.{name}]"
            tables[name] = Table(self._path, place, self._checked(_read_table, place, each))
        return tables


@dataclass(frozen=True, slots=True)
class WordSource:
    """Word lists by the name a suite gives them: packaged names and absolute paths."""

    name: str
    words: tuple[str, ...]
    min_score: float | None = None


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """The known answer to a question: whether a fill exists, the number of fills, the best value."""

    satisfiable: bool
    fills: int | None = None
    best: float | None = None


class Ask(StrEnum):
    """The kind of answer to a question."""

    FILL = "fill"
    """One fill, or the best."""
    ALL = "all"
    """Every fill, reported and audited."""
    NUMBER = "number"
    """The number of fills; an engine that can count does not report them."""
    WORDS = "words"
    """A verdict on every word that arc consistency leaves in a slot."""
    LETTERS = "letters"
    """A verdict on every letter of every cell."""
    EDITS = "edits"
    """A verdict on every single edit of the grid, but not on the grid itself."""
    PROOF = "proof"
    """One fill, or the best, and a proof accepted by a checker that no fill, or no better one, exists."""


EVERY = frozenset({Ask.ALL, Ask.NUMBER})
VERDICTS = frozenset({Ask.WORDS, Ask.LETTERS, Ask.EDITS})


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A question about a file of grids.

    Attributes:
        family: the name of its family.
        grid: the file.
        index: the number of grid files before it in the family.
        list: the name of its word list.
        request: the words, the rules, the objective.
        ask: the kind of answer.
        known: the known answer, if any.
    """

    family: str
    grid: Path
    index: int
    list: str
    request: Request
    ask: Ask = Ask.FILL
    known: KnownAnswer | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """An engine with the options it runs with."""

    label: str
    engine: str
    options: Mapping[str, Any]
    workers: int


@dataclass(frozen=True, slots=True)
class Peer:
    """An outside program.

    Attributes:
        template: its command.
        infeasible: a regular expression matching its output if it claims that no fill exists; empty if it never can.
        search: an expression for its own seconds of search in its output, with one group, or a group `s` or `ms`.
        count: an expression for the number of fills in its output once it has found them all, with one group.
        best: an expression matching its output if it claims that no fill is better than its last one.
    """

    label: str
    template: str
    infeasible: str = ""
    search: str = ""
    count: str = ""
    best: str = ""

    @property
    def placeholders(self) -> frozenset[str]:
        """The names in braces in the command."""
        return frozenset(name for _, name, _, _ in string.Formatter().parse(self.template) if name is not None)


@dataclass(frozen=True, slots=True)
class Suite:
    """Questions, engines, seeds and the limit of each run."""

    name: str
    path: Path
    questions: tuple[BenchQuestion, ...]
    entrants: tuple[Entrant, ...]
    seeds: tuple[int, ...] = (0,)
    limit_s: float = 20.0
    grace_s: float = 10.0
    check_s: float = 600.0
    workers: int = 1
    must_decide: bool = False


_FILLS = Range(0, COUNT.high)
_ASK = name_reader("a question", Ask)
_NOT_OF_SUITES = {"grid", "weighted", "objective", "avoid", "personal", "letter_values"}
RULES = tuple(name for name in SINGLE if name not in _NOT_OF_SUITES)
"""The fields of a request that a suite and its known answers have, in addition to the objective."""


def read_suite(path: str) -> Suite:
    top = read_toml(path)
    base = Path(path).resolve().parent
    workers = top.read("workers", number_reader(WORKERS), 1)
    lists = {name: _word_source(name, table, base) for name, table in top.named_tables("lists").items()}
    request = _request(top, Request(objective=Objective.ANY))
    ask = Ask(top.read("ask", _ASK, Ask.FILL))
    questions: list[BenchQuestion] = []
    for table in top.tables("families"):
        questions += _ask_family(_read_family(table, request, ask), base, lists)
    entrants = [_entrant(table, workers) for table in top.tables("engines")]
    suite = Suite(
        name=top.read("name", TEXT, Path(path).stem),
        path=Path(path),
        questions=tuple(questions),
        entrants=tuple(entrants),
        seeds=top.read("seeds", numbers_reader(SEED), (0,)),
        limit_s=top.read("limit", read_some_seconds, 20.0),
        grace_s=top.read("grace", read_some_seconds, 10.0),
        check_s=top.read("check", read_some_seconds, 600.0),
        workers=workers,
        must_decide=top.read("must_decide", read_flag, default=False),
    )
    top.finish()
    return suite


def _request(table: Table, default: Request, names: Iterable[str] = ("objective", *RULES)) -> Request:
    """Return the default request, updated by the fields in a table."""
    try:
        return default.updated(table.given(names))
    except InputError as exc:
        raise table.fault(exc.faults[0]) from None


def _entrant(table: Table, workers: int) -> Entrant:
    engine = table.read("engine", name_reader(say("an engine"), ENGINES))
    entrant = Entrant(
        table.read("label", TEXT, engine),
        engine,
        table.mapping("options"),
        table.read("workers", number_reader(WORKERS), workers),
    )
    table.finish()
    try:
        json.dumps(entrant.options)
    except (TypeError, ValueError):
        wanted = say("options that are texts, numbers, flags or tables of them")
        raise table.error(wanted, quote_value(entrant.options)) from None
    return entrant


def _word_source(name: str, table: Table, base: Path) -> WordSource:
    words = _words(table.read("words", TEXTS), base)
    min_score = table.read("min_score", number_reader(SCORE), None)
    table.finish()
    return WordSource(name, words, min_score)


def _words(names: Iterable[str], base: Path) -> tuple[str, ...]:
    """Return packaged names unchanged, and files as absolute paths."""
    return tuple(_locate_list(name, base) for name in names)


def _locate_list(name: str, base: Path) -> str:
    if name in PACKAGED:
        return name
    return str(base / name)


@dataclass(frozen=True, slots=True)
class _Family:
    """The content of a table `[[families]]`."""

    table: Table
    name: str
    request: Request
    ask: Ask
    patterns: Sequence[str]
    answers: str
    lists: Sequence[str]


def _read_family(table: Table, default: Request, default_ask: Ask) -> _Family:
    family = _Family(
        table,
        name=table.read("name", TEXT),
        request=_request(table, default),
        ask=Ask(table.read("ask", _ASK, default_ask)),
        patterns=table.read("grids", TEXTS, ()),
        answers=table.read("answers", TEXT, ""),
        lists=table.read("lists", TEXTS, ()),
    )
    table.finish()
    if family.ask in EVERY | VERDICTS and family.request.goal.criteria:
        wanted = say("{fill} or {proof} for 'ask' with an objective", fill=Ask.FILL, proof=Ask.PROOF)
        raise table.error(wanted, family.ask)
    if not family.patterns and not family.answers:
        raise table.error(say("grids, answers or both"), "neither")
    return family


def _ask_family(family: _Family, base: Path, lists: Mapping[str, WordSource]) -> list[BenchQuestion]:
    """Return the questions of a family: those that its known answers ask, or each grid with each list."""
    known: list[_Answer] = []
    if family.answers:
        known = _known_answers(base / family.answers, family.request.goal)
    grids = sorted({answer.grid for answer in known})
    if family.patterns:
        grids = _expand(family.patterns, base, family.table)
    if family.answers and not family.lists:
        return _ask_known(family, grids, known)
    return _ask_each(family, grids, lists, known)


def _ask_each(
    family: _Family, grids: Sequence[Path], lists: Mapping[str, WordSource], known: Sequence[_Answer]
) -> list[BenchQuestion]:
    """Return the questions about each grid with each list of the family, by default all lists of the suite."""
    sources = [_source(one, lists, family.table) for one in family.lists or lists]
    if not sources:
        raise family.table.error("lists", say("none here, and no [lists.NAME]"))
    questions: list[BenchQuestion] = []
    for index, grid in enumerate(grids):
        questions += [_ask_grid(family, index, grid, source, known) for source in sources]
    return questions


def _ask_known(family: _Family, grids: Sequence[Path], known: Iterable[_Answer]) -> list[BenchQuestion]:
    """Return the questions of the known answers about these grids."""
    index = {grid: number for number, grid in enumerate(grids)}
    chosen = [answer for answer in known if answer.grid in index]
    if not chosen:
        raise family.table.error(say("grids that {answers} has answers for", answers=family.answers), "none")
    return [BenchQuestion(family.name, a.grid, index[a.grid], a.list, a.request, family.ask, a.known) for a in chosen]


def _ask_grid(family: _Family, index: int, grid: Path, source: WordSource, known: Iterable[_Answer]) -> BenchQuestion:
    """Return the question about a grid with a list, and its known answer, if any."""
    least = source.min_score
    if least is None:
        least = family.request.min_score
    request = replace(family.request, words=source.words, min_score=least)
    fits = (a.known for a in known if (a.grid, a.request) == (grid, request))
    return BenchQuestion(family.name, grid, index, source.name, request, family.ask, next(fits, None))


def _source(name: str, lists: Mapping[str, WordSource], table: Table) -> WordSource:
    if name in lists:
        return lists[name]
    if name in PACKAGED:
        return WordSource(name, (name,))
    raise table.fault(unknown_name(say("a list of [lists] or a packaged one"), name, {*lists, *PACKAGED}))


def _expand(patterns: Iterable[str], base: Path, table: Table) -> list[Path]:
    """Return the files that match the globs, sorted, except those that match a glob after `!`."""
    found: set[Path] = set()
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        names = glob.glob(bare, root_dir=base, recursive=True)  # noqa: PTH207 - takes absolute patterns too
        try:
            matches = {(base / name).resolve() for name in names}
        except RuntimeError as exc:  # a loop of links
            raise table.error(say("a glob that matches files"), f"'{bare}': {exc}") from None
        if not matches:
            got = say("'{bare}', which matches none in {base}", bare=bare, base=base)
            raise table.error(say("a glob that matches a file"), got)
        if pattern.startswith("!"):
            found -= matches
        else:
            found |= matches
    if not found:
        raise table.error("grids", say("none left"))
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Answer:
    grid: Path
    list: str
    request: Request
    known: KnownAnswer


def _known_answers(path: Path, objective: Objective) -> list[_Answer]:
    """Return the answers of a `known_answers.toml`: instances/README.md has its keys."""
    top = read_toml(str(path))
    base = path.resolve().parent
    answers = []
    for table in top.tables("answer"):
        names = table.read("words", TEXTS)
        request = _request(table, Request(words=_words(names, base), objective=objective), RULES)
        status = table.read("status", name_reader(say("a status"), ("SATISFIABLE", "UNSATISFIABLE")))
        fills: int | None = table.read("fills", number_reader(_FILLS), None)
        best: float | None = table.read("best_min_score", number_reader(SCORE), None)
        known = KnownAnswer(status == "SATISFIABLE", fills, best)
        grid = base / table.read("grid", TEXT)
        answers.append(_Answer(grid.resolve(), "+".join(names), request, known))
    if not answers:
        raise expected("known answers: tables [[answer]]", say("none"), path=str(path))
    return answers
