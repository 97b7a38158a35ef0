"""Fills that are really different: each two differ in at least half of the words that can change.

After each fill the next is sought without any of the words used so far; where there is none, or none in good time,
without a random half of the words of each earlier fill, and again without other halves. So a fill that is found differs
enough by construction, with every engine; that no further one was found proves nothing.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.engines import DEFAULT_ENGINE
from cpfill.errors import InputError
from cpfill.event import Finished, Found, Progress, Started, StopReason
from cpfill.fill import Fill
from cpfill.limits import Deadline
from cpfill.problem import Objective
from cpfill.ranges import SEED
from cpfill.search import check_limits, search

if TYPE_CHECKING:
    from collections.abc import Generator
    from random import Random

    from cpfill.engines.contract import Engine
    from cpfill.event import Event
    from cpfill.grid import Grid
    from cpfill.limits import Limits
    from cpfill.problem import Problem

TRIES = 8
"""How often another fill is sought, each time without other words."""

TRY_NODES = 50_000
"""Nodes for each try."""


class Likeness:
    """Takes fills of one problem as they are found: `alike` if any shares over half of its words with the one before.

    Words that are given whole do not count.

    What an enumeration tells next is mostly like the last, so that the one before is enough to look at.
    """

    def __init__(self, grid: Grid) -> None:
        self._slots = [slot for slot in grid.slots if grid.given_word(slot) is None]
        self.alike = False
        self._before: frozenset[str] = frozenset()

    def add(self, fill: Fill) -> None:
        """Take the next fill."""
        words = [fill.word_at(slot) for slot in self._slots]
        self.alike |= 2 * sum(word in self._before for word in words) > len(words)
        self._before = frozenset(words)


def diverse_fills(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a search for `limits.fills` fills, each two of which differ in half of what can change.

    It ends with `StopReason.TRIES` where some were found, but no further one.

    Raises:
        UnsupportedError: the engine cannot find a fill.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    from random import Random  # noqa: PLC0415 - slow to import, and seldom needed

    limits = check_limits(limits)
    deadline, chance = Deadline(limits.time_s, limits.stop), Random(limits.seed)  # noqa: S311
    fill, last = yield from _search(problem, problem, engine, replace(limits, fills=1))
    found = [] if fill is None else [fill]
    while found and len(found) != limits.fills:
        for attempt in range(TRIES):
            avoided = {word for one in found for word in _sample(problem, one, chance, whole=attempt == 0)}
            nodes = min(TRY_NODES, limits.nodes or TRY_NODES)
            seed = SEED.after(limits.seed, len(found) * TRIES + attempt)
            single = replace(limits, fills=1, nodes=nodes, seed=seed, time_s=deadline.time_s)
            fill, last = yield from _search(problem, _drop_words(problem, avoided), engine, single)
            if fill is not None or deadline.passed or last.reason is StopReason.INTERRUPTED:
                break
        if fill is None:
            if last.reason is not StopReason.INTERRUPTED:
                reason = StopReason.TIME if deadline.passed else StopReason.TRIES
                last = replace(last, reason=reason, proof="", wipeout=None)
            break
        found.append(fill)
    yield last


def choose_fills(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a search for `limits.fills` fills to choose from: as different as `diverse_fills` finds them.

    Where it finds no further one, what is left to be told are fills that differ from all others in some word.

    Raises:
        UnsupportedError: the engine cannot find several fills.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    limits = check_limits(limits)
    deadline, found = Deadline(limits.time_s, limits.stop), dict[Fill, None]()
    last = Finished(StopReason.EXHAUSTED)
    with closing(diverse_fills(problem, engine=engine, limits=limits)) as stream:
        for event in stream:
            if isinstance(event, Found):
                if event.better:
                    found.popitem()
                found[event.fill] = None
            if isinstance(event, Finished):
                last = event
            else:
                yield event
    if last.reason is not StopReason.TRIES:
        yield last
        return
    told = len(found)
    rest = replace(limits, fills=None, time_s=deadline.time_s)
    with closing(search(replace(problem, objective=Objective.ANY), engine=engine, limits=rest)) as stream:
        for event in stream:
            if isinstance(event, Started) or (isinstance(event, Found) and event.fill in found):
                continue
            yield event
            told += isinstance(event, Found)
            if told == limits.fills:
                yield replace(last, reason=StopReason.FILLS)
                return


def _search(
    problem: Problem, narrowed: Problem | None, engine: Engine | str, limits: Limits
) -> Generator[Event, None, tuple[Fill | None, Finished]]:
    """Yield the events of a search for one fill, but its end; return the fill and the end."""
    fill, last = None, Finished(StopReason.EXHAUSTED)
    if narrowed is None:
        return fill, last
    with closing(search(narrowed, engine=engine, limits=limits)) as stream:
        for event in stream:
            match event:
                case Found():
                    fill = event.fill
                    yield replace(event, value=fill.value(problem))
                case Finished():
                    last = event
                case Started() if narrowed is not problem:
                    yield Progress("looking for another fill")
                case _:
                    yield event
    return fill, last


def _sample(problem: Problem, fill: Fill, chance: Random, *, whole: bool) -> list[str]:
    """Return the words of a fill, or half of them, less those that every fill has."""
    words = [fill.word_at(slot) for slot in problem.slots]
    free = [
        word
        for word, slot, domain in zip(words, problem.slots, problem.domains, strict=True)
        if domain & (domain - 1) and word not in problem.rules.required
    ]
    return free if whole else chance.sample(free, min(len(free), (len(free) + 1) // 2))


def _drop_words(problem: Problem, words: set[str]) -> Problem | None:
    """Return the problem less some words; none where it makes no sense without them."""
    try:
        return replace(problem, lexicon=problem.lexicon.without(words))
    except InputError:  # a theme word is among them
        return None
