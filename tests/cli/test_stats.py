"""`cpfill stats` against what was counted by hand, and what other verbs say of the same grids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.testing.brute_force import words_in
from tests.cli.program import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


def record(run: Run, *args: object, stdin: str = "") -> dict[str, Any]:
    done = run("stats", *args, "--json", stdin=stdin)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = done.records[0]
    return found


GRIDS = sorted(path for path in (INSTANCES / "styles").glob("*.txt") if len(path.suffixes) == 1)


@pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)
def test_an_instance(run: Run, path: Path) -> None:
    told = record(run, path)
    plain = [re.sub(r"\[\w+\]|\(\w+\)", ".", row) for row in path.read_text(encoding="utf-8").splitlines()]
    found = words_in(plain, 2)
    assert (told["words"], told["blocks"]) == (len(found), "".join(plain).count("#"))
    assert told["average_length"] == pytest.approx(sum(map(len, found)) / len(found))
    info = run("info", path, "--json").records[0]
    assert told["lengths"] == info["lengths"]
    assert (told["open"], told["checked"]) == (info["cells"]["open"], info["cells"]["checked"])


@pytest.mark.parametrize("style", ["american", "british", "french"])
def test_an_instance_of_a_style_has_no_fault_of_it(run: Run, style: str) -> None:
    for path in (INSTANCES / "styles").glob(f"{style}-*.txt"):
        assert record(run, path)["faults"][style] == []
        assert list(record(run, path, "--style", style)["faults"]) == [style]


def test_a_generated_grid_has_no_fault_but_against_customs(run: Run) -> None:
    for style in ("american", "british", "japanese", "arrow"):
        made = run("generate", "--style", style, "--size", "13x13", "--seed", 3).out
        found = record(run, "-", "--style", style, stdin=made)["faults"][style]
        assert {fault["fault"] for fault in found} <= {"two by two blocks", "more words than usual"}


def test_the_language_is_that_of_the_packaged_list(run: Run) -> None:
    """K is worth 5 in English and 10 in French; MANGER and MANGE have a stem in common in French alone."""
    grid = "MANGER#\nMANGEAK\n"
    english = record(run, "-", stdin=grid)["fill"]
    french = record(run, "-", "-w", "fr", stdin=grid)["fill"]
    assert french["scrabble"] * 13 == pytest.approx(english["scrabble"] * 13 + 10 - 5 + 2 * (2 - 3))
    assert record(run, "-", "-w", "fr", "--language", "en", stdin=grid)["fill"]["scrabble"] == english["scrabble"]
    both = record(run, "-", "-w", "fr", stdin="MANGER\n######\nMANGEA\n")["fill"]["alike"]
    assert both == [{"text": "mang", "slots": ["1-Across", "2-Across"]}]
