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
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pandas as pd

from cpfill.base.imports import draw_plot
from cpfill.problem.problem import Objective
from cpfill.problem.value import value_from_json
from cpfill.runs.bench.results import DECIDED, RunVerdict, decided, name_question, run_id, search_s, wall_s
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
    records = [{**record, "label": label, "id": repr(run_id(record))} for label, record in results.records]
    runs = pd.DataFrame(records, dtype=object)
    times = [*_CLOCKS.values(), "limit_s"]
    runs[times] = runs[times].astype(float)
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
    mean_log = numbers.map(math.log).mean(skipna=False)
    return _figure(math.exp(mean_log))


def rows(results: Results) -> list[Record]:
    """Return the table: each contender on each family."""
    every = _runs(results)
    table = []
    for family, runs in _by_family(every, several=len(set(every["family"])) > 1):
        answered = runs.pivot_table(index="id", columns="label", values="decided", aggfunc="any", fill_value=False)
        common = answered.index[answered.all(axis=1)]
        for label, own in runs.groupby("label", sort=False):
            shared = own[own["id"].isin(common)]
            table.append({"family": family, "label": label, **_sum_up(own, shared)})
    return table


def _sum_up(own: pd.DataFrame, shared: pd.DataFrame) -> Record:
    """Return the figures of a contender on a family; times are those of the runs `shared` by all contenders."""
    verdicts = own["verdict"].value_counts()
    times = {name: _times(shared[clock]) for name, clock in _CLOCKS.items()}
    return {
        "runs": len(own),
        "filled": int(verdicts.get(RunVerdict.FILLED, 0)),
        "no_fill": int(verdicts.get(RunVerdict.NO_FILL, 0)),
        "wrong": int(verdicts.get(RunVerdict.WRONG, 0)),
        "failed": int(verdicts.get(RunVerdict.CRASH, 0)),
        "par2_search_s": _par2(own, "search"),
        "par2_wall_s": _par2(own, "wall"),
        "common": len(shared),
        **times,
        "peak_mb": max(own["peak_mb"]),
    }


def _par2(own: pd.DataFrame, name: str) -> float | None:
    seconds = own[_CLOCKS[name]].where(own["decided"], 2 * own["limit_s"])
    return _figure(seconds.mean(skipna=False))


def _times(seconds: pd.Series) -> Record:
    median_s = _figure(seconds.median(skipna=False))
    return {"median_s": median_s, "mean_s": _geometric_mean(seconds.clip(lower=_FLOOR_S))}


def against(results: Results, one: str, other: str) -> list[Record]:
    """Return the comparison of two contenders, on each family and on all.

    A ratio is the speed-up of the first over the second: the geometric mean over the runs that both decide; where it is
    `hard`, over those in which either needs more than `HARD_S`.
    """
    runs = _runs(results)
    ones = runs[runs["label"] == results.require(one)]
    others = runs[runs["label"] == results.require(other)]
    paired = ones.merge(others, on="id", suffixes=("", "_other"))
    found = []
    for family, both in _by_family(paired, several=len(set(runs["family"])) > 1):
        found.append({"family": family, "one": one, "other": other, **_compare(both)})
    return found


def _compare(both: pd.DataFrame) -> Record:
    """Return the ratios of paired runs, and the questions that only one of the two contenders decided."""
    first = both["decided"]
    second = both["decided_other"]
    record: Record = {}
    for name, clock in _CLOCKS.items():
        pairs = both[first & second][[clock, f"{clock}_other"]].dropna()
        record[name] = _ratio(pairs)
        record[f"{name}_hard"] = _ratio(pairs[pairs.max(axis=1) > HARD_S])
    record["only_one"] = _name_questions(both[first & ~second])
    record["only_other"] = _name_questions(both[second & ~first])
    record["neither"] = int((~first & ~second).sum())
    return record


def _name_questions(runs: pd.DataFrame) -> list[str]:
    return [name_question(run) for run in runs.to_dict("records")]


