"""The options that several verbs share, and what they come to: grids, lexicons, limits, engines."""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from cpfill.alphabet import Alphabet
from cpfill.cli.exits import usage_error, warn
from cpfill.errors import InputError, unknown_name
from cpfill.formats.dialects import DIALECTS, write_fill
from cpfill.formats.puzzles import PUZZLE_FORMATS, format_named, format_to_write, write_puzzle
from cpfill.formats.templates import Template, read_templates
from cpfill.lexicon.lexicon import Lexicon
from cpfill.lexicon.wordlist import DEFAULT_LIST, THEME_SCORE, WordList, read_word_list, skipped_text
from cpfill.limits import parse_seconds
from cpfill.problem import Objective, Problem, Rules
from cpfill.ranges import OBSCURE, SCORE, SECONDS, SEED, SLOT_LENGTH, WORKERS, Range
from cpfill.sources import STDIN

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from cpfill.cli.output import Output
    from cpfill.clues.clue_file import Clues
    from cpfill.fill import Fill
    from cpfill.formats.pages.style import Style
    from cpfill.grid import Grid
    from cpfill.puzzle import Puzzle


def number(range_: Range, *names: str, metavar: str = "N", help: str) -> Any:  # noqa: A002, ANN401 - as typer has it
    """Return what declares an option that takes a number of this range."""

    def check(option: typer.CallbackParam, given: float | None) -> float | None:
        if given is not None:
            range_.check(given, option.opts[0])
        return given

    return typer.Option(*names, metavar=metavar, callback=check, help=help)


