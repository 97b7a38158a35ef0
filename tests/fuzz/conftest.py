from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz import corpus
from tests.fuzz.campaign import Campaign


@pytest.fixture
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    """The run that the options ask for; the seconds are those of all runs together."""
    seed, seconds, replayed = map(request.config.getoption, ("fuzz_seed", "fuzz_seconds", "fuzz_input"))
    if seconds is not None:
        runs = sum("campaign" in getattr(item, "fixturenames", ()) for item in request.session.items)
        seconds *= int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) / runs
    data = None if replayed is None else Path(replayed).read_bytes()
    return Campaign(seed, seconds, data, corpus.foreign(), tmp_path, request.node.nodeid)


@pytest.fixture(autouse=True)
def _own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test have a list of its own to write to."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
