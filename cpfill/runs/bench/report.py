"""Reports on results: which contender decided which runs, how fast, and how good the fills are.

decided   the run reached the requested answer, or proved that no fill exists
PAR2      the mean of the seconds per run, where an undecided run counts twice the limit
common    the runs that every contender of the family decided; times are compared only on these
search    seconds from the call of the engine to its last event, including model building; for a peer, its own figure
CPU       processor time of the process and of those it started; the figure least disturbed by other work
wall      seconds of the whole process, including its start

In geometric means and ratios nothing counts as less than a millisecond. `None` is a figure that cannot be computed.

Fills are rated by the scores of the list that they were filled from, or by a different list that judges them. Entries
that are given completely, such as theme entries, are ignored, because no engine filled them.

The reports are records as `cpfill bench report --json` prints them.
"""

from __future__ import annotations

import json
import math
import shlex
from typing import TYPE_CHECKING, Any

import pandas as pd

from cpfill.base.imports import draw_plot
from cpfill.problem.problem import value_from_json
from cpfill.runs.bench.results import DECIDED, RunVerdict, decided, name_question, search_s, wall_s
from cpfill.runs.bench.suite import Ask
from cpfill.words.wordlist import DEFAULT_LIST, Band, count_bands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cpfill.runs.bench.results import Record, Results
    from cpfill.words.wordlist import WordList

ALL = "all"
"""The family of all families, and the grid that stands for all grids of a family."""
HARD_S = 0.1
"""Below this, start-up and noise dominate the measurement."""
_FLOOR_S = 0.001
"""Programs seldom print finer times, and ratios of microseconds are meaningless."""
_CLOCKS = {"search": "solve_s", "cpu": "cpu_s", "wall": "wall_s"}


def _runs(results: Results) -> pd.DataFrame:
    """Return the runs, a row each, contender by contender; contenders are compared on equal `id`."""
    records = [
        {**record, "label": label, "id": repr(id_)}
        for label, found in results.by_label.items()
        for id_, record in found.items()
    ]
    runs = pd.DataFrame(records, dtype=object)
    runs[[*_CLOCKS.values(), "limit_s"]] = runs[[*_CLOCKS.values(), "limit_s"]].astype(float)
    runs["decided"] = runs["verdict"].isin(DECIDED)
    return runs


