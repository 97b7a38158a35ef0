from __future__ import annotations

import random
from collections import Counter
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


def test_the_frame_runs_where_the_figure_ends() -> None:
    rng = random.Random(4)
    for _ in range(50):
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        voids = {cell for cell in range(height * width) if rng.random() < 0.3}
        cells = [None if cell in voids else "" for cell in range(height * width)]
        drawn = Diagram(height, width, cells, {}, (), voids=voids)
        inside = {divmod(cell, width) for cell in range(height * width) if cell not in voids}
        edges = Counter[frozenset[tuple[int, int]]]()  # each as its two corners (column, row)
        for row, column in inside:
            around = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            edges.update(frozenset(pair) for pair in zip(around, [*around[1:], around[0]], strict=True))
        lines = frame(drawn)
        pieces = [
            frozenset(
                {
                    (x1 + step * (x2 > x1), y1 + step * (y2 > y1)),
                    (x1 + (step + 1) * (x2 > x1), y1 + (step + 1) * (y2 > y1)),
                }
            )
            for (x1, y1), (x2, y2) in lines
            for step in range(x2 - x1 + y2 - y1)
        ]
        assert Counter(pieces) == Counter(edge for edge, sides in edges.items() if sides == 1)
        level = [(start, end) for start, end in lines if start[1] == end[1]]
        upright = [(start, end) for start, end in lines if start[0] == end[0]]
        for part in (level, upright):  # as long as they can be: none goes on where another ends
            assert not {end for _, end in part} & {start for start, _ in part}
