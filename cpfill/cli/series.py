"""`cpfill series`: many puzzles in which no word stands twice, such as one for each day."""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import Range, expected, tell_reason
from cpfill.base.files import locked, read_text, save
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.batch import check_executor, executor_of, show_progress
from cpfill.cli.interrupts import HOLD
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import AUTO, read_clue_file, read_dictionaries
from cpfill.cli.render import Ticker, on_terminal
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.formats.registry import READABLE, get_format, read_puzzle, write_puzzle
from cpfill.problem.value import format_value
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.generate import Generate
from cpfill.runs.packing import SHELF, count_lengths
from cpfill.runs.series import (
    Known,
    LeastTried,
    Made,
    Missed,
    Series,
    Shortage,
    choose_patterns,
    find_bound,
    find_entries,
    make_in_rounds,
    make_together,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.clues import ClueCollection
    from cpfill.puzzle.clues.dictionaries import Lookup
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.runs.series import Run

PUZZLES = Range(1, 10_000)
"""The number of puzzles: a puzzle a day for 27 years."""

_NAME = re.compile(r"(\d{4}-\d\d-\d\d|\d{3,5})\.\w+")
"""The name of a file of a series."""

_WORD = re.compile(r"[^\W\d_][\w '\u2019-]*")
"""A line of the file of used words."""

_LOCK = "series"


@o.asks(
    Generate,
    *("words", "min_score", "exclude", "alphabet", "taste"),
    without={"number", "fillable", "filled", "fewest_blocks", "fill_time", "time_limit", "seed_words", "clues", "most"},
)
def series(
    count: Annotated[int, typer.Argument(metavar="N", help="The number of puzzles.")],
    *,
    question: Generate,
    folder: Annotated[
        str,
        typer.Option("--output", "-o", metavar="DIR", help="The folder of the puzzles; an unfinished series goes on."),
    ],
    start: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="The date of the first, 2027-01-01; without it they are numbered."),
    ] = None,
    formats: Annotated[
        str, typer.Option(metavar="FORMAT,…", help="The formats of each puzzle; the first must be one that is read.")
    ] = "ipuz",
    used: Annotated[
        str | None, typer.Option(metavar="FILE", help="Words that no puzzle may have; those of the series are added.")
    ] = None,
    seed_words: Annotated[
        str | None, typer.Option(metavar="FILE", help="Themes: on each line the words of a puzzle, between commas.")
    ] = None,
    harder: Annotated[
        bool, typer.Option("--harder", help="From Monday to Saturday: lower scores, names, longer words.")
    ] = False,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title, before the date or the number.")] = None,
    author: Annotated[str | None, typer.Option(metavar="TEXT", help="The author.")] = None,
    clue_file: o.ClueSource = None,
    time_limit: Annotated[
        str | None,
        typer.Option("--time-limit", "-t", metavar="TIME", help="For each puzzle of a large grid or a theme; 60s."),
    ] = None,
    workers: o.ProcessCount = None,
    scheduler: o.Scheduler = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> int:
    """Make a series of puzzles, such as one for each day, in which no word stands twice.

    Small grids are filled together, so that the least score of the whole series is as great as a search can make it;
    the bound says by counting that no series scores better. Their patterns take turns. Grids of more than 100 cells,
    and grids around themes, come one after another, each as good as generate makes it.

    Each puzzle is a file DIR/DATE.ipuz or DIR/001.ipuz, which appears when it is complete. The same command continues a
    series that was stopped; the same seed gives the same series, with any number of processes.

    Exit codes: 0 all puzzles are there; 20 proved that the list has too few words; 124 some were not found; 130
    interrupted, and the puzzles made so far are there; 2 bad input.
    """
    start_s = time.perf_counter()
    PUZZLES.check(count, "N")
    check_executor(workers, scheduler)
    seconds = o.parse_time(time_limit)
    if seconds is not None:
        question = replace(question, time_limit=seconds)
    themes = _read_themes(seed_words, question.request.alphabet)
    asked = Series(question, count, o.parse_date(start), harder, themes)
    writer = _Writer(asked, title, author, clue_file)
    executor = executor_of(workers, scheduler)
    path = _make_folder(folder)
    with locked(path / _LOCK):  # a second run waits, and finds all there
        run = _Run(_Folder(path, asked, formats.split(","), used), writer, as_json=as_json, quiet=quiet)
        try:
            code = run.carry_out(executor.run)
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
        return run.conclude(code, time.perf_counter() - start_s)


def _read_themes(path: str | None, alphabet: Alphabet) -> list[tuple[str, ...]]:
    """Return the themes of a file, one a line; empty lines count for nothing."""
    if path is None:
        return []
    themes = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = list(map(str.strip, line.split(",")))
        for word in filter(None, words):
            if not alphabet.fold(word):
                raise expected(
                    "words over the alphabet {letters}", f"'{word:.40}'", path, number, letters=alphabet.letters
                )
        if any(words):
            themes.append(tuple(filter(None, words)))
    return themes