def _by_family(runs: pd.DataFrame, *, several: bool) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the runs of each family, and of all if there are several."""
    yield from runs.groupby("family", sort=False)
    if several and len(runs):
        yield ALL, runs


def _figure(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _geometric_mean(numbers: pd.Series) -> float | None:
    return _figure(math.exp(numbers.map(math.log).mean(skipna=False)))


def rows(results: Results) -> list[Record]:
    """Return the table: each contender on each family."""
    table, every = [], _runs(results)
    for family, runs in _by_family(every, several=len(set(every["family"])) > 1):
        answered = runs.pivot_table(index="id", columns="label", values="decided", aggfunc="any", fill_value=False)
        common = answered.index[answered.all(axis=1)]
        for label, own in runs.groupby("label", sort=False):
            shared, verdicts = own[own["id"].isin(common)], own["verdict"].value_counts()
            par2 = {
                name: own[clock].where(own["decided"], 2 * own["limit_s"]).mean(skipna=False)
                for name, clock in _CLOCKS.items()
            }
            table.append(
                {
                    "family": family,
                    "label": label,
                    "runs": len(own),
                    "filled": int(verdicts.get(RunVerdict.FILLED, 0)),
                    "no_fill": int(verdicts.get(RunVerdict.NO_FILL, 0)),
                    "wrong": int(verdicts.get(RunVerdict.WRONG, 0)),
                    "failed": int(verdicts.get(RunVerdict.CRASH, 0)),
                    "par2_search_s": _figure(par2["search"]),
                    "par2_wall_s": _figure(par2["wall"]),
                    "common": len(shared),
                    **{name: _times(shared[clock]) for name, clock in _CLOCKS.items()},
                    "peak_mb": max(own["peak_mb"]),
                }
            )
    return table


def _times(seconds: pd.Series) -> Record:
    return {"median_s": _figure(seconds.median(skipna=False)), "mean_s": _geometric_mean(seconds.clip(lower=_FLOOR_S))}


def against(results: Results, one: str, other: str) -> list[Record]:
    """Return the comparison of two contenders, on each family and on all.

    A ratio is the speed-up of the first over the second: the geometric mean over the runs that both decide; where it is
    `hard`, over those in which either needs more than `HARD_S`.
    """
    runs, found = _runs(results), []
    ones, others = (runs[runs["label"] == results.require(label)] for label in (one, other))
    paired = ones.merge(others, on="id", suffixes=("", "_other"))
    for family, both in _by_family(paired, several=len(set(runs["family"])) > 1):
        first, second = both["decided"], both["decided_other"]
        record: Record = {"family": family, "one": one, "other": other}
        for name, clock in _CLOCKS.items():
            pairs = both[first & second][[clock, f"{clock}_other"]].dropna()
            record[name], record[f"{name}_hard"] = _ratio(pairs), _ratio(pairs[pairs.max(axis=1) > HARD_S])
        named = [name_question(run) for run in both.to_dict("records")]
        record["only_one"], record["only_other"] = (
            [name for name, alone in zip(named, which, strict=True) if alone]
            for which in (first & ~second, second & ~first)
        )
        found.append({**record, "neither": int((~first & ~second).sum())})
    return found


def _ratio(pairs: pd.DataFrame) -> Record:
    seconds = pairs.clip(lower=_FLOOR_S)
    return {"runs": len(pairs), "faster": _geometric_mean(seconds.iloc[:, 1] / seconds.iloc[:, 0])}


def certificates(results: Results) -> list[Record]:
    """Return the outcome of each question that asked for a proof; `checker` is `None` if no checker accepted it.

    `value` is `None` if no fill exists, or if nothing was proved; in the latter case `lemmas` is `None` too.
    """
    return [
        {
            "label": label,
            "grid": record["grid"],
            "words": record["list"],
            "value": record["value"] if record["lemmas"] is not None else None,
            "lemmas": record["lemmas"],
            "search_s": search_s(record),
            **{name: record[name] for name in ("write_s", "check_s", "checker")},
            "detail": record["detail"] or str(record["verdict"]),
            "peak_mb": record["peak_mb"],
        }
        for label, found in results.by_label.items()
        for record in found.values()
        if record["ask"] == Ask.PROOF
    ]


_NO_COLUMNS = {"key", "fill", "entries"}


def as_csv(results: Results) -> str:
    """Return a table with a row for each run, and a column for each key of the records.

    Nested keys are joined by dots, as in `versions.cpfill`; arrays are JSON. The fills themselves are omitted.
    """
    table = [
        {name: value for key, value in {**record, "label": label}.items() for name, value in _columns(key, value)}
        for label, records in results.by_label.items()
        for record in records.values()
    ]
    text: str = pd.DataFrame(table, dtype=object).to_csv(index=False, lineterminator="\n")
    return text


def _columns(key: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield the columns of a key, and their values."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _columns(f"{key}.{name}", inner)
    elif key not in _NO_COLUMNS:
        yield key, json.dumps(value) if isinstance(value, list) else value


def qualities(results: Results, judge: WordList | None = None) -> list[Record]:
    """Return the quality of each requested fill, and of each family; by the scores of `judge`, if given.

    Runs of several seeds or repetitions count together. An entry that the list lacks counts 0; `tenth` is the tenth
    percentile; `strong` is the share of entries that a constructor would print, `weak` of those used only in need.
    """
    judged = [
        (record["family"], label, grid, (judge.words.get(word) or (None,))[0] if judge else score)
        for label, found in results.by_label.items()
        for record in found.values()
        if record["ask"] == Ask.FILL and record["entries"]
        for grid in (record["grid"], ALL)
        for word, score in record["entries"]
    ]
    table = pd.DataFrame(judged, columns=["family", "label", "grid", "score"]).astype({"score": float})
    table["last"] = table["grid"] == ALL
    order = table.sort_values(["family", "last", "grid"], kind="stable")
    return [
        {"family": family, "label": label, "grid": grid, **_rate(entries["score"])}
        for (family, _, grid, label), entries in order.groupby(["family", "last", "grid", "label"], sort=False)
    ]


def _rate(scores: pd.Series) -> Record:
    bands, count, counted = count_bands(scores.dropna()), len(scores), scores.fillna(0.0)
    return {
        "entries": count,
        "minimum": float(counted.min()),
        "tenth": float(counted.quantile(0.1, interpolation="lower")),
        "mean": float(counted.mean()),
        "strong": bands[Band.STRONG] / count,
        "weak": bands[Band.WEAK] / count,
        "unlisted": float(scores.isna().mean()),
    }


def list_best(results: Results) -> list[Record]:
    """Return the best of all runs of each grid by each objective: the greatest value, and the least bound.

    The value is that of an audited fill, and no fill is worth more than the bound; of either, the first number alone.
    `search_s` are the seconds of the search that found the value, if it says so, and `command` repeats it.
    """
    records = [
        {
            **record,
            "worth": _number(record["value"]),
            "most": _number(record["bound"]),
            "search_s": record.get("search_s"),
        }
        for found in results.by_label.values()
        for record in found.values()
        if record["value"] is not None and record["audited"]
    ]
    if not records:
        return []
    best = []
    numbers = dict.fromkeys(("worth", "most", "search_s"), float)
    for _, runs in pd.DataFrame(records).astype(numbers).groupby(["objective", "grid", "list"], sort=False):
        first = runs.sort_values(["worth", "search_s"], ascending=[False, True], kind="stable").iloc[0]
        command = ["cpfill", "solve", f"instances/{first['grid']}.txt", "--objective", first["objective"]]
        command += [] if first["list"] == DEFAULT_LIST else ["-w", first["list"]]
        command += ["-t", f"{first['limit_s']:g}s"] if first["limit_s"] else []
        best.append(
            {
                "grid": first["grid"],
                "objective": first["objective"],
                "value": _figure(first["worth"]),
                "bound": _figure(runs["most"].min()),
                "search_s": _figure(first["search_s"]),
                "command": shlex.join(command),
            }
        )
    return best


def _number(value: float | list[float] | None) -> float | None:
    """Return the first number of a value in the form of records."""
    read = value_from_json(value)
    return read[0] if read else None


_PANEL_INCHES = 6.0
_LEAST_S = 1e-4
_MARKERS = "osv^D*Px"


def plot(results: Results, path: str, pair: tuple[str, str] | None = None) -> None:
    """Draw the cactus plot, and next to it a pair run by run: the given pair, or the only two contenders.

    Seconds are those of search if all drawn contenders report them, else of the whole process.
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
