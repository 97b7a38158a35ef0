"""The page's types of records are those of the program."""

from __future__ import annotations

from tests.support import ROOT
from tests.web.record_types import write


def test_the_types_of_records_are_made_from_the_program() -> None:
    assert (ROOT / "cpfill" / "web" / "records.d.ts").read_text(encoding="utf-8") == write()
