"""The JSON that verbs print has the keys and the states that its page lists."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.app import VERBS
from cpfill.problem.result import Status
from tests.cli.program import SQUARE, THREE, Run
from tests.docs.pages import ROOT, quoted, rows, text_of

if TYPE_CHECKING:
    from pathlib import Path

ROWS = rows(text_of("cpfill/cli/JSON.md"))
RECORDS = [(quoted(verb)[0], quoted(keys)[0]) for verb, _, keys in (row for row in ROWS if len(row) == 3)]
STATES = {quoted(row[0])[0] for row in ROWS if len(row) == 2}


@pytest.mark.parametrize(("verb", "keys"), RECORDS)
def test_json_has_the_keys_that_are_listed(run: Run, verb: str, keys: str, tmp_path: Path) -> None:
    """The last line of `generate` says how it ended, the one before is a grid; `verify` is given a proof."""
    words, *options = verb.replace("SLOT", "1-Across").replace("CELL", "R1C1").split()
    about: dict[str, list[object]] = {"generate": [], "words": [THREE], "verify": [tmp_path / "proof"]}
    given = about.get(words, [SQUARE, "-w", THREE])
    ordered = [*given, *options] if words == "candidates" else [*options, *given]
    if words == "verify":
        run("solve", SQUARE, "-w", THREE, "--objective", "min", "--proof", tmp_path / "proof")
    done = run(words, *ordered, *([] if verb == "batch" else ["--json"]))
    records = [json.loads(line) for line in done.out.splitlines()]
    assert list(records[-2 if words == "generate" else -1]) == keys.split()


def test_every_verb_that_prints_json_is_listed() -> None:
    verbs = {verb for verb, summary in VERBS.items() if "as_json: o.Json" in source_of(verb, summary.module)}
    assert {verb.split()[0] for verb, _ in RECORDS} == {*verbs, "batch"}


def source_of(verb: str, module: str) -> str:
    """Return the text of the function of a verb; a group of verbs is its module."""
    text = (ROOT / "cpfill" / "cli" / f"{module or verb}.py").read_text("utf-8")
    return next(
        (
            ast.get_source_segment(text, node) or ""
            for node in ast.parse(text).body
            if getattr(node, "name", "") == verb
        ),
        text,
    )


def test_every_status_is_listed() -> None:
    assert {str(status) for status in Status} == STATES
