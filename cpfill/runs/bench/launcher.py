"""Starts one process, times it, measures it, and kills it when it takes too long or when nobody waits for it any more.

It runs as a program of its own (`python -I -S launcher.py`), as small as Python gets: the peak memory that the system
reports for a process begins with what its parent had when it started it, so that a large parent would lend its own.

One line of JSON comes in: `argv`, `timeout_s`, the files for `stdout` and `stderr`. One goes out: `wall_s`, `cpu_s`,
`peak_kb`, `exit_code` (negative: the signal) and `timed_out`, or `error` where the process could not be started.
The end of standard input means that nobody waits any more.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

_OUTPUT_BYTES = 1 << 28  # a process that writes more to a file has lost its way
_CHUNK = 1 << 16


def _read_line() -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        chunk = os.read(0, _CHUNK)
        if not chunk:
            os._exit(1)
        data += chunk
    return data


def _main() -> None:
    order = json.loads(_read_line())
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    limit = _OUTPUT_BYTES if hard == resource.RLIM_INFINITY else min(_OUTPUT_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        report = _run(order)
    except OSError as exc:
        report = {"error": (exc.strerror or str(exc)).lower()}
    os.write(1, json.dumps(report).encode() + b"\n")
    os._exit(0)  # a thread may still be reading


def _run(order: dict[str, object]) -> dict[str, object]:
    lock, done, timed_out = threading.Lock(), threading.Event(), threading.Event()
    with open(str(order["stdout"]), "wb") as out, open(str(order["stderr"]), "wb") as err:  # noqa: PTH123 - small
        start_s = time.perf_counter()
        child = subprocess.Popen(  # noqa: S603 - to run it is what the launcher is for
            order["argv"],  # type: ignore[call-overload]
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            process_group=0,
        )

    def kill() -> None:
        with lock:
            if not done.is_set():  # not waited for yet, so its id is still its own
                os.killpg(child.pid, signal.SIGKILL)

    def expire() -> None:
        timed_out.set()
        kill()

    def watch() -> None:
        while os.read(0, _CHUNK):
            pass
        kill()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    timer = threading.Timer(float(str(order["timeout_s"])), expire)
    timer.daemon = True
    timer.start()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    wall_s = time.perf_counter() - start_s
    timer.cancel()
    kill()  # whatever it left behind
    with lock:
        done.set()
        _, status, usage = os.wait4(child.pid, 0)
    return {
        "wall_s": wall_s,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_kb": usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1),
        "exit_code": os.waitstatus_to_exitcode(status),
        "timed_out": timed_out.is_set(),
    }


if __name__ == "__main__":
    _main()
