"""Instances of the tree, whose best minimum score is known: written and verified from end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.questions.proof import verify as checkers
from tests.support import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


@pytest.mark.parametrize("checker", [checkers.DRATIFY, checkers.DRAT_TRIM])
def test_an_optimum_is_certified_from_end_to_end(
    checker: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if checker not in checkers.find_checkers():
        pytest.skip(f"{checker} is not installed")
    monkeypatch.setattr(checkers, "find_checkers", lambda: [checker])
    asked = [INSTANCES / "squares" / "4x4.txt", "-w", "en-words", "--objective", "min", "--min-score", 50]
    assert run("solve", *asked, "--proof", tmp_path / "proof").code == 0
    done = run("verify", tmp_path / "proof")
    assert "checked: fill.txt: it is a fill, minimum score 58\n" in done.out
    assert f"checked: proof.drat: accepted by {checker}" in done.out
    assert done.code == 0


@pytest.mark.skipif(checkers.DRAT_TRIM not in checkers.find_checkers(), reason="drat-trim is not installed")
@pytest.mark.parametrize(("grid", "best"), [("assignment/B.txt", 49), ("classic/15.05.txt", 37)])
def test_the_best_minimum_score_is_certified(grid: str, best: int, run: Run, tmp_path: Path) -> None:
    asked = [INSTANCES / grid, "-w", "en-words", "--objective", "min", "-e", "mac"]
    assert run("solve", *asked, "--proof", tmp_path / "proof").code == 0
    done = run("verify", tmp_path / "proof")
    assert f"checked: fill.txt: it is a fill, minimum score {best}\n" in done.out
    assert done.code == 0
