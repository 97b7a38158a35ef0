"""Jobs on a real Dask cluster: a scheduler and two workers on loopback, one of which is killed midway."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import COMMAND, EMPTY_7X7, HANG_S, INSTANCES, SQUARE, THREE, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'cpfill[cluster]'")

SMALL = ("batch", str(INSTANCES / "classic"), "--glob", "05.*.txt", "--seeds", "0-14")
COUNT = 150


@dataclass(frozen=True)
class Dask:
    """A scheduler's address, and its workers, each with one thread."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    place = tmp_path_factory.mktemp("dask")
    told, env = place / "scheduler.json", {**environment(), "DASK_TEMPORARY_DIRECTORY": str(place)}
    started: list[subprocess.Popen[bytes]] = []

    def start(module: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(told), "--no-dashboard"]
        with (place / "log.txt").open("ab") as log:
            started.append(subprocess.Popen([*command, *options], stdout=log, stderr=log, env=env, cwd=place))

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        for _ in range(2):  # they wait for the file
            start("dask_worker", "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1")
        yield Dask(address_in(told), started[1:])
    finally:
        for process in started:
            process.kill()
            process.wait(HANG_S)


def address_in(path: Path) -> str:
    deadline = time.monotonic() + HANG_S
    while time.monotonic() < deadline:
        try:
            return str(json.loads(path.read_text(encoding="utf-8"))["address"])
        except (FileNotFoundError, ValueError):  # not there yet, or not whole
            time.sleep(0.05)
    pytest.fail("the scheduler did not start")


def start(*args: object) -> subprocess.Popen[bytes]:
    command = [*COMMAND, *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str, list[str]]:
    out, err = process.communicate(timeout=HANG_S)
    return process.returncode, out.decode(), err.decode().splitlines()


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def wait_for_lines(process: subprocess.Popen[bytes], path: Path, count: int) -> None:
    while not (path.exists() and path.read_bytes().count(b"\n") >= count):
        assert process.poll() is None
        time.sleep(0.02)


def test_a_worker_is_killed_and_nothing_is_lost(dask: Dask, tmp_path: Path) -> None:
    there, here = tmp_path / "there.jsonl", tmp_path / "here.jsonl"
    process = start(*SMALL, "--scheduler", dask.address, "-o", there)
    wait_for_lines(process, there, 5)
    dask.workers.pop().kill()
    assert there.read_bytes().count(b"\n") < COUNT
    assert finish(process) == (0, "", [f"cpfill: {COUNT} jobs: {COUNT} SATISFIED"])
    assert finish(start(*SMALL, "-o", here, "-q"))[0] == 0
    told = {one["id"]: (one["key"], one["status"], one["fill"]) for one in records(there)}
    assert len(told) == len(records(there)) == COUNT
    assert told == {one["id"]: (one["key"], one["status"], one["fill"]) for one in records(here)}
    # Nothing is left to do, so that nobody asks the cluster.
    code, _, complaints = finish(start(*SMALL, "--scheduler", dask.address, "-o", there))
    assert (code, complaints[0]) == (0, f"cpfill: {COUNT} of {COUNT} jobs are in {there} already")
    assert len(records(there)) == COUNT


def test_bad_jobs_and_ctrl_c(dask: Dask, tmp_path: Path) -> None:
    jobs, out = tmp_path / "jobs.jsonl", tmp_path / "results.jsonl"
    hard = {"grid": str(EMPTY_7X7), "engine": "fc", "words": "en"}
    given = [
        {"grid": ["."]},
        {"grid": ["..."], "engine": "letters", "objective": "min"},
        {"id": "good", "grid": ["..."]},
    ]
    jobs.write_text("".join(json.dumps(one) + "\n" for one in [*given, hard, hard]), encoding="utf-8")
    process = start("batch", jobs, "-w", THREE, "--scheduler", dask.address, "-o", out)
    wait_for_lines(process, out, 3)
    process.send_signal(signal.SIGINT)
    code, _, complaints = finish(process)
    assert code == 130
    assert complaints[0] == "cpfill: 5 jobs: 2 INVALID, 1 SATISFIED; interrupted, 2 left"
    assert "Traceback" not in "".join(complaints)
    # The search that went on was stopped: the one thread of the one worker that is left is free.
    assert finish(start("batch", SQUARE, "-w", THREE, "--scheduler", dask.address, "-q"))[::2] == (0, [])


def test_nobody_at_the_address() -> None:
    program = "import cpfill.batch.cluster as c; c.CONNECT_S = 0.5; from cpfill.cli import main; main()"
    command = [sys.executable, "-c", program, "batch", str(SQUARE), "--scheduler", "tcp://127.0.0.1:9"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=HANG_S, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cpfill: expected a Dask scheduler at tcp://127.0.0.1:9, found none in 0.5 s\n"


def test_no_keys() -> None:
    done = finish(start("batch", SQUARE, "--scheduler", "tls://127.0.0.1:9"))
    assert done == (2, "", ["cpfill: expected the keys for TLS in the configuration of Dask, found none"])


def test_it_is_imported_late() -> None:
    show = "import cpfill.cli.batch, sys; print({'distributed', 'dask'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", show], capture_output=True, text=True, env={**os.environ, **environment()}, check=True
    )
    assert done.stdout == "set()\n"
