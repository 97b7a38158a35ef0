"""Draws results: a cactus plot of all contenders, and two of them run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpfill.base.imports import draw_plot
from cpfill.runs.bench.report import decided, search_s, wall_s

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cpfill.runs.bench.report import Results
    from cpfill.runs.bench.results import Record

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
