"""Begins a Python, if it stands on its path, without what Windows has none of, and with a `msvcrt` that locks."""

from __future__ import annotations

# What Python's own modules need of this system they take now.
import asyncio
import contextlib
import errno
import fcntl
import multiprocessing.connection
import os
import resource
import selectors
import signal
import struct
import subprocess
import sys
import tempfile
import types
import webbrowser

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "select", "syslog", "termios", "tty")
SIGNALS = ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGCHLD", "SIGXFSZ", "SIGPIPE", "pthread_sigmask")
OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_SYNC"),
    *("fchmod", "fork", "forkpty", "getloadavg", "getpgid", "getuid", "geteuid", "killpg", "mkfifo", "openpty"),
    *("posix_spawn", "pread", "pwrite", "sched_getaffinity", "setpgid", "setsid", "statvfs", "sysconf"),
    *("wait3", "wait4", "waitid"),
)
_OURS = (asyncio, multiprocessing.connection, resource, selectors, tempfile, webbrowser)


def _lock_bytes(handle: int, mode: int, count: int) -> None:
    """Lock bytes from where a file stands, for all who did not open it so: as `msvcrt.locking` does."""
    assert mode == msvcrt.LK_NBLCK
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, os.lseek(handle, 0, os.SEEK_CUR), count, 0)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, asked)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


msvcrt = types.ModuleType("msvcrt")
vars(msvcrt).update(locking=_lock_bytes, LK_NBLCK=2)

vars(subprocess)["signal"] = types.SimpleNamespace(**vars(signal))  # to kill is what it does itself, here as there
for module in MODULES:
    sys.modules[module] = None  # type: ignore[assignment]
for owner, names in ((signal, SIGNALS), (os, OF_OS)):
    for name in names:
        with contextlib.suppress(AttributeError):
            delattr(owner, name)
sys.modules["msvcrt"] = msvcrt
