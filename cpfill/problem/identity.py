"""The identity of a question, for everything that stores answers: journals, batches, benches.

It is derived from the problem, field by field, so a new field of a problem, a grid or the rules is part of it
automatically; a field of an unknown type is an error. Word lists count by the words they give each slot, not by name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem

_IN_DOMAINS = {"lexicon", "narrowed", "parted"}
"""The fields of a problem that matter only through the words of its slots."""

_SHOWN = 1000
"""An encoded field of more characters is replaced by its digest."""


def identify(problem: Problem) -> dict[str, Any]:
    """Return the identity of a problem in JSON; if two problems share it, every answer to one answers the other."""
    parts = {each.name: getattr(problem, each.name) for each in fields(problem) if each.name not in _IN_DOMAINS}
    return {name: _shorten(encode_problem(part)) for name, part in parts.items()} | {"words": _digest_words(problem)}


def digest(value: object) -> str:
    """Return the SHA-256 of an encoded value, in hexadecimal digits."""
    return hashlib.sha256(json.dumps(encode_problem(value)).encode()).hexdigest()


def encode_problem(value: object) -> Any:
    """Return a value in JSON; equal sets and mappings are encoded alike in any order."""
    match value:
        case None | str() | int() | float():
            return value
        case Mapping():
            return _sort([encode_problem(key), encode_problem(each)] for key, each in value.items())
        case AbstractSet():
            return _sort(map(encode_problem, value))
        case Sequence():
            return [*map(encode_problem, value)]
        case _ if is_dataclass(value):
            return {each.name: encode_problem(getattr(value, each.name)) for each in fields(value)}
        case _:
            raise TypeError(f"expected a value of a type that can be encoded; got {value!r:.60}")


def _sort(encoded: Any) -> list[Any]:
    return sorted(encoded, key=json.dumps)


def _shorten(encoded: Any) -> Any:
    if len(json.dumps(encoded)) <= _SHOWN:
        return encoded
    return digest(encoded)


def _digest_words(problem: Problem) -> str:
    """Return a digest of the words that each slot may hold, their scores, and which may not stand together."""
    hashed = hashlib.sha256()
    for slot, table, domain in zip(problem.slots, problem.tables, problem.domains, strict=True):
        hashed.update(f"{slot.length} {len(table)} {table.digest}".encode())
        hashed.update(domain.to_bytes(len(table) // 8 + 1, "little"))
        if problem.lowered.marks:
            hashed.update(problem.lowered.marks.pack(slot.length))
    for one, ones, other, others in problem.lowered.apart:
        hashed.update(f"{one} {ones:x} {other} {others:x}".encode())
    return hashed.hexdigest()
