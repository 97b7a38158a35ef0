"""Fills that differ pairwise in at least half of their words; a fill that differs from a given one.

Let W(F) be the words of a fill F in the slots with a domain of two or more words, without own entries. F and G
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
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence
    from random import Random

    from cpfill.engines.contract import Engine
    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits

TRIES = 8
"""The number of tries for the next fill; each avoids different words."""

TRY_NODES = 50_000
"""Nodes for each try."""


ENUMERATED_NODES = 200_000
"""Nodes for enumerating all fills until a fill differs."""


class Difference:
    """Decides whether two fills of a problem differ."""

    def __init__(self, problem: Problem) -> None:
        pairs = zip(problem.slots, problem.domains, strict=True)
        self._slots = [slot for slot, domain in pairs if domain & (domain - 1)]
        self._required = problem.rules.required.union(problem.own)

    def list_words(self, fill: Fill) -> list[str]:
        """Return the words of a fill that can change, slot by slot."""
        words = (fill.word_at(slot) for slot in self._slots)
        return [word for word in words if word not in self._required]

    def holds(self, one: Fill, other: Fill) -> bool:
        """Return whether two fills differ."""
        words = self.list_words(one)
        others = self.list_words(other)
        return words != others and _share_half(words, others) and _share_half(others, words)


def _share_half(words: Sequence[str], others: Collection[str]) -> bool:
    """Return whether at most half of `words` are in `others`."""
    return 2 * sum(word in others for word in words) <= len(words)


class Likeness:
    """Watches the fills of one problem as they are found: `alike` if a fill does not differ from the previous fill.

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
    yield from _Diverse(problem, engine, check_limits(limits), ENUMERATED_NODES).search()


class _Diverse:
    """Finds fills that differ pairwise.

    Args:
        problem: the problem.
        engine: the engine, or its name.
        limits: the limits of the whole search.
        enumerated: the nodes for enumerating all fills at last; 0 skips that.
    """

    def __init__(self, problem: Problem, engine: Engine | str, limits: Limits, enumerated: int) -> None:
        from random import Random

        self._problem = problem
        self._engine = engine
        self._limits = limits
        self._enumerated = enumerated
        self._deadline = Deadline(limits.time_s, limits.stop)
        self._chance = Random(limits.seed)  # noqa: S311
        self._difference = Difference(problem)
        self._found: list[Fill] = []

    def search(self) -> Generator[Event]:
        """Yield the events of the search."""
        single = replace(self._limits, fills=1)
        fill, last = yield from _search(self._problem, self._problem, self._engine, single, self._differs)
        while fill is not None:
            self._found.append(fill)
            if len(self._found) == self._limits.fills:
                break
            fill, last = yield from self._find_next()
        yield last

    def _differs(self, fill: Fill) -> bool:
        return all(self._difference.holds(fill, one) for one in self._found)

    def _find_next(self) -> Generator[Event, None, tuple[Fill | None, Finished]]:
        """Yield the events of the search for the next fill, except its end; return the fill and the end."""
        fill, last = yield from self._avoid_words()
        if fill is None and not self._deadline.passed and last.reason is not StopReason.INTERRUPTED:
            if not self._enumerated:
                return None, Finished(StopReason.TRIES)
            fill, last = yield from self._enumerate()
        if fill is None and self._deadline.passed:
            last = _cut_short(last, self._limits)
        return fill, last

    def _avoid_words(self) -> Generator[Event, None, tuple[Fill | None, Finished]]:
        """Search without words of the fills found, at each try without different ones."""
        limits = self._limits
        nodes = min(TRY_NODES, limits.nodes or TRY_NODES)
        fill: Fill | None = None
        last = Finished(StopReason.TRIES)
        for attempt in range(TRIES):
            narrowed = _drop_words(self._problem, self._choose_words(attempt))
            seed = SEED.after(limits.seed, len(self._found) * TRIES + attempt)
            single = replace(limits, fills=1, nodes=nodes, seed=seed, time_s=self._deadline.time_s)
            fill, last = yield from _search(self._problem, narrowed, self._engine, single, self._differs)
            if fill is not None or self._deadline.passed or last.reason is StopReason.INTERRUPTED:
                break
        return fill, last

    def _choose_words(self, attempt: int) -> set[str]:
        """Return words of the fills found."""
        words: set[str] = set()
        for fill in self._found:
            words.update(_sample(self._difference.list_words(fill), self._chance, attempt))
        return words

    def _enumerate(self) -> Generator[Event, None, tuple[Fill | None, Finished]]:
        """Enumerate all fills, which proves something only if it comes to its end."""
        nodes = min(self._enumerated, self._limits.nodes or self._enumerated)
        every = replace(self._limits, fills=None, nodes=nodes, time_s=self._deadline.time_s)
        fill, last = yield from _enumerate(self._problem, self._engine, every, len(self._found), self._differs)
        if not last.exhausted:
            last = replace(last, proof="")
        return fill, last


def _cut_short(last: Finished, limits: Limits) -> Finished:
    """Return the end of a search that the time limit or the token ended."""
    reason = StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
    return replace(last, reason=reason, proof="", wipeout=None)


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
    deadline = Deadline(limits.time_s, limits.stop)
    found: dict[Fill, None] = {}
    last = yield from _find_diverse(problem, engine, limits, found)
    if last.reason is not StopReason.TRIES:
        yield last
        return
    rest = replace(limits, fills=None, time_s=deadline.time_s)
    told = len(found)
    with closing(search(replace(problem, objective=Objective.ANY), engine=engine, limits=rest)) as stream:
        for event in stream:
            if isinstance(event, Started) or (isinstance(event, Found) and event.fill in found):
                continue
            yield event
            told += isinstance(event, Found)
            if told == limits.fills:
                yield replace(last, reason=StopReason.FILLS)
                return


