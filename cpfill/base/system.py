"""What systems have each in its own way: how files are opened and locked, and what a process may take.

No other module imports what only some systems have, save `runs/bench/launcher.py`, a program by itself.

A file is locked from its reading to its saving, in place: no second file tells that it is, so that one who is killed
leaves nothing behind, and others may read on. POSIX locks the whole file, advisorily. Windows locks ranges of bytes,
and lets nobody else read them: there it is one byte far behind the end.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_LOCKED_AT = 2**31 - 2
"""The byte that Windows locks, the last but one that the C library can name."""

_RETRY_S = 0.02

IS_WINDOWS = os.name == "nt"


def _module(name: str) -> Any:  # noqa: ANN401 - perhaps not even there to be type-checked
    """Return a module of Python; None on systems that lack it."""
    try:
        return import_module(name)
    except ImportError:
        return None


_fcntl = _module("fcntl")
_msvcrt: Any = None if _fcntl else _module("msvcrt")


def open_handle(path: str | os.PathLike[str], flags: int, mode: int = 0o666, *, follow: bool = True) -> int:
    """Open a file as `os.open` does, as bytes, without waiting for the other end of a pipe.

    Of what is no link only, unless `follow`, on systems that can tell when they open.

    Raises:
        OSError: it cannot be opened.
    """
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags | (0 if follow else getattr(os, "O_NOFOLLOW", 0)), mode)


def sync_directory(path: Path) -> None:
    """Force the names in a directory to the disk; Windows, which opens no directories, sees to that by itself.

    Raises:
        OSError: it cannot be read.
    """
    if IS_WINDOWS:
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_lock(path: Path) -> int:
    """Open what is locked to change the file `path`, which is another file once it is saved: its directory.

    Windows opens no directories: there it is a hidden file beside it, which stays, for to delete it would let two hold
    locks of one name.

    Raises:
        OSError: the directory is missing, or closed to this user.
    """
    if _fcntl:
        return os.open(path.parent, os.O_RDONLY)
    return open_handle(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT)


def try_lock(handle: int) -> None:
    """Lock an open file for this process alone, until it closes the file or ends.

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
    """Lock an open file as `try_lock` does, when all others have let it go.

    Raises:
        OSError: the file system has no locks.
    """
    if _fcntl:
        _fcntl.flock(handle, _fcntl.LOCK_EX)
        return
    while True:  # the C library's own waiting ends after ten seconds
        try:
            try_lock(handle)
        except PermissionError:
            time.sleep(_RETRY_S)
        else:
            return


def allow_files(size: int) -> None:
    """Let this process, and those that it begins, write files of `size` bytes, as far as its limits can be raised."""
    limits = _module("resource")
    if limits is None:  # Windows limits no files
        return
    soft, hard = limits.getrlimit(limits.RLIMIT_FSIZE)
    if soft != limits.RLIM_INFINITY and soft < size:
        most = size if hard == limits.RLIM_INFINITY else min(hard, size)
        limits.setrlimit(limits.RLIMIT_FSIZE, (most, hard))


def children_s() -> float:
    """Return the processor time of the processes that this one waited for, to be subtracted from a later one.

    Windows adds up none: there it is the time of the clock.
    """
    times = _module("resource")
    if times is None:
        return time.perf_counter()
    usage = times.getrusage(times.RUSAGE_CHILDREN)
    return float(usage.ru_utime + usage.ru_stime)
