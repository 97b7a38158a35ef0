from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import HANG_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Dask:
    """A scheduler on loopback, and two workers, each with one thread."""

    def __init__(self, place: Path) -> None:
        self._place, self._told = place, place / "scheduler.json"
        self._scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        self.workers = [self._start_worker() for _ in range(2)]  # they wait for the file

    @property
    def address(self) -> str:
        deadline = time.monotonic() + HANG_S
        while time.monotonic() < deadline:
            try:
                return str(json.loads(self._told.read_text(encoding="utf-8"))["address"])
            except (FileNotFoundError, ValueError):  # not there yet, or not whole
                time.sleep(0.05)
        pytest.fail("the scheduler did not start")

    def lose_worker(self) -> None:
        """Kill a worker, and start another one."""
        lost = self.workers.pop(0)
        lost.kill()
        lost.wait(HANG_S)
        self.workers.append(self._start_worker())

    def end(self) -> None:
        for process in [self._scheduler, *self.workers]:
            process.kill()
            process.wait(HANG_S)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._start("dask_worker", "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1")

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(self._told)]
        env = {**environment(), "DASK_TEMPORARY_DIRECTORY": str(self._place)}
        with (self._place / "log.txt").open("ab") as log:
            return subprocess.Popen(
                [*command, "--no-dashboard", *options], stdout=log, stderr=log, env=env, cwd=self._place
            )


@pytest.fixture(scope="package")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    pytest.importorskip("distributed", reason="distributed is not installed: pip install distributed")
    made = Dask(tmp_path_factory.mktemp("dask"))
    try:
        yield made
    finally:
        made.end()
