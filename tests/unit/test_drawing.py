from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.drawing.plots import check_picture, draw_plot
from cpfill.errors import CpfillError, InputError

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

    monkeypatch.setattr("cpfill.extras.import_module", without)
    with pytest.raises(CpfillError, match=r"pip install 'cpfill\[bench\]'") as caught:
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
