from __future__ import annotations

import io
import json
import re
import sys
from typing import TYPE_CHECKING, Any

from tests.cli.program import INSTANCES, SQUARE

if TYPE_CHECKING:
    import pytest

    from tests.cli.program import Run


def test_bytes_do_not_go_to_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal(io.BytesIO(), encoding="utf-8"))
    done = run("convert", SQUARE, "-", "--to", "pdf")
    assert (done.code, done.complaints) == (2, ["cpfill: expected a file or a pipe for pdf, found a terminal"])


def test_data_for_minizinc_in_json(run: Run) -> None:
    """The example beside the models was written by hand."""
    remy = INSTANCES / "remy"
    asked = (remy / "example.txt", "-", "--to", "minizinc-json", "-w", remy / "words.txt", "--repeats")
    example = without_ranges((INSTANCES.parent / "models" / "example.json").read_text(encoding="utf-8"))
    example["worth"] = [0] * 26  # it has the values of letters, for another objective
    assert without_ranges(run("convert", *asked, "--objective", "sum").out) == example
    assert without_ranges(run("convert", *asked).out) == {**example, "criteria": [], "gain": [0] * 5}


def without_ranges(text: str) -> Any:
    """Return JSON with each range in a set as its numbers."""
    spelt = re.sub(r"\[\[(\d+), (\d+)\]\]", lambda match: str([*range(int(match[1]), int(match[2]) + 1)]), text)
    return json.loads(spelt)
