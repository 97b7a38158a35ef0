"""Plain values as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape


def write_html(value: object) -> str:
    """Return plain data, as JSON has it, as HTML: a mapping as a table, a sequence of mappings as one with a head."""
    if isinstance(value, Mapping):
        rows = [f"<tr><th>{escape(str(name))}</th><td>{write_html(each)}</td></tr>" for name, each in value.items()]
        return f"<table>{''.join(rows)}</table>"
    if isinstance(value, str) or not isinstance(value, Sequence):
        return escape(str(value))
    if not (value and isinstance(value[0], Mapping)):
        return ", ".join(map(write_html, value))
    names = list(dict.fromkeys(name for each in value for name in each))
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    body = ["".join(f"<td>{write_html(each.get(name, ''))}</td>" for name in names) for each in value]
    rows = [f"<tr>{row}</tr>" for row in (head, *body)]
    return f"<table>{''.join(rows)}</table>"
