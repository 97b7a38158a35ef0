"""The words of `cpfill edits` about the grid itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.engines.audited import settle

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits, SolveResult
    from tests.cli.program import Run


def test_a_score_that_is_not_settled_in_time(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def settle_at_once(problem: Problem, limits: Limits) -> SolveResult:
        return settle(problem, limits=replace(limits, time_s=0.0))

    path = tmp_path / "words.txt"
    path.write_text("aa;3\nab;4\nba;5\n", encoding="utf-8")
    asked = ("edits", "-", "-w", path, "--repeats", "--style", "free")
    assert "the best minimum score of the grid is 4;" in run(*asked, stdin="a.\n..\n").complaints[0]
    monkeypatch.setattr("cpfill.questions.edits.settle", settle_at_once)
    told = run(*asked, stdin="a.\n..\n").complaints[0]
    assert "a fill, but its minimum score is not settled in time; style free" in told
