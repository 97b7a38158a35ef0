from __future__ import annotations

import random
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import CpfillError, InputError
from cpfill.base.imports import check_picture, draw_plot
from cpfill.puzzle.drawing import Diagram, frame

if TYPE_CHECKING:
    from pathlib import Path


def test_a_picture_wants_a_suffix_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"found '\.svh' \(did you mean '\.svg'\?\)"):
        check_picture("x.svh")
    with pytest.raises(InputError, match="a directory to draw in"):
        check_picture(str(tmp_path / "no" / "x.svg"))


def test_a_missing_matplotlib_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str, *_rest: object) -> object:
        raise ImportError(f"No module named '{name}'")

    monkeypatch.setattr("cpfill.base.imports.import_module", without)
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


Corner = tuple[int, int]
Line = tuple[Corner, Corner]


def split_line(line: Line) -> list[Line]:
    """Return the lines of length 1 that a line consists of."""
    (x1, y1), (x2, y2) = line
    if y1 == y2:
        return [((x, y1), (x + 1, y1)) for x in range(x1, x2)]
    return [((x1, y), (x1, y + 1)) for y in range(y1, y2)]


def sides_of(row: int, column: int) -> list[Line]:
    start, end = (column, row), (column + 1, row + 1)
    return [(start, (column + 1, row)), (start, (column, row + 1)), ((column, row + 1), end), ((column + 1, row), end)]


def test_the_frame_runs_where_the_figure_ends() -> None:
    rng = random.Random(4)
    for _ in range(50):
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        voids = {cell for cell in range(height * width) if rng.random() < 0.3}
        cells = [None if cell in voids else "" for cell in range(height * width)]
        sides = Counter[Line]()
        for cell in set(range(height * width)) - voids:
            sides.update(sides_of(*divmod(cell, width)))
        lines = frame(Diagram(height, width, cells, {}, (), voids=voids))
        drawn = list(chain(*map(split_line, lines)))
        assert sorted(drawn) == sorted(side for side, count in sides.items() if count == 1)
        for axis in (0, 1):  # no line goes on where another ends
            along = [line for line in lines if line[0][axis] == line[1][axis]]
            assert {end for _, end in along}.isdisjoint(start for start, _ in along)
