"""How good fills are: by what was recorded, and by another list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cpfill.runs.bench.report import ALL, qualities
from cpfill.runs.bench.results import BenchResults, Results
from cpfill.words.wordlist import parse_word_list
from tests.bench.support import record, records_of, suite_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

ENTRIES = [[f"W{chr(65 + n)}", float(n)] for n in range(38, 58)]


def results_of(*records: dict[str, object]) -> Results:
    return Results.of([("results", list(records))])


def test_the_figures_are_those_of_the_entries() -> None:
    one = record("mac", "g1", 1.0, entries=ENTRIES)
    other = record("mac", "g2", 1.0, entries=[["AB", 10.0], ["CD", None]])
    first, second, whole = qualities(results_of(one, other))
    assert (first["grid"], first["entries"], first["minimum"], first["mean"]) == ("g1", 20, 38, 47.5)
    assert sum(score <= first["tenth"] for _, score in ENTRIES if isinstance(score, float)) == 2
    assert (first["strong"], first["weak"], first["unlisted"]) == (8 / 20, 2 / 20, 0)
    assert (second["minimum"], second["mean"], second["weak"], second["unlisted"]) == (0, 5, 0.5, 0.5)
    assert (whole["grid"], whole["entries"], whole["unlisted"]) == (ALL, 22, 1 / 22)


def test_a_judge_has_scores_of_its_own() -> None:
    judge = parse_word_list("AB;60\nEF;1\n")
    one = record("mac", "g1", 1.0, entries=[["AB", 1.0], ["CD", 99.0]])
    (found, _) = qualities(results_of(one), judge)
    assert (found["minimum"], found["mean"], found["strong"], found["weak"], found["unlisted"]) == (0, 30, 0.5, 0, 0.5)


def test_entries_that_are_given_count_for_nothing(tmp_path: Path) -> None:
    records = records_of(suite_of(tmp_path))
    for one in records:
        if one["fill"]:
            assert one["entries"]
            assert all(isinstance(word, str) for word, _ in one["entries"])


def test_the_report_tells_it(run: Run, tmp_path: Path) -> None:
    with BenchResults(str(tmp_path / "r.jsonl")) as results:
        results.append(record("mac", "g1", 1.0, entries=[["AB", 55.0], ["CD", 30.0]]))
    (tmp_path / "judge.txt").write_text("AB;60\n", encoding="utf-8")
    done = run("bench", "report", tmp_path / "r.jsonl", "--judge", tmp_path / "judge.txt", "--json")
    told = json.loads(done.out)["quality"]
    assert [(each["grid"], each["strong"], each["unlisted"]) for each in told] == [("g1", 0.5, 0.5), (ALL, 0.5, 0.5)]
    shown = run("bench", "report", tmp_path / "r.jsonl", "--quality").out
    assert "How good the fills are, by the lists they are filled from" in shown


@pytest.mark.parametrize("judge", [(), ("--judge", "no-such-list")])
def test_what_cannot_be_judged_is_told_in_one_line(run: Run, tmp_path: Path, judge: tuple[str, ...]) -> None:
    with BenchResults(str(tmp_path / "r.jsonl")) as results:
        results.append(record("mac", "g1", None))
    done = run("bench", "report", tmp_path / "r.jsonl", "--quality", *judge)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
