"""A suite: which questions are put to which engines, read from one TOML file.

    name = "squares"
    limit = "20s"                      # seconds of search for each run; also 500ms, 2m
    grace = "10s"                      # a process that takes this much more is killed
    objective = "any"                  # or min
    all = false                        # true: count every fill
    workers = 1
    seeds = [0, 1]
    must_decide = false                # true: a run that comes to no answer is a failure

    [lists.common]                     # packaged lists (en, fr) have their names without this
    words = ["my.words.txt"]           # files beside the suite, or packaged
    min_score = 40

    [[families]]
    name = "squares"
    grids = ["../squares/*.txt", "!../squares/8x8.txt"]
    lists = ["en", "common"]

    [[families]]
    name = "tiny"                      # without lists: the questions that known answers ask, of all grids or these
    answers = "../tiny/known_answers.toml"
    all = true

    [[engines]]
    label = "cpsat table"              # by default the engine's name
    engine = "cpsat"
    options = { formulation = "table" }

`repeats`, `min_slot_length`, `alphabet`, `objective` and `all` stand at the top or in a family. Where a family has
lists and `answers`, the answers known are held against what the engines say.
"""

from __future__ import annotations

import glob
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.alphabet import Alphabet
from cpfill.bench.toml import Table, read_toml
from cpfill.engines import ENGINES
from cpfill.errors import Fault, InputError, unknown_name
from cpfill.lexicon.wordlist import PACKAGED
from cpfill.problem import Objective
from cpfill.ranges import COUNT, SCORE, SEED, SLOT_LENGTH, WORKERS, Range, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class WordSource:
    """Word lists by the name a suite gives them: packaged names and absolute paths."""

    name: str
    words: tuple[str, ...]
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of a grid: the rules, the objective, one fill or all."""

    min_score: float = 0.0
    repeats: bool = False
    min_slot_length: int = 2
    alphabet: str = Alphabet().letters
    objective: str = Objective.ANY.value
    all: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a question: whether there is a fill, how many, the best value."""

    satisfiable: bool
    fills: int | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A file of grids, the words and the terms; `index` is its place among the grid files of the family, from 0."""

    family: str
    grid: Path
    index: int
    list: WordSource
    terms: Terms
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """An engine with the options it runs with."""

    label: str
    engine: str
    options: Mapping[str, Any]
    workers: int


@dataclass(frozen=True, slots=True)
class Suite:
    """Questions, engines, seeds and the limit of each run."""

    name: str
    path: Path
    questions: tuple[Question, ...]
    entrants: tuple[Entrant, ...]
    seeds: tuple[int, ...] = (0,)
    limit_s: float = 20.0
    grace_s: float = 10.0
    workers: int = 1
    must_decide: bool = False


_FILLS = Range(0, COUNT.high)
_TERMS = ("repeats", "min_slot_length", "alphabet", "objective", "all")


def read_suite(path: str) -> Suite:
    """Return the suite in a TOML file.

    Raises:
        InputError: no such file, no TOML, an unknown key or name, a value that makes no sense, or a glob that matches
            nothing.
    """
    top = read_toml(path)
    base = Path(path).resolve().parent
    workers = top.number("workers", 1, WORKERS)
    lists = {name: _word_source(name, table, base) for name, table in top.named_tables("lists").items()}
    terms = _terms(top, Terms())
    questions = tuple(q for family in top.tables("families") for q in _family(family, base, lists, terms))
    entrants = tuple(_entrant(table, workers) for table in top.tables("engines"))
    suite = Suite(
        name=top.text("name", Path(path).stem),
        path=Path(path),
        questions=questions,
        entrants=entrants,
        seeds=top.numbers("seeds", (0,), SEED),
        limit_s=top.seconds("limit", 20.0),
        grace_s=top.seconds("grace", 10.0),
        workers=workers,
        must_decide=top.flag("must_decide", default=False),
    )
    top.finish()
    return suite


def _terms(table: Table, default: Terms) -> Terms:
    return Terms(
        min_score=default.min_score,
        repeats=table.flag("repeats", default=default.repeats),
        min_slot_length=table.number("min_slot_length", default.min_slot_length, SLOT_LENGTH),
        alphabet=Alphabet.named(table.text("alphabet", default.alphabet)).letters,
        objective=table.one_of("objective", default.objective, tuple(Objective)),
        all=table.flag("all", default=default.all),
    )


def _entrant(table: Table, workers: int) -> Entrant:
    engine = table.one_of("engine", None, tuple(ENGINES))
    entrant = Entrant(
        table.text("label", engine), engine, table.mapping("options"), table.number("workers", workers, WORKERS)
    )
    table.finish()
    try:
        json.dumps(entrant.options)
    except (TypeError, ValueError):
        raise table.error("options that are texts, numbers, flags or tables of them", told(entrant.options)) from None
    return entrant


def _word_source(name: str, table: Table, base: Path) -> WordSource:
    source = WordSource(name, _words(table.texts("words"), base), table.number("min_score", 0.0, SCORE))
    table.finish()
    return source


def _words(names: Iterable[str], base: Path) -> tuple[str, ...]:
    """Return packaged names as they are, and files by their absolute paths."""
    return tuple(name if name in PACKAGED and not (base / name).exists() else str(base / name) for name in names)


def _family(table: Table, base: Path, lists: Mapping[str, WordSource], default: Terms) -> list[Question]:
    name = table.text("name")
    terms = _terms(table, default)
    patterns, answers = table.texts("grids", ()), table.text("answers", "")
    asked = table.texts("lists", ())
    table.finish()
    if not patterns and not answers:
        raise table.error("grids, answers or both", "neither")
    known = _known_answers(base / answers, terms) if answers else []
    grids = _expand(patterns, base, table) if patterns else sorted({answer.grid for answer in known})
    place = {grid: index for index, grid in enumerate(grids)}
    if answers and not asked:
        chosen = [Question(name, a.grid, place[a.grid], a.list, a.terms, a.known) for a in known if a.grid in place]
        if not chosen:
            raise table.error(f"grids that {answers} has answers for", "none")
        return chosen
    sources = [_source(one, lists, table) for one in asked or lists]
    if not sources:
        raise table.error("lists", "none here, and no [lists.NAME]")
    questions = []
    for grid in grids:
        for source in sources:
            scored = _with_score(terms, source.min_score)
            fits = [a for a in known if (a.grid, a.list.words, a.terms) == (grid, source.words, scored)]
            questions.append(Question(name, grid, place[grid], source, scored, fits[0].known if fits else None))
    return questions


def _with_score(terms: Terms, min_score: float) -> Terms:
    return Terms(min_score, terms.repeats, terms.min_slot_length, terms.alphabet, terms.objective, terms.all)


def _source(name: str, lists: Mapping[str, WordSource], table: Table) -> WordSource:
    if name in lists:
        return lists[name]
    if name in PACKAGED:
        return WordSource(name, (name,))
    raise table.fault(unknown_name("a list of [lists] or a packaged one", name, {*lists, *PACKAGED}))


def _expand(patterns: Iterable[str], base: Path, table: Table) -> list[Path]:
    """Return the files that the globs name, sorted, less those that a glob after `!` names."""
    found: set[Path] = set()
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        names = glob.glob(bare, root_dir=base, recursive=True)  # noqa: PTH207 - takes absolute patterns too
        matches = {(base / name).resolve() for name in names}
        if not matches:
            raise table.error("a glob that matches a file", f"'{bare}', which matches none in {base}")
        found = found - matches if pattern.startswith("!") else found | matches
    if not found:
        raise table.error("grids", "none left")
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Answer:
    grid: Path
    list: WordSource
    terms: Terms
    known: Known


def _known_answers(path: Path, terms: Terms) -> list[_Answer]:
    """Return the answers of a `known_answers.toml`: instances/README.md has its keys."""
    top = read_toml(str(path))
    base = path.resolve().parent
    answers = []
    for table in top.tables("answer"):
        own = Terms(
            min_score=table.number("min_score", 0.0, SCORE),
            repeats=table.flag("repeats", default=False),
            min_slot_length=table.number("min_slot_length", 2, SLOT_LENGTH),
            alphabet=Alphabet.named(table.text("alphabet", "latin")).letters,
            objective=terms.objective,
            all=terms.all,
        )
        names = table.texts("words")
        source = WordSource("+".join(names), _words(names, base), own.min_score)
        status = table.one_of("status", None, ("SATISFIABLE", "UNSATISFIABLE"))
        fills: int | None = table.number("fills", None, _FILLS)
        best: float | None = table.number("best_min_score", None, SCORE)
        known = Known(status == "SATISFIABLE", fills, best)
        answers.append(_Answer((base / table.text("grid")).resolve(), source, own, known))
    if not answers:
        raise InputError(Fault(path=str(path), expected="known answers: tables [[answer]]", got="none"))
    return answers
