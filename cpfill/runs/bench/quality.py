"""Rates fills by the scores of the list that they were filled from, or by a different list that judges them.

Entries that are given completely, such as theme entries, are ignored, because no engine filled them.

Draws results: a cactus plot of all contenders, and two of them run by run.

The best known value of each grid and its bound, from results: the targets to beat.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.base.imports import draw_plot
from cpfill.problem.problem import format_value, value_from_json
from cpfill.runs.bench.results import decided, search_s, wall_s
from cpfill.runs.bench.suite import Ask
from cpfill.words.wordlist import DEFAULT_LIST, Band, count_bands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cpfill.runs.bench.results import Record, Results
    from cpfill.words.wordlist import WordList

ALL = "all"
"""The name that stands for all grids of a family."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The fill of one grid by one contender, or all its fills of a family.

    Attributes:
        family: the family.
        label: the contender.
        grid: the grid, or `ALL`.
        entries: the number of judged entries.
        minimum: the least score; an entry that the list lacks counts 0.
        tenth: the tenth percentile: a tenth of the entries score this or less.
        mean: the mean score.
        strong: the share of entries that a constructor would print.
        weak: the share that a constructor would use only in need.
        unlisted: the share that the list lacks.
    """

    family: str
    label: str
    grid: str
    entries: int
    minimum: float
    tenth: float
    mean: float
    strong: float
    weak: float
    unlisted: float

    HEADINGS: ClassVar[tuple[str, ...]] = (
        *("family", "grid", "engine", "entries", "minimum", "tenth", "mean", "strong", "weak", "unlisted"),
    )

    @property
    def cells(self) -> list[str]:
        """The figures as a table shows them."""
        numbers = (f"{number:.1f}".removesuffix(".0") for number in (self.minimum, self.tenth, self.mean))
        shares = (f"{share:.1%}" for share in (self.strong, self.weak, self.unlisted))
        return [self.family, self.grid, self.label, str(self.entries), *numbers, *shares]


def qualities(results: Results, judge: WordList | None = None) -> list[Quality]:
    """Return the quality of each requested fill, and of each family; by the scores of `judge`, if given.

    Runs of several seeds or repetitions count together.
    """
    found: dict[tuple[str, str, str], list[float | None]] = {}
    for label in results.labels:
        for record in results.by_label[label].values():
            if record["ask"] == Ask.FILL and record["entries"]:
                scores = _judge(record["entries"], judge.words if judge else None)
                for grid in (record["grid"], ALL):
                    found.setdefault((record["family"], label, grid), []).extend(scores)
    ranked = sorted(found, key=lambda key: (key[0], key[2] == ALL, key[2]))
    return [_describe(*key, found[key]) for key in ranked]


def _judge(
    entries: Sequence[tuple[str, float | None]], words: Mapping[str, tuple[float, str]] | None
) -> list[float | None]:
    if words is None:
        return [score for _, score in entries]
    return [words[word][0] if word in words else None for word, _ in entries]


def _describe(family: str, label: str, grid: str, judged: Sequence[float | None]) -> Quality:
    scores = sorted(score or 0.0 for score in judged)
    bands, count = count_bands(score for score in judged if score is not None), len(scores)
    return Quality(
        family,
        label,
        grid,
        count,
        scores[0],
        scores[(count - 1) // 10],
        fmean(scores),
        bands[Band.STRONG] / count,
        bands[Band.WEAK] / count,
        sum(score is None for score in judged) / count,
    )


_PANEL_INCHES = 6.0
_LEAST_S = 1e-4
_MARKERS = "osv^D*Px"


def plot(results: Results, path: str, pair: tuple[str, str] | None = None) -> None:
    """Draw the cactus plot, and next to it a pair run by run: the given pair, or the only two contenders.

    Seconds are those of search if all drawn contenders report them, else of the whole process.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    for label in pair or ():
        results.require(label)
    if pair is None and len(results.labels) == 2:
        pair = (results.labels[0], results.labels[1])
    panels = 1 if pair is None else 2
    with draw_plot(path, _PANEL_INCHES * panels, _PANEL_INCHES * 0.8) as figure:
        axes = figure.subplots(1, panels, squeeze=False)[0]
        _cactus(axes[0], results, *_clock(results, results.labels))
        if pair:
            _scatter(axes[1], results, pair, *_clock(results, pair))


