"""The contract of an engine.

1. `search` yields at least every 0.25 s, and soon after `limits.stop` is set; the consumer then closes it.
2. It yields exactly one `Finished`, last.
3. Closing the iterator stops all work and joins all threads and processes within 1 s; nothing else cancels.
4. No fill is yielded twice.
5. A feature the engine lacks raises `UnsupportedError` before any search.
6. The same seed and one worker give the same stream.

`blaming` makes one line of any other exception of an engine: the engine, its package, the fault.

Engines of other packages are entry points of the group `cpfill.engines`, looked up if cpfill has no engine of a name.
"""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast, runtime_checkable

from cpfill.base.errors import CpfillError, EngineError, Fault, InputError
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterator, Sequence
    from importlib.metadata import EntryPoint
    from random import Random

    from cpfill.problem.event import Event
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Deadline, Limits, Outcome
    from cpfill.problem.value import Criterion
    from cpfill.puzzle.grid import SlotId

PULSE_S = 0.1
"""Seconds between two signs of life of an engine; the contract allows 0.25 s."""


class Feature(StrEnum):
    """The optional abilities of an engine. Every engine proves that no fill, or no better fill, exists."""

    SATISFY = "find a fill"
    ENUMERATE = "find several fills"
    MAXIMISE_MIN = "maximise the least score"
    """V1."""
    MAXIMISE_SUM = "maximise a sum of scores"
    """Any criterion that adds up; V3 needs this and the feature above."""
    LEXIMIN = "maximise all scores, the worst first"
    """V5."""
    APART = "keep words apart"
    """The constraint `Apart`."""
    TIES = "tie cells"
    """`Grid.ties`: such an engine propagates along `Grid.links` or `Grid.agreements`."""
    COUNT = "count letters"
    """Covers of several words, and slots of one length of different kinds."""


class Engine(Protocol):
    """Solves problems. The options of an engine are arguments of its constructor."""

    name: ClassVar[str]
    features: ClassVar[frozenset[Feature]]

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search and yield events; see the contract above."""


@runtime_checkable
class CountingEngine(Engine, Protocol):
    """An engine that can count fills without reporting them."""

    def count(self, problem: Problem, limits: Limits) -> Generator[Event]:
        """Search as `search` does, but report no fill: `counted` of the events is the number so far."""


class Probe(Protocol):
    """Answers questions about one problem from one propagated state, without rebuilding anything."""

    def domain(self, slot: SlotId) -> int:
        """Return the bitset of the words that propagation and later calls of `exclude` leave a slot."""

    def ask(self, slot: SlotId, words: int, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return whether a fill exists in which the slot has one of `words`: FOUND and the fill, EXHAUSTED, or UNKNOWN.

        `nodes` and the deadline limit the work. The caller must audit the fill.
        """

    def approach(self, fill: Fill, nodes: int, deadline: Deadline) -> tuple[Outcome, Fill | None]:
        """Return a fill close to a given one, whose letters need not be words; results are as for `ask`.

        Later answers of `ask` keep near it.
        """

    def expect(self) -> float:
        """Return an estimate of log10 of the number of fills; minus infinity if there is none."""

    def weigh_crossings(self) -> list[float]:
        """Return the weight of each crossing of the grid: 1, and more for each failure that it took part in."""

    def refute(self, slots: Sequence[SlotId], nodes: int, deadline: Deadline) -> Outcome:
        """Return whether some slots alone have a fill, as `ask` does; the problem has no required words."""

    def exclude(self, slot: SlotId, words: int) -> None:
        """Exclude words of a slot from now on, because an answer proved that no fill has them there."""


@runtime_checkable
class ProbingEngine(Engine, Protocol):
    """An engine that can answer questions about parts of a problem."""

    def probe(self, problem: Problem, seed: int, weights: Sequence[float] = ()) -> Probe:
        """Return a probe of the problem, whose objective is ignored; its crossings may start with known weights."""


class Sampler(Protocol):
    """Draws random fills of one problem, each with the number of fills that it stands for.

    The mean of these numbers over all draws is the number of fills.
    """

    @property
    def refuted(self) -> bool:
        """Whether it is proved that no fill exists."""

    def draw(self, chance: Random, deadline: Deadline) -> tuple[Outcome, float, Fill | None]:
        """Return FOUND, the natural logarithm of the number of fills that the fill stands for, and the fill.

        EXHAUSTED means a dead end, which counts as 0 fills. UNKNOWN means that the deadline cut the draw short; the
        caller must not count that draw. The caller must audit the fill.
        """


@runtime_checkable
class SamplingEngine(Engine, Protocol):
    """An engine that can draw fills at random."""

    def sampler(self, problem: Problem) -> Sampler:
        """Return a sampler of the problem, whose objective is ignored."""


