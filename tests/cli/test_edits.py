"""`cpfill edits`, as a person or a program meets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.program import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

GRID = "...\n...\n...\n"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """Words of two letters alone: a 3x3 grid has no fill until blocks part its lines."""
    path = tmp_path / "words.txt"
    path.write_text("".join(f"{a}{b};50\n" for a in "abcd" for b in "abcd"), encoding="utf-8")
    return path


def test_the_edit_that_helps_comes_with_its_fill(run: Run, words: Path) -> None:
    done = run("edits", "-", "-w", words, "--style", "free", "--symmetry", "none", stdin="...\n###\n..#\n")
    assert done.code == 0
    heading, _, first, *_ = done.out.splitlines()
    assert heading.split() == ["add", "open", "lowest", "score", "words", "changed", "cheaters"]
    assert first.split()[0] in {"R1C1", "R1C2", "R1C3"}
    *_, last = done.out.strip().split("\n\n")
    assert len(last.splitlines()) == 3
    assert "the grid has no fill; style free, symmetry none" in done.complaints[0]


def test_records(run: Run, words: Path) -> None:
    done = run("edits", "-", "-w", words, "--style", "free", "--symmetry", "none", "--json", stdin="...\n###\n..#\n")
    first, *told, last = done.records
    edits = list({(*each["add"], "", *each["open"]): each for each in told}.values())
    assert first["edits"] == sum(
        len(each["add"]) + len(each["open"]) == 1 or bool(each["add"] and each["open"]) for each in edits
    )
    counts = {verdict: sum(each["verdict"] == verdict for each in edits) for verdict in ("yes", "no", "open")}
    assert last == {"done": True, **counts}
    assert counts["yes"]
    assert all((each["fill"] is not None) == (each["verdict"] == "yes") for each in edits)


def test_no_edit_helps(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("abcdefgh;50\n", encoding="utf-8")
    done = run("edits", "-", "-w", path, stdin=GRID)
    assert done.code == 20
    assert done.out == ""


def test_the_best_edit_is_written_as_a_puzzle(run: Run, words: Path, tmp_path: Path) -> None:
    best = tmp_path / "best.ipuz"
    options = ("-w", words, "--style", "free", "--symmetry", "none")
    assert run("edits", "-", *options, "-o", best, stdin="...\n###\n..#\n").code == 0
    assert run("check", best, best, "-w", words).code == 0


@pytest.mark.parametrize(
    ("grid", "options", "told"),
    [
        (GRID, ["--style", "cubist"], "unknown style|style"),
        (GRID, ["--symmetry", "spin"], "symmetry"),
        ("#..\n...\n...\n", ["--symmetry", "rotate"], "expected a grid with the symmetry rotate"),
        ("..\n..\n", ["--style", "american"], "expected a grid that follows the style american"),
    ],
)
def test_bad_input(run: Run, grid: str, options: list[str], told: str) -> None:
    done = run("edits", "-", *options, stdin=grid)
    assert done.code == 2
    (line,) = done.complaints
    assert any(part in line for part in told.split("|"))


def test_time_is_kept(run: Run) -> None:
    done = run("edits", INSTANCES / "classic" / "15.02.txt", "--min-score", 60, "-t", "0.2s", "--json")
    assert done.code in {0, 20, 124}
    assert done.records[-1]["done"] is True
