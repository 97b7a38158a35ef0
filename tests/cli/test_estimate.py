"""The numbers are those of `cpfill.questions.estimate`, which has tests of its own."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.count import tell_duration
from cpfill.engines.audited import settle
from cpfill.questions.estimate import sample
from tests.cli.program import INSTANCES, SQUARE, THREE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits, SolveResult
    from cpfill.questions.estimate import Sample
    from tests.cli.program import Run

FIVE = INSTANCES / "wizium" / "words-5.txt"


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


def test_a_seed_settles_what_is_measured(run: Run) -> None:
    def steps(*options: object) -> list[int]:
        record = run("estimate", "5x5", "-w", FIVE, "--measure", *options, "--json").parts[-1]
        return [one["steps"] for one in record["measured"]["weave"]["runs"]]

    assert steps("--runs", 4) == steps("--runs", 2) + steps("--runs", 2, "--seed", 2)


@pytest.mark.parametrize(
    ("log10", "told"),
    [(6.3, "2 s"), (11, "1.2 days"), (17.8, "20,000 years"), (3.8, "6.3 ms"), (5.7, "500 ms"), (8.5, "5.3 min")],
)
def test_times_of_the_article(log10: float, told: str) -> None:
    """The article has 2 s, a day, 20,000 years; 6 ms, 0.5 s, 5 min."""
    assert tell_duration(log10) == told


def test_long_and_endless_times() -> None:
    assert (tell_duration(34.8), tell_duration(None)) == ("10^21.3 years", "")