def _ratio(pairs: pd.DataFrame) -> Record:
    seconds = pairs.clip(lower=_FLOOR_S)
    return {"runs": len(pairs), "faster": _geometric_mean(seconds.iloc[:, 1] / seconds.iloc[:, 0])}


def certificates(results: Results) -> list[Record]:
    """Return the outcome of each question that asked for a proof; `checker` is `None` if no checker accepted it.

    `value` is `None` if no fill exists, or if nothing was proved; in the latter case `lemmas` is `None` too.
    """
    return [_certificate(label, record) for label, record in results.records if record["ask"] == Ask.PROOF]


def _certificate(label: str, record: Record) -> Record:
    proved = record["lemmas"] is not None
    return {
        "label": label,
        "grid": record["grid"],
        "words": record["list"],
        "value": record["value"] if proved else None,
        "lemmas": record["lemmas"],
        "search_s": search_s(record),
        "write_s": record["write_s"],
        "check_s": record["check_s"],
        "checker": record["checker"],
        "detail": record["detail"] or str(record["verdict"]),
        "peak_mb": record["peak_mb"],
    }


_WITHOUT_VALUE = {Objective.ANY, Objective.GOOD}


def list_values(results: Results) -> list[Record]:
    """Return what each run says of the best value: the value of its fill, if audited, and the bound that it proved."""
    values = []
    for label, record in results.records:
        if record["ask"] == Ask.FILL and record["objective"] not in _WITHOUT_VALUE:
            shown = {name: record[name] for name in ("family", "grid", "bound", "verdict", "cpu_s", "wall_s")}
            value = record["value"] if record["audited"] else None
            values.append({"label": label, "value": value, **shown})
    return sorted(values, key=itemgetter("family", "grid"))


_NO_COLUMNS = {"key", "fill", "entries"}


def as_csv(results: Results) -> str:
    """Return a table with a row for each run, and a column for each key of the records.

    Nested keys are joined by dots, as in `versions.cpfill`; arrays are JSON. The fills themselves are omitted.
    """
    table = [dict(_columns({**record, "label": label})) for label, record in results.records]
    text: str = pd.DataFrame(table, dtype=object).to_csv(index=False, lineterminator="\n")
    return text


def _columns(record: Record, within: str = "") -> Iterator[tuple[str, object]]:
    """Yield the columns of a record, and their values; `within` is the key of a nested record, and a dot."""
    for name, value in record.items():
        key = f"{within}{name}"
        if isinstance(value, dict):
            yield from _columns(value, f"{key}.")
        elif key in _NO_COLUMNS:
            continue
        elif isinstance(value, list):
            yield key, json.dumps(value)
        else:
            yield key, value


def qualities(results: Results, judge: WordList | None = None) -> list[Record]:
    """Return the quality of each requested fill, and of each family; by the scores of `judge`, if given.

    Runs of several seeds or repetitions count together. An entry that the list lacks counts 0; `tenth` is the tenth
    percentile; `strong` is the share of entries that a constructor would print, `weak` of those used only in need.
    """
    judged: list[tuple[str, str, str, float | None]] = []
    for label, record in results.records:
        if record["ask"] == Ask.FILL and record["entries"]:
            scores = _judge(record["entries"], judge)
            for grid in (record["grid"], ALL):
                judged += [(record["family"], label, grid, score) for score in scores]
    table = pd.DataFrame(judged, columns=["family", "label", "grid", "score"]).astype({"score": float})
    table["last"] = table["grid"] == ALL
    order = table.sort_values(["family", "last", "grid"], kind="stable")
    rated = []
    for (family, _, grid, label), entries in order.groupby(["family", "last", "grid", "label"], sort=False):
        rated.append({"family": family, "label": label, "grid": grid, **_rate(entries["score"])})
    return rated


def _judge(entries: Iterable[tuple[str, float | None]], judge: WordList | None) -> list[float | None]:
    """Return the scores of entries, by the list `judge` if it is given; `None` for an entry that the list lacks."""
    if judge is None:
        return [score for _, score in entries]
    found = [judge.words.get(word) for word, _ in entries]
    return [weighed[0] if weighed else None for weighed in found]


