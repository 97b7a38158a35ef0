"""Files saved as a whole: written beside their place, then renamed, so that no reader ever finds half of one.

And where a user's own files stand.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

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

    It is the directory that is locked: a file that is saved is another file.

    Raises:
        OSError: the directory is missing, or closed to this user.
    """
    handle = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def save(path: Path, data: bytes) -> None:
    """Write a file, in place of one that stands there; whatever goes wrong, that one stays. Its mode stays as well.

    Raises:
        OSError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
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
