"""Tables of data for tests of one promise, in files of JSON: a name for each table, and for each of its cases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def cases(path: Path, name: str) -> pytest.MarkDecorator:
    """Run a test for each case of a table."""
    told = json.loads(path.read_text(encoding="utf-8"))[name]
    return pytest.mark.parametrize("case", told.values(), ids=told)