def _find_diverse(
    problem: Problem, engine: Engine | str, limits: Limits, found: dict[Fill, None]
) -> Generator[Event, None, Finished]:
    """Yield the events of a search for fills that differ pairwise, except its end; return the end.

    The fills are added to `found`. They are not enumerated at the end, because an enumeration follows anyway.
    """
    last = Finished(StopReason.INTERRUPTED)
    with closing(_Diverse(problem, engine, limits, 0).search()) as stream:
        for event in stream:
            if isinstance(event, Finished):
                last = event
                continue
            if isinstance(event, Found):
                if event.better:
                    found.popitem()
                found[event.fill] = None
            yield event
    return last


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
    chosen = resolve_engine(engine)
    limits = check_limits(limits)
    deadline = Deadline(limits.time_s, limits.stop)
    yield Started(chosen.name)
    other, last = yield from _avoid_some(problem, fill, chosen, limits, deadline)
    if other is None and not deadline.passed and last.reason is not StopReason.INTERRUPTED:

        def differs(found: Fill) -> bool:
            return any(found.word_at(slot) != fill.word_at(slot) for slot in problem.slots)

        every = replace(limits, fills=None, time_s=deadline.time_s)
        other, last = yield from _enumerate(problem, chosen, every, 0, differs)
    if deadline.passed:
        last = _cut_short(last, limits)
    elif other is not None:
        last = replace(last, reason=StopReason.FILLS, proof="", wipeout=None)
    yield last


def _avoid_some(
    problem: Problem, fill: Fill, engine: Engine, limits: Limits, deadline: Deadline
) -> Generator[Event, None, tuple[Fill | None, Finished]]:
    """Yield the events of searches without words of a fill, except their ends; return the other fill and the end."""
    nodes = min(TRY_NODES, limits.nodes or TRY_NODES)
    other: Fill | None = None
    last = Finished(StopReason.TRIES)
    for attempt, avoided in enumerate(_list_avoided(problem, fill, limits.seed)):
        if not avoided:
            continue
        own = replace(limits, fills=1, nodes=nodes, time_s=deadline.time_s)
        if attempt == 0 and limits.time_s is not None:
            own = replace(own, nodes=limits.nodes, time_s=deadline.share(1 / 2).time_s)
        other, last = yield from _search(problem, _drop_words(problem, set(avoided)), engine, own, lambda _: True)
        if other is not None or deadline.passed or last.reason is StopReason.INTERRUPTED:
            break
    return other, last


def _list_avoided(problem: Problem, fill: Fill, seed: int) -> list[Sequence[str]]:
    """Return the words to avoid at each attempt: all that can change, random halves of them, then single words.

    Only single words may be those of the theme.
    """
    from random import Random

    chance = Random(seed)  # noqa: S311
    changing = [word for word in dict.fromkeys(Difference(problem).list_words(fill)) if problem.lexicon.find(word)]
    words = [word for word in changing if word not in problem.theme]
    avoided: list[Sequence[str]] = [words]
    if len(words) > 2:
        avoided += [_sample(words, chance, attempt) for attempt in range(1, TRIES)]
    avoided += [[word] for word in chance.sample(changing, len(changing))]
    return avoided


def _search(
    problem: Problem, narrowed: Problem, engine: Engine | str, limits: Limits, differs: Callable[[Fill], bool]
) -> Generator[Event, None, tuple[Fill | None, Finished]]:
    """Yield the events of a search for one fill that differs, except its end; return the fill and the end."""
    fill: Fill | None = None
    last = Finished(StopReason.INTERRUPTED)
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
                if isinstance(event, Progress):
                    yield event
                if isinstance(event, Finished):
                    return None, _end_enumeration(event, alike=fills != known)
                if not isinstance(event, Found) or _repeats_theme(problem, event.fill):
                    continue
                fills += 1
                if differs(event.fill):
                    yield replace(event, value=event.fill.value(problem))
                    return event.fill, Finished(StopReason.FILLS)
    except UnsupportedError:  # not every engine can enumerate
        pass
    return None, Finished(StopReason.TRIES)


def _repeats_theme(problem: Problem, fill: Fill) -> bool:
    """Return whether a fill repeats a theme word: C3 holds for those even if other words may repeat."""
    return bool(problem.theme and violations(problem, fill))


def _end_enumeration(last: Finished, *, alike: bool) -> Finished:
    """Return the end of an enumeration that met no fill that differs; `alike` if it met other fills."""
    if last.exhausted:
        return replace(last, reason=StopReason.ALIKE) if alike else last
    if last.reason is StopReason.INTERRUPTED:
        return last
    return Finished(StopReason.TRIES)


def _sample(words: Sequence[str], chance: Random, attempt: int) -> Sequence[str]:
    """Return the words to avoid: all of them at the first attempt, then a random half."""
    return chance.sample(words, (len(words) + 1) // 2) if attempt else words


def _drop_words(problem: Problem, words: set[str]) -> Problem:
    """Return the problem without some words, none of which is required.

    The lexicon stays: its words would have to be marked anew to tell which are alike, which takes seconds.
    """
    theme = {word: weight for word, weight in problem.theme.items() if word not in words}
    return replace(problem, theme=theme, avoided=problem.avoided | words)
