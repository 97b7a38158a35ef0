from __future__ import annotations

import csv
import io
import json
import math
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.runs.bench.report import ALL, against, as_csv, list_best, plot, qualities, rows
from cpfill.runs.bench.results import Results, encode_record, find_disagreements, own_faults, wrong_answers
from cpfill.words.wordlist import parse_word_list
from tests.bench.support import no_fill, record, records_of, suite_of
from tests.docs.pages import rows as table_rows
from tests.docs.pages import text_of
from tests.support import INSTANCES
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cpfill.runs.bench.results import Record
    from tests.cli.program import Run


CASES = partial(cases, "bench/report_cases.json")


def results(*records: Record) -> Results:
    return Results.of([("results.jsonl", records)])


# Seconds of search on five grids; wall is half a second more; None is undecided after 20 s.
A = {"g1": 1.0, "g2": 4.0, "g3": 0.02, "g4": None, "g5": 2.0}
B = {"g1": 2.0, "g2": 1.0, "g3": 0.08, "g4": 3.0, "g5": None}


def runs(label: str, seconds: Mapping[str, float | None]) -> list[Record]:
    return [record(label, grid, each) for grid, each in seconds.items()]


def test_csv_has_a_row_for_every_run() -> None:
    odd: dict[str, Any] = {
        "options": {"order": "random"},
        "value": [1, 2.5],
        "detail": 'a, "b"\nc',
        "entries": [1],
        "fill": "AB\n",
    }
    records = [
        record("a", "g1", 1.5),
        no_fill("b", "g2", 0.25, versions={"cpfill": "1", "python": "3"}),
        record("a", "g3", None, **odd),
    ]
    table = list(csv.DictReader(io.StringIO(as_csv(results(*records)))))
    assert [(row["label"], row["grid"], row["verdict"]) for row in table] == [
        *(("a", "g1", "filled"), ("a", "g3", "undecided"), ("b", "g2", "no fill"))
    ]
    assert [float(row["solve_s"]) for row in table] == [1.5, 20.0, 0.25]
    assert [row["versions.python"] for row in table] == ["", "", "3"]
    assert [row["options.order"] for row in table] == ["", "random", ""]
    assert (json.loads(table[1]["value"]), table[1]["detail"]) == ([1, 2.5], odd["detail"])
    assert table[0].keys() & {"key", "fill", "entries"} == set()
    assert table[0].keys() >= records[0].keys() - {"key", "entries"}
    assert [row["peak_mb"] for row in table] == ["40.0"] * 3


def test_rows_are_what_a_hand_computes() -> None:
    a, b = rows(results(*chain(*zip(runs("a", A), runs("b", B), strict=True))))
    assert (a["label"], a["runs"], a["filled"], a["no_fill"], a["common"]) == ("a", 5, 4, 0, 3)
    assert a["par2_search_s"] == pytest.approx((1 + 4 + 0.02 + 40 + 2) / 5)
    assert a["par2_wall_s"] == pytest.approx((1.5 + 4.5 + 0.52 + 40 + 2.5) / 5)
    assert b["par2_search_s"] == pytest.approx((2 + 1 + 0.08 + 3 + 40) / 5)
    assert (a["search"]["median_s"], a["wall"]["median_s"]) == (1.0, 1.5)
    assert a["search"]["mean_s"] == pytest.approx((1 * 4 * 0.02) ** (1 / 3))
    assert a["wall"]["mean_s"] == pytest.approx((1.5 * 4.5 * 0.52) ** (1 / 3))
    assert b["search"]["mean_s"] == pytest.approx((2 * 1 * 0.08) ** (1 / 3))
    assert a["peak_mb"] == 40.0


def made(told: dict[str, Any]) -> Record:
    """Return a record by its JSON: a label, a grid, seconds, and other fields."""
    if told.pop("none", False):
        return no_fill(**told)
    return record(**told)


@CASES("rows")
def test_a_table_has_these_rows(case: dict[str, Any]) -> None:
    table = rows(results(*map(made, case["records"])))
    assert len(table) == len(case["expected"])
    for row, expected in zip(table, case["expected"], strict=True):
        for key, value in expected.items():
            assert row[key] == pytest.approx(value), key


