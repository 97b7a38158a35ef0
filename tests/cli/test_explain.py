"""`cpfill explain`, as a person or a program meets it."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from cpfill.questions.explain.explanation import explain_in_steps
from tests.cli.program import at_terminal, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.questions.explain.explanation import Explanation
    from tests.cli.program import Run


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("cat;90\ndog;60\npig;20\n", encoding="utf-8")
    return path


def test_every_process_finds_the_same_reason() -> None:
    """The words from 80 leave a 3x3 square several reasons of one size."""
    grid = "...\n...\n...\n"
    said = {program("explain", "-", "--min-score", 80, stdin=grid, PYTHONHASHSEED=str(seed)).out for seed in range(2)}
    assert len(said) == 1


def test_what_was_found_before_an_interrupt(run: Run, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(problem: Problem, limits: Limits) -> Iterator[Explanation]:
        for step in explain_in_steps(problem, limits=limits):
            yield step
            if step.conflict is not None:
                raise KeyboardInterrupt

    monkeypatch.setattr("cpfill.questions.explain.question.explain_in_steps", interrupted)
    handlers = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    done = run("explain", "-", "-w", words, stdin=".Q.\n")
    for number, handler in handlers:
        signal.signal(number, handler)
    assert done.code == 130
    assert done.out.startswith("No word of 3 letters fits 1-Across `?Q?`.")
    assert ", not proved minimal, interrupted (" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_colours_on_a_terminal_alone(tmp_path: Path, words: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text(".Q.\n###\n...\n", encoding="utf-8")
    coloured, plain = (
        at_terminal("explain", grid, "-w", words, on="out", **env).out for env in ({}, {"NO_COLOR": "1"})
    )
    assert "\x1b[1;31m ? " in coloured
    assert "R3  .  .  ." in coloured
    assert "\x1b[1;31m" not in plain
    assert "R1  ?  Q  ?" in plain.replace("\x1b[1m", "").replace("\x1b[0m", "")
