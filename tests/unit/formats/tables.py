"""Tables of cases in TOML beside the tests of a room, in which reviewers read inputs and outcomes."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.support import ROOT

Case = dict[str, Any]


def read_table(file: str) -> Case:
    """Return the content of a file in a room of `tests/unit`."""
    return tomllib.loads((ROOT / "tests" / "unit" / file).read_text(encoding="utf-8"))


def name_of(case: Case) -> str:
    return str(case.get("name") or next(iter(case.values())))


def cases(file: str, table: str = "case") -> pytest.MarkDecorator:
    """Have a test run with each case of a table."""
    return pytest.mark.parametrize("case", read_table(file)[table], ids=name_of)
