"""Files: read as text, saved atomically, locked; and all code that depends on the operating system.

Text is UTF-8 with or without a byte order mark, or UTF-16 with one; it has any line endings, and is plain or gzip.
Readers take the class `error` of their exceptions, and the most bytes that they accept, unpacked. A file is written
beside its place and then renamed, so no reader ever finds half of it. No other module imports modules that only some
systems have, except `runs/bench/launcher.py`, a standalone program.

A lock is held on an open file, not by the existence of a second file, so a killed process leaves no lock behind, and
other processes may still read the file. POSIX locks are advisory and cover the whole file. Windows locks ranges of
bytes, which no other process can read: there, the lock covers one byte far past the end.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
import zlib
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT_BYTES, Fault, InputError, megabytes, tell_reason
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = "-"
_PART = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str | os.PathLike[str], error: type[InputError] = InputError, most: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file, or of standard input for `-`."""
    return decode(read_bytes(path, error, most), display_name(path), error, most)


def read_bytes(path: str | os.PathLike[str], error: type[InputError] = InputError, most: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a file, or of standard input for `-`."""
    data = _read(path, error, most + 1)
    if len(data) > most:
        raise error(Fault(megabytes(most), say("more"), display_name(path)))
    return data


def _read(path: str | os.PathLike[str], error: type[InputError], most: int) -> bytes:
    """Return the content, or about its first `most` bytes, because a device may never end."""
    name = display_name(path)
    if not name:
        raise error(Fault(expected=say("a file name"), got="''"))
    try:
        if str(path) == STDIN:
            return _take(sys.stdin.buffer, most)
        with Path(path).open("rb") as file:
            return _take(file, most)
    except FileNotFoundError:
        raise error(Fault(path=name, expected=say("a file"), got=say("nothing there"))) from None
    except IsADirectoryError:
        raise error(Fault(path=name, expected=say("a file"), got=say("a directory"))) from None
    except OSError as exc:
        raise error(Fault(path=name, expected=say("a readable file"), got=tell_reason(exc))) from None
    except ValueError as exc:  # a NUL in the name
        raise error(Fault(path=name, expected=say("a file name"), got=tell_reason(exc))) from None


def display_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a source in messages."""
    if str(path) == STDIN:
        return say("standard input")
    return str(path)


def decode(data: bytes, name: str, error: type[InputError] = InputError, most: int = MAX_LIST_BYTES) -> str:
    r"""Return the text in `data`, unpacked if it is gzip, with `\n` line endings."""
    data = unpacked(data, name, error, most)
    text = (_decode_utf_16 if is_utf_16(data) else _decode_utf_8)(data, name, error)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise error(Fault(path=name, line=line, expected=say("text"), got=say("binary data")))
    if "\r" in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _decode_utf_16(data: bytes, name: str, error: type[InputError]) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].decode("utf-16", "replace").count("\n") + 1
        raise error(Fault(path=name, line=line, expected=say("UTF-16 text"), got=say("binary data"))) from None


def _decode_utf_8(data: bytes, name: str, error: type[InputError]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        other = say("byte 0x{data:02X} (a different encoding: convert it to UTF-8)", data=data[exc.start])
        got = say("binary data") if b"\0" in data else other
        raise error(Fault(path=name, line=line, expected=say("UTF-8 text"), got=got)) from None


def unpacked(data: bytes, name: str, error: type[InputError] = InputError, most: int = MAX_LIST_BYTES) -> bytes:
    """Return `data`, unpacked if it is gzip."""
    if is_gzip(data):
        return _gunzip(data, name, error, most)
    return data


def _take(file: BinaryIO | io.BufferedIOBase, most: int) -> bytes:
    """Return all bytes, or `most` and perhaps more. To read them at once would first take memory for `most`."""
    parts = [file.read(_PART)]
    while len(parts[-1]) == _PART and len(parts) * _PART < most:  # a terminal ends a file only once
        parts.append(file.read(_PART))
    return b"".join(parts)


def is_utf_16(data: bytes) -> bool:
    """Return whether `data` begins with a byte order mark of UTF-16."""
    return data.startswith(_UTF_16_MARKS)


def is_gzip(data: bytes) -> bool:
    """Return whether `data` is a gzip file."""
    return data.startswith(_GZIP_MAGIC)


def _gunzip(data: bytes, name: str, error: type[InputError], most: int) -> bytes:
    import gzip

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = _take(stream, most + 1)
    except (OSError, EOFError, zlib.error):
        raise error(Fault(path=name, expected=say("a whole gzip file"), got=say("a damaged one"))) from None
    if len(unpacked) > most:
        expected = say("{size} in the gzip file", size=megabytes(most))
        raise error(Fault(path=name, expected=expected, got=say("more"))) from None
    return unpacked


_LOCKED_AT = 2**31 - 2
"""The offset of the byte that Windows locks: the second last that the C library can address."""

_RETRY_S = 0.02

IS_WINDOWS = os.name == "nt"


def _module(name: str) -> Any:
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


def user_directory(variable: str, usual: str) -> Path:
    """Return the directory of a user's cpfill files: below the XDG directory `variable`, or below `usual` in the home.

    For a user without a home, it is a path where no file exists or can be created.
    """
    base = os.environ.get(variable, "")
    if Path(base).is_absolute():
        return Path(base, "cpfill")
    try:
        home = Path.home()
    except RuntimeError:  # some containers set no HOME and have no entry for the user
        home = Path(os.devnull)
    return home / usual / "cpfill"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file while it is read and saved; the lock ends with the process.

    Raises:
        OSError: the directory is missing, or this user may not read it.
    """
    handle = open_lock(path)
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{8}~", re.DOTALL)
"""The name of a file that is to be renamed when it is finished."""

_UNLOCKED_S = 60.0
"""A finished or new file may be without its lock for a moment, so younger files stay."""


def open_beside(path: Path, mode: int = 0o666) -> tuple[int, Path]:
    """Create a file beside `path`, which is to replace it, and lock it until it is closed.

    Files that killed processes left in the directory are removed.

    Raises:
        OSError: the file cannot be created.
    """
    remove_unfinished(path.parent)
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}~")
    handle = open_handle(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    with suppress(OSError):  # without locks, files of killed processes stay
        try_lock(handle)
    return handle, beside


def remove_unfinished(directory: Path) -> None:
    """Remove the files of killed processes in a directory; those of running processes are locked."""
    with suppress(OSError), os.scandir(directory) as found:
        for each in found:
            if _UNFINISHED.fullmatch(each.name) and time.time() - each.stat().st_mtime > _UNLOCKED_S:
                _remove_unlocked(Path(each.path))


def _remove_unlocked(path: Path) -> None:
    with suppress(OSError):
        handle = open_handle(path, os.O_RDWR, follow=False)
        try:
            try_lock(handle)
        finally:
            os.close(handle)
        path.unlink()


def save(path: Path, data: bytes) -> None:
    """Write a file and keep the mode of the one it replaces, which stays intact if anything fails.

    Raises:
        OSError: the file cannot be written.
    """
    handle, beside = open_beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
