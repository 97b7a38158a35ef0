from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, product
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from cpfill.base.errors import CpfillError, InputError
from cpfill.base.imports import check_picture, draw_plot
from cpfill.puzzle.drawing import Diagram, frame

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "message"),
    [("x.svh", r"found '\.svh' \(did you mean '\.svg'\?\)"), ("no/x.svg", "a directory to draw in")],
)
def test_a_picture_wants_a_suffix_and_a_directory(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        check_picture(str(tmp_path / name))


def test_a_missing_matplotlib_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Mock(side_effect=ImportError("No module named 'matplotlib'"))
    monkeypatch.setattr("cpfill.base.imports.import_module", missing)
    with pytest.raises(CpfillError, match=r"pip install matplotlib") as caught:
        check_picture("x.svg")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 120


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "x.svg").mkdir()
    with (
        pytest.raises(InputError, match=r"x\.svg: expected a file that can be written"),
        draw_plot(str(tmp_path / "x.svg"), 1.0, 1.0),
    ):
        pass


def test_the_frame_runs_where_the_figure_ends() -> None:
    """A line is a set of sides of cells, each the pair of its corners; each line is as long as possible."""
    rng = random.Random(4)
    for _ in range(50):
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        voids = {cell for cell in range(height * width) if rng.random() < 0.3}
        cells = [None if cell in voids else "" for cell in range(height * width)]
        sides = Counter[tuple[tuple[int, int], ...]]()
        for cell in set(range(height * width)) - voids:
            row, column = divmod(cell, width)
            corners = [(column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)]
            sides.update([(corners[0], corners[1]), (corners[0], corners[2])])
            sides.update([(corners[1], corners[3]), (corners[2], corners[3])])
        lines = frame(Diagram(height, width, cells, {}, (), voids=voids))
        drawn: list[tuple[tuple[int, int], ...]] = []
        for start, end in lines:
            corners = sorted(product(range(start[0], end[0] + 1), range(start[1], end[1] + 1)))
            drawn += pairwise(corners)
        assert sorted(drawn) == sorted(side for side, count in sides.items() if count == 1)
        for axis in (0, 1):  # no line goes on where another ends
            along = [line for line in lines if line[0][axis] == line[1][axis]]
            assert {end for _, end in along}.isdisjoint(start for start, _ in along)