def test_engines_may_be_taken_by_their_own_clock() -> None:
    files = [("r.jsonl", [record("a", "g1", 1.0, search_s=0.25), record("p", "g1", 1.0)])]
    for own_clock, seconds in ((False, 1.0), (True, 0.25)):
        table = rows(Results.of(files, own_clock=own_clock))
        assert [row["search"]["median_s"] for row in table] == [seconds, 1.0]


def test_against_is_what_a_hand_computes() -> None:
    (compared,) = against(results(*runs("a", A), *runs("b", B)), "a", "b")
    assert compared["search"]["runs"] == 3
    assert compared["search"]["faster"] == pytest.approx((2 / 1 * 1 / 4 * 0.08 / 0.02) ** (1 / 3))
    assert compared["search_hard"]["runs"] == 2, "the third needs no more than 0.08 s"
    assert compared["search_hard"]["faster"] == pytest.approx(math.sqrt(2 / 1 * 1 / 4))
    assert compared["wall"]["faster"] == pytest.approx((2.5 / 1.5 * 1.5 / 4.5 * 0.58 / 0.52) ** (1 / 3))
    assert compared["wall_hard"]["runs"] == 3
    assert (compared["only_one"], compared["only_other"], compared["neither"]) == (["g5, words"], ["g4, words"], 0)


@CASES("ratios")
def test_ratios_are_those_of_runs_of_both(case: dict[str, Any]) -> None:
    (told,) = against(results(*map(made, case["records"])), "a", "b")
    assert told["search"] == {"runs": case["runs"], "faster": pytest.approx(case["faster"])}


def test_a_peer_that_tells_no_time_is_compared_by_the_wall() -> None:
    (compared,) = against(results(record("a", "g1", 1.0), record("p", "g1", 1.0, solve_s=None)), "a", "p")
    assert (compared["search"], compared["wall"]["runs"]) == ({"runs": 0, "faster": None}, 1)


def test_one_label_in_two_files_is_told_apart() -> None:
    read = Results.of(
        [("x/old.jsonl", [record("a", "g1", 4.0), record("b", "g1", 1.0)]), ("new.jsonl", [record("a", "g1", 1.0)])]
    )
    assert read.labels == ["a@old", "b", "a@new"]
    assert against(read, "a@new", "a@old")[0]["search"]["faster"] == pytest.approx(4.0)
    apart = Results.of([("old.jsonl", [record("a", "g1", 4.0)]), ("new.jsonl", [record("a", "g2", 1.0)])])
    assert apart.labels == ["a"], "parts of one run in two files"


@CASES("contradictions")
def test_contradictions_are_found(case: dict[str, Any]) -> None:
    pair = record("a", "g1", 1.0, **case["one"]), record("b", "g1", 1.0, seed=7, **{"limit_s": 1.0, **case["other"]})
    assert find_disagreements(results(*pair)) == [f"g1, words: {case['said']}"]
    assert find_disagreements(results(*reversed(pair))) == [f"g1, words: {case['said']}"]


@CASES("other questions")
def test_answers_to_other_questions_do_not_contradict(case: dict[str, Any]) -> None:
    """The first record has a fill; the second, whose question differs, says that there is none."""
    one = record("a", "g1", 1.0, **case.get("one", {}))
    assert find_disagreements(results(one, no_fill("b", "g1", 1.0, **case["other"]))) == []


def test_a_fill_that_the_audit_rejects_contradicts_nothing() -> None:
    bad = record("a", "g1", 1.0, verdict="wrong", detail="C3: twice", audited=False)
    read = results(bad, no_fill("b", "g1", 1.0))
    assert find_disagreements(read) == []
    assert wrong_answers(read) == ["g1, words: a: C3: twice"]
    assert own_faults(read)
    del bad["engine"]
    assert not own_faults(results(bad)), "a peer's"


# The plot


