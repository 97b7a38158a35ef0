"""What tells one question from another, for all that keeps answers: journals, batches, benches.

It is made of the problem that is searched, field by field: a field that is added to a problem, a grid or the rules is
in it, and one of a type that is not known here is an error. Lists count by the words that they leave to each slot,
whatever they are called.
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

_IN_DOMAINS = {"lexicon", "narrowed"}
"""The fields of a problem that are in the words of its slots, and nowhere else."""

_SHOWN = 1000
"""Characters of what stands for itself; for what is longer stands its digest."""


def identify(problem: Problem) -> dict[str, Any]:
    """Return what two problems share if each answer to one is an answer to the other, as JSON has it."""
    parts = {each.name: getattr(problem, each.name) for each in fields(problem) if each.name not in _IN_DOMAINS}
    return {name: _shorten(encode(part)) for name, part in parts.items()} | {"words": _digest_words(problem)}


def digest(value: object) -> str:
    """Return the SHA-256 of what `encode` returns of a value, in hexadecimal digits."""
    return hashlib.sha256(json.dumps(encode(value)).encode()).hexdigest()


def encode(value: object) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a value as JSON has it; equal sets and mappings are encoded alike, in whatever order they are.

    Raises:
        TypeError: a value is of a type that is not known, so nobody can say what tells it from others.
    """
    match value:
        case None | str() | int() | float():
            return value
        case Mapping():
            return _sort([encode(key), encode(each)] for key, each in value.items())
        case AbstractSet():
            return _sort(map(encode, value))
        case Sequence():
            return [*map(encode, value)]
        case _ if is_dataclass(value):
            return {each.name: encode(getattr(value, each.name)) for each in fields(value)}
        case _:
            raise TypeError(f"expected what can be told from others; got {value!r:.60}")


def _sort(encoded: Any) -> list[Any]:  # noqa: ANN401 - items of any kind
    return sorted(encoded, key=json.dumps)


def _shorten(encoded: Any) -> Any:  # noqa: ANN401 - as `encode`
    return encoded if len(json.dumps(encoded)) <= _SHOWN else digest(encoded)


def _digest_words(problem: Problem) -> str:
    """Return a digest of the words that each slot may hold, with their scores."""
    hashed = hashlib.sha256()
    for slot, table, domain in zip(problem.slots, problem.tables, problem.domains, strict=True):
        hashed.update(f"{slot.length} {len(table)} {table.digest}".encode())
        hashed.update(domain.to_bytes(len(table) // 8 + 1, "little"))
    return hashed.hexdigest()