def _make_folder(name: str) -> Path:
    """Return the folder of the puzzles, which is empty or has puzzles of a series alone."""
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
        files = sorted(file.name for file in path.iterdir())
    except OSError as exc:
        raise expected("a folder for the puzzles", tell_reason(exc), name) from None
    for file in files:
        if not (_NAME.fullmatch(file) or file.startswith(".")):
            raise expected("an empty folder, or one of puzzles of a series alone", file, name)
    return path


class _Folder:
    """The files of a series, which are all that is known of it, and the file of the words that were used.

    Attributes:
        words: the words of each puzzle that exists, by number.
        taken: the words that no puzzle may have: those used before, and those of other puzzles of the folder.

    Raises:
        InputError: a file cannot be read, or a theme word is taken.
    """

    def __init__(self, path: Path, asked: Series, formats: list[str], used: str | None) -> None:
        self.asked = asked
        self.path = path
        self._used = used
        self._suffixes = {name: _find_suffix(name) for name in formats}
        if formats[0] not in READABLE:
            raise usage_error(say("first a format that is read, for --formats"), formats[0])
        self._before = self._read_used()
        self.words: dict[int, frozenset[str]] = {}
        numbers = {name: number for number, name in enumerate(asked.names)}
        others: set[str] = set()
        for file in sorted(path.glob(f"[!.]*{self._suffixes[formats[0]]}")):
            words = find_entries(read_puzzle(file), asked.question)
            if file.stem in numbers:
                self.words[numbers[file.stem]] = words
            else:
                others |= words
        self.taken = self._before.union(others).difference(*self.words.values())
        again = sorted(self.taken.intersection(asked.theme_words))
        if again:
            raise expected("theme words that were not used before", again[0])

    def _read_used(self) -> frozenset[str]:
        if self._used is None or not Path(self._used).exists():
            return frozenset()
        words = set()
        for number, line in enumerate(read_text(self._used).splitlines(), start=1):
            if not _WORD.fullmatch(line):  # any other file would be overwritten
                raise expected("a word", f"'{line:.40}'", self._used, number)
            words.add(self.asked.question.request.alphabet.fold(line))
        return frozenset(words)

    def write(self, number: int, puzzle: Puzzle) -> list[str]:
        """Write the files of a puzzle, and return their names. That from which its words are read comes last."""
        names = []
        for kind, suffix in reversed(self._suffixes.items()):
            data, _ = write_puzzle(puzzle, kind)
            name = f"{self.asked.names[number]}{suffix}"
            _save(self.path / name, data)
            names.append(name)
        self.words[number] = find_entries(puzzle, self.asked.question)
        return names[::-1]

    def save_used(self) -> None:
        """Add the words of the series to the file of used words."""
        words = self._before.union(*self.words.values())
        if self._used is not None and words != self._before:
            _save(Path(self._used), "".join(f"{word}\n" for word in sorted(words)).encode())


def _find_suffix(name: str) -> str:
    suffixes = get_format(name, to=True).suffixes
    if not suffixes:
        raise usage_error(say("a format of files, for --formats"), name)
    return suffixes[0]


def _save(path: Path, data: bytes) -> None:
    try:
        save(path, data)
    except OSError as exc:
        raise expected("a file that can be written", tell_reason(exc), str(path)) from None


class _Writer:
    """Completes puzzles: title, author, date and clues."""

    def __init__(self, asked: Series, title: str | None, author: str | None, clue_file: str | None) -> None:
        request = asked.question.request
        self._asked = asked
        self._title = title or ""
        self._author = author or ""
        self._dictionaries: dict[str, Lookup] | None = None
        self._clues: ClueCollection | None = None
        if clue_file == AUTO:
            self._dictionaries = read_dictionaries(request)
        else:
            self._clues = read_clue_file(clue_file, request.alphabet)
        self.unclued = 0
        """The number of slots without a clue, where clues are asked for."""

    def complete(self, number: int, puzzle: Puzzle) -> Puzzle:
        """Return a puzzle with its texts."""
        name = self._asked.names[number]
        texts = {PuzzlePart.TITLE: f"{self._title} {name}".strip(), PuzzlePart.AUTHOR: self._author}
        if self._asked.start is not None:
            texts[PuzzlePart.DATE] = name
        named = replace(puzzle, metadata=texts)
        question = self._asked.question
        missing: Sequence[Slot] = ()
        if self._dictionaries is not None:
            from cpfill.puzzle.clues.drafting import draft_clues

            named, missing = draft_clues(named, self._dictionaries, question.request.alphabet, question.seed)
        elif self._clues is not None:
            from cpfill.puzzle.clues import place_clues

            named, missing = place_clues(named, self._clues, question.seed)
        self.unclued += len(missing)
        return named


