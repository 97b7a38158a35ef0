"""The best known value of each grid and its bound, from results: the targets to beat."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cpfill.problem.problem import format_value, value_from_json
from cpfill.words.wordlist import DEFAULT_LIST

if TYPE_CHECKING:
    from cpfill.runs.bench.report import Results
    from cpfill.runs.bench.results import Record


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
    return [_describe(records) for records in found.values()]


def _describe(records: list[Record]) -> Best:
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