def _rate(scores: pd.Series) -> Record:
    bands = count_bands(scores.dropna())
    count = len(scores)
    counted = scores.fillna(0.0)
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
    records = []
    for _, record in results.records:
        if record["value"] is not None and record["audited"]:
            values = {"worth": _number(record["value"]), "most": _number(record["bound"])}
            records.append({**record, **values, "search_s": record.get("search_s")})
    if not records:
        return []
    numbers = dict.fromkeys(("worth", "most", "search_s"), float)
    table = pd.DataFrame(records).astype(numbers)
    best = []
    for _, runs in table.groupby(["objective", "grid", "list"], sort=False):
        first = runs.sort_values(["worth", "search_s"], ascending=[False, True], kind="stable").iloc[0]
        best.append(
            {
                "grid": first["grid"],
                "objective": first["objective"],
                "value": _figure(first["worth"]),
                "bound": _figure(runs["most"].min()),
                "search_s": _figure(first["search_s"]),
                "command": shlex.join(_command_of(first)),
            }
        )
    return best


def _command_of(run: pd.Series) -> list[str]:
    """Return the command that repeats a run."""
    command = ["cpfill", "solve", f"instances/{run['grid']}.txt", "--objective", run["objective"]]
    if run["list"] != DEFAULT_LIST:
        command += ["-w", run["list"]]
    if run["limit_s"]:
        command += ["-t", f"{run['limit_s']:g}s"]
    return command


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
        clock, unit = _clock(results, results.labels)
        _cactus(axes[0], results, clock, unit)
        if pair:
            clock, unit = _clock(results, pair)
            _scatter(axes[1], results, pair, clock, unit)


def _clock(results: Results, labels: Iterable[str]) -> tuple[Callable[[Record], float | None], str]:
    """Return the clock that all these contenders report, and its name."""
    for label in labels:
        records = results.by_label[label].values()
        if any(decided(record) and search_s(record) is None for record in records):
            return wall_s, "process"
    return search_s, "search"


def _cactus(axes: Any, results: Results, clock: Callable[[Record], float | None], unit: str) -> None:
    """Draw for each contender the number of runs decided within a number of seconds each."""
    for index, label in enumerate(results.labels):
        records = results.by_label[label]
        times = [clock(record) or 0.0 for record in records.values() if decided(record)]
        seconds = sorted(max(time, _LEAST_S) for time in times)
        counts = range(1, len(seconds) + 1)
        name = f"{label} ({len(seconds)} of {len(records)})"
        axes.plot(counts, seconds, label=name, marker=_MARKERS[index % len(_MARKERS)], markersize=3, linewidth=1)
    axes.set(xlabel="runs decided", ylabel=f"seconds of {unit} for each", yscale="log")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()


def _scatter(
    axes: Any,
    results: Results,
    pair: tuple[str, str],
    clock: Callable[[Record], float | None],
    unit: str,
) -> None:
    """Draw each run of a pair as a point; an undecided run is drawn at the limit."""
    ones, others = (results.by_label[label] for label in pair)
    cells = [cell for cell in ones if cell in others]

    def seconds(record: Record) -> float:
        limit_s = float(record["limit_s"])
        taken = clock(record) if decided(record) else None
        if taken is None:
            taken = limit_s
        return max(_LEAST_S, min(taken, limit_s))

    across = [seconds(ones[cell]) for cell in cells]
    upwards = [seconds(others[cell]) for cell in cells]
    seen = [*across, *upwards]
    ends = (min(seen, default=_LEAST_S), max(seen, default=1.0))
    axes.plot(ends, ends, color="grey", linewidth=1)
    axes.scatter(across, upwards, s=12, alpha=0.7)
    axes.set(xlabel=f"{pair[0]}, seconds of {unit}", ylabel=f"{pair[1]}, seconds of {unit}")
    axes.set(xscale="log", yscale="log", aspect="equal")
    axes.grid(visible=True, alpha=0.3)
