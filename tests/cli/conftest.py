from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.engines import ENGINES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to run in, which is also where a list of one's own is."""
    folder = tmp_path / "case"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setitem(ENGINES, "fc", ENGINES["fc"])
    return folder