def required_features(problem: Problem, limits: Limits) -> frozenset[Feature]:
    """Return the features that a task needs."""
    needed = set(map(_feature_of, problem.criteria))
    if not needed:
        needed = {Feature.SATISFY if limits.fills == 1 else Feature.ENUMERATE}
    parts_readings = problem.rules.either and not problem.rules.repeats  # in its cases
    if problem.lowered.apart or parts_readings:
        needed.add(Feature.APART)
    if problem.grid.ties:
        needed.add(Feature.TIES)
    if problem.counts:
        needed.add(Feature.COUNT)
    return frozenset(needed)


def _feature_of(criterion: Criterion) -> Feature:
    if criterion.adds_up:
        return Feature.MAXIMISE_SUM
    if criterion.is_vector:
        return Feature.LEXIMIN
    return Feature.MAXIMISE_MIN


@contextmanager
def blaming(engine: type[Engine]) -> Iterator[None]:
    """Turn exceptions of an engine, `SystemExit` too, into an error that names the engine and its package.

    Raises:
        EngineError: the engine raised an exception. Errors of cpfill pass unchanged, except a bare `EngineError` of an
        engine of another package, which may not name that engine.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        ours = engine.__module__.startswith("cpfill.")
        if isinstance(error, CpfillError) and (ours or type(error) is not EngineError):
            raise
        raise blame(engine, say("an answer"), describe_error(error)) from error


def blame(engine: type[Engine], expected: str, got: str) -> EngineError:
    """Return the error of an engine that breaks its contract: one line that names it and its package."""
    where = say("engine {name} of {package}", name=engine.name, package=find_package(engine))
    return EngineError(str(Fault(expected, got, where)))


def describe_error(error: BaseException) -> str:
    """Return the exception, and the line that raised it."""
    told = f"{type(error).__name__}: {error}".removesuffix(": ")
    trace = error.__traceback__
    if trace is None:
        return told
    while trace.tb_next:
        trace = trace.tb_next
    return f"{told} ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"


GROUP = "cpfill.engines"


class Plugin(NamedTuple):
    """An engine of another package: its entry point, the package with its version, and why it is refused, if so."""

    entry: EntryPoint
    package: str
    refused: Fault | None = None

    def load(self) -> type[Engine]:
        """Return the class of the engine.

        Raises:
            InputError: its name is refused, its module cannot be imported, or the object is not an engine of that name.
        """
        if self.refused:
            raise InputError(self.refused)
        expected = say(
            "an engine {name} in {value}, which {package} declares",
            name=self.entry.name,
            value=self.entry.value,
            package=self.package,
        )
        try:
            found: Any = self.entry.load()
        except (Exception, SystemExit) as exc:  # noqa: BLE001 - importing another package may raise anything
            raise InputError(Fault(expected, describe_error(exc))) from None
        lacking = [name for name in ("name", "features", "search") if not hasattr(found, name)]
        if lacking:
            raise InputError(Fault(expected, say("no class with {lacking}", lacking=", ".join(lacking))))
        if found.name != self.entry.name:
            raise InputError(Fault(expected, say("the name {name!r}", name=found.name)))
        if not (isinstance(found.features, frozenset) and isinstance(getattr(found, "OPTIONS", ()), tuple)):
            raise InputError(Fault(expected, say("features that are no frozenset, or OPTIONS that are no tuple")))
        return cast("type[Engine]", found)


def list_plugins(taken: Container[str]) -> dict[str, Plugin]:
    """Return the engines that installed packages declare, by name; refuse a name that is taken or declared twice.

    The key of an engine whose name is taken is that name with its package, so that it does not hide another engine.
    """
    from importlib.metadata import entry_points

    found: dict[str, Plugin] = {}
    entries = entry_points(group=GROUP)
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        name = entry.name
        package = _describe_package(entry)
        if name in taken:
            refused = Fault(
                say("a name that is free for the engine of {package}", package=package),
                say("{name}, which is cpfill's", name=name),
            )
            found[f"{name} of {package}"] = Plugin(entry, package, refused)
        elif len({each.value for each in entries if each.name == name}) > 1:
            refused = Fault(say("one package that has an engine {name}", name=name), say("several"))
            found[name] = Plugin(entry, package, refused)
        else:
            found[name] = Plugin(entry, package)
    return found


def _describe_package(entry: EntryPoint) -> str:
    """Return the package of an entry point, with its version."""
    if entry.dist is None:
        return "a package"
    return f"{entry.dist.name} {entry.dist.version}"


def find_package(engine: type[Engine]) -> str:
    """Return the package of an engine with its version, or the module of a class that no package declares."""
    if engine.__module__.startswith("cpfill."):
        return "cpfill"
    for plugin in list_plugins(()).values():
        if plugin.entry.name == engine.name and _find_top(plugin.entry.module) == _find_top(engine.__module__):
            return plugin.package
    return say("the module {module}", module=engine.__module__)


def _find_top(module: str) -> str:
    return module.partition(".")[0]
