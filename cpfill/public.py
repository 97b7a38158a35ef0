"""The names of the library, which are to be had from `cpfill` itself, and its functions: solve, enumerate, count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
    CpfillError,
    EngineError,
    EngineUnavailableError,
    Fault,
    FormatError,
    GridError,
    InputError,
    InvalidFillError,
    LexiconError,
    UnsupportedError,
    expected,
)
from cpfill.base.texts import say
from cpfill.base.threads import StopToken
from cpfill.engines import DEFAULT_ENGINE, ENGINES, make_engine
from cpfill.engines.audited import Fills, drop_objective, lift_fill_limit, search, search_all, tally
from cpfill.formats.dialects import write_fill
from cpfill.formats.registry import read_puzzle, templates_of, write_puzzle
from cpfill.problem.check import Violation, violations
from cpfill.problem.event import Bound, Event, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import LimitOptions, Limits, SolveResult, Status
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Crossing, Direction, Grid, Slot
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import Desk
from cpfill.questions.request import Asked, Request
from cpfill.questions.solve import search_fills
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, parse_word_list, read_word_list

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from typing import Unpack

    from cpfill.engines.contract import Engine
    from cpfill.formats.dialects import Dialect
    from cpfill.formats.registry import GridLike
    from cpfill.questions.criss_cross import Laid
    from cpfill.words.sources import WordsLike


class SearchOptions(Asked, LimitOptions, total=False):
    """The keyword arguments of a search besides grid, words and engine: the names of the command line's options."""


def make_problem(grid: GridLike, words: WordsLike | Lexicon | None = None, **asked: Unpack[Asked]) -> Problem:
    """Return a problem; the keyword arguments have the names of the options of the command line.

    Args:
        grid: the grid to fill: the name of a file, rows, a text of several lines, a puzzle or a `Grid`; `5x5` is empty.
        words: a word list: the name of a file, `en` or `fr`, words, words with scores, or a text of several lines.
            Several lists are united; a `Lexicon` can be used again. The default is the packaged English list, or no
            list if a weighted list is given.
        asked: objective, rules and the rest: the fields of a `Request`. Each list may have any form that `words` may
            have; the objective and the alphabet may be names. The default alphabet is that of a given `Grid` or
            `Lexicon`.

    Raises:
        InputError: a file does not exist, a grid or list is invalid, or the arguments contradict each other.
        TypeError: an argument does not exist, or `words` has an unsupported type.
    """
    return Request.of(grid, words, **asked).problem()


def solve(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[SearchOptions],
) -> SolveResult:
    """Return an engine's answer: a fill (with an objective, the best fill), and the verdict.

    Args:
        grid: the grid to fill: the name of a file, rows, a text of several lines, a puzzle or a `Grid`; or a problem
            from `make_problem`.
        words: the words to fill it with: the name of a file, `en` or `fr`, words, words with scores, or several lists.
            Each call reads files anew; a `Lexicon` made once makes a loop over small grids about ten times faster.
        engine: a name in `ENGINES`, or an engine with its own options from `make_engine`.
        limits: when to stop, and the seed: `Limits(time_s=10, seed=3)`; a `StopToken` lets another thread stop the
            search.
        asked: objective, rules and the rest, as in `make_problem`; instead of `limits` also `time_limit`, `node_limit`,
            `number`, `workers` and `seed`, as the command line has them.

    Raises:
        InputError: the grid, the words or an option is invalid.
        UnsupportedError: the engine lacks a feature that the task needs.
        InvalidFillError: the engine produced a fill that breaks a rule.
        EngineError: the engine contradicts itself.
    """
    problem, limits = _take(grid, words, limits, asked)
    return tally(problem, search_fills(problem, engine=engine, limits=limits))


def events(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[SearchOptions],
) -> Generator[Event]:
    """Yield the events of a search; each fill is audited before it is yielded.

    Close the iterator to stop the search; from a different thread, set the token of `Limits(stop=StopToken())`.

    Takes and raises the same as `solve`. By default the search ends at the first fill, or with an objective at the
    proof.
    """
    problem, limits = _take(grid, words, limits, asked)
    return search_fills(problem, engine=engine, limits=limits)


def enumerate_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[SearchOptions],
) -> Fills:
    """Return the fills as they are found: all of them, or `limits.fills` (`number`) if that is more than one.

    `result` of the iterator holds the state of the search at any time: ALL_FILLS if there are no more fills, otherwise
    the limit that stopped it. Close the iterator to stop the search. The problem's objective and theme are ignored.
    Takes and raises the same as `solve`.
    """
    problem, limits = _take(grid, words, limits, asked)
    problem = drop_objective(problem)
    return Fills(problem, search(problem, engine=engine, limits=lift_fill_limit(limits)))


def count_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str | None = None,
    limits: Limits | None = None,
    **asked: Unpack[SearchOptions],
) -> SolveResult:
    """Return a result whose `fills` is the number of fills; exact if its status is ALL_FILLS or `refuted`.

    By default the engine that counts fastest does the work; if it finds no fill soon, the engine that finds one takes
    over. The problem's objective and theme are ignored. Takes and raises the same as `solve`.
    """
    problem, limits = _take(grid, words, limits, asked)
    problem = drop_objective(problem)
    return tally(problem, search_all(problem, engine=engine, limits=limits))


