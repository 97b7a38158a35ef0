"""Fills that differ pairwise in at least half of their words; a fill that differs from a given one.

Let W(F) be the words of a fill F in the slots with a domain of two or more words, without the required words. F and G
differ if W(F) ≠ W(G), at most half of W(F) are in W(G), and at most half of W(G) are in W(F).

The search for the next fill first avoids all words used so far. If that fails or takes too long, it avoids a random
half of the words of each earlier fill, and then different halves. At last it enumerates all fills within a node limit,
which settles small problems: no other fill differs from those found.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.errors import SEED, UnsupportedError
from cpfill.engines import DEFAULT_ENGINE
from cpfill.engines.audited import check_limits, drop_objective, resolve_engine, search
from cpfill.problem.check import violations
from cpfill.problem.event import Bound, Finished, Found, Progress, Started, StopReason
from cpfill.problem.problem import Fill, Objective
from cpfill.problem.result import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence
    from random import Random

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits

TRIES = 8
"""The number of tries for the next fill; each avoids different words."""

TRY_NODES = 50_000
"""Nodes for each try."""


ENUMERATED_NODES = 200_000
"""Nodes to enumerate all fills in search of one that differs."""


class Difference:
    """Decides whether two fills of a problem differ."""

    def __init__(self, problem: Problem) -> None:
        pairs = zip(problem.slots, problem.domains, strict=True)
        self._slots = [slot for slot, domain in pairs if domain & (domain - 1)]
        self._required = problem.rules.required

    def list_words(self, fill: Fill) -> list[str]:
        """Return the words of a fill that can change, slot by slot."""
        words = (fill.word_at(slot) for slot in self._slots)
        return [word for word in words if word not in self._required]

    def holds(self, one: Fill, other: Fill) -> bool:
        """Return whether two fills differ."""
        words, others = self.list_words(one), self.list_words(other)
        return words != others and _share_half(words, others) and _share_half(others, words)


def _share_half(words: Sequence[str], others: Collection[str]) -> bool:
    """Return whether at most half of `words` are in `others`."""
    return 2 * sum(word in others for word in words) <= len(words)


class Likeness:
    """Watches the fills of one problem as they are found: `alike` if one does not differ from the previous one.

    An enumeration yields similar fills one after the other, so comparing each with its predecessor is enough.
    """

    def __init__(self, problem: Problem) -> None:
        self._difference = Difference(problem)
        self.alike = False
        self._before: Fill | None = None

    def add(self, fill: Fill) -> None:
        """Take the next fill."""
        self.alike |= self._before is not None and not self._difference.holds(self._before, fill)
        self._before = fill


def diverse_fills(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a search for `limits.fills` fills that differ pairwise.

    If it finds no further fill, it ends with `StopReason.ALIKE` if every other fill was proved too similar to one
    found, or with `StopReason.TRIES` if that was not settled.

    Raises:
        UnsupportedError: the engine cannot find a fill.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    return _find_diverse(problem, engine, limits, ENUMERATED_NODES)


def _find_diverse(problem: Problem, engine: Engine | str, limits: Limits | None, enumerated: int) -> Generator[Event]:
    """Do the work of `diverse_fills`; at last enumerate all fills for `enumerated` nodes, or skip that if it is 0."""
    from random import Random  # noqa: PLC0415 - slow to import, and seldom needed

    limits = check_limits(limits)
    deadline, chance = Deadline(limits.time_s, limits.stop), Random(limits.seed)  # noqa: S311
    difference, found = Difference(problem), list[Fill]()

    def differs(fill: Fill) -> bool:
        return all(difference.holds(fill, one) for one in found)

    fill, last = yield from _search(problem, problem, engine, replace(limits, fills=1), differs)
    while fill is not None:
        found.append(fill)
        if len(found) == limits.fills:
            break
        fill = None
        for attempt in range(TRIES):
            avoided = {word for one in found for word in _sample(difference.list_words(one), chance, attempt)}
            nodes = min(TRY_NODES, limits.nodes or TRY_NODES)
            seed = SEED.after(limits.seed, len(found) * TRIES + attempt)
            single = replace(limits, fills=1, nodes=nodes, seed=seed, time_s=deadline.time_s)
            fill, last = yield from _search(problem, _drop_words(problem, avoided), engine, single, differs)
            if fill is not None or deadline.passed or last.reason is StopReason.INTERRUPTED:
                break
        if fill is None and not deadline.passed and last.reason is not StopReason.INTERRUPTED:
            if not enumerated:
                last = Finished(StopReason.TRIES)
                break
            nodes = min(enumerated, limits.nodes or enumerated)
            every = replace(limits, fills=None, nodes=nodes, time_s=deadline.time_s)
            fill, last = yield from _enumerate(problem, engine, every, len(found), differs)
            last = replace(last, proof=last.proof if last.exhausted else "")
        if fill is None and deadline.passed:
            reason = StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
            last = replace(last, reason=reason, proof="", wipeout=None)
    yield last


def choose_fills(
    problem: Problem, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a search for `limits.fills` fills to choose from: first those that `diverse_fills` finds.

    If those run out, fills follow that differ from all others in at least one word.

    Raises:
        UnsupportedError: the engine cannot find several fills.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    limits = check_limits(limits)
    deadline, found = Deadline(limits.time_s, limits.stop), dict[Fill, None]()
    last = Finished(StopReason.INTERRUPTED)
    # No enumeration at the end: the fills that follow come from one anyway.
    with closing(_find_diverse(problem, engine, limits, 0)) as stream:
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


def find_another(
    problem: Problem, fill: Fill, *, engine: Engine | str = DEFAULT_ENGINE, limits: Limits | None = None
) -> Generator[Event]:
    """Yield the events of a search for a fill that has a different word than `fill` in some slot.

    The search avoids all words of `fill` that can change, except theme words. If that fails, or finds nothing in half
    of the time, it avoids a random half of them, then one word at a time, theme words too, and at last none: the same
    words in different slots are a different fill. It ends with `StopReason.ALIKE` if `fill` is proved to be the only
    fill.

    Raises:
        UnsupportedError: the engine cannot find a fill.
        InvalidFillError: the engine produced a fill that breaks a rule.
    """
    from random import Random  # noqa: PLC0415 - slow to import, and seldom needed

    chosen, limits = resolve_engine(engine), check_limits(limits)
    deadline, chance = Deadline(limits.time_s, limits.stop), Random(limits.seed)  # noqa: S311
    yield Started(chosen.name)
    changing = [word for word in dict.fromkeys(Difference(problem).list_words(fill)) if problem.lexicon.find(word)]
    words = [word for word in changing if word not in problem.theme]
    halves = [_sample(words, chance, attempt) for attempt in range(1, TRIES)] if len(words) > 2 else []
    nodes = min(TRY_NODES, limits.nodes or TRY_NODES)
    other, last = None, Finished(StopReason.TRIES)
    for avoided in [words, *halves, *([word] for word in chance.sample(changing, len(changing)))]:
        if not avoided:
            continue
        own = replace(limits, fills=1, nodes=nodes, time_s=deadline.time_s)
        if avoided is words and limits.time_s is not None:
            own = replace(own, nodes=limits.nodes, time_s=deadline.remaining_s() / 2)
        other, last = yield from _search(problem, _drop_words(problem, set(avoided)), chosen, own, lambda _: True)
        if other is not None or deadline.passed or last.reason is StopReason.INTERRUPTED:
            break
    else:

        def differs(found: Fill) -> bool:
            return any(found.word_at(slot) != fill.word_at(slot) for slot in problem.slots)

        every = replace(limits, fills=None, time_s=deadline.time_s)
        other, last = yield from _enumerate(problem, chosen, every, 0, differs)
    reason = StopReason.INTERRUPTED if limits.stopped else StopReason.TIME if deadline.passed else StopReason.FILLS
    if reason is not StopReason.FILLS or other is not None:
        last = replace(last, reason=reason, proof="", wipeout=None)
    yield last


def _search(
    problem: Problem, narrowed: Problem, engine: Engine | str, limits: Limits, differs: Callable[[Fill], bool]
) -> Generator[Event, None, tuple[Fill | None, Finished]]:
    """Yield the events of a search for one fill that differs, except its end; return the fill and the end."""
    fill, last = None, Finished(StopReason.INTERRUPTED)
    with closing(search(narrowed, engine=engine, limits=limits)) as stream:
        for event in stream:
            match event:
                case Found() if not differs(event.fill):
                    pass  # with repeats, a single word that was not avoided may stand in many slots
                case Found():
                    yield replace(event, value=event.fill.value(problem), better=fill is not None and event.better)
                    fill = event.fill
                case Finished():
                    last = event
                case Started() if narrowed is not problem:
                    yield Progress("looking for another fill")
                case Bound() if narrowed is not problem:
                    pass  # it bounds the fills without some words
                case _:
                    yield event
    return fill, last


def _enumerate(
    problem: Problem, engine: Engine | str, limits: Limits, known: int, differs: Callable[[Fill], bool]
) -> Generator[Event, None, tuple[Fill | None, Finished]]:
    """Enumerate fills; yield signs of life and the first fill that differs; return it and the end.

    If there are fills beside the `known` ones, but none differs, the end is `StopReason.ALIKE`.
    """
    fills = 0
    try:
        with closing(search(drop_objective(problem), engine=engine, limits=limits)) as stream:
            for event in stream:
                if isinstance(event, Found) and problem.theme and violations(problem, event.fill):
                    continue  # C3 holds for theme words even if other words may repeat
                fills += isinstance(event, Found)
                if isinstance(event, Found) and differs(event.fill):
                    yield replace(event, value=event.fill.value(problem))
                    return event.fill, Finished(StopReason.FILLS)
                if isinstance(event, Finished) and event.exhausted:
                    return None, event if fills == known else replace(event, reason=StopReason.ALIKE)
                if isinstance(event, Finished) and event.reason is StopReason.INTERRUPTED:
                    return None, event
                if isinstance(event, Progress):
                    yield event
    except UnsupportedError:  # not every engine can enumerate
        pass
    return None, Finished(StopReason.TRIES)


def _sample(words: Sequence[str], chance: Random, attempt: int) -> Sequence[str]:
    """Return the words to avoid: all of them at the first attempt, then a random half."""
    return chance.sample(words, (len(words) + 1) // 2) if attempt else words


def _drop_words(problem: Problem, words: set[str]) -> Problem:
    """Return the problem without some words, none of which is required.

    The lexicon stays: its words would have to be marked anew to tell which are alike, which takes seconds.
    """
    theme = {word: weight for word, weight in problem.theme.items() if word not in words}
    return replace(problem, theme=theme, avoided=problem.avoided | words)
