"""From the arguments of a verb to its problems: reads grids and lists, and warns of what it skipped."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import cpfill
from cpfill.base.files import STDIN, display_name
from cpfill.base.texts import say, say_count
from cpfill.cli.exits import Exit, gravest, usage_error, warn
from cpfill.formats import templates
from cpfill.formats.dialects import write_fill
from cpfill.problem.problem import format_value
from cpfill.questions.posing import Refusal, describe_posing
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import describe_skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cpfill.formats.templates import Template
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.questions.request import Request
    from cpfill.words.wordlist import WordList


class NamedProblem(NamedTuple):
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


def read_problems(request: Request, paths: list[str], *, cached: bool = False) -> tuple[list[NamedProblem], float]:
    """Return a problem for every grid in the files, and the seconds it took to load them all.

    Where `cached`, large lists are kept for the next time.

    Raises:
        InputError: a grid or a list cannot be read, or all together makes no sense.
    """
    start_s = time.perf_counter()
    share_stdin(paths, request)
    read = read_all_templates(request, paths)
    lists = shelf(cached=cached)
    problems = make_problems(request, read, lists)
    named = [NamedProblem(template, problem) for template, problem in zip(read, problems, strict=True)]
    for one in named:
        _tell_refused(one, request, lists)
    return named, time.perf_counter() - start_s


def each(sources: Sequence[NamedProblem], ask: Callable[[NamedProblem], Exit]) -> Exit:
    """Ask about each grid until an interrupt, and return the exit code of all."""
    codes: list[Exit] = []
    for source in sources:
        codes.append(ask(source))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return gravest(codes)


def make_problems(request: Request, read: Sequence[Template], lists: Shelf) -> list[Problem]:
    """Return the problem of each template; print on standard error what became of its words.

    Raises:
        InputError: a list cannot be read, or all together makes no sense.
    """
    problems = request.problems([template.grid for template in read], lists)
    if request.personal is not None:
        _tell_personal(lists.word_list(request.personal, request.alphabet), problems)
    for template, problem in zip(read, problems, strict=True):
        posed = describe_posing(problem, request, lists)
        if posed.accepted:
            warn(
                say(
                    "{name}: accepted though in no list: {accepted}",
                    name=template.name,
                    accepted=_name_words(posed.accepted),
                )
            )
        if posed.exempt:
            scored = [f"{word} ({format_value((score,))})" for word, score in posed.exempt.items()]
            warn(
                say(
                    "{name}: accepted though scored too low: {scored}; --strict refuses them",
                    name=template.name,
                    scored=_name_words(scored),
                )
            )
        if posed.theme_skipped:
            warn(
                say(
                    "{name}: {theme_skipped} of {theme} theme words skipped, which no slot can hold",
                    name=template.name,
                    theme_skipped=posed.theme_skipped,
                    theme=posed.theme,
                )
            )
    return problems


def _tell_personal(personal: WordList, problems: Sequence[Problem]) -> None:
    """Say how many words of the personal list are as long as a slot."""
    lengths = {slot.length for problem in problems for slot in problem.slots}
    scores = [score for word, score in personal.weights.items() if len(word) in lengths]
    if scores:
        banned = sum(score == 0 for score in scores)
        warn(
            say(
                "{name}: {n} scored by your own list, {banned} banned",
                name=personal.name,
                n=len(scores) - banned,
                banned=banned,
            )
        )


def _tell_refused(named: NamedProblem, request: Request, lists: Shelf) -> None:
    """Say which words that are given whole the lexicon or the least score refuses, so that there is no fill."""
    posed = describe_posing(named.problem, request, lists)
    if not posed.refused:
        return
    said = {
        Refusal.LOW: say("under --min-score {value}", value=format_value((request.min_score,))),
        Refusal.BANNED: say("banned by {value}", value=display_name(str(request.personal))),
        Refusal.UNLISTED: say("in no list (--strict)"),
        Refusal.EXCLUDED: say("excluded"),
    }
    refused: dict[Refusal, list[str]] = {}
    for word, why in posed.refused.items():
        entry = named.problem.lexicon.find(word)
        refused.setdefault(why, []).append(f"{word} ({format_value((entry[0],))})" if entry else word)
    for why, words in refused.items():
        warn(
            say(
                "{name}: given though {said}: {words}; --open lets a slot keep its letters",
                name=named.name,
                said=said[why],
                words=_name_words(words),
            )
        )


def _name_words(words: Sequence[str]) -> str:
    """Return some words, and how many others there are."""
    others = len(words) - _NAMED
    return ", ".join(words[:_NAMED]) + (say(" and {others}", others=say_count(others, "other")) if others > 0 else "")


_NAMED = 8
"""How many words are named at most."""


def read_all_templates(request: Request, paths: list[str]) -> list[Template]:
    """Return the templates in the files.

    Raises:
        InputError: one cannot be read.
    """
    return [
        template
        for path in paths  # a file, whatever its name
        for template in templates.read_templates(
            path, alphabet=request.alphabet, min_slot_length=request.min_slot_length, dialect=request.dialect
        )
    ]


def shelf(*, cached: bool = False) -> Shelf:
    """Return what reads lists; what is skipped in them is counted on standard error."""
    if not cached:
        return Shelf(on_read=_tell_skipped)
    from cpfill.words.sources import ListCache  # noqa: PLC0415 - most verbs need none of it

    return Shelf(on_read=_tell_skipped, cache=ListCache(cpfill.__version__))


def _tell_skipped(words: WordList) -> None:
    if words.skipped:
        warn(
            say(
                "{name}: {words} words, {skipped}",
                name=words.name,
                words=len(words.words),
                skipped=describe_skipped(words.skipped),
            )
        )


def share_stdin(names: Sequence[str], request: Request | None = None) -> None:
    """Check that standard input stands for one of these names, and of the lists of a request, at most."""
    asked = [*names, *([*request.lists, request.different_from] if request else ())].count(STDIN)
    if asked > 1:
        raise usage_error(say("standard input for one thing at most"), say("'-' {asked} times", asked=asked))


def one_grid(problems: Sequence[NamedProblem], *, resume: str | None = None, proof: str | None = None) -> None:
    """Check that a journal, or a proof, is to be of one grid."""
    for option, given in (("--resume", resume), ("--proof", proof)):
        if given is not None and len(problems) > 1:
            raise usage_error(
                say("one grid with {option}", option=option), say("{problems} grids", problems=len(problems))
            )
