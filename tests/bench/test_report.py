from __future__ import annotations

import csv
import io
import json
import math
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.runs.bench.report import ALL, against, as_csv, list_best, plot, qualities, rows
from cpfill.runs.bench.results import BenchResults, Results, find_disagreements, own_faults, wrong_answers
from cpfill.words.wordlist import parse_word_list
from tests.bench.support import no_fill, record, records_of, suite_of
from tests.docs.pages import rows as table_rows
from tests.docs.pages import text_of
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cpfill.runs.bench.results import Record
    from tests.cli.program import Run


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


def test_verdicts_are_counted_apart() -> None:
    (row,) = rows(
        results(
            record("a", "g1", 1.0),
            no_fill("a", "g2", 1.0),
            record("a", "g3", 1.0, verdict="wrong", detail="C3", audited=False),
            record("a", "g4", None, verdict="crash"),
            record("a", "g5", None, verdict="timeout", peak_mb=99.0),
        )
    )
    assert (row["filled"], row["no_fill"], row["wrong"], row["failed"], row["runs"]) == (1, 1, 1, 1, 5)
    assert row["par2_search_s"] == pytest.approx((1 + 1 + 40 * 3) / 5), "a wrong answer is none"
    assert row["peak_mb"] == 99.0


def test_families_and_suites_are_told_apart() -> None:
    two = [record("a", "g1", 1.0), record("a", "g2", 4.0, family="two")]
    assert [(row["family"], row["runs"]) for row in rows(results(*two))] == [("one", 1), ("two", 1), ("all", 2)]
    suites = [record("a", "g1", 1.0), record("a", "g1", 4.0, suite="other")]
    assert [row["family"] for row in rows(results(*suites))] == ["made/one", "other/one", "all"]


def test_times_that_a_peer_does_not_tell_are_not_made_up() -> None:
    silent, told = record("p", "g1", 1.0, solve_s=None), record("a", "g1", 1.0)
    table = {row["label"]: row for row in rows(results(silent, told))}
    assert (table["p"]["par2_search_s"], table["p"]["search"]) == (None, {"median_s": None, "mean_s": None})
    assert table["p"]["wall"]["median_s"] == 1.5
    (compared,) = against(results(silent, told), "a", "p")
    assert compared["search"] == {"runs": 0, "faster": None}
    assert compared["wall"]["runs"] == 1


def test_engines_may_be_taken_by_their_own_clock() -> None:
    files = [("r.jsonl", [record("a", "g1", 1.0, search_s=0.25), record("p", "g1", 1.0)])]
    for own_clock, seconds in ((False, 1.0), (True, 0.25)):
        table = rows(Results.of(files, own_clock=own_clock))
        assert [row["search"]["median_s"] for row in table] == [seconds, 1.0]


def test_nothing_in_common_is_no_time() -> None:
    table = rows(results(record("a", "g1", 1.0), record("b", "g1", None)))
    assert [(row["common"], row["search"]) for row in table] == [(0, {"median_s": None, "mean_s": None})] * 2


def test_against_is_what_a_hand_computes() -> None:
    (compared,) = against(results(*runs("a", A), *runs("b", B)), "a", "b")
    assert compared["search"]["runs"] == 3
    assert compared["search"]["faster"] == pytest.approx((2 / 1 * 1 / 4 * 0.08 / 0.02) ** (1 / 3))
    assert compared["search_hard"]["runs"] == 2, "the third needs no more than 0.08 s"
    assert compared["search_hard"]["faster"] == pytest.approx(math.sqrt(2 / 1 * 1 / 4))
    assert compared["wall"]["faster"] == pytest.approx((2.5 / 1.5 * 1.5 / 4.5 * 0.58 / 0.52) ** (1 / 3))
    assert compared["wall_hard"]["runs"] == 3
    assert (compared["only_one"], compared["only_other"], compared["neither"]) == (["g5, words"], ["g4, words"], 0)


def test_a_ratio_may_be_as_small_as_it_is() -> None:
    (compared,) = against(results(record("a", "g1", 4.0), record("b", "g1", 0.0)), "a", "b")
    assert compared["search"]["faster"] == pytest.approx(0.001 / 4.0)


def test_against_compares_only_runs_that_both_made() -> None:
    (compared,) = against(
        results(*runs("a", {"g1": 1.0, "g2": 1.0, "g3": None}), *runs("b", {"g2": 3.0, "g3": None})), "a", "b"
    )
    assert (compared["search"]["runs"], compared["neither"]) == (1, 1)
    assert compared["search"]["faster"] == pytest.approx(3.0)


