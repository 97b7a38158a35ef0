"""Lines of JSON: objects that others wrote, and records of our own, each of which says itself whether it is whole.

A record ends in a checksum of all that stands before it. CRC-32 finds every damage within four bytes in a row, and of
any other all but one in four thousand million. It is no seal: whoever wants to write a false record can.
"""

from __future__ import annotations

import json
from typing import Any

from cpfill.errors import Fault, InputError

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
        raise InputError(Fault(expected, f"{exc.msg.lower()} at column {exc.colno}")) from None
    except ValueError:  # Python reads no whole number of over 4300 digits
        raise InputError(Fault(expected, "a number of thousands of digits")) from None
    except RecursionError:
        raise InputError(Fault(expected, "brackets within brackets, a thousand deep")) from None
    if not isinstance(decoded, dict):
        raise InputError(Fault(expected, shown(decoded)))
    return decoded


def shown(value: object) -> str:
    """Return the beginning of a value as JSON has it, for messages."""
    try:
        return json.dumps(value, ensure_ascii=False)[:_SHOWN]
    except RecursionError:
        return "brackets within brackets, a thousand deep"
