"""The house weighs no more than `.ci/weight.toml` allows."""

from __future__ import annotations

import tomllib

from tests.docs.test_house import modules_on_the_way, needs_kernel
from tests.support import ROOT

ALLOWED = tomllib.loads((ROOT / ".ci" / "weight.toml").read_text(encoding="utf-8"))


def test_the_package_has_no_more_files_and_lines() -> None:
    lines = [len(path.read_bytes().splitlines()) for path in (ROOT / "cpfill").rglob("*.py")]
    assert len(lines) <= ALLOWED["files"]
    assert sum(lines) <= ALLOWED["lines"]


@needs_kernel
def test_a_solve_passes_no_more_modules() -> None:
    assert len(modules_on_the_way()) <= ALLOWED["solve"]
