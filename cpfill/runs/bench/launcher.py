"""Starts one process, times and measures it, and kills it if it takes too long or its result is no longer needed.

It runs as a separate program (`python -I -S launcher.py`) that is as small as possible: the peak memory that the system
reports for a process includes that of its parent at the start, so a large parent would falsify it.

The input is one line of JSON: `argv`, `timeout_s`, the files for `stdout` and `stderr`. The output is one line:
`wall_s`, `cpu_s`, `peak_kb` of the largest process, `exit_code` (negative: the signal) and `timed_out`; or `error` if
the process could not be started. The end of standard input means that the result is no longer needed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

_OUTPUT_BYTES = 1 << 28  # a process that writes more to a file is faulty
_CHUNK = 1 << 16
_LOOK_S = 0.001


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
    try:
        report = _run(order)
    except OSError as exc:
        report = {"error": (exc.strerror or str(exc)).lower()}
    os.write(1, json.dumps(report).encode() + b"\n")
    os._exit(0)  # a thread may still be reading


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)

    class _Accounting(ctypes.Structure):  # JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
        _fields_ = (
            *((name, ctypes.c_int64) for name in ("user", "kernel", "period_user", "period_kernel")),
            *((name, wintypes.DWORD) for name in ("faults", "processes", "active", "terminated")),
        )

    class _Limits(ctypes.Structure):  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
        _fields_ = (
            *((name, ctypes.c_int64) for name in ("process_time", "job_time")),
            ("flags", wintypes.DWORD),
            *((name, ctypes.c_size_t) for name in ("least_working_set", "most_working_set")),
            ("active", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            *((name, wintypes.DWORD) for name in ("priority", "scheduling")),
            *((name, ctypes.c_uint64) for name in ("r", "w", "o", "read", "written", "other")),
            *((name, ctypes.c_size_t) for name in ("process_memory", "job_memory", "process_peak", "job_peak")),
        )

    _ACCOUNTING = 1
    _EXTENDED_LIMIT = 9
    _KILL_ON_CLOSE = 0x2000
    _TICKS = 10**7  # a second, as Windows counts

    class _Process:
        """A process in a job object, together with the processes that it starts."""

        def __init__(self, argv: object, **files: object) -> None:
            _kernel32.CreateJobObjectW.restype = wintypes.HANDLE
            self._job = wintypes.HANDLE(_kernel32.CreateJobObjectW(None, None))
            limits = _Limits(flags=_KILL_ON_CLOSE)
            _kernel32.SetInformationJobObject(self._job, _EXTENDED_LIMIT, ctypes.byref(limits), ctypes.sizeof(limits))
            self._child = subprocess.Popen(argv, **files)  # type: ignore[call-overload] # noqa: S603 - see below
            _kernel32.AssignProcessToJobObject(self._job, wintypes.HANDLE(int(self._child._handle)))  # noqa: SLF001

        def kill(self) -> None:
            _kernel32.TerminateJobObject(self._job, 1)

        def wait(self) -> int:
            code: int = self._child.wait()
            return code

        def measure(self) -> tuple[float, float]:
            used = _Accounting()
            peak = _Limits()
            for kind, record in ((_ACCOUNTING, used), (_EXTENDED_LIMIT, peak)):
                _kernel32.QueryInformationJobObject(self._job, kind, ctypes.byref(record), ctypes.sizeof(record), None)
            return (used.user + used.kernel) / _TICKS, peak.process_peak / 1024

else:
    import resource

    class _Process:
        """A process that leads a group, together with the processes that it starts."""

        def __init__(self, argv: object, **files: object) -> None:
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            limit = _OUTPUT_BYTES if hard == resource.RLIM_INFINITY else min(_OUTPUT_BYTES, hard)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            # Kept, because a Popen that is dropped waits for a child that has ended, and `wait` would fail.
            self._child = subprocess.Popen(argv, process_group=0, **files)  # type: ignore[call-overload] # noqa: S603 - to run it is what the launcher is for
            self._id = self._child.pid
            self._lock = threading.Lock()
            self._ended = False
            self._status = 0
            self._usage = resource.getrusage(resource.RUSAGE_SELF)

        def kill(self) -> None:
            with self._lock:
                if not self._ended:  # not waited for yet, so its id is still its own
                    os.killpg(self._id, signal.SIGKILL)

        def wait(self) -> int:
            if hasattr(os, "waitid"):
                os.waitid(os.P_PID, self._id, os.WEXITED | os.WNOWAIT)
                self.kill()  # also its child processes
                with self._lock:
                    _, self._status, self._usage = os.wait4(self._id, 0)
                    self._ended = True
            while not self._ended:  # macOS before Python 3.13 cannot wait without reaping
                with self._lock:
                    ended, self._status, self._usage = os.wait4(self._id, os.WNOHANG)
                    self._ended = ended != 0
                    if ended:
                        with suppress(ProcessLookupError, PermissionError):
                            os.killpg(self._id, signal.SIGKILL)
                time.sleep(0 if self._ended else _LOOK_S)
            return os.waitstatus_to_exitcode(self._status)

        def measure(self) -> tuple[float, float]:
            usage = self._usage
            unit = 1024 if sys.platform == "darwin" else 1
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def _run(order: dict[str, object]) -> dict[str, object]:
    timed_out = threading.Event()
    with open(str(order["stdout"]), "wb") as out, open(str(order["stderr"]), "wb") as err:  # noqa: PTH123 - small
        start_s = time.perf_counter()
        child = _Process(order["argv"], stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def expire() -> None:
        timed_out.set()
        child.kill()

    def watch() -> None:
        while os.read(0, _CHUNK):
            pass
        child.kill()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    timer = threading.Timer(float(str(order["timeout_s"])), expire)
    timer.daemon = True
    timer.start()
    exit_code = child.wait()
    wall_s = time.perf_counter() - start_s
    timer.cancel()
    child.kill()
    cpu_s, peak_kb = child.measure()
    return {
        "wall_s": wall_s,
        "cpu_s": cpu_s,
        "peak_kb": peak_kb,
        "exit_code": exit_code,
        "timed_out": timed_out.is_set(),
    }


if __name__ == "__main__":
    _main()
