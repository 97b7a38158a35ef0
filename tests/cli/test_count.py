from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.program import EMPTY_7X7, INSTANCES, SQUARE, THREE, TINY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

REMY = (INSTANCES / "remy" / "example.txt", "-w", INSTANCES / "remy" / "words.txt", "--repeats")


@pytest.mark.parametrize("engine", ["letters", "mac", "auto", "fc", "weave", "scaffold", "cpsat"])
def test_the_number_is_that_of_the_fills_solve_tells(engine: str, run: Run) -> None:
    told = run("solve", *REMY, "--all", "-e", "mac")
    done = run("count", *REMY, "-e", engine)
    assert (done.code, done.out) == (0, f"{len(told.fills)}\n")
    assert "all there are" in done.err


def test_as_json(run: Run) -> None:
    done = run("count", *REMY, "--json", "-q")
    (record,) = done.ends
    assert record["exact"] is True
    assert record["fills"] == len(run("solve", *REMY, "--all", "-q").fills)
    assert done.err == ""


def test_no_fill_is_nought(run: Run) -> None:
    done = run("count", SQUARE, "-w", TINY / "two.txt", "--alphabet", "latin")
    assert done.code in {2, 20}
    done = run("count", SQUARE, "-w", THREE, "--min-score", 99)
    assert (done.code, done.out) == (20, "0\n")


def test_several_grids_are_told_apart(run: Run) -> None:
    done = run("count", SQUARE, SQUARE, "-w", THREE, "-q")
    names = [line.rpartition(": ")[0] for line in done.out.splitlines()]
    assert names == [str(SQUARE)] * 2


def test_a_limit_leaves_at_least_so_many(run: Run) -> None:
    done = run("count", EMPTY_7X7, "-t", "300ms")
    assert done.code == 124
    assert int(done.out) >= 0
    assert "time is over" in done.err


def test_a_journal_is_gone_on_with_and_belongs_to_one_grid(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = run("count", *REMY, "--resume", journal)
    assert first.code == 0
    assert run("count", *REMY, "--resume", journal).out == first.out
    other = run("count", SQUARE, "-w", THREE, "--resume", journal)
    assert other.code == 2
    assert len(other.complaints) == 1
    both = run("count", SQUARE, SQUARE, "-w", THREE, "--resume", tmp_path / "two")
    assert (both.code, len(both.complaints)) == (2, 1)


@pytest.mark.parametrize(
    "narrowed",
    [["--slot", "1-Across:pattern=C*"], ["--slot", "1-Down:pattern=?C*"], ["--open", "1-Down"], ["--exclude", "cat"]],
)
def test_a_journal_belongs_to_one_question(narrowed: list[str], run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    assert run("count", SQUARE, "-w", THREE, "--resume", journal).code == 0
    other = run("count", SQUARE, "-w", THREE, "--resume", journal, *narrowed)
    assert (other.code, len(other.complaints)) == (2, 1)
    alone = run("count", SQUARE, "-w", THREE, "--resume", tmp_path / "new", *narrowed)
    assert alone.out == run("count", SQUARE, "-w", THREE, *narrowed).out


def test_an_engine_without_a_journal_says_so(run: Run, tmp_path: Path) -> None:
    done = run("count", *REMY, "-e", "mac", "--resume", tmp_path / "journal")
    assert done.code == 2
    assert "letters" in done.complaints[0]