def test_plots_are_drawn_and_the_same_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    read = results(*runs("a", A), *runs("b", B), record("c", "g1", 1.0, solve_s=None))
    for pair in (None, ("a", "b")):
        drawn = []
        for name in ("x.svg", "y.svg"):
            plot(read, str(tmp_path / name), pair)
            drawn.append((tmp_path / name).read_text(encoding="utf-8"))
        assert drawn[0] == drawn[1]
        assert "a (4 of 5)" in drawn[0]
    plot(read, str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="did you mean"):
        plot(read, str(tmp_path / "x.png"), ("a", "bb"))


# How good fills are: by the recorded scores, and by another list


@CASES("qualities")
def test_the_figures_are_those_of_the_entries(case: dict[str, Any]) -> None:
    judge = parse_word_list(case["judge"]) if case["judge"] else None
    found, whole = qualities(results(record("mac", "g1", 1.0, entries=case["entries"])), judge)
    assert (found["grid"], whole["grid"]) == ("g1", ALL)
    for key, value in case["expected"].items():
        assert found[key] == whole[key] == value, key


def test_entries_that_are_given_count_for_nothing(tmp_path: Path) -> None:
    filled = [each for each in records_of(suite_of(tmp_path)) if each["fill"]]
    assert filled
    for each in filled:
        assert each["entries"]
        assert all(isinstance(word, str) for word, _ in each["entries"])


def test_the_report_tells_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(encode_record(record("mac", "g1", 1.0, entries=[["AB", 55.0], ["CD", 30.0]])))
    (tmp_path / "judge.txt").write_text("AB;60\n", encoding="utf-8")
    told = json.loads(run("bench", "report", path, "--judge", tmp_path / "judge.txt", "--json").out)["quality"]
    assert [(each["grid"], each["strong"], each["unlisted"]) for each in told] == [("g1", 0.5, 0.5), (ALL, 0.5, 0.5)]
    shown = run("bench", "report", path, "--quality").out
    assert "How good the fills are, by the lists they are filled from" in shown
    assert run("bench", "report", path, "--quality", "--judge", "no-such-list").code == 2
    path.write_bytes(encode_record(record("mac", "g1", None)))
    assert run("bench", "report", path, "--quality").code == 2


# The table of best known values: its figures agree with one another, and with what is soon searched again

_, _, *TABLE = table_rows(text_of("instances/BEST.md").partition("## ")[0])
QUICK = [row for row in TABLE if row[4] == "yes" and float(row[5]) < 1.0]


def test_the_table_has_every_run_of_its_suite() -> None:
    told = {(grid, goal): (float(value), float(bound)) for grid, goal, value, bound, *_ in TABLE}
    grids = {grid for grid, _ in told}
    assert len(told) == len(TABLE) == 3 * 16 == 3 * len(grids)
    for _, _, value, bound, proved, _ in TABLE:
        assert float(value) <= float(bound)
        assert (proved == "yes") == (value == bound)
    for grid in grids:
        assert (INSTANCES / f"{grid}.txt").exists()
        lowest, highest = told[grid, "min"]
        least, most = told[grid, "leximin"]
        assert lowest <= most
        assert least <= highest


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row[0]} {row[1]}")
def test_what_is_soon_proved_is_so(row: list[str], run: Run) -> None:
    grid, objective, value, *_ = row
    done = run("solve", INSTANCES / f"{grid}.txt", "--objective", objective, "--json", "-q")
    finished = [record for record in map(json.loads, done.out.splitlines()) if record.get("done")]
    found = finished[-1]["value"]
    assert finished[-1]["status"] == "OPTIMAL"
    assert (found[0] if isinstance(found, list) else found) == float(value)


@CASES("best")
def test_the_best_of_several_runs_is_told(case: dict[str, Any]) -> None:
    goal = case["objective"]
    more = {"objective": goal, "list": "en", "search_s": 1.0, "limit_s": 60.0}
    by_label = {}
    for number, (value, bound) in enumerate(case["made"]):
        by_label[f"engine {number}"] = {("",): record("a", "a/b", 1.0, value=value, bound=bound, **more)}
    (told,) = list_best(Results(by_label=by_label))
    command = f"cpfill solve instances/a/b.txt --objective {goal} -t 60s"
    assert list(told.values()) == ["a/b", goal, *case["best"], 1.0, command]
