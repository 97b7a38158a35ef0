"""Tables of cases, in which reviewers read inputs and outcomes: TOML or JSON beside the tests, or text with bars."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from tests.support import ROOT

Case = dict[str, Any]


def read_table(file: str) -> Case:
    """Return the content of a file of `tests`."""
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    if file.endswith(".json"):
        return dict(json.loads(text))
    return tomllib.loads(text)


def name_of(case: Case) -> str:
    return str(case.get("name") or next(iter(case.values())))


def cases(file: str, table: str = "case") -> pytest.MarkDecorator:
    """Have a test run with each case of a table; those of JSON stand under their names."""
    found = read_table(file)[table]
    if isinstance(found, dict):
        return pytest.mark.parametrize("case", found.values(), ids=found)
    return pytest.mark.parametrize("case", found, ids=name_of)


def read_row(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|"))


def read_rows(text: str) -> list[tuple[str, ...]]:
    """Return the cells of a table: a row a line, cells between bars."""
    return list(map(read_row, text.strip().splitlines()))
