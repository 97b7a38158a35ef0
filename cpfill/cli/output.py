"""Output of the answers: standard output, or a file that is written under a temporary name and then renamed."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from cpfill.base.errors import InputError, expected, tell_reason
from cpfill.base.files import STDIN, open_beside
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType


def emit(text: str) -> None:
    """Print text on standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def json_line(record: Mapping[str, object]) -> str:
    """Return a record as a line of JSON."""
    import json

    return json.dumps(record, ensure_ascii=False) + "\n"


_ERRORS = "backslashreplace"
"""How to write bytes of file names that are not valid UTF-8: escaped in JSON, as on standard output."""


def refuse_directory(path: str) -> None:
    """Raise InputError if a path to write to is that of a directory."""
    if Path(path).is_dir() or path.endswith(("/", os.sep)):
        raise expected("a file to write to", say("a directory"), path=path)


class Output:
    """Writes text and flushes each piece. The file is replaced only when all output was written.

    If writing to the file fails (a full disk), everything written so far goes to standard output and the error is
    raised: no answer is lost, and an earlier file stays.
    """

    def __init__(self, path: str | None) -> None:
        self._stream: TextIO = sys.stdout
        self._target: Path | None = None
        self._beside: Path | None = None
        self._bytes = self._files = 0
        self._path = path
        if path in {None, STDIN, "/dev/stdout"}:
            return
        try:
            target = Path(path).resolve()
            refuse_directory(path)
            # A device or a pipe is appended to; a regular file is replaced as a whole.
            if Path(path).is_relative_to("/dev") or (target.exists() and not target.is_file()):
                self._stream = Path(path).open("a", encoding="utf-8", errors=_ERRORS)  # noqa: SIM115 - closed on exit
            else:
                handle, self._beside = open_beside(target, mode=0o600)
                self._stream = os.fdopen(handle, "w", encoding="utf-8", errors=_ERRORS)
        except (OSError, RuntimeError) as exc:  # a loop of links is a RuntimeError
            raise _unwritable(path, exc) from None
        self._target = target

    @property
    def name(self) -> str:
        """Its name in messages."""
        if self._target is None:
            return say("standard output")
        return str(self._path)

    @property
    def empty(self) -> bool:
        """Whether nothing has been written yet."""
        return self._bytes == 0

    def next_file(self, of: int | None) -> Output:
        """Return the output for the next of several files: minis.ipuz becomes minis-1.ipuz, then minis-2.ipuz.

        The numbers are as wide as that of the last file, if the number of files is known.
        """
        assert self._path is not None
        self._files += 1
        path = Path(self._path)
        number = str(self._files).zfill(len(str(of or 1)))
        return Output(str(path.with_stem(f"{path.stem}-{number}")))

    def write(self, text: str) -> None:
        """Write text and flush it.

        Raises:
            InputError: the file cannot be written; the text went to standard output.
        """
        try:
            self._stream.write(text)
            self._stream.flush()
            self._bytes += len(text.encode(errors=_ERRORS))
        except OSError as exc:
            if self._target is None:
                raise
            self._rescue(text, exc)

    def write_bytes(self, data: bytes) -> None:
        """Write a binary file at once. Unlike text, it is not rescued to standard output."""
        try:
            self._stream.buffer.write(data)
            self._stream.flush()
            self._bytes += len(data)
        except OSError as exc:
            if self._target is None:
                raise
            path = self._target
            self._leave_file()
            raise _unwritable(str(path), exc) from None

    def _rescue(self, text: str, exc: OSError) -> None:
        """Print the content of the file and `text`, delete the file, and raise."""
        path = self._target
        sys.stdout.write(self._leave_file().decode())
        self.write(text)
        raise _unwritable(str(path), exc) from None

    def _leave_file(self) -> bytes:
        """Switch to standard output, delete the file, and return its content."""
        beside = self._beside
        with contextlib.suppress(OSError):  # closing tries the failed write again
            self._stream.close()
        self._stream = sys.stdout
        self._target = None
        self._beside = None
        if beside is None:
            return b""
        written = beside.read_bytes()[: self._bytes]
        beside.unlink()
        return written

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Rename the file to its final name if it has content, even after an error."""
        if self._target is None:
            return
        try:
            self._stream.close()
            # The file itself says whether there is anything: an interrupt may come between a write and its counting.
            if self._beside and self._beside.stat().st_size:
                self._beside.chmod(_mode(self._target))
                self._beside.replace(self._target)
        except OSError as exc:
            self._rescue("", exc)
        if self._beside:
            self._beside.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """Return the mode of the file to be replaced, or that of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _unwritable(path: str, exc: OSError | RuntimeError) -> InputError:
    reason = tell_reason(exc)
    return expected("a file that can be written", reason, path=path)
