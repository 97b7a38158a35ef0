"""The reference of the command line is what the program makes of itself; the page of JSON lists its keys and states."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.app import VERBS
from cpfill.cli.verbs import ENGINE, Exit
from cpfill.problem.result import Status
from cpfill.public import SearchOptions
from cpfill.questions.question import QUESTIONS
from tests.cli.cases import read_cases
from tests.docs.pages import README, quoted, rows, section, text_of
from tests.fuzz.test_command_line import verbs
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

PAGE = text_of("cpfill/cli/README.md")
ROWS = rows(text_of("cpfill/cli/JSON.md"))
RECORDS = [(quoted(row[0])[0], quoted(row[2])[0].split()) for row in ROWS if len(row) == 3]
"""The keys of each record, with the question or the verb that it answers."""
ASKING = {
    "candidates .*--best": "best",
    "candidates .*--(all-)?letters": "letters",
    "words heatmap": "heatmap",
    "words info .*--prefixes": "words info --prefixes",
    "words tree": "words tree",
    **{
        name: name
        for name in (
            "candidates",
            "generate",
            "solve",
            "count",
            "compare",
            "check",
            "edits",
            "estimate",
            "explain",
            "info",
            "stats",
            "watch",
        )
    },
    **{name: name for name in ("verify", "batch", "series", "words info")},
}
"""Patterns of commands that print JSON, each with the name under which the page lists its records; the first counts."""
STATES = {quoted(row[0])[0] for row in ROWS if len(row) == 2}


def made(name: str) -> str:
    """Return what a program of `.ci` makes."""
    page: str = runpy.run_path(str(ROOT / ".ci" / f"{name}.py"))[name]()
    return page


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_man_page_is_set_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=made("man"), capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    plain = re.sub(".\b", "", re.sub(r"\x1b\[[\d;]*m", "", done.stdout))
    said = joined(plain)
    for verb, command in verbs().items():
        assert joined(f"cpfill {verb}".upper()) in said
        assert all(joined(option.help) in said for option in command.params)
        options = [option for option in command.params if option.param_type_name == "option"]
        assert all(joined(name) in said for option in options for name in option.opts)


def joined(text: str) -> str:
    """Return a text without what breaking its lines changes."""
    return re.sub(r"[\s\u2010-]+", "", text)


@pytest.mark.parametrize("columns", ["20", "300"])
def test_it_is_as_wide_on_every_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERMINAL_WIDTH", columns)
    assert made("reference") == PAGE, "make it again: python .ci/reference.py > cpfill/cli/README.md"


def headings() -> Iterator[tuple[str, str]]:
    for level, verb in re.findall(r"^(#+) cpfill ([\w -]+)$", PAGE, re.MULTILINE):
        yield verb, f"{level} cpfill {verb}"


def test_each_verb_is_in_it_with_every_argument_option_and_help() -> None:
    told = dict(headings())
    assert set(verbs()) <= set(told)
    shared = section(PAGE, "## Shared options")
    for verb, command in verbs().items():
        own, _, others = section(PAGE, told[verb]).partition("[Shared options](#shared-options): ")
        among = set(quoted(others.partition("\n")[0]))
        found = [row for row in rows(shared) if among & set(quoted(row[0]))]
        assert len(found) == len(among)
        plain = re.sub(r"\\(.)", r"\1", own + "".join(f"\n| {' | '.join(row)} |" for row in found))
        options = {row[0]: row for row in rows(plain) if row[0].startswith("`--")}
        for parameter in command.params:
            assert parameter.help in plain
            if parameter.param_type_name == "option":
                names = {*parameter.opts, *parameter.secondary_opts}
                (row,) = [row for told, row in options.items() if set(re.findall(r"`(\S+)`", told)) == names]
                assert parameter.is_flag or row[0].endswith(f" {parameter.metavar}")
                default = parameter.default
                assert (row[1] == "") == (default in (None, "") or default is False)
                assert not row[1] or type(default)(row[1].strip("`")) == default


def test_the_library_takes_an_option_of_solve_by_name_or_its_page_says_what_there_is_instead() -> None:
    by_name = {"words", "engine", *SearchOptions.__annotations__}
    others = {flag for row in rows(text_of("cpfill/LIBRARY.md")) for flag in quoted(row[0]) if flag.startswith("--")}
    for parameter in verbs()["solve"].params:
        flags = {flag for flag in (*parameter.opts, *parameter.secondary_opts) if flag.startswith("--")}
        if parameter.param_type_name == "option" and parameter.rich_help_panel != ENGINE and "--help" not in flags:
            named = {flag.removeprefix("--").replace("-", "_") for flag in flags} & by_name
            drawn = parameter.name in {"letters", "french", "paper", "layout", "word_bank"}
            assert drawn + bool(named) + bool(flags & others) == 1, flags


def test_the_exit_codes_are_those_of_the_program() -> None:
    told = {int(code): meaning for code, meaning in rows(section(PAGE, "## Exit codes"))}
    assert told == {int(code): code.meaning for code in Exit}
    assert all(told.values())
    (sentence,) = re.findall(r"Exit code \d[^.]*", text_of(README))
    assert set(map(int, re.findall(r"\d+", sentence))) < set(told)


def told_by_cases() -> dict[str, list[dict[str, object]]]:
    """Return the records that the cases of `tests/cli/verbs` tell, under the names of the page."""
    told: dict[str, list[dict[str, object]]] = {name: [] for name in ASKING.values()}
    for case in read_cases():
        for command in case.commands:
            names = [name for asked, name in ASKING.items() if re.match(rf"\$ {asked}\b", command.line)]
            asks = "--json" in command.line or names == ["batch"]
            if names and asks and "--explain" not in command.line:
                told[names[0]] += records_in(command.told)
    return told


def records_in(told: list[str]) -> list[dict[str, object]]:
    """Return the records among the lines of a case, with 0 in the place of what it leaves open."""
    lines = [line[2:] for line in told if line.startswith("| {")]
    return [json.loads(re.sub(r"\[(N|TIME|\.\.)\]", "0", line)) for line in lines]


@pytest.mark.parametrize("name", sorted(set(ASKING.values())))
def test_json_has_the_keys_that_are_listed(name: str) -> None:
    told = told_by_cases()[name]
    listed = [keys for asked, keys in RECORDS if asked == name]
    answered = [record for record in told if "error" not in record]  # the page has a sentence on errors
    assert answered
    for record in answered:
        found = record.keys() if name == "batch" else record.keys() - {"grid"}
        assert found == {"done"} or any(are_keys(found, keys) for keys in listed), record


def are_keys(found: AbstractSet[str], listed: list[str]) -> bool:
    """Return whether a record has the keys of a row of the page; those with a question mark may be missing."""
    needed = {key for key in listed if not key.endswith("?")}
    return needed <= found <= {key.rstrip("?") for key in listed}


def test_every_verb_that_prints_json_is_listed() -> None:
    verbs = {verb for verb, summary in VERBS.items() if "as_json: o.Json" in source_of(verb, summary.module)}
    assert {command.split()[0] for command in ASKING} == {*verbs, "batch"}
    listed = {asked for asked, _ in RECORDS}
    assert set(ASKING.values()) <= listed
    assert listed - set(ASKING.values()) <= QUESTIONS.keys()


def test_the_page_of_json_is_made_from_the_program() -> None:
    page: str = runpy.run_path(str(ROOT / ".ci" / "record_types.py"))["write_page"]()
    assert page == text_of("cpfill/cli/JSON.md"), "make it again: bash .ci/task docs"


def source_of(verb: str, module: str) -> str:
    """Return the text of the function of a verb; a group of verbs is its module."""
    text = (ROOT / "cpfill" / "cli" / f"{module or verb}.py").read_text("utf-8")
    functions = (node for node in ast.parse(text).body if getattr(node, "name", "") == verb)
    return next((ast.get_source_segment(text, node) or "" for node in functions), text)


def test_every_status_is_listed() -> None:
    assert {str(status) for status in Status} == STATES
