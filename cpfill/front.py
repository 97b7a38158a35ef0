"""The front door of the library: a problem from whatever a program has for a grid, and for words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Number
from typing import Any, TypedDict

from cpfill.alphabet import Alphabet
from cpfill.errors import Fault, GridError, InputError, LexiconError, unknown_name
from cpfill.formats.dialects import Dialect
from cpfill.formats.dialects import read_grids as grids_in
from cpfill.formats.puzzles import format_to_read
from cpfill.formats.templates import read_templates
from cpfill.grid import Grid
from cpfill.lexicon.lexicon import Lexicon
from cpfill.lexicon.wordlist import (
    DEFAULT_LIST,
    DEFAULT_SCORE,
    PACKAGED,
    THEME_SCORE,
    WordList,
    parse_word_list,
    read_word_list,
)
from cpfill.problem import Objective, Problem, Rules
from cpfill.puzzle import Puzzle
from cpfill.ranges import SCORE

GridLike = Grid | Puzzle | str | os.PathLike[str] | Sequence[str]
"""A grid, a puzzle, the path of a file with one, the size of an empty one, the rows, or a text of several lines."""

WordsLike = WordList | str | os.PathLike[str] | Mapping[str, float] | Iterable[str | os.PathLike[str] | WordList]
"""A list: a file, `en` or `fr` by name, words, words with their scores, a text of several lines; or several lists."""


class Asked(TypedDict, total=False):
    """What can be asked of a problem beside its words, by the names that `make_problem` has for it."""

    weighted: WordsLike | None
    objective: Objective | str | None
    theme: WordsLike | None
    exclude: WordsLike | None
    require: Iterable[str]
    repeats: bool
    min_score: float
    no_shared: int | None
    max_obscure: int | None
    below: float | None
    alphabet: Alphabet | str | None
    min_slot_length: int
    dialect: str | None


def make_problem(
    grid: GridLike,
    words: WordsLike | Lexicon | None = None,
    *,
    weighted: WordsLike | None = None,
    objective: Objective | str | None = None,
    theme: WordsLike | None = None,
    exclude: WordsLike | None = None,
    require: Iterable[str] = (),
    repeats: bool = False,
    min_score: float = 0.0,
    no_shared: int | None = None,
    max_obscure: int | None = None,
    below: float | None = None,
    alphabet: Alphabet | str | None = None,
    min_slot_length: int = 2,
    dialect: str | None = None,
) -> Problem:
    """Return a problem; the options are those of the command line.

    Args:
        grid: what is to be filled: a file by name, rows, a text of several lines, a puzzle, a grid; `5x5` is an empty
            one.
        words: a list: a file, `en` or `fr` by name, words, words with scores, a text of several lines; or several, of
            which the union counts, or a lexicon, to be used again. By default it is the packaged English list, or with
            a weighted list none.
        weighted: a list whose scores count; words that are in `words` alone score 0.
        objective: `any`, `min`, `sum` or `min-then-sum`; by default `min` with a weighted list, `any` without.
        theme: words to place as many of as can be, before anything else is maximised (V4).
        exclude: words that are not used.
        require: words that must stand in the grid (C7).
        repeats: whether a word may be used more than once (lifts C3).
        min_score: the least score of a word (C2).
        no_shared: so long a run of letters no two words share (C5).
        max_obscure: so many words may score under `below` (C6).
        below: the score under which a word counts for `max_obscure`.
        alphabet: the letters, or the name of an alphabet (`latin`, `es`, `sv`…); by default those of a grid or lexicon
            that is given as one, or else `latin`.
        min_slot_length: shorter runs of open cells are no slots; a `Grid` has its own.
        dialect: what a text or file is written in, if it is not to be recognised.

    Raises:
        InputError: there is no such file, or what is given is no grid, no list, or makes no sense together.
        TypeError: something is of a type that it cannot be.
    """
    _check_types(
        objective=objective,
        repeats=repeats,
        min_score=min_score,
        no_shared=no_shared,
        max_obscure=max_obscure,
        below=below,
        alphabet=alphabet,
        min_slot_length=min_slot_length,
        dialect=dialect,
    )
    letters = _alphabet(alphabet, grid, words)
    template = _grid(grid, letters, min_slot_length, dialect)
    if (max_obscure is None) != (below is None):
        raise InputError(Fault("max_obscure and below together", "one without the other"))
    required = frozenset(map(letters.word, _words(require)))
    rules = Rules(repeats, min_score, no_shared, max_obscure, below or 0.0, required)
    excluded = frozenset[str]().union(*(one.words for one in _lists(exclude, letters)))
    if isinstance(words, Lexicon):
        if weighted is not None:
            raise InputError(Fault("one word list beside a weighted one", "a lexicon"))
        lexicon = words.without(excluded) if excluded else words
    else:
        scored = None if weighted is None else _one_list(weighted, letters)
        plain = DEFAULT_LIST if words is None and scored is None else words
        lexicon = Lexicon.of_lists(_lists(plain, letters), scored, letters, exclude=excluded)
        if plain is not None and not lexicon.lists:
            raise LexiconError(Fault("a list with at least one usable word", "none", "words"))
    weights = {word: weight for one in _lists(theme, letters, THEME_SCORE) for word, weight in one.weights.items()}
    goal = objective or (Objective.ANY if weighted is None else Objective.MIN)
    if goal not in set(Objective):
        raise InputError(unknown_name("an objective", goal, Objective))
    return Problem(template, lexicon.including(rules.required.union(weights)), rules, Objective(goal), weights)


_TYPES = {
    "objective": (str | None, "an objective by its name"),
    "repeats": (bool, "True or False"),
    "min_score": (Number, "a number"),
    "no_shared": (Integral | None, "a whole number"),
    "max_obscure": (Integral | None, "a whole number"),
    "below": (Number | None, "a number"),
    "alphabet": (Alphabet | str | None, "an alphabet, or its letters or name"),
    "min_slot_length": (Integral, "a whole number"),
    "dialect": (str | None, "a dialect by its name"),
}
"""What is asked beside words, and what it is called."""


def _check_types(**asked: object) -> None:
    for name, value in asked.items():
        kind, called = _TYPES[name]
        if not isinstance(value, kind):
            raise TypeError(f"expected {called} for {name}; got {value!r:.60}")


def _words(given: Iterable[str]) -> list[str]:
    """Return the words that are given, of which one may stand alone."""
    words = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"expected words for require; got {given!r:.60}")
    return words


_OF_LIMITS = ("time_s", "nodes", "fills", "workers", "seed", "stop")


def problem_of(grid: Problem | GridLike, words: WordsLike | Lexicon | None, asked: Asked) -> Problem:
    """Return a problem as it is, or the one that `make_problem` makes of a grid, words and what else is asked.

    Raises:
        InputError: as `make_problem`, or something is asked of a problem that is made already.
        TypeError: something is asked that `make_problem` does not know.
    """
    for name in asked.keys() - Asked.__annotations__.keys():
        if name in _OF_LIMITS:
            raise TypeError(f"unexpected argument '{name}': it belongs to limits=cpfill.Limits({name}=...)")
        raise TypeError(f"unexpected argument: {unknown_name('an argument', name, Asked.__annotations__)}")
    if not isinstance(grid, Problem):
        return make_problem(grid, words, **asked)
    if given := [*(["words"] if words is not None else []), *asked]:
        raise InputError(Fault(f"{', '.join(given)} with a grid", "a problem, which has its own"))
    return grid


def read_grids(
    source: str | os.PathLike[str],
    *,
    name: str = "grid",
    dialect: str | None = None,
    alphabet: Alphabet | None = None,
    min_slot_length: int = 2,
) -> tuple[Dialect, list[Grid]]:
    """Return the dialect of a text, or of the file at a `Path`, and the grids in it (at least one).

    A string is the text itself, never a file. `name` stands for it in messages; `dialect` forces one instead of
    recognising it.

    Raises:
        GridError: there is no grid, or a faulty one, of which every fault is listed; or a string is the name of a file.
        FormatError: there is no such dialect, or the file is a damaged puzzle.
    """
    if isinstance(source, os.PathLike):
        read = read_templates(source, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
        return read[0].dialect, [template.grid for template in read]
    if not isinstance(source, str):
        raise TypeError(f"expected the text of grids, or the Path of a file; got {source!r:.60}")
    if "\n" not in source and (_is_path(source) or format_to_read(source)):
        raise GridError(Fault("the text of grids, or the Path of a file", f"'{source:.60}', a name", name))
    return grids_in(source, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length)


def _alphabet(given: Alphabet | str | None, grid: GridLike, words: WordsLike | Lexicon | None) -> Alphabet:
    if given is not None:
        return Alphabet.named(given) if isinstance(given, str) else given
    return next((one.alphabet for one in (grid, words) if isinstance(one, Grid | Lexicon | WordList)), Alphabet())


def _grid(given: GridLike, alphabet: Alphabet, min_slot_length: int, dialect: str | None) -> Grid:
    if isinstance(given, Grid):
        return given
    if isinstance(given, Puzzle):
        return given.grid(alphabet, min_slot_length)
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given):
        templates = read_templates(given, alphabet=alphabet, min_slot_length=min_slot_length, dialect=dialect)
        grids, name = [template.grid for template in templates], str(given)
    elif isinstance(given, str) or (isinstance(given, Sequence) and all(isinstance(row, str) for row in given)):
        name, text = "grid", given if isinstance(given, str) else "\n".join(row.rstrip("\r\n") for row in given)
        _, grids = grids_in(text, name=name, dialect=dialect, alphabet=alphabet, min_slot_length=min_slot_length)
    else:
        raise TypeError(f"expected a grid: a file, rows, a text of several lines or a puzzle; got {given!r:.60}")
    if len(grids) > 1:
        raise GridError(Fault("one grid", f"{len(grids)}; `read_grids` reads them all", name))
    return grids[0]


def _lists(given: WordsLike | None, alphabet: Alphabet, default_score: float = DEFAULT_SCORE) -> list[WordList]:
    """Return the lists of what is given: none of nothing, several of several lists, and else one."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        return [] if given is None or given == {} else [_one_list(given, alphabet, default_score)]
    parts = list(given)
    if all(_names_a_list(part) for part in parts):
        return [_one_list(part, alphabet, default_score) for part in parts]
    for part in parts:
        if isinstance(part, str) and not _is_path(part) and _names_a_list(part):
            got = f"'{part}', which is a list, among words; a mapping to scores has words alone"
            raise InputError(Fault("words, or lists", got))
    return [_one_list(parts, alphabet, default_score)]


