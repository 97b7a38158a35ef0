from __future__ import annotations

import io
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

GRID = INSTANCES / "tiny" / "square.txt"
XD = "Title: Old\nRebus: 1=ONE\n\n\nA1#\n.BC\n\n\nA1. First ~ AONE\n\n\nnote\n"


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "puzzle.xd"
    path.write_text(XD, encoding="utf-8")
    return path


def test_bytes_do_not_go_to_a_terminal(run: Run, puzzle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal(io.BytesIO(), encoding="utf-8"))
    done = run("convert", puzzle, "-", "--to", "pdf")
    assert (done.code, done.complaints) == (2, ["cpfill: expected a file or a pipe for pdf, found a terminal"])


def test_drawings(run: Run, puzzle: Path) -> None:
    drawn = {option: run("convert", puzzle, "-", "--to", "svg", option).out for option in ("--solution", "--blank")}
    assert ">ONE</text>" in drawn["--solution"]
    assert ">ONE</text>" not in drawn["--blank"]
    assert "Horizontalement" in run("convert", puzzle, "-", "--to", "html", "--french").out


def test_verbs_that_write_puzzles_draw_them_as_asked(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    assert run("solve", GRID, "-o", target, "--paper", "letter", "--solution").code == 0
    drawn = target.read_text(encoding="utf-8")
    assert "size: letter" in drawn
    assert len(re.findall(r">[A-Z]</text>", drawn)) == 9
    assert run("generate", "--size", "5x5", "--style", "free", "-o", target, "--layout", "submission").code == 0
    assert "<td>1</td>" in target.read_text(encoding="utf-8")


def test_data_for_minizinc_in_json(run: Run) -> None:
    """The example beside the models was written by hand."""
    remy = INSTANCES / "remy"
    asked = (remy / "example.txt", "-", "--to", "minizinc-json", "-w", remy / "words.txt", "--repeats")
    example = without_ranges((INSTANCES.parent / "models" / "example.json").read_text(encoding="utf-8"))
    assert without_ranges(run("convert", *asked, "--objective", "sum").out) == example
    assert without_ranges(run("convert", *asked).out) == {**example, "criteria": [], "gain": [0] * 5}


def without_ranges(text: str) -> Any:
    """Return JSON with each range in a set as its numbers."""
    spelt = re.sub(r"\[\[(\d+), (\d+)\]\]", lambda match: str([*range(int(match[1]), int(match[2]) + 1)]), text)
    return json.loads(spelt)


def test_a_generated_arrowword_is_drawn_with_arrows(run: Run, tmp_path: Path) -> None:
    drawn = tmp_path / "arrow.svg"
    assert run("generate", "--style", "arrow", "--size", "8x8", "-o", drawn).code == 0
    assert "<polygon" in drawn.read_text(encoding="utf-8")
    assert run("generate", "--style", "arrow", "--size", "8x8", "-o", tmp_path / "arrow.tex").code == 0
