"""Files saved as a whole: written beside their place, then renamed, so that no reader ever finds half of one.

And where a user's own files stand.
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
    """Return where a user has files of cpfill: in the directory that a variable of the XDG names, or one of the home.

    Of a user without a home it is where no file is, and none can be made.
    """
    base = os.environ.get(variable, "")
    if Path(base).is_absolute():
        return Path(base, "cpfill")
    try:
        home = Path.home()
    except RuntimeError:  # HOME is not set, and the system does not know the user: so in some containers
        home = Path(os.devnull)
    return home / usual / "cpfill"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold off all others who change a file, from its reading to its saving; whoever is killed holds off nobody.

    Raises:
        OSError: the directory is missing, or closed to this user.
    """
    handle = open_lock(path)
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def save(path: Path, data: bytes) -> None:
    """Write a file, in place of one that stands there; whatever goes wrong, that one stays. Its mode stays as well.

    Raises:
        OSError: it cannot be written.
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
