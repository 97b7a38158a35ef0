"""The tables in the pages of the rooms are those of the program."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from cpfill.design import STYLES, Symmetry
from cpfill.engines import ENGINES, tabulate_options
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.registry import FORMATS
from cpfill.problem.problem import Objective
from cpfill.questions.generate import CRISS_CROSS
from tests.docs.pages import ROOT, blocks, quoted, rows, section, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


def test_the_options_told_are_those_that_the_engines_declare() -> None:
    told = [
        (", ".join(quoted(engines)), *quoted(option), values, text)
        for option, engines, values, text in rows(section(text_of("cpfill/engines/README.md"), "## Options"))
    ]
    assert told == tabulate_options()


def test_every_engine_is_told_of() -> None:
    text = text_of("cpfill/engines/README.md")
    assert set(ENGINES) <= set(re.findall(r"\*\*([\w-]+)\*\*", section(text, "## How each works")))
    assert {engine for _, has in rows(text.partition("## ")[0]) for engine in quoted(has)} == set(ENGINES)


def test_every_dialect_is_told() -> None:
    told = [quoted(row[0])[0] for row in rows(section(text_of("cpfill/formats/README.md"), "## Grids"))]
    assert sorted(told) == sorted(DIALECTS)


def test_every_format_is_told() -> None:
    told = {
        name: (tuple(quoted(suffixes)), does)
        for names, suffixes, does in rows(section(text_of("cpfill/formats/README.md"), "## Puzzles"))
        for name in quoted(names)
    }
    assert {name: one.suffixes for name, one in FORMATS.items()} == {name: one[0] for name, one in told.items()}
    for name, one in FORMATS.items():
        does = told[name][1]
        assert one.reads == does.startswith("read")
        assert one.writes == (one.draws or "written" in does)


def test_every_style_and_symmetry_is_told() -> None:
    text = text_of("cpfill/design/README.md")
    assert {row[0]: row[2] for row in rows(text) if len(row) == 3}.keys() == {*STYLES, CRISS_CROSS}
    assert set(Symmetry) <= set(quoted(text))


def test_every_rule_and_objective_is_told() -> None:
    text = text_of("cpfill/cli/GUIDE.md")
    numbers = set(re.findall(r"^    (C\d+) ", text_of("cpfill/problem/rules.py"), re.MULTILINE))
    assert {row[0] for row in rows(section(text, "## The rules"))} == numbers
    assert {quoted(row[0])[0] for row in rows(section(text, "## The best fill"))} == set(Objective)


def test_the_jobs_shown_run(run: Run, tmp_path: Path) -> None:
    """The page names each key of a job; an unknown key is refused with the names of all."""
    text = text_of("cpfill/runs/batch/README.md")
    (shown,) = blocks(text, "json")
    jobs = tmp_path / "jobs.jsonl"
    jobs.write_text(shown, encoding="utf-8")
    (tmp_path / "a.txt").write_text("...\n.#.\n...\n", encoding="utf-8")
    records = [json.loads(line) for line in run("batch", jobs, "-j", 1).out.splitlines()]
    assert {record["status"] for record in records} == {"SATISFIED", "OPTIMAL"}
    told = {key for row in rows(section(text, "## A file of jobs")) for key in quoted(row[0])}
    told -= {"only", "cells", "style"}  # fields of other questions
    jobs.write_text('{"grid": "5x5", "?": 1}\n', encoding="utf-8")
    (record,) = [json.loads(line) for line in run("batch", jobs, "-j", 1).out.splitlines()]
    assert all(key in record["error"] for key in told), record["error"]


def test_every_folder_of_tests_is_told() -> None:
    page, _ = text_of("tests/README.md").split("## Faults of the page")
    told = {quoted(row[0])[0] for row in rows(page)}
    there = {f"{path.parent.name}/" for path in (ROOT / "tests").glob("*/__init__.py")}
    assert told == there | {path.name for path in (ROOT / "tests").glob("*.py")} - {"__init__.py"}
