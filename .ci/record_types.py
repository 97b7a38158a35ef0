"""The types of what the server tells: `python .ci/record_types.py > cpfill/web/records.d.ts` makes them.

With `--schema` it writes the same types as a JSON Schema, `cpfill/questions/records.schema.json`, and with `--page` the
page `cpfill/cli/JSON.md`, whose table of keys it makes again. Each record is a `TypedDict`. Each question's `answer` is
annotated with the parts that it yields, each part's `record` with its type.
"""

from __future__ import annotations

import enum
import json
import re
import sys
import types
import typing
from collections.abc import Generator, Mapping
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cpfill.questions import question, record_types
from cpfill.questions.question import QUESTIONS, question_class

_HEAD = """// Made by `python .ci/record_types.py`; do not edit.
// The records that the program tells, and which of them answer which question.
"""
_WIDTH = 120
_PLAIN = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null", Any: "unknown"}


def typescript(hint: Any) -> str:
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
    """Return the line of a key; a union that is too long has a line for itself, or one for each part."""
    line = f"  {name}: {told};\n"
    if len(line) <= _WIDTH:
        return line
    if len(f"    {told};") <= _WIDTH:
        return f"  {name}:\n    {told};\n"
    parts = "".join(f"\n    | {one}" for one in told.split(" | "))
    return f"  {name}:{parts};\n"


def declare(record: Any) -> str:
    """Return the type of a record."""
    optional, hints = record.__optional_keys__, get_type_hints(record)
    keys = "".join(_key(f"{name}?" if name in optional else name, typescript(hint)) for name, hint in hints.items())
    return f"export type {record.__name__} = {{\n{keys}}};\n"


def find_records(name: str) -> Any:
    """Return the types of the records that answer a question."""
    asks = question_class(name)
    if asks.answer is question.Question.answer:
        return _yielded(asks.records)
    return reduce(or_, map(_record_of, _members(_yielded(asks.answer))))


def _members(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the type itself."""
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


def _record_of(part: Any) -> Any:
    """Return the type of a part's record, which is a property or a field."""
    if isinstance(part.record, property):
        return _hints(part.record.fget)["return"]
    return _hints(part, vars(sys.modules[part.__module__]))["record"]


def _yielded(method: Any) -> Any:
    told, *_ = get_args(_hints(method)["return"])
    return told


def _hints(thing: Any, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return annotations, with the names that modules import for annotations alone."""
    more = {"Generator": Generator, "Record": question.Record, "Desk": question.Desk}
    return get_type_hints(thing, {**vars(record_types), **more, **(known or thing.__globals__)})


def answers() -> str:
    """Return which records answer which question."""
    lines = [_key(name, typescript(find_records(name))) for name in QUESTIONS]
    return f"export interface Told {{\n{''.join(lines)}}}\n"


def list_records() -> list[Any]:
    """Return the type of each record."""
    return [each for each in vars(record_types).values() if typing.is_typeddict(each)]


def write() -> str:
    """Return the file."""
    return "\n".join([_HEAD, *map(declare, list_records()), answers()])


_JSON = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def schema(hint: Any) -> dict[str, Any]:
    """Return a type as JSON Schema has it."""
    if hint is Any:
        return {}
    if hint in _JSON:
        return {"type": _JSON[hint]}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if isinstance(hint, type) and issubclass(hint, enum.StrEnum):
        return {"enum": [str(each) for each in hint]}
    return _compound(hint) if get_origin(hint) else {"$ref": f"#/$defs/{hint.__name__}"}


def _compound(hint: Any) -> dict[str, Any]:
    """Return a type made of others as JSON Schema has it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return {"anyOf": [schema(each) for each in args]}
    if origin is list:
        return {"type": "array", "items": schema(args[0])}
    if origin in {dict, Mapping}:
        return {"type": "object", "additionalProperties": schema(args[1])}
    assert origin is tuple, hint
    parts = [schema(each) for each in args]
    return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}


def describe(record: Any) -> dict[str, Any]:
    """Return the JSON Schema of a record."""
    properties = {name: schema(hint) for name, hint in get_type_hints(record).items()}
    needed = [name for name in properties if name in record.__required_keys__]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def write_schema() -> str:
    """Return the JSON Schema of all records, and of each question's."""
    kinds = {record.__name__: describe(record) for record in list_records()}
    asked = {name: schema(find_records(name)) for name in QUESTIONS}
    told = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": kinds, "questions": asked}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


_PAGE = Path(__file__).parent.parent / "cpfill" / "cli" / "JSON.md"
_TABLE_HEAD = "| question | record | its keys |\n|---|---|---|\n"
_TABLE = re.compile(rf"^{re.escape(_TABLE_HEAD)}(?:\|.*\n)*", re.MULTILINE)


def tabulate() -> str:
    """Return the table of the records that answer each question, with their keys; it omits `done` alone."""
    rows = [_TABLE_HEAD]
    for name in QUESTIONS:
        records = [each for each in _members(find_records(name)) if each is not record_types.DoneRecord]
        rows += [f"| `{name}` | `{each.__name__}` | `{' '.join(list_keys(each))}` |\n" for each in records]
    return "".join(rows)


def list_keys(record: Any) -> list[str]:
    """Return the keys of a record; those that may be missing have a question mark."""
    optional = record.__optional_keys__
    return [f"{name}?" if name in optional else name for name in get_type_hints(record)]


def write_page() -> str:
    """Return the page of JSON; the texts around its table are written by hand."""
    page = _PAGE.read_text(encoding="utf-8")
    assert _TABLE.search(page), "JSON.md: the head of the table is missing"
    return _TABLE.sub(lambda _: tabulate(), page)


_WRITERS = {"--schema": write_schema, "--page": write_page}

if __name__ == "__main__":
    makes = _WRITERS[sys.argv[1]] if len(sys.argv) > 1 else write
    print(makes(), end="")
