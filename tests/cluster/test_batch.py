"""Jobs on a real Dask cluster, one of whose workers is killed midway."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

from tests.cli.program import COMMAND, EMPTY_7X7, HANG_S, INSTANCES, SQUARE, THREE, environment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.conftest import Dask

SMALL = ("batch", str(INSTANCES / "classic"), "--glob", "05.*.txt", "--seeds", "0-14")
COUNT = 150


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
    dask.lose_worker()
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
    # The search that went on was stopped: there is a thread that is free.
    assert finish(start("batch", SQUARE, "-w", THREE, "--scheduler", dask.address, "-q"))[::2] == (0, [])
