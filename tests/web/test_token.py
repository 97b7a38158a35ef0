"""The token is kept for its user alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.web.serve import keep_token, token_path

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_it_is_kept_for_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    first = keep_token()
    assert len(first) >= 32
    assert keep_token() == first
    assert token_path().stat().st_mode & 0o777 == 0o600
    token_path().chmod(0o644)  # others may have read it
    second = keep_token()
    assert second != first
    token_path().write_text("short", encoding="ascii")
    assert keep_token() not in {"short", first, second}


def test_where_nothing_can_be_kept_it_is_another_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert keep_token() != keep_token()