Grids = Annotated[
    list[str], typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid.")
]
Words = Annotated[
    list[str] | None,
    typer.Option("--words", "-w", metavar="LIST", help="Word list: a file, - or packaged (en, fr). Repeatable."),
]
Weighted = Annotated[
    str | None,
    typer.Option(metavar="LIST", help="Maximise the least score by this list; words of -w alone then score 0."),
]
AlphabetName = Annotated[
    str, typer.Option("--alphabet", metavar="NAME", help="latin, es, de, sv, fi, da, nb, or the letters themselves.")
]
DialectName = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help=f"Read the grid as {', '.join(reversed(DIALECTS))}.")
]
Repeats = Annotated[bool, typer.Option("--repeats", help="Allow a word more than once (lifts rule C3).")]
MinSlotLength = Annotated[int, number(SLOT_LENGTH, help="Shorter runs of open cells are no slots.")]
MinScore = Annotated[float, number(SCORE, metavar="S", help="Leave out words that score less.")]
ObjectiveName = Annotated[
    str | None,
    typer.Option("--objective", metavar="NAME", help="any fill, or maximise min, sum or min-then-sum of scores."),
]
NoShared = Annotated[
    int | None, number(SLOT_LENGTH, "--no-shared", metavar="LEN", help="No two words share a run of LEN letters (C5).")
]
MaxObscure = Annotated[
    int | None, number(OBSCURE, "--max-obscure", metavar="K", help="At most K words score under --below (C6).")
]
Below = Annotated[float | None, number(SCORE, "--below", metavar="S", help="What --max-obscure counts is under this.")]
Require = Annotated[
    list[str] | None, typer.Option("--require", metavar="WORD", help="This word stands in the fill (C7). Repeatable.")
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", metavar="LIST", help="The words of this list are not used. Repeatable.")
]
Theme = Annotated[
    str | None,
    typer.Option("--theme", metavar="LIST", help="Place as many of these words as can be, or of their scores."),
]
TimeLimit = Annotated[
    str | None, typer.Option("--time-limit", "-t", metavar="TIME", help="Stop after 10s, 500ms, 2m, 1h (seconds).")
]
Workers = Annotated[int, number(WORKERS, "--workers", "-j", help="Threads to search with.")]
Seed = Annotated[int, number(SEED, help="The same seed and one worker give the same answer.")]
AllFills = Annotated[bool, typer.Option("--all", "-a", help="Every fill; or every better one, with an objective.")]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to this file; .puz, .ipuz, .svg, .pdf… make a puzzle of one."
    ),
]
WriteAs = Annotated[
    str | None,
    typer.Option(
        "--to",
        "-f",
        metavar="FORMAT",
        help=f"By default the suffix tells: {', '.join(name for name, one in PUZZLE_FORMATS.items() if one.writes)}.",
    ),
]
ClueFile = Annotated[
    str | None,
    typer.Option(
        "--clues",
        metavar="FILE",
        help="Clues for slots without one: WORD, a tab, ; or comma, its clue; or a .csv of convert.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="cpsat: the solver's log on standard error.")]


Asked = Mapping[str, Any]
"""The options that describe a problem, by name, as a verb was given them."""

_PROBLEM_OPTIONS: dict[str, tuple[Any, Any]] = {
    "words": (Words, None),
    "weighted": (Weighted, None),
    "repeats": (Repeats, False),
    "min_slot_length": (MinSlotLength, 2),
    "min_score": (MinScore, 0.0),
    "no_shared": (NoShared, None),
    "max_obscure": (MaxObscure, None),
    "below": (Below, None),
    "require": (Require, None),
    "exclude": (Exclude, None),
    "theme": (Theme, None),
    "dialect": (DialectName, None),
    "alphabet": (AlphabetName, "latin"),
}


def problem_options(*names: str, without: Container[str] = ()) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of these names, by default all; it gets them together, as its argument `asked`."""
    chosen = [name for name in names or _PROBLEM_OPTIONS if name not in without]

    def decorate(verb: Callable[..., int]) -> Callable[..., int]:
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb, eval_str=True).parameters.values():
            if parameter.name != "asked":
                parameters.append(parameter)
                continue
            for name in chosen:
                annotation, default = _PROBLEM_OPTIONS[name]
                kind = inspect.Parameter.KEYWORD_ONLY
                parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))

        @wraps(verb)
        def command(**given: object) -> int:
            return verb(asked={name: given.pop(name) for name in chosen}, **given)

        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def given_options(asked: Asked, *, without: Container[str] = ()) -> list[str]:
    """Return the options of a problem that have another value than their default."""
    names = [name for name, value in asked.items() if value != _PROBLEM_OPTIONS[name][1] and name not in without]
    return [f"--{name.replace('_', '-')}" for name in names]


@dataclass(frozen=True, slots=True)
class Source:
    """A problem, and where its grid is from."""

    template: Template
    problem: Problem

    @property
    def name(self) -> str:
        """The name of the grid."""
        return self.template.name

    def text_of(self, fill: Fill) -> str:
        """Return a fill in the dialect of the grid."""
        return write_fill(self.template.dialect, self.problem.grid, fill.letters)


@dataclass(frozen=True, slots=True)
class Setting:
    """All that turns grids into problems, as the command line gave it."""

    lists: tuple[str, ...]
    weighted: str | None
    objective: Objective
    rules: Rules
    min_slot_length: int
    dialect: str | None
    alphabet: Alphabet
    excluded: tuple[str, ...] = ()
    theme: str | None = None

    @classmethod
    def of(cls, asked: Asked, objective: Objective = Objective.ANY) -> Self:
        """Return what the options that were asked for come to; those that a verb does not have are as if not given.

        Raises:
            InputError: they make no sense.
        """
        given = {name: default for name, (_, default) in _PROBLEM_OPTIONS.items()} | dict(asked)
        max_obscure, below = given["max_obscure"], given["below"]
        if (max_obscure is None) != (below is None):
            one, missing = ("--below", "--max-obscure") if max_obscure is None else ("--max-obscure", "--below")
            raise usage_error("--max-obscure and --below together", f"{one} without {missing}")
        alphabet = Alphabet.named(given["alphabet"])
        rules = Rules(
            repeats=given["repeats"],
            min_score=given["min_score"],
            no_shared=given["no_shared"],
            max_obscure=max_obscure,
            below=below or 0.0,
            required=frozenset(alphabet.word(word) for word in given["require"] or ()),
        )
        return cls(
            tuple(given["words"] or ()),
            given["weighted"],
            objective,
            rules,
            given["min_slot_length"],
            given["dialect"],
            alphabet,
            tuple(given["exclude"] or ()),
            given["theme"],
        )

    def read(self, paths: list[str]) -> tuple[list[Source], float]:
        """Return a problem for every grid in the files, and the seconds it took to load them all."""
        start_s = time.perf_counter()
        self.share_stdin(paths)
        templates = self.templates(paths)
        problems = self.problems([template.grid for template in templates])
        sources = [Source(template, problem) for template, problem in zip(templates, problems, strict=True)]
        return sources, time.perf_counter() - start_s

    def problems(self, grids: Sequence[Grid]) -> list[Problem]:
        """Return a problem for each grid."""
        theme = self._theme()
        lexicon = self.lexicon(theme)
        return [Problem(grid, lexicon, self.rules, self.objective, theme) for grid in grids]

    def _theme(self) -> dict[str, float]:
        """Return the weight of each theme word, 1 where the list has no score."""
        if self.theme is None:
            return {}
        return read_word_list(self.theme, self.alphabet, default_score=THEME_SCORE).weights

    def share_stdin(self, paths: list[str]) -> None:
        """Check that standard input is asked for one thing at most: one of these paths, or a list."""
        share_stdin([*paths, *self.lists, *self.excluded, *filter(None, [self.weighted, self.theme])])

    def templates(self, paths: list[str]) -> list[Template]:
        """Return the templates in the files."""
        return [
            template
            for path in paths
            for template in read_templates(
                path, alphabet=self.alphabet, min_slot_length=self.min_slot_length, dialect=self.dialect
            )
        ]

    def lexicon(self, theme: Mapping[str, float] | None = None) -> Lexicon:
        """Return the union of the lists without what is excluded; with a weighted list other words score 0.

        Theme words and required words that no list has are added. What was skipped is counted on standard error.
        """
        plain = self.lists or (() if self.weighted else (DEFAULT_LIST,))
        read = [self._read_list(name) for name in plain]
        weighted = self._read_list(self.weighted) if self.weighted else None
        excluded = frozenset[str]().union(*(self._read_list(name).words for name in self.excluded))
        lexicon = Lexicon.of_lists(read, weighted, self.alphabet, exclude=excluded)
        return lexicon.including(self.rules.required.union(theme or ()))

    def _read_list(self, name: str) -> WordList:
        words = read_word_list(name, self.alphabet)
        if words.skipped:
            warn(f"{words.name}: {len(words.words)} words, {skipped_text(words.skipped)}")
        return words


def share_stdin(names: Sequence[str]) -> None:
    """Check that standard input stands for one of these names at most."""
    asked = names.count(STDIN)
    if asked > 1:
        raise usage_error("standard input for one thing at most", f"'-' {asked} times")


def parse_objective(name: str | None, weighted: str | None) -> Objective:
    """Return the objective of that name; by default `min` with a weighted list, `any` without."""
    if name is None:
        return Objective.MIN if weighted else Objective.ANY
    if name not in set(Objective):
        raise InputError(unknown_name("an objective", name, Objective))
    return Objective(name)


def parse_time(text: str | None) -> float | None:
    """Return the seconds of a time limit, if one is given."""
    if text is None:
        return None
    seconds = parse_seconds(text)
    if not SECONDS.holds(seconds):
        raise usage_error(f"a time limit such as 10s, 500ms or 2m, {SECONDS}", f"'{text:.40}'")
    return seconds


def parse_settings(settings: list[str] | None) -> dict[str, str]:
    """Return the names and values in `name=value`."""
    parsed = {}
    for setting in settings or ():
        name, sign, value = setting.partition("=")
        if not (name and sign and value):
            raise usage_error("a CP-SAT parameter as name=value", f"'{setting}'")
        parsed[name.strip()] = value.strip()
    return parsed


_OF_PUZZLES = {suffix for one in PUZZLE_FORMATS.values() for suffix in one.suffixes} - {".json", ".txt"}
"""The suffixes of files that JSON lines would only seem to be."""


def puzzle_kind(output: str | None, asked: str | None, *, as_json: bool) -> str | None:
    """Return the format of the puzzle file to write: the one asked for, or that of its suffix; none is plain text.

    Raises:
        FormatError: there is no such format, or the suffix is that of none.
        InputError: JSON lines are to be written as well, to a file that is to be a puzzle.
    """
    suffix = "" if output in {None, STDIN} else PurePath(output or "").suffix.lower()
    if as_json:
        if asked is not None or suffix in _OF_PUZZLES:
            raise usage_error("--json or a puzzle file", "both")
        return None
    kind = asked or (None if suffix in {"", ".txt"} else format_to_write(output or ""))
    if kind is not None:
        check_terminal(output or STDIN, kind)
    return kind


def check_terminal(output: str, kind: str) -> None:
    """Check that a file that is no text does not go to a terminal.

    Raises:
        FormatError: there is no such format.
        InputError: it does.
    """
    if format_named(kind, to=True).binary and output == STDIN and sys.stdout.isatty():
        raise usage_error(f"a file or a pipe for {kind}", "a terminal")


def print_puzzle(out: Output, puzzle: Puzzle, kind: str, *, source: str = "", style: Style | None = None) -> None:
    """Write a puzzle file; tell what was left out when it was read from `source`, and what the format drops."""
    written, losses = write_puzzle(puzzle, kind, style)
    out.write_bytes(written)
    for line in puzzle.unread:
        warn(f"{source}: {line}")
    for line in losses:
        warn(f"{out.name}: {line}")


def read_clue_file(path: str | None, alphabet: Alphabet) -> Clues | None:
    """Return the clues in a file, if one is given."""
    if path is None:
        return None
    from cpfill.clues.clue_file import read_clues  # noqa: PLC0415 - seldom asked for

    return read_clues(path, alphabet)


def clued(puzzle: Puzzle, clues: Clues | None, seed: int) -> Puzzle:
    """Return the puzzle with these clues, if there are any; slots without one are counted on standard error."""
    if clues is None:
        return puzzle
    from cpfill.clues.placing import NO_CLUE, with_clues  # noqa: PLC0415 - seldom asked for

    done, missing = with_clues(puzzle, clues, seed)
    if missing:
        warn(f"{len(missing)} of {len(done.slots)} slots have no clue, and are marked {NO_CLUE}")
    return done


def one_journal(journal: str | None, sources: Sequence[Source]) -> None:
    """Check that a journal is to be of one grid."""
    if journal is not None and len(sources) > 1:
        raise usage_error("one grid with --resume", f"{len(sources)} grids")


def on_terminal() -> bool:
    """Return whether standard error is a terminal a person may look at."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
