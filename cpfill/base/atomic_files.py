"""Files saved atomically, and the directories of a user's own files.

A file is written beside its place and then renamed, so no reader ever finds half of it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.system import lock, open_handle, open_lock

if TYPE_CHECKING:
    from collections.abc import Iterator


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


def save(path: Path, data: bytes) -> None:
    """Write a file and keep the mode of the one it replaces, which stays intact if anything fails.

    Raises:
        OSError: the file cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    handle = open_handle(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
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
