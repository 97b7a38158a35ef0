from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.engines import ENGINES
from cpfill.testing import brute_force
from tests.cli.program import (
    INSTANCES,
    SQUARE,
    THREE,
    TINY,
    assert_right,
    cells_in,
    fills_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Run

SCORED, ONCE = TINY / "scored.txt", TINY / "once.words.txt"


@pytest.fixture
def replace_fc(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a liar in the place of `fc`."""
    return lambda name: monkeypatch.setitem(ENGINES, "fc", f"tests.cli.liars:{name}")


def test_an_enumeration_that_nobody_completed_is_no_answer(run: Run) -> None:
    """`solve -a` says 124 here: what was asked for, all fills, nobody has."""
    done = run("compare", INSTANCES / "squares" / "4x4.txt", "-a", "-t", "0.5s", "-e", "fc", "-e", "fc-cbj", "--json")
    assert {part["status"] for part in done.parts if "label" in part} <= {"SATISFIED", "UNKNOWN"}
    assert done.code == 124


def witness(err: str) -> str:
    """Return what is no message on standard error."""
    return "".join(line + "\n" for line in err.splitlines() if not line.startswith("cpfill: "))


def test_a_fill_that_a_complete_enumeration_has_not(run: Run, replace_fc: Callable[[str], None]) -> None:
    replace_fc("Forgetter")
    done = run("compare", SQUARE, "-w", THREE, "-a", "-e", "fc", "-e", "fc-cbj", "--json")
    assert done.code == 1
    assert [record["fills"] for record in done.parts if "label" in record] == [3, 4]
    assert "fc-cbj found a fill, but fc found all 3 fills, and this one is not among them" in done.err
    (fill,) = fills_of(witness(done.err))
    assert_right(fill, cells_in(SQUARE), words_of(THREE))


@pytest.mark.parametrize("liar", ["Pessimist", "Settler"])
def test_a_value_over_a_bound(run: Run, replace_fc: Callable[[str], None], liar: str) -> None:
    """The first fill that `fc` finds here is not the best."""
    replace_fc(liar)
    done = run("compare", SCORED, "--weighted", ONCE, "-e", "fc", "-e", "fc-cbj")
    assert done.code == 1, done.out
    assert "fc-cbj found a fill worth 71, but fc proved that no fill is worth more than" in done.err
    (fill,) = fills_of(witness(done.err))
    assert fill in brute_force.solve(cells_in(SCORED), words_of(ONCE)).best_fills
