"""The tables of `cpfill bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.cli.output import emit
from cpfill.cli.tables import table
from cpfill.problem.problem import format_value, value_from_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.runs.bench.results import Against, Certificate, Ratio, Row


def show_comparison(compared: Sequence[Against], *, markdown: bool) -> None:
    """Print how many times faster one contender is than another, family by family."""
    if compared:
        emit(
            say(
                "\nHow many times faster {one} is than {other} (and over how many runs):\n\n",
                one=compared[0].one,
                other=compared[0].other,
            )
        )
        show(_AGAINST_HEADINGS, [_against_cells(each) for each in compared], keys=1, markdown=markdown)
        _show_alone(compared[-1])


ROW_HEADINGS = (
    *("family", "engine", "runs", "filled", "no fill", "wrong", "failed", "PAR2 search", "PAR2 wall", "common"),
    *("search med", "search geo", "CPU med", "CPU geo", "wall med", "wall geo", "peak MB"),
)


def row_cells(row: Row) -> list[str]:
    """Return the cells below `ROW_HEADINGS`."""
    times = [seconds for each in (row.search, row.cpu, row.wall) for seconds in (each.median_s, each.mean_s)]
    counts = (row.runs, row.filled, row.no_fill, row.wrong, row.failed)
    par2 = (row.par2_search_s, row.par2_wall_s)
    return [
        *(row.family, row.label),
        *map(str, counts),
        *map(seconds, par2),
        str(row.common),
        *map(seconds, times),
        f"{row.peak_mb:.0f}",
    ]


_AGAINST_HEADINGS = (
    *("family", "search", "search > 0.1 s", "CPU", "CPU > 0.1 s", "wall", "wall > 0.1 s"),
    *("decided by the first alone", "by the second alone", "by neither"),
)


def _against_cells(each: Against) -> list[str]:
    ratios = (each.search, each.search_hard, each.cpu, each.cpu_hard, each.wall, each.wall_hard)
    return [each.family, *map(_ratio, ratios), str(len(each.only_one)), str(len(each.only_other)), str(each.neither)]


def _show_alone(each: Against) -> None:
    for label, names in ((each.one, each.only_one), (each.other, each.only_other)):
        if names:
            emit(say("\nDecided by {label} alone: {names}\n", label=label, names="; ".join(dict.fromkeys(names))))


PROOF_HEADINGS = (
    *("grid", "list", "engine", "value", "lemmas", "search s", "write s", "check s", "peak MB"),
    "accepted by",
)


def proof_cells(each: Certificate) -> list[str]:
    """Return the cells below `PROOF_HEADINGS`."""
    value = value_from_json(each.value)
    return [
        *(each.grid, each.words, each.label, "-" if value is None else format_value(value)),
        "-" if each.lemmas is None else f"{each.lemmas:,}",
        *map(seconds, (each.search_s, each.write_s, each.check_s)),
        f"{each.peak_mb:.0f}",
        each.checker or each.detail,
    ]


def _ratio(ratio: Ratio) -> str:
    return "-" if ratio.faster is None else f"{ratio.faster:.2f}x ({ratio.runs})"


def seconds(value: float | None) -> str:
    """Return seconds in text, with three digits that say something."""
    if value is None:
        return "-"
    digits = next((digits for least, digits in ((100, 1), (1, 2), (0.01, 3)) if value >= least), 5)
    return f"{value:.{digits}f}"


_NAMES = ("family", "engine")


def show(headings: Sequence[str], lines: Sequence[Sequence[str]], *, keys: int, markdown: bool) -> None:
    """Print a table, whose first `keys` columns name the rows."""
    if markdown:
        rule = ["---", *(["---:"] * (len(headings) - 1))]
        for line in (headings, rule, *lines):
            emit("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n")
        return
    emit(table(headings, lines, keys=keys, left=_NAMES))
