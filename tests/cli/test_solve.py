from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest

from cpfill.problem.result import Deadline
from cpfill.testing import brute_force
from cpfill.testing.brute_force import cells_of
from tests.cli.program import (
    EMPTY_7X7,
    SQUARE,
    THREE,
    TINY,
    words_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


@pytest.mark.parametrize("engine", ["fc", "mac"])
@pytest.mark.parametrize("asked", [2, 3])
def test_fills_that_are_alike_are_told_to_be(run: Run, asked: int, engine: str) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-n", asked, "-e", engine)
    words = [set(brute_force.words_in(fill, 2)) for fill in done.fills]
    alike = any(2 * len(one & other) > len(other) for one, other in pairwise(words))
    assert ("--diverse" in done.err) is alike
    assert len(done.complaints) == 1 + alike


@pytest.mark.parametrize(
    "setting", ["max_deterministic_time=0.0001", "max_number_of_conflicts=0", "stop_after_presolve=true"]
)
def test_a_solver_that_gives_up_has_proved_nothing(run: Run, setting: str) -> None:
    done = run("solve", SQUARE, "-w", THREE, "--cpsat-param", setting, "-e", "cpsat")
    assert "UNSATISFIABLE" not in done.err
    assert done.code in {0, 2, 124}


def test_an_enumeration_that_gives_up_is_not_complete(run: Run) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-a", "--cpsat-param", "stop_after_first_solution=true", "-e", "cpsat")
    assert len(done.fills) == 4 or "all there are" not in done.err
    assert len(done.fills) == 4 or done.code in {2, 124}


@pytest.mark.parametrize("more", [(), ("-a",)])
def test_a_solver_that_stops_before_the_time_is_over_has_proved_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """CP-SAT stops a little early by its own clock: when it returns, ours may say that there is time left."""
    words = [word for word in words_of("en") if len(word) == 7][:900]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    monkeypatch.setattr(Deadline, "passed", property(lambda _: False))
    options = ("-e", "cpsat", "--core", 1000, "-t", "0.3s", *more)
    done = run("solve", EMPTY_7X7, "-w", tmp_path / "words.txt", *options)
    assert done.code == 124
    assert done.err.startswith("cpfill: UNKNOWN: no fill found, time is over")


@pytest.mark.parametrize("options", [("-e", "cpsat"), ("-e", "fc", "--shuffle"), ("-e", "fc", "--order", "random")])
def test_the_same_seed_gives_the_same_output(run: Run, options: tuple[str, ...]) -> None:
    first, again = [run("solve", SQUARE, "-w", THREE, "--repeats", "-n", 20, "--seed", 7, *options) for _ in range(2)]
    assert first.out == again.out


def test_another_seed_gives_another_shuffle(run: Run) -> None:
    outputs = {
        run("solve", SQUARE, "-w", THREE, "--repeats", "-e", "fc", "--shuffle", "--seed", s).out for s in range(9)
    }
    assert len(outputs) > 1


def test_another_alphabet(run: Run) -> None:
    done = run("solve", TINY / "spanish.txt", "-w", TINY / "spanish.words.txt", "--alphabet", "es", "-a")
    words = words_of(TINY / "spanish.words.txt")
    rows = (TINY / "spanish.txt").read_text(encoding="utf-8").split()
    cells = cells_of(*rows, alphabet="ABCDEFGHIJKLMNÑOPQRSTUVWXYZ")
    assert done.code == 0
    assert set(done.fills) == brute_force.solve(cells, words).fills


def test_diverse_fills_of_a_region_differ_in_half_of_what_can_change(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n###\nARE\n###\nTEN\n###\nREN\n")
    words.write_text("CAT\nCAR\nARE\nTEN\nREN\nTAN\nRAN\nCOT\n")
    done = run("solve", grid, "-w", words, "--clear", "1A,2A", "-n", "3", "--diverse")
    assert len(done.fills) == 3
    assert all(rows[4:] == ("ARE", "###", "TEN", "###", "REN") for rows in done.fills)
    for one, other in combinations(done.fills, 2):
        assert len({one[0], one[2]} & {other[0], other[2]}) <= 1
    assert "share over half" not in done.err