def _clock(results: Results, labels: Iterable[str]) -> tuple[Callable[[Record], float | None], str]:
    """Return the clock that all these contenders report, and its name."""
    records = (record for label in labels for record in results.by_label[label].values() if decided(record))
    return (wall_s, "process") if any(search_s(record) is None for record in records) else (search_s, "search")


def _cactus(axes: Any, results: Results, clock: Callable[[Record], float | None], unit: str) -> None:  # noqa: ANN401
    """Draw for each contender the number of runs decided within a number of seconds each."""
    for index, label in enumerate(results.labels):
        records = results.by_label[label]
        seconds = sorted(max(clock(record) or 0.0, _LEAST_S) for record in records.values() if decided(record))
        counts = range(1, len(seconds) + 1)
        name = f"{label} ({len(seconds)} of {len(records)})"
        axes.plot(counts, seconds, label=name, marker=_MARKERS[index % len(_MARKERS)], markersize=3, linewidth=1)
    axes.set(xlabel="runs decided", ylabel=f"seconds of {unit} for each", yscale="log")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()


def _scatter(
    axes: Any,  # noqa: ANN401
    results: Results,
    pair: tuple[str, str],
    clock: Callable[[Record], float | None],
    unit: str,
) -> None:
    """Draw each run of a pair as a point; an undecided run is drawn at the limit."""
    ones, others = (results.by_label[label] for label in pair)
    cells = [cell for cell in ones if cell in others]

    def seconds(record: Record) -> float:
        taken, limit_s = clock(record) if decided(record) else None, float(record["limit_s"])
        return max(_LEAST_S, limit_s if taken is None else min(taken, limit_s))

    points = [(seconds(ones[cell]), seconds(others[cell])) for cell in cells]
    seen = [coordinate for point in points for coordinate in point]
    ends = (min(seen, default=_LEAST_S), max(seen, default=1.0))
    axes.plot(ends, ends, color="grey", linewidth=1)
    axes.scatter([x for x, _ in points], [y for _, y in points], s=12, alpha=0.7)
    axes.set(xlabel=f"{pair[0]}, seconds of {unit}", ylabel=f"{pair[1]}, seconds of {unit}")
    axes.set(xscale="log", yscale="log", aspect="equal")
    axes.grid(visible=True, alpha=0.3)


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of one grid by an objective, its first number alone.

    Attributes:
        grid: the grid.
        objective: the objective.
        value: the best value of an audited fill.
        bound: the least bound that an engine proved; no fill is worth more.
        search_s: seconds of the search that found the value.
        command: the command that repeats the search.
    """

    grid: str
    objective: str
    value: float
    bound: float | None
    search_s: float
    command: str

    HEADINGS: ClassVar[tuple[str, ...]] = ("grid", "objective", "value", "bound", "proved", "s", "command")

    @property
    def cells(self) -> list[str]:
        """The figures as a table shows them."""
        bound = "-" if self.bound is None else format_value((self.bound,))
        proved = "yes" if self.value == self.bound else "no"
        return [
            *(self.grid, self.objective, format_value((self.value,)), bound, proved),
            *(f"{self.search_s:.1f}", f"`{self.command}`"),
        ]


def list_best(results: Results) -> list[Best]:
    """Return the best of all runs of each grid by each objective: the greatest value, and the least bound."""
    found: dict[tuple[str, str, str], list[Record]] = {}
    for label in results.labels:
        for record in results.by_label[label].values():
            if record["value"] is not None and record["audited"]:
                found.setdefault((record["objective"], record["grid"], record["list"]), []).append(record)
    return [_describe_best(records) for records in found.values()]


def _describe_best(records: list[Record]) -> Best:
    first = max(records, key=lambda record: (_number(record["value"]) or 0.0, -record["search_s"]))
    bounds = [bound for record in records if (bound := _number(record["bound"])) is not None]
    command = ["cpfill", "solve", f"instances/{first['grid']}.txt", "--objective", first["objective"]]
    command += [] if first["list"] == DEFAULT_LIST else ["-w", first["list"]]
    command += ["-t", f"{first['limit_s']:g}s"] if first["limit_s"] else []
    value = _number(first["value"]) or 0.0
    return Best(
        *(first["grid"], first["objective"], value, min(bounds, default=None), first["search_s"], shlex.join(command))
    )


def _number(value: float | list[float] | None) -> float | None:
    """Return the first number of a value in the form of records."""
    read = value_from_json(value)
    return read[0] if read else None
