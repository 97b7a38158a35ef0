"""Text from files and standard input: UTF-8 with or without a byte order mark, any line endings, plain or gzip."""

from __future__ import annotations

import io
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_LIST_BYTES, MAX_TEXT_BYTES, megabytes
from cpfill.base.texts import say

if TYPE_CHECKING:
    import os

STDIN = "-"
_GZIP_MAGIC = b"\x1f\x8b"


def read_text(path: str | os.PathLike[str], error: type[InputError] = InputError, most: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file, or of standard input for `-`.

    Raises:
        InputError: (of the class `error`) the file does not exist, cannot be read, is not text, or has over `most`
            bytes.
    """
    return decode(read_bytes(path, error, most), display_name(path), error, most)


def read_bytes(path: str | os.PathLike[str], error: type[InputError] = InputError, most: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a file, or of standard input for `-`.

    Raises:
        InputError: (of the class `error`) the file does not exist, cannot be read, or has over `most` bytes.
    """
    data = _read(path, error, most + 1)
    if len(data) > most:
        raise error(Fault(megabytes(most), say("more"), display_name(path)))
    return data


def _read(path: str | os.PathLike[str], error: type[InputError], most: int) -> bytes:
    """Return at most `most` bytes of the content, because a device may never end."""
    name = display_name(path)
    if not name:
        raise error(Fault(expected=say("a file name"), got="''"))
    try:
        if str(path) == STDIN:
            return sys.stdin.buffer.read(most)
        with Path(path).open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise error(Fault(path=name, expected=say("a file"), got=say("nothing there"))) from None
    except IsADirectoryError:
        raise error(Fault(path=name, expected=say("a file"), got=say("a directory"))) from None
    except OSError as exc:
        raise error(Fault(path=name, expected=say("a readable file"), got=(exc.strerror or str(exc)).lower())) from None
    except ValueError as exc:  # a NUL in the name
        raise error(Fault(path=name, expected=say("a file name"), got=str(exc))) from None


def display_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a source in messages."""
    return say("standard input") if str(path) == STDIN else str(path)


def decode(data: bytes, name: str, error: type[InputError] = InputError, most: int = MAX_LIST_BYTES) -> str:
    r"""Return the text in `data`, unpacked if it is gzip, with `\n` line endings.

    Raises:
        InputError: (of the class `error`) `data` is not UTF-8 text, or unpacks to over `most` bytes; the message calls
            it `name`.
    """
    data = unpacked(data, name, error, most)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        other = say("byte 0x{data:02X} (a different encoding: convert it to UTF-8)", data=data[exc.start])
        got = say("binary data") if b"\0" in data else other
        raise error(Fault(path=name, line=line, expected=say("UTF-8 text"), got=got)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise error(Fault(path=name, line=line, expected=say("text"), got=say("binary data")))
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def unpacked(data: bytes, name: str, error: type[InputError] = InputError, most: int = MAX_LIST_BYTES) -> bytes:
    """Return `data`, unpacked if it is gzip.

    Raises:
        InputError: (of the class `error`) the gzip file is damaged, or unpacks to over `most` bytes.
    """
    return _gunzip(data, name, error, most) if is_gzip(data) else data


def is_gzip(data: bytes) -> bool:
    """Return whether `data` is a gzip file."""
    return data.startswith(_GZIP_MAGIC)


def _gunzip(data: bytes, name: str, error: type[InputError], most: int) -> bytes:
    import gzip  # noqa: PLC0415 - slow to import, and most files are plain

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        raise error(Fault(path=name, expected=say("a whole gzip file"), got=say("a damaged one"))) from None
    if len(unpacked) > most:
        raise error(
            Fault(path=name, expected=say("{size} in the gzip file", size=megabytes(most)), got=say("more"))
        ) from None
    return unpacked
