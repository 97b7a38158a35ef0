"""The library: a problem, or whatever a program has for a grid and for words, is solved, enumerated or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.engines import DEFAULT_ENGINE
from cpfill.engines.search import Fills, check_limits, count, drop_objective, lift_fill_limit, search, tally
from cpfill.formats.grid_like import templates_of
from cpfill.problem.limits import Limits
from cpfill.problem.problem import Objective, Problem
from cpfill.questions.diverse import choose_fills
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Unpack

    from cpfill.base.alphabet import Alphabet
    from cpfill.engines.contract import Engine
    from cpfill.formats.dialects import Dialect
    from cpfill.formats.grid_like import GridLike
    from cpfill.problem.event import Event
    from cpfill.problem.result import SolveResult
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.request import Asked
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.words_like import WordsLike


def make_problem(grid: GridLike, words: WordsLike | Lexicon | None = None, **asked: Unpack[Asked]) -> Problem:
    """Return a problem; what can be asked has the names of the options of the command line.

    Args:
        grid: what is to be filled: a file by name, rows, a text of several lines, a puzzle, a grid; `5x5` is an empty
            one.
        words: a list: a file, `en` or `fr` by name, words, words with scores, a text of several lines; or several, of
            which the union counts, or a lexicon, to be used again. By default it is the packaged English list, or with
            a weighted list none.
        asked: objective, rules and the rest: the fields of a `Request`, where every list may be what `words` may be,
            the objective and the alphabet names. The alphabet is by default that of a grid or lexicon given as one.

    Raises:
        InputError: there is no such file, or what is given is no grid, no list, or makes no sense together.
        TypeError: there is no such argument, or what is given for words is nothing of the kind.
    """
    return Request.of(grid, words, **asked).problem()


def solve(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return the answer of an engine: a fill, or with an objective the best one, and what was proved.

    Args:
        grid: what is to be filled: a file by name, rows, a text of several lines, a puzzle, a grid; or a problem, that
            `make_problem` made.
        words: the words to fill it with: a file, `en` or `fr` by name, words, words with scores, or several lists; each
            call reads them anew. A `Lexicon` made once makes a loop over small grids some ten times faster.
        engine: its name in `ENGINES`, or one that `make_engine` made with options of its own.
        limits: when to stop, and the seed: `Limits(time_s=10, seed=3)`; with a `StopToken` another thread can stop it.
        asked: objective, rules and the rest, as `make_problem` takes them.

    Raises:
        InputError: the grid, the words or what is asked is bad input.
        UnsupportedError: the engine lacks the feature that the task takes.
        InvalidFillError: the engine produced a fill that breaks a rule.
        EngineError: the engine contradicts itself.
    """
    problem = _problem(grid, words, asked)
    return tally(problem, _search(problem, engine, limits))


def events(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> Generator[Event]:
    """Yield the events of a search, each fill audited before anyone sees it.

    Close the iterator to stop the search; from another thread set the token of its limits, `Limits(stop=StopToken())`.

    Takes and raises what `solve` does; `limits` is by default the first fill, or with an objective the proof.
    """
    return _search(_problem(grid, words, asked), engine, limits)


def enumerate_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str = DEFAULT_ENGINE,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> Fills:
    """Return the fills as they are found: all of them, or as many as `limits.fills` says if that is more than one.

    Its `result` says at any time what the search came to: ALL_FILLS if there are no others, and else which limit
    stopped it. Close the iterator to stop the search. The objective and the theme of the problem are left out of
    account. Takes and raises what `solve` does.
    """
    problem = drop_objective(_problem(grid, words, asked))
    return Fills(problem, search(problem, engine=engine, limits=lift_fill_limit(limits)))


def count_fills(
    grid: Problem | GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    engine: Engine | str | None = None,
    limits: Limits | None = None,
    **asked: Unpack[Asked],
) -> SolveResult:
    """Return a result whose `fills` is the number of fills; exact if its status is ALL_FILLS or UNSATISFIABLE.

    By default it is counted by the engine that is fastest at it, or where that meets no fill soon by the one that does.
    The objective and the theme of the problem are left out of account. Takes and raises what `solve` does.
    """
    problem = drop_objective(_problem(grid, words, asked))
    return tally(problem, count(problem, engine=engine, limits=limits))


def _search(problem: Problem, engine: Engine | str, limits: Limits | None) -> Generator[Event]:
    """Return the events of a search; of one for several good fills, those of `choose_fills`."""
    if check_limits(limits).fills not in {None, 1} and problem.objective is Objective.GOOD and not problem.criteria:
        return choose_fills(problem, engine=engine, limits=limits)
    return search(problem, engine=engine, limits=limits)


def _problem(grid: Problem | GridLike, words: WordsLike | Lexicon | None, asked: Asked) -> Problem:
    """Return a problem as it is, or the one that is asked for."""
    for name in asked.keys() & Limits.__dataclass_fields__.keys():
        raise TypeError(f"unexpected argument '{name}': it belongs to limits=cpfill.Limits({name}=...)")
    if not isinstance(grid, Problem):
        return make_problem(grid, words, **asked)
    if given := [*(["words"] if words is not None else []), *asked]:
        raise InputError(Fault(f"{', '.join(given)} with a grid", "a problem, which has its own"))
    return grid


def read_grids(
    source: GridLike,
    *,
    name: str = "grid",
    dialect: str | None = None,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
) -> tuple[Dialect, list[Grid]]:
    """Return the dialect and the grids (at least one) of what `solve` takes for a grid.

    A string of one line is the name of a file or a size, one of several lines the text itself, for which `name` stands
    in messages; `dialect` forces one instead of recognising it.

    Raises:
        GridError: there is no such file, no grid, or a faulty one, of which every fault is listed; or the source is
            nothing of the kind.
        FormatError: there is no such dialect, or the file is a damaged puzzle.
    """
    read = templates_of(source, name=name, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
    return read[0].dialect, [template.grid for template in read]
