"""What the program says where no kernel was built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.program import SQUARE, THREE, Outcome, program

if TYPE_CHECKING:
    from pathlib import Path

LACKING = """
import sys
for module in ("engines.mac._kernel", "engines.letters._letters", "words.packing._packing"):
    sys.modules[f"cpfill.{module}"] = None
"""
SOLVE = ("solve", SQUARE, "-w", THREE)


@pytest.fixture
def without(tmp_path: Path) -> Path:
    """Return where a Python begins in which no kernel was built."""
    (tmp_path / "sitecustomize.py").write_text(LACKING, "utf-8")
    return tmp_path


def told(*args: object, at: Path, cache: Path) -> int:
    done = program(*args, PYTHONPATH=str(at), XDG_CACHE_HOME=str(cache))
    assert done.code == 0
    assert "lacks the compiled kernel" not in done.out
    return sum("lacks the compiled kernel" in line for line in done.complaints)


@pytest.mark.long
def test_it_is_said_at_first_and_never_again(without: Path) -> None:
    cache = without / "cache"
    for quiet in (("--help",), (*SOLVE, "--json"), ("info", SQUARE)):
        assert told(*quiet, at=without, cache=cache) == 0
    assert [told(*SOLVE, at=without, cache=cache) for _ in range(2)] == [1, 0]


def test_it_is_said_once_a_process_where_nothing_can_be_kept(without: Path) -> None:
    cache = without / "sitecustomize.py"
    assert [told(*SOLVE, at=without, cache=cache) for _ in range(2)] == [1, 1]


def test_it_is_not_said_where_there_is_a_kernel(tmp_path: Path) -> None:
    assert told(*SOLVE, at=tmp_path, cache=tmp_path) == 0


def test_the_installation_is_described_and_what_cannot_be_done_is_one_line(without: Path) -> None:
    def run(*args: object) -> Outcome:
        return program(*args, PYTHONPATH=str(without), XDG_CACHE_HOME=str(without / "cache"))

    assert "kernel: none (there was no C++20 compiler; auto searches with cpsat)" in run("info", "--build").out
    done = run("candidates", SQUARE, "1-Across", "-w", THREE, "--json")
    assert (done.code, len(done.complaints)) == (1, 1)
    assert "install cpfill again" in done.complaints[0]
