"""Lines of JSON: objects that others wrote, and cpfill's own records, each with a checksum.

The checksum ends the record and covers everything before it. CRC-32 detects all damage confined to four consecutive
bytes, and misses about one in 2³² of other damage. It guards against damage, not against forgery.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_DEPTH, megabytes
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = 60

_BETWEEN_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++', re.DOTALL)
"""Strings, with what is in them, and all else that is no bracket."""
_INWARDS = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_object(line: bytes, expected: str = "a JSON object") -> dict[str, Any]:
    """Return the object that a line of JSON holds; `expected` describes it in messages.

    Raises:
        InputError: the line holds no object.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as exc:
        raise InputError(
            Fault(say("UTF-8 text"), say("byte 0x{line:02X} at column {n}", line=line[exc.start], n=exc.start + 1))
        ) from None
    if nests_deeply(text):
        raise InputError(Fault(expected, say("brackets nested over {most} deep", most=MAX_DEPTH)))
    try:
        decoded = json.loads(text)
    except json.JSONDecodeError as exc:
        raise InputError(
            Fault(expected, say("invalid JSON: {msg} at column {colno}", msg=exc.msg.lower(), colno=exc.colno))
        ) from None
    except ValueError:  # Python refuses whole numbers of over 4300 digits
        raise InputError(Fault(expected, say("a number of thousands of digits"))) from None
    if not isinstance(decoded, dict):
        raise InputError(Fault(expected, quote_json(decoded)))
    return decoded


def nests_deeply(text: str) -> bool:
    """Return whether the brackets of a JSON text are nested over `MAX_DEPTH` deep.

    Ask before `json` reads a text of others: it calls itself for each bracket, and in a browser some thousands of calls
    end Python without an exception.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    brackets = _BETWEEN_BRACKETS.sub("", text)
    return max(accumulate(map(_INWARDS.__getitem__, brackets)), default=0) > MAX_DEPTH


def seal(record: Mapping[str, Any]) -> bytes:
    """Return the line of a record."""
    # An id may hold half of a surrogate pair, which UTF-8 cannot encode: it is written as an escape.
    body = json.dumps(record, ensure_ascii=False).encode(errors="backslashreplace").removesuffix(b"}")
    return body + _seal(body) + b"\n"


def unseal(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line, which may lack its newline; `None` if it is not a record, or is damaged."""
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
    """Return whether a line ends like a record, damaged or not."""
    return line.removesuffix(b"\n")[-_SEAL_BYTES:].startswith(_SEAL)


_SEAL = b', "crc": "'


def _seal(body: bytes) -> bytes:
    return _SEAL + f'{zlib.crc32(body):08x}"}}'.encode()


_SEAL_BYTES = len(_seal(b""))

Shape = Mapping[str, type | tuple[type, ...]]
"""The fields of a record, each with its permitted types."""


def has_shape(record: Mapping[str, Any], shape: Shape) -> bool:
    """Return whether a record has all fields of a shape, each with a permitted type."""
    return all(name in record and isinstance(record[name], kinds) for name, kinds in shape.items())


def bounded_lines(file: BinaryIO, most: int, path: str) -> Iterator[bytes]:
    """Yield the lines of a file, each with its newline if it has one.

    Raises:
        InputError: a line has over `most` bytes. Reading stops there, because a device may never end.
    """
    while line := file.readline(most + 1):
        if len(line) > most:
            raise InputError(Fault(say("lines of {size} each", size=megabytes(most)), say("a longer one"), path))
        yield line


def quote_json(value: object) -> str:
    """Return the beginning of a value in JSON, for messages."""
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]