class _Run:
    """Makes the puzzles that are not there yet, and says how good the series is."""

    def __init__(self, folder: _Folder, writer: _Writer, *, as_json: bool, quiet: bool) -> None:
        self._folder = folder
        self._asked = folder.asked
        self._writer = writer
        self._as_json = as_json
        self._quiet = quiet
        self._ticker = Ticker(quiet=quiet)
        self._lexicon = self._asked.question.request.lexicon(SHELF)
        self._missed = 0

    def carry_out(self, run: Run) -> Exit:
        """Make the puzzles; return 20 if there are too few words, and 124 if one was not found."""
        asked, folder = self._asked, self._folder
        left = asked.count - len(folder.words)
        if not left:
            return Exit.ANSWERED
        self._tell_made(asked.count - left)
        known = Known(folder.taken, folder.words)
        parts = make_in_rounds(asked, known, run)
        if asked.together:
            grids = choose_patterns(asked, self._lexicon)
            if not grids:
                proof = say(", proved by CP-SAT")
                warn(say("UNSATISFIABLE: no such grid {what}{proof}", what=say("exists"), proof=proof))
                return Exit.NO_FILL
            bound = self._find_bound(count_lengths(grids))
            if isinstance(bound, Shortage):
                self._tell_shortage(bound)
                return Exit.NO_FILL
            parts = make_together(asked, grids, bound, known, run)
        shown = on_terminal() and not self._quiet and not asked.together
        with show_progress(left, shown=shown) as tick, closing(parts):
            for part in parts:
                self._take(part)
                tick()
        return Exit.LIMIT if self._missed else Exit.ANSWERED

    def _tell_made(self, made: int) -> None:
        """Say how many puzzles the folder has at the start."""
        if made and not self._quiet:
            told = later("{n} of {all} puzzles are in {folder} already")
            warn(say(told, n=made, all=self._asked.count, folder=self._folder.path))

    def _find_bound(self, needed: Mapping[int, int]) -> float | Shortage:
        taken = self._folder.taken.union(self._asked.theme_words)
        return find_bound(needed, self._lexicon, self._asked.question.request.min_score, taken)

    def _tell_shortage(self, short: Shortage) -> None:
        told = later(
            "UNSATISFIABLE: {n} puzzles need {needed:,} different words of {length} letters, and there are {there:,}"
        )
        warn(say(told, n=self._asked.count, **short._asdict()))

    def _take(self, part: Made | LeastTried | Missed) -> None:
        match part:
            case LeastTried(least, reached):
                self._print({"event": "tried", "least": least, "reached": reached})
                said = later(
                    "every word {least} or more: found" if reached else "every word {least} or more: not found"
                )
                self._ticker.say(say(said, least=format_value((least,))))
            case Made(number, puzzle):
                self._ticker.say(say("writing, {n} of {all}", n=len(self._folder.words) + 1, all=self._asked.count))
                with HOLD:
                    names = self._folder.write(number, self._writer.complete(number, puzzle))
                words = self._folder.words[number]
                self._print({"event": "puzzle", "files": names, "words": sorted(words), "least": self._rate(words)})
            case Missed(number, error):
                self._missed += 1
                self._print({"event": "missed", "name": self._asked.names[number], "error": error})
                self._ticker.clear()
                reason = error or say("nothing found in time")
                warn(say("{name}: no puzzle: {reason}", name=self._asked.names[number], reason=reason))

    def _print(self, record: Mapping[str, object]) -> None:
        if self._as_json:
            emit(json_line(record))

    def _rate(self, words: Iterable[str]) -> float | None:
        """Return the least score of words, those of themes apart."""
        entries = map(self._lexicon.find, set(words).difference(self._asked.theme_words))
        return min((entry[0] for entry in entries if entry is not None), default=None)

    def conclude(self, code: Exit, seconds: float) -> Exit:
        """Save the words that were used, say how good the series is, and return the exit code."""
        self._ticker.clear()
        self._folder.save_used()
        words = frozenset[str]().union(*self._folder.words.values())
        made = len(self._folder.words)
        least = self._rate(words)
        bound = None
        if made == self._asked.count:
            needed = Counter(map(len, words.difference(self._asked.theme_words)))
            counted = self._find_bound(needed)
            bound = None if isinstance(counted, Shortage) else counted
        end = {"done": True, "puzzles": made, "of": self._asked.count, "words": len(words)}
        self._print({**end, "least": least, "bound": bound})
        if self._quiet or not made:
            return code
        said = [
            say(
                "{puzzles} in {folder}, {words:,} different words",
                puzzles=say_count(made, "puzzle"),
                folder=self._folder.path,
                words=len(words),
            )
        ]
        if least is not None and bound is not None:
            told = later("least score {least}; no series of these grids scores better than {bound}, by counting")
            said.append(say(told, least=format_value((least,)), bound=format_value((bound,))))
        warn(f"{', '.join(said)} ({seconds:.1f} s)")
        if self._writer.unclued:
            warn(say("{n} slots have no clue, and are marked {no_clue}", n=self._writer.unclued, no_clue=NO_CLUE))
        if code in {Exit.INTERRUPTED, Exit.LIMIT}:
            left = say_count(self._asked.count - made, "puzzle")
            warn(say("{puzzles} left: the same command goes on", puzzles=left))
        return code
