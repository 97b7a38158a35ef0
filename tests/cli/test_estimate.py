"""The numbers are those of `cpfill.questions.estimate`, which has tests of its own."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cpfill.engines.audited import settle
from cpfill.questions.estimate import sample
from tests.cli.program import INSTANCES, SQUARE, THREE, TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits, SolveResult
    from cpfill.questions.estimate import Sample
    from tests.cli.program import Run

A = INSTANCES / "assignment" / "A.txt"
FIVE = INSTANCES / "wizium" / "words-5.txt"


def test_other_grids_have_an_expected_number_of_fills_alone(run: Run) -> None:
    lines = run("estimate", A).out.splitlines()
    assert len(lines) == 3
    assert lines[2] == "no estimate of steps: it has blocks"
    record = run("estimate", A, "--json").parts[-1]
    assert (record["square"], record["why_no_square"]) == (None, "it has blocks")
    assert record["log10_fills"] > 0
    assert not record["doubtful"]


def test_a_grid_that_hardly_has_a_fill(run: Run) -> None:
    assert "hardly to be expected" in run("estimate", "8x8", "-w", "en-words").out
    assert "hardly to be expected" in run("solve", "8x8", "-w", "en-words", "-e", "mac", "--node-limit", 50).err


def test_what_is_not_finite_is_said_in_words_and_null_in_json(run: Run) -> None:
    lines = run("estimate", TINY / "too-long.txt", "-w", THREE).out.splitlines()
    assert lines[1] == "expected fills: none"
    lines = run("estimate", "4x4", "-w", THREE).out.splitlines()
    assert lines[5].split()[1:] == ["without", "end"]
    record = run("estimate", "4x4", "-w", THREE, "--json").parts[-1]
    assert record["log10_fills"] is None
    assert record["square"]["weave"]["log10_steps"] is None


def test_measured(run: Run) -> None:
    done = run("estimate", "5x5", "-w", FIVE, "--measure", "--runs", 3, "--json")
    record = done.parts[-1]
    assert (done.code, done.err) == (0, "")
    assert set(record["measured"]) == {"weave", "scaffold"}
    for measured in record["measured"].values():
        assert measured["settled"] == 3
        assert [one["status"] for one in measured["runs"]] == ["SATISFIED"] * 3
        assert measured["median"]["steps"] == sorted(one["steps"] for one in measured["runs"])[1]
        assert min(one["steps"] for one in measured["runs"]) >= 5


def test_measured_in_text(run: Run) -> None:
    out = run("estimate", A, "-w", INSTANCES / "assignment" / "A.words.txt", "--measure", "--runs", 1).out
    heading, _, *rows = out.splitlines()[-4:]
    assert heading.split() == ["measured", "median", "steps", "letters", "tried", "steps", "from", "to", "answers"]
    assert [(row.split()[0], row.split()[-3:]) for row in rows] == [
        ("weave", ["1", "of", "1"]),
        ("scaffold", ["1", "of", "1"]),
    ]


def test_sampled(run: Run) -> None:
    asked = ("estimate", SQUARE, "-w", THREE, "--repeats", "--sample", "--draws", 200)
    last = run(*asked, "--seed", 1).out.splitlines()[2]
    assert last.startswith("sampled fills: 10^")
    assert last.endswith("of 200 draws came to a fill")
    record = run(*asked, "--json").parts[-1]
    sampled = record["sampled"]
    assert (sampled["draws"], sampled["refuted"]) == (200, False)
    assert sampled["log10_low"] < sampled["log10_fills"] < sampled["log10_high"]
    assert 100 < 10 ** sampled["log10_fills"] < 135  # 116 were counted


def test_an_interrupt_leaves_what_was_drawn(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def struck(problem: Problem, limits: Limits, draws: int | None) -> Iterator[Sample]:
        yield from islice(sample(problem, limits=limits, draws=draws), 51)
        raise KeyboardInterrupt

    monkeypatch.setattr("cpfill.questions.estimate.sample", struck)
    asked = ("estimate", SQUARE, SQUARE, "-w", THREE, "--repeats", "--sample", "--measure")
    done = run(*asked)
    assert (done.code, done.complaints) == (130, [f"cpfill: {SQUARE}: interrupted"])
    assert done.out.splitlines()[2].endswith("of 50 draws came to a fill")
    assert "measured" not in done.out
    record = run(*asked, "--json").parts[-1]
    assert record["sampled"]["draws"] == 50


def test_an_interrupt_leaves_what_was_measured(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = settle, list[object]()

    def struck(*given: object, **more: object) -> SolveResult:
        calls.append(given)
        if len(calls) > 3:
            raise KeyboardInterrupt
        answer: Callable[..., SolveResult] = real
        return answer(*given, **more)

    monkeypatch.setattr("cpfill.questions.estimate.settle", struck)
    done = run("estimate", SQUARE, "-w", THREE, "--measure", "--runs", 2)
    assert (done.code, done.complaints) == (130, [f"cpfill: {SQUARE}: interrupted"])
    assert "weave" in done.out.partition("measured")[2]
    assert "1 of 1" in done.out
    calls.clear()
    record = run("estimate", SQUARE, "-w", THREE, "--measure", "--runs", 2, "--json").parts[-1]
    assert {method: len(found["runs"]) for method, found in record["measured"].items()} == {"weave": 2, "scaffold": 1}


def test_sampled_where_there_is_nothing_to_find(run: Run) -> None:
    lines = run("estimate", "4x4", "-w", THREE, "--sample").out.splitlines()
    assert lines[2] == "sampled fills: none, which is proved"
    lines = run("estimate", SQUARE, "-w", THREE, "--sample", "-t", 0).out.splitlines()
    assert lines[2] == "sampled fills: not known; 0 of 0 draws came to a fill"
    record = run("estimate", SQUARE, "-w", THREE, "--sample", "-t", 0, "--json").parts[-1]
    assert {record["sampled"][key] for key in ("log10_fills", "log10_low", "log10_high")} == {None}


def test_a_run_that_is_over_time_is_no_answer(run: Run) -> None:
    out = run("estimate", "8x8", "--measure", "-t", 0, "--runs", 1).out
    assert all(line.endswith("0 of 1") for line in out.splitlines()[-2:])


def test_a_seed_settles_what_is_measured(run: Run) -> None:
    def steps(*options: object) -> list[int]:
        record = run("estimate", "5x5", "-w", FIVE, "--measure", *options, "--json").parts[-1]
        return [one["steps"] for one in record["measured"]["weave"]["runs"]]

    assert steps("--runs", 4) == steps("--runs", 2) + steps("--runs", 2, "--seed", 2)