def _take(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None,
    limits: Limits | None,
    asked: Any,
) -> tuple[Problem, Limits | None]:
    """Return `grid` if it is a problem, else the problem that the arguments describe; and the limits, given either way.

    Raises:
        InputError: an argument is invalid, or a problem is given arguments.
        TypeError: an argument does not exist, or limits are given both ways.
    """
    options = {name: asked.pop(name) for name in LimitOptions.__annotations__ if name in asked}
    if options and limits is not None:
        raise TypeError(f"unexpected argument '{next(iter(options))}' beside limits, which have their own")
    for name in asked.keys() & Limits.__dataclass_fields__.keys():
        raise TypeError(f"unexpected argument '{name}': it belongs to limits=cpfill.Limits({name}=...)")
    if options:
        limits = Limits.of(cast("LimitOptions", options))
    if not isinstance(grid, Problem):
        return make_problem(grid, words, **asked), limits
    if given := [*(["words"] if words is not None else []), *asked]:
        raise expected("{given} with a grid", say("a problem, which has its own"), given=", ".join(given))
    return grid, limits


@dataclass(frozen=True)
class CrissCross:
    """A criss-cross of own words.

    Attributes:
        status: OPTIMAL if no arrangement is better, UNSATISFIABLE if no arrangement exists, both proved.
        laid: its puzzle, its arrangement and the bounds on it; `None` if no arrangement was found.
        why: the reason why no arrangement exists, if it is known.
    """

    status: Status
    laid: Laid | None
    why: str

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle, with its clues."""
        return self.laid.puzzle if self.laid else None

    def __str__(self) -> str:
        return "\n".join([*self.laid.arrangement.rows, self.laid.told]) if self.laid else self.why


def arrange_words(
    words: Mapping[str, str] | Iterable[str],
    *,
    size: tuple[int, int] | str | None = None,
    most: bool = False,
    alphabet: Alphabet | str | None = None,
    limits: Limits | None = None,
) -> CrissCross:
    """Return a criss-cross: the words, each once, all connected, and no other word; fewest cells, then most crossings.

    Args:
        words: the words, or a mapping of words to clues; a word may have a weight behind a semicolon: `CAT;3`.
        size: the rows and columns, such as `10x12`; by default those of the fewest cells.
        most: whether words that do not fit are left out, the lightest first.
        alphabet: the letters, or the name of an alphabet.
        limits: the time, 5 seconds by default, and the seed.

    Raises:
        InputError: a word is not over the alphabet, stands twice or exceeds the size, or there are too many words.
    """
    from cpfill.questions.generate import CRISS_CROSS, FoundGrid, Generate, Generated

    limits = limits or Limits()
    asked: Any = {"clues": words} if isinstance(words, Mapping) else {"seed_words": words}
    asked |= {"size": size, "seed": limits.seed, "time_limit": limits.time_s, "stop": limits.stop}
    question = Generate(request=Request.of(alphabet=alphabet), style=CRISS_CROSS, most=most, **asked)
    laid: Laid | None = None
    for part in question.answer(Desk()):
        if isinstance(part, FoundGrid):
            laid = part.laid
        elif isinstance(part, Generated):
            end = part
    return CrissCross(end.result.status, laid, end.why)


def read_grids(
    source: GridLike,
    *,
    name: str = "grid",
    dialect: str | None = None,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
) -> tuple[Dialect, list[Grid]]:
    """Return the dialect and the grids (at least one) in anything that `solve` takes as a grid.

    A string of one line is the name of a file or a size. A string of several lines is the text itself; messages call it
    `name`. `dialect` skips the recognition of the dialect.

    Raises:
        GridError: the file does not exist, holds no grid or an invalid one (every fault is listed), or the source has
            an unsupported type.
        FormatError: the dialect does not exist, or the file is a damaged puzzle.
    """
    read = templates_of(source, name=name, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
    return read[0].dialect, [template.grid for template in read]


__all__ = [
    "ENGINES",
    "Alphabet",
    "Bound",
    "CpfillError",
    "CrissCross",
    "Crossing",
    "Direction",
    "EngineError",
    "EngineUnavailableError",
    "Event",
    "Fault",
    "Fill",
    "Fills",
    "Finished",
    "FormatError",
    "Found",
    "Grid",
    "GridError",
    "InputError",
    "InvalidFillError",
    "Lexicon",
    "LexiconError",
    "Limits",
    "Objective",
    "Problem",
    "Progress",
    "Puzzle",
    "Request",
    "Rules",
    "Slot",
    "SolveResult",
    "Started",
    "Stats",
    "Status",
    "StopReason",
    "StopToken",
    "UnsupportedError",
    "Violation",
    "WordList",
    "arrange_words",
    "count_fills",
    "enumerate_fills",
    "events",
    "make_engine",
    "make_problem",
    "parse_word_list",
    "read_grids",
    "read_puzzle",
    "read_word_list",
    "solve",
    "violations",
    "write_fill",
    "write_puzzle",
]
