"""Functions that differ between operating systems: opening and locking files, and limits of processes.

No other module imports modules that only some systems have, except `runs/bench/launcher.py`, a standalone program.

A lock is held on an open file, not by the existence of a second file, so a killed process leaves no lock behind, and
other processes may still read the file. POSIX locks are advisory and cover the whole file. Windows locks ranges of
bytes, which no other process can read: there, the lock covers one byte far past the end.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_LOCKED_AT = 2**31 - 2
"""The offset of the byte that Windows locks, the last but one that the C library can address."""

_RETRY_S = 0.02

IS_WINDOWS = os.name == "nt"


def _module(name: str) -> Any:  # noqa: ANN401 - a module that may not exist
    """Return a module of Python, or `None` on systems that lack it."""
    try:
        return import_module(name)
    except ImportError:
        return None


_fcntl = _module("fcntl")
_msvcrt: Any = None if _fcntl else _module("msvcrt")


def open_handle(path: str | os.PathLike[str], flags: int, mode: int = 0o666, *, follow: bool = True) -> int:
    """Open a file as `os.open` does, in binary mode, without waiting for the other end of a pipe.

    Without `follow`, symbolic links are refused, on systems that can refuse them in `open`.

    Raises:
        OSError: the file cannot be opened.
    """
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags | (0 if follow else getattr(os, "O_NOFOLLOW", 0)), mode)


def sync_directory(path: Path) -> None:
    """Flush the names in a directory to disk; Windows cannot open directories, and needs no such call.

    Raises:
        OSError: the directory cannot be read.
    """
    if IS_WINDOWS:
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_lock(path: Path) -> int:
    """Open the file to lock while the file `path` is changed: its directory, because saving replaces `path` itself.

    Windows cannot open directories. There, it is a hidden file beside `path`. That file is never deleted: otherwise two
    processes could lock different files of the same name.

    Raises:
        OSError: the directory is missing, or this user may not read it.
    """
    if _fcntl:
        return os.open(path.parent, os.O_RDONLY)
    return open_handle(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT)


def try_lock(handle: int) -> None:
    """Lock an open file exclusively, until this process closes the file or ends.

    Raises:
        OSError: another process has locked it.
    """
    if _fcntl:
        _fcntl.flock(handle, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
        return
    at = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, _LOCKED_AT, os.SEEK_SET)
    try:
        _msvcrt.locking(handle, _msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(handle, at, os.SEEK_SET)


def lock(handle: int) -> None:
    """Lock an open file as `try_lock` does, after waiting until no other process holds a lock.

    Some file systems, mostly of networks, have no locks for directories: there, it does nothing.
    """
    if _fcntl:
        with suppress(OSError):
            _fcntl.flock(handle, _fcntl.LOCK_EX)
        return
    while True:  # the C library itself gives up after ten seconds
        try:
            try_lock(handle)
        except PermissionError:
            time.sleep(_RETRY_S)
        else:
            return


def allow_files(size: int) -> None:
    """Let this process and its children write files of `size` bytes, as far as its limits can be raised."""
    limits = _module("resource")
    if limits is None:  # Windows does not limit file sizes
        return
    soft, hard = limits.getrlimit(limits.RLIMIT_FSIZE)
    if soft != limits.RLIM_INFINITY and soft < size:
        most = size if hard == limits.RLIM_INFINITY else min(hard, size)
        limits.setrlimit(limits.RLIMIT_FSIZE, (most, hard))


def children_s() -> float:
    """Return the processor time, in seconds, of the child processes waited for so far; callers take differences.

    Windows does not record it: there, it is wall-clock time.
    """
    times = _module("resource")
    if times is None:
        return time.perf_counter()
    usage = times.getrusage(times.RUSAGE_CHILDREN)
    return float(usage.ru_utime + usage.ru_stime)
