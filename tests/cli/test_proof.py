"""`cpfill solve --proof`: what is written, and what is refused. Whether it proves anything: tests/proofs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import INSTANCES, SQUARE, THREE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

THERE = {"claim.json", "formula.cnf", "grid.txt", "proof.drat", "words.tsv"}


@pytest.mark.parametrize(
    ("asked", "code", "claim"),
    [
        (["--objective", "min"], 0, "no better fill"),
        (["--all", "-e", "mac"], 0, "no other fill"),
        (["--min-score", 99, "-j", 2], 20, "no fill"),
    ],
)
def test_a_proof_is_written(asked: list[object], code: int, claim: str, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    done = run("solve", SQUARE, "-w", THREE, *asked, "--proof", folder)
    assert done.code == code
    assert done.out == run("solve", SQUARE, "-w", THREE, *asked, "-e", "mac").out
    assert f"in {folder}; cpfill verify {folder} checks it\n" in done.err
    assert {path.name for path in folder.iterdir()} == THERE | ({"fill.txt"} if code == 0 else set())
    assert json.loads((folder / "claim.json").read_text(encoding="utf-8"))["claim"] == claim


def test_one_fill_is_no_proof(run: Run, tmp_path: Path) -> None:
    done = run("solve", SQUARE, "-w", THREE, "--proof", tmp_path / "proof")
    assert done.code == 0
    assert f"nothing was proved: {tmp_path / 'proof'} has no proof" in done.err
    assert not any((tmp_path / "proof").iterdir())


def test_a_count_is_proved_with_all_that_it_counts(run: Run, tmp_path: Path) -> None:
    done = run("count", SQUARE, "-w", THREE, "--proof", tmp_path / "proof")
    assert (done.code, done.out) == (0, run("count", SQUARE, "-w", THREE).out)
    assert (tmp_path / "proof" / "fill.txt").read_text(encoding="utf-8").count("\n\n") == int(done.out) - 1
    assert run("count", SQUARE, "-w", THREE, "-e", "fc", "--proof", tmp_path / "other").code == 2


def test_the_proof_of_an_explanation_is_about_its_slots_alone(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    done = run("explain", INSTANCES / "tiny" / "given.txt", "-w", THREE, "--repeats", "--proof", folder)
    assert done.code == 20
    assert {path.name for path in folder.iterdir()} == THERE
    claim = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
    assert claim["claim"] == "no fill"
    assert "--slots" in claim["steps"][0]["arguments"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["-e", "letters"], "engine letters writes no proofs; mac does"),
        ([SQUARE], "expected one grid with --proof, found 2 grids"),
        (["-n", 2, "--diverse"], "expected --diverse with -n 2 or more, and no --proof, found --proof"),
        (["--objective", "sum"], "no proof is written where a sum is maximised: that takes adding up"),
        (["--slot", "1-Across:pattern=A*"], "no proof is written where single slots are narrowed"),
    ],
)
def test_what_cannot_be_proved_is_refused(asked: list[object], said: str, run: Run, tmp_path: Path) -> None:
    done = run("solve", SQUARE, "-w", THREE, *asked, "--proof", tmp_path / "proof")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (tmp_path / "proof").exists()