def test_against_needs_contenders_that_ran() -> None:
    with pytest.raises(InputError, match="did you mean 'alpha'"):
        against(results(record("alpha", "g1", 1.0)), "alpha", "alpa")


def test_the_geometric_mean_has_a_floor() -> None:
    (row,) = rows(results(record("a", "g1", 0.0), record("a", "g2", 0.1)))
    assert row["search"]["mean_s"] == pytest.approx(0.01)


def test_seeds_and_repeats_are_runs_of_their_own() -> None:
    (row,) = rows(results(*(record("a", "g1", 1.0, seed=seed, repeat=n) for seed in (0, 1) for n in (0, 1))))
    assert row["runs"] == 4


def test_the_last_of_several_records_of_one_run_counts() -> None:
    (row,) = rows(results(record("a", "g1", None), record("a", "g1", 1.0)))
    assert (row["runs"], row["filled"]) == (1, 1)


def test_one_label_in_two_files_is_told_apart() -> None:
    read = Results.of(
        [("x/old.jsonl", [record("a", "g1", 4.0), record("b", "g1", 1.0)]), ("new.jsonl", [record("a", "g1", 1.0)])]
    )
    assert read.labels == ["a@old", "b", "a@new"]
    assert against(read, "a@new", "a@old")[0]["search"]["faster"] == pytest.approx(4.0)
    apart = Results.of([("old.jsonl", [record("a", "g1", 4.0)]), ("new.jsonl", [record("a", "g2", 1.0)])])
    assert apart.labels == ["a"], "parts of one run in two files"


PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "a fill and a proof that there is none": (
        {},
        {"status": "UNSATISFIABLE", "verdict": "no fill", "audited": None, "proof": "search"},
        "a has a fill, b says that none exists (search)",
    ),
    "a value over a bound": (
        {"value": 60.0},
        {"value": 50.0, "bound": 55.0},
        "a has a fill worth 60, b says that no fill is worth more than 55",
    ),
    "counts": (
        {"status": "ALL_FILLS", "fills": 5},
        {"status": "ALL_FILLS", "fills": 4},
        "a counts 5 fills, b counts 4",
    ),
    "a count that tells no fill and a proof that there is none": (
        {"ask": "number", "status": "ALL_FILLS", "fills": 5, "audited": None},
        {"ask": "number", "status": "UNSATISFIABLE", "verdict": "no fill", "fills": 0, "audited": None},
        "a has a fill, b says that none exists (no proof)",
    ),
    "letters": (
        {"ask": "letters", "yes": 9, "no": 5, "open": 0},
        {"ask": "letters", "yes": 6, "no": 6, "open": 2},
        "a shows fills for 9 letters, b says that at most 8 have one",
    ),
}


@pytest.mark.parametrize(("one", "other", "said"), PAIRS.values(), ids=PAIRS)
def test_contradictions_are_found(one: dict[str, Any], other: dict[str, Any], said: str) -> None:
    pair = record("a", "g1", 1.0, **one), record("b", "g1", 1.0, **{"seed": 7, "limit_s": 1.0, **other})
    assert find_disagreements(results(*pair)) == [f"g1, words: {said}"]
    assert find_disagreements(results(*reversed(pair))) == [f"g1, words: {said}"]


