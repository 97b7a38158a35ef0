"""The types of what the server tells: `python .ci/record_types.py > cpfill/web/records.d.ts` makes them.

Each record is a `TypedDict`, and each question's `records` are annotated with those that it yields.
"""

from __future__ import annotations

import enum
import json
import types
import typing
from collections.abc import Generator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cpfill.questions import question, record_types
from cpfill.questions.question import QUESTIONS, question_class

_HEAD = """// Made by `python .ci/record_types.py`; do not edit.
// The records that the program tells, and which of them answer which question.
"""
_WIDTH = 120
_PLAIN = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null", Any: "unknown"}


def typescript(hint: Any) -> str:  # noqa: ANN401 - any annotation
    """Return a type as TypeScript has it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return " | ".join(dict.fromkeys(map(typescript, args)))
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    if isinstance(hint, type) and issubclass(hint, enum.StrEnum):
        return " | ".join(json.dumps(str(each)) for each in hint)
    parts = [typescript(each) for each in args]
    if origin is list:
        several = get_origin(args[0]) in {Union, types.UnionType}
        return f"({parts[0]})[]" if several else f"{parts[0]}[]"
    if origin in {dict, Mapping}:
        return f"Record<string, {parts[1]}>"
    return f"[{', '.join(parts)}]" if origin is tuple else _PLAIN.get(hint) or str(hint.__name__)


def _key(name: str, told: str) -> str:
    """Return the line of a key; a union that is too long has a line for each part."""
    line = f"  {name}: {told};\n"
    parts = "".join(f"\n    | {one}" for one in told.split(" | "))
    return line if len(line) <= _WIDTH else f"  {name}:{parts};\n"


def declare(record: Any) -> str:  # noqa: ANN401 - a TypedDict
    """Return the type of a record."""
    optional, hints = record.__optional_keys__, get_type_hints(record)
    keys = "".join(_key(f"{name}?" if name in optional else name, typescript(hint)) for name, hint in hints.items())
    return f"export type {record.__name__} = {{\n{keys}}};\n"


def answers(found: dict[str, Any]) -> str:
    """Return which records answer which question."""
    found = {**found, "Generator": Generator, "Record": question.Record, "Desk": question.Desk}
    lines = []
    for name in QUESTIONS:
        told, *_ = get_args(get_type_hints(question_class(name).records, found)["return"])
        lines.append(_key(name, typescript(told)))
    return f"export interface Told {{\n{''.join(lines)}}}\n"


def write() -> str:
    """Return the file."""
    found = vars(record_types)
    records = [each for each in found.values() if typing.is_typeddict(each)]
    return "\n".join([_HEAD, *map(declare, records), answers(found)])


if __name__ == "__main__":
    print(write(), end="")
