"""Lines of JSON: objects that others wrote, and records of our own, each of which says itself whether it is whole.

A record ends in a checksum of all that stands before it. CRC-32 finds every damage within four bytes in a row, and of
any other all but one in four thousand million. It guards against damage, not against forgery.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import megabytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = 60


def parse_object(line: bytes, expected: str = "a JSON object") -> dict[str, Any]:
    """Return the object that is a line of JSON; `expected` says in messages which kind.

    Raises:
        InputError: it is none.
    """
    try:
        decoded = json.loads(line.decode())
    except UnicodeDecodeError as exc:
        raise InputError(Fault("UTF-8 text", f"byte 0x{line[exc.start]:02X} at column {exc.start + 1}")) from None
    except json.JSONDecodeError as exc:
        raise InputError(Fault(expected, f"none: {exc.msg.lower()} at column {exc.colno}")) from None
    except ValueError:  # Python reads no whole number of over 4300 digits
        raise InputError(Fault(expected, "a number of thousands of digits")) from None
    except RecursionError:
        raise InputError(Fault(expected, "brackets within brackets, a thousand deep")) from None
    if not isinstance(decoded, dict):
        raise InputError(Fault(expected, quote_json(decoded)))
    return decoded


def seal(record: Mapping[str, Any]) -> bytes:
    """Return the line of a record."""
    # Half of a surrogate pair, which an id may hold, is no UTF-8: it stays the escape that it was.
    body = json.dumps(record, ensure_ascii=False).encode(errors="backslashreplace").removesuffix(b"}")
    return body + _seal(body) + b"\n"


def unseal(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line, which may lack its end; `None`: it is none, or damaged."""
    bare = line.removesuffix(b"\n")
    body, seal = bare[:-_SEAL_BYTES], bare[-_SEAL_BYTES:]
    if seal != _seal(body):
        return None
    try:
        record = parse_object(bare)
    except InputError:
        return None
    del record["crc"]
    return record


def has_seal(line: bytes) -> bool:
    """Return whether a line ends as records do, be it damaged or not."""
    return line.removesuffix(b"\n")[-_SEAL_BYTES:].startswith(_SEAL)


_SEAL = b', "crc": "'


def _seal(body: bytes) -> bytes:
    return _SEAL + f'{zlib.crc32(body):08x}"}}'.encode()


_SEAL_BYTES = len(_seal(b""))

Shape = Mapping[str, type | tuple[type, ...]]
"""The fields of a record, each with the types it may have."""


def has_shape(record: Mapping[str, Any], shape: Shape) -> bool:
    """Return whether a record has all fields of a shape, each of a type it may have."""
    return all(name in record and isinstance(record[name], kinds) for name, kinds in shape.items())


def bounded_lines(file: BinaryIO, most: int, path: str) -> Iterator[bytes]:
    """Yield the lines of a file, each with its end if it has one.

    Raises:
        InputError: one has over `most` bytes; no more than that is read, for a device has no end.
    """
    while line := file.readline(most + 1):
        if len(line) > most:
            raise InputError(Fault(f"lines of {megabytes(most)} each", "a longer one", path))
        yield line


def quote_json(value: object) -> str:
    """Return the beginning of a value as JSON has it, for messages."""
    try:
        return json.dumps(value, ensure_ascii=False)[:_SHOWN]
    except RecursionError:
        return "brackets within brackets, a thousand deep"
