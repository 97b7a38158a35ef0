"""Plain values as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain


def write_html(value: object) -> str:
    """Return plain data, as JSON has it, as HTML: a mapping as a table, a sequence of mappings as one with a head."""
    if isinstance(value, Mapping):
        rows = [f"<tr><th>{escape(str(name))}</th><td>{write_html(each)}</td></tr>" for name, each in value.items()]
        return f"<table>{''.join(rows)}</table>"
    if isinstance(value, str) or not isinstance(value, Sequence):
        return escape(str(value))
    if value and isinstance(value[0], Mapping):
        return _write_rows(value)
    return ", ".join(map(write_html, value))


def _write_rows(records: Sequence[Mapping[str, object]]) -> str:
    names = list(dict.fromkeys(chain.from_iterable(records)))
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    rows = [f"<tr>{head}</tr>"]
    for record in records:
        cells = "".join(f"<td>{write_html(record.get(name, ''))}</td>" for name in names)
        rows.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"