@pytest.mark.parametrize(
    "other",
    [
        {"grid_hash": "g2"},
        {"list_hash": "others"},
        {"min_score": 10.0},
        {"repeats": True},
        {"min_slot_length": 3},
        {"alphabet": "ABC"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_answers_to_other_questions_do_not_contradict(other: dict[str, Any]) -> None:
    assert find_disagreements(results(record("a", "g1", 1.0), no_fill("b", "g1", 1.0, **other))) == []
    assert find_disagreements(results(record("a", "g1", 1.0), no_fill("b", "g1", 1.0))) != []


def test_words_and_letters_are_not_held_against_each_other() -> None:
    told = {"yes": 9, "no": 5, "open": 0}
    pair = record("a", "g1", 1.0, ask="words", **told), record("b", "g1", 1.0, ask="letters", **{**told, "yes": 6})
    assert find_disagreements(results(*pair)) == []


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


# How good fills are: by what was recorded, and by another list

ENTRIES = [[f"W{chr(65 + n)}", float(n)] for n in range(38, 58)]


def test_the_figures_are_those_of_the_entries() -> None:
    one = record("mac", "g1", 1.0, entries=ENTRIES)
    other = record("mac", "g2", 1.0, entries=[["AB", 10.0], ["CD", None]])
    first, second, whole = qualities(results(one, other))
    assert (first["grid"], first["entries"], first["minimum"], first["mean"]) == ("g1", 20, 38, 47.5)
    assert sum(score <= first["tenth"] for _, score in ENTRIES if isinstance(score, float)) == 2
    assert (first["strong"], first["weak"], first["unlisted"]) == (8 / 20, 2 / 20, 0)
    assert (second["minimum"], second["mean"], second["weak"], second["unlisted"]) == (0, 5, 0.5, 0.5)
    assert (whole["grid"], whole["entries"], whole["unlisted"]) == (ALL, 22, 1 / 22)


def test_a_judge_has_scores_of_its_own() -> None:
    judge = parse_word_list("AB;60\nEF;1\n")
    one = record("mac", "g1", 1.0, entries=[["AB", 1.0], ["CD", 99.0]])
    (found, _) = qualities(results(one), judge)
    assert (found["minimum"], found["mean"], found["strong"], found["weak"], found["unlisted"]) == (0, 30, 0.5, 0, 0.5)


def test_entries_that_are_given_count_for_nothing(tmp_path: Path) -> None:
    records = records_of(suite_of(tmp_path))
    for one in records:
        if one["fill"]:
            assert one["entries"]
            assert all(isinstance(word, str) for word, _ in one["entries"])


def test_the_report_tells_it(run: Run, tmp_path: Path) -> None:
    with BenchResults(str(tmp_path / "r.jsonl")) as file:
        file.append(record("mac", "g1", 1.0, entries=[["AB", 55.0], ["CD", 30.0]]))
    (tmp_path / "judge.txt").write_text("AB;60\n", encoding="utf-8")
    done = run("bench", "report", tmp_path / "r.jsonl", "--judge", tmp_path / "judge.txt", "--json")
    told = json.loads(done.out)["quality"]
    assert [(each["grid"], each["strong"], each["unlisted"]) for each in told] == [("g1", 0.5, 0.5), (ALL, 0.5, 0.5)]
    shown = run("bench", "report", tmp_path / "r.jsonl", "--quality").out
    assert "How good the fills are, by the lists they are filled from" in shown


@pytest.mark.parametrize("judge", [(), ("--judge", "no-such-list")])
def test_what_cannot_be_judged_is_told_in_one_line(run: Run, tmp_path: Path, judge: tuple[str, ...]) -> None:
    with BenchResults(str(tmp_path / "r.jsonl")) as file:
        file.append(record("mac", "g1", None))
    done = run("bench", "report", tmp_path / "r.jsonl", "--quality", *judge)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1


# The table of best known values: its figures agree with one another, and with what is soon searched again

_, _, *TABLE = table_rows(text_of("instances/BEST.md").partition("## ")[0])
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
    finished = [record for record in map(json.loads, done.out.splitlines()) if record.get("done")]
    found = finished[-1]["value"]
    assert finished[-1]["status"] == "OPTIMAL"
    assert (found[0] if isinstance(found, list) else found) == float(value)


def test_the_best_of_several_runs_is_told() -> None:
    def made(value: float | list[float] | None, bound: float | list[float] | None, goal: str = "sum") -> Record:
        more = {"objective": goal, "list": "en", "value": value, "bound": bound, "search_s": 1.0, "limit_s": 60.0}
        return record("a", "a/b", 1.0, **more)

    def best(*records: Record) -> list[list[object]]:
        by_label = {f"engine {number}": {("",): each} for number, each in enumerate(records)}
        return [list(each.values()) for each in list_best(Results(by_label=by_label))]

    command = "cpfill solve instances/a/b.txt --objective sum -t 60s"
    assert best(made(7.0, 9.0), made(6.0, 8.0), made(None, 5.0)) == [["a/b", "sum", 7.0, 8.0, 1.0, command]]
    assert best(made(7.5, None)) == [["a/b", "sum", 7.5, None, 1.0, command]]
    ((_, _, *figures, _),) = best(made([3.0, 4.0], [3.0, 9.0], "leximin"))
    assert figures == [3.0, 3.0, 1.0]
    ((*_, search_s, _),) = best({**made(7.0, None), "search_s": None})
    assert search_s is None, "of a peer, which does not say it"