def _names_a_list(part: object) -> bool:
    """Return whether a part of what is given is a list itself, or stands for a file: then it is no word."""
    if isinstance(part, str):
        return part in PACKAGED or _is_path(part) or os.path.isfile(part)  # noqa: PTH113 - no error of any name
    return isinstance(part, WordList | os.PathLike)


def _is_path(name: str) -> bool:
    """Return whether a text is the path of a file and can be no word, whether the file is there or not."""
    return os.sep in name or name.lower().endswith((".txt", ".tsv", ".csv", ".dict", ".gz"))


def _one_list(given: WordsLike, alphabet: Alphabet, default_score: float = DEFAULT_SCORE) -> WordList:
    if isinstance(given, WordList):
        return given
    if isinstance(given, str) and "\n" in given:
        return parse_word_list(given, alphabet=alphabet, default_score=default_score)
    if isinstance(given, str | os.PathLike):
        return read_word_list(given, alphabet, default_score=default_score)
    if not isinstance(given, Iterable):
        raise TypeError(f"expected words, a file, or lists of words; got {given!r:.60}")
    scored: Mapping[Any, Any] = given if isinstance(given, Mapping) else dict.fromkeys(given, default_score)
    for word, score in scored.items():
        if not isinstance(word, str) or _is_path(word):
            raise TypeError(f"expected words, a file, or lists of words; got {word!r:.60} among them")
        if not isinstance(score, Number):
            raise TypeError(f"expected a number for the score of {word!r:.60}; got {score!r:.60}")
    lines = [f"{_on_a_line(word)}\t{_score(word, score)!r}" for word, score in scored.items()]
    return parse_word_list("\n".join(lines), alphabet=alphabet)


def _score(word: str, given: Any) -> float:  # noqa: ANN401 - whatever a program has for a number
    try:
        score = float(given)
    except (OverflowError, TypeError, ValueError):
        score = given
    SCORE.check(score, word)
    return score


def _on_a_line(word: str) -> str:
    """Return a word without what means something in a file of words; all of it is dropped when the word is folded."""
    return " ".join(word.translate({ord(";"): " ", ord("#"): " "}).split())
