"""The table of best known values: its figures agree with one another, and with what is soon searched again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cpfill.runs.bench.report import list_best
from cpfill.runs.bench.results import Record, Results
from tests.docs.pages import rows, text_of
from tests.support import INSTANCES

if TYPE_CHECKING:
    from tests.cli.program import Run

_, _, *TABLE = rows(text_of("instances/BEST.md"))
QUICK = [row for row in TABLE if row[4] == "yes" and float(row[5]) < 1.0]


def test_the_table_has_every_run_of_its_suite() -> None:
    grids = {row[0] for row in TABLE}
    assert {(row[0], row[1]) for row in TABLE} == {(grid, goal) for grid in grids for goal in ("min", "sum", "leximin")}
    assert len(TABLE) == 3 * 16
    for grid, _, value, bound, proved, _ in TABLE:
        assert (INSTANCES / f"{grid}.txt").exists()
        assert float(value) <= float(bound)
        assert (proved == "yes") == (value == bound)


def test_the_worst_score_is_the_same_by_both_objectives() -> None:
    told = {(row[0], row[1]): (float(row[2]), float(row[3])) for row in TABLE}
    for grid in {row[0] for row in TABLE}:
        (value, bound), (least, most) = told[grid, "min"], told[grid, "leximin"]
        assert value <= most
        assert least <= bound


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row[0]} {row[1]}")
def test_what_is_soon_proved_is_so(row: list[str], run: Run) -> None:
    grid, objective, value, *_ = row
    done = run("solve", INSTANCES / f"{grid}.txt", "--objective", objective, "--json", "-q")
    finished = [record for line in done.out.splitlines() if (record := json.loads(line))["event"] == "finished"]
    found = finished[-1]["value"]
    assert finished[-1]["status"] == "OPTIMAL"
    assert (found[0] if isinstance(found, list) else found) == float(value)


def test_the_best_of_several_runs_is_told() -> None:
    def record(value: float | list[float] | None, bound: float | list[float] | None, objective: str = "sum") -> Record:
        return Record(
            objective=objective,
            grid="a/b",
            list="en",
            value=value,
            bound=bound,
            audited=True,
            search_s=1.0,
            limit_s=60.0,
        )

    def best(*records: Record) -> list[list[object]]:
        by_label = {f"engine {number}": {("",): each} for number, each in enumerate(records)}
        return [list(each.values()) for each in list_best(Results(by_label=by_label))]

    command = "cpfill solve instances/a/b.txt --objective sum -t 60s"
    assert best(record(7.0, 9.0), record(6.0, 8.0), record(None, 5.0)) == [["a/b", "sum", 7.0, 8.0, 1.0, command]]
    assert best(record(7.5, None)) == [["a/b", "sum", 7.5, None, 1.0, command]]
    ((_, _, *figures, _),) = best(record([3.0, 4.0], [3.0, 9.0], "leximin"))
    assert figures == [3.0, 3.0, 1.0]
    ((*_, search_s, _),) = best({**record(7.0, None), "search_s": None})
    assert search_s is None, "of a peer, which does not say it"
