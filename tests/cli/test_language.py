"""In another language nothing is left in English: what the catalogue has is marked, and a text without a mark is found.

The language is one of signs: the letters of each French text come from another alphabet. What stays in ours is data, a
name that one types, or English that no catalogue has.
"""

from __future__ import annotations

import json
import re
from string import Formatter, ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from cpfill.base.alphabet import NAMED
from cpfill.base.texts import catalogues as texts
from cpfill.cli.app import VERBS, make_command
from cpfill.design.board import STYLES, Symmetry
from cpfill.engines import ENGINES, list_options
from cpfill.formats.registry import READABLE, WRITABLE
from cpfill.problem.problem import Objective
from cpfill.solvers.data import DATA_FORMATS
from cpfill.words.wordlist import PACKAGED, Taste
from tests.cli.cases import place_files, read_cases, run_command
from tests.cli.program import THREE, program
from tests.conftest import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.cases import Case
    from tests.cli.program import Outcome, Run

    Speak = Run


def leaves(verb: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each verb that is no group, with its name in words."""
    for name, inner in getattr(verb, "commands", {}).items():
        yield from leaves(inner, (*path, name))
    if not hasattr(verb, "commands"):
        yield path, verb


LEAVES = dict(leaves(get_command(make_command(VERBS))))

OTHER = str.maketrans(
    ascii_lowercase + ascii_uppercase,
    "".join(map(chr, [*range(0x1D4EA, 0x1D504), *range(0x1D4D0, 0x1D4EA)])),
)
"""To the script letters of mathematics."""

NAMES = {
    *(word for name in (*ENGINES, *READABLE, *WRITABLE, *DATA_FORMATS, *NAMED) for word in re.split("[-.]", name)),
    *(word for name in (*Objective, *Symmetry, *STYLES, *PACKAGED, *Taste) for word in re.split("[-.]", name)),
    *(word for option in list_options() for choice in option.choices for word in choice.split("-")),
    *(word for path in LEAVES for name in path for word in name.split("-")),
    *("cpfill", "latin", "ortools", "python", "none", "yes", "open", "letter", "newspaper", "submission", "arrows"),
    *("interactive", "plain", "scored", "tsv", "best", "first", "second", "both", "score", "word", "dratify", "drat"),
    *("all", "bool", "int", "config", "lie"),
}
"""What one types, in any language."""

WORD = re.compile(r"(?<![\w./\\=<{~'-])[a-z]{3,}(?![\w./\\=-])")


def mark(text: str) -> str:
    """Return a text with other letters, but for the names of its values."""
    parts = []
    for literal, field, form, conversion in Formatter().parse(text):
        parts.append(literal.translate(OTHER).replace("{", "{{").replace("}", "}}"))
        if field is not None:
            parts.append(f"{{{field}{'!' * bool(conversion)}{conversion or ''}{':' * bool(form)}{form}}}")
    return "".join(parts)


@pytest.fixture
def speak(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Speak]:
    """Runs the program in the language of signs, in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    messages, things, foreign = texts._load_messages(), texts._load_things(), texts._load_foreign()
    marked = {
        english: mark(french) if "{" in english else french.translate(OTHER) for english, french in messages.items()
    }
    monkeypatch.setattr(texts, "_load_messages", lambda: marked)
    said = {thing: [each.translate(OTHER) for each in both] for thing, both in things.items()}
    monkeypatch.setattr(texts, "_load_things", lambda: said)
    heard = [(pattern, mark(french)) for pattern, french in foreign]
    monkeypatch.setattr(texts, "_load_foreign", lambda: heard)

    def run_marked(*args: object, stdin: str | bytes = b"") -> Outcome:
        return run("--lang", "fr", *args, stdin=stdin)

    yield run_marked
    texts.speak(texts.ENGLISH)
    command.cache_clear()  # the help of a verb was put into it


def english(text: str, *args: object) -> list[str]:
    """Return the lines with a word that has no mark, and is neither a name nor in the arguments."""
    typed = {word for arg in args for word in re.findall(r"[a-z]+", str(arg))}
    names = re.compile(r"\[no clue\]|'[^']*'|\"[^\"]*\"|[a-z]+://|(?:/[^/\s:,;]+)+|--[a-z-]+|[a-z]+\.[a-z]+")
    lines = [names.sub(" ", line) for line in text.splitlines() if not line.startswith(("{", "%% "))]
    return [line for line in lines if set(WORD.findall(line)) - NAMES - typed]


@pytest.mark.parametrize("path", [(), ("words",), ("bench",), *LEAVES], ids=" ".join)
def test_help(speak: Speak, path: tuple[str, ...]) -> None:
    done = speak(*path, "--help")
    usage, *lines = done.out.splitlines()
    example = "Exemple".translate(OTHER)
    said = "\n".join(line for line in lines if not line.startswith(example))
    assert (done.code, english(said)) == (0, [])
    assert usage.startswith("Usage : ".translate(OTHER))


def list_valued() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the options that take a value, each with its kind and one verb that has it."""
    found = {}
    for path, verb in LEAVES.items():
        for param in verb.params:
            if getattr(param, "is_flag", None) is False:
                found[param.opts[0], param.type.name] = path
    return found


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_wrong_arguments(speak: Speak, path: tuple[str, ...]) -> None:
    needed = ["nofile" for param in LEAVES[path].params if param.param_type_name == "argument" and param.required]
    wrong = [["--nope"], ["--helpp"], ["--help=3"], [*needed, *["more"] * 9]]
    if needed:
        wrong.append([])
    for args in wrong:
        assert (args, english(speak(*path, *args).err, *args)) == (args, [])


def test_wrong_values(speak: Speak) -> None:
    for (option, kind), path in list_valued().items():
        required = [param for param in LEAVES[path].params if param.param_type_name == "argument" and param.required]
        needed = ["nofile"] * len(required)
        wrong = [[option]]
        if needed or kind != "str":
            wrong.append([*needed, option, "rubbish"])
        for args in wrong:
            assert (args, english(speak(*path, *args).err, *args)) == (args, [])


TELLING = re.compile(r"\$ (bench|check|compare|edits|estimate|explain|info|stats|verify|words (info|heatmap)) ")
"""Verbs that print text for people; others print words of lists, puzzles or records."""


@pytest.mark.parametrize("case", read_cases(), ids=str)
def test_no_case_speaks_english(case: Case, speak: Speak, directory: Path) -> None:
    place_files(case, directory)
    left = {}
    for asked in case.commands:
        if " -v " in asked.line:  # the log is that of another program
            continue
        done = run_command(speak, asked, directory)
        text = done.err
        if TELLING.match(asked.line):
            text += done.out
        if lines := english(text, asked.line, *asked.stdin, *case.head):
            left[asked.line] = lines
    assert left == {}


def test_a_process_of_its_own_speaks_it_too(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    job = {"grid": ["..."], "words": str(THREE), "engine": "letters", "objective": "min"}
    jobs.write_text(2 * f"{json.dumps(job)}\n", encoding="utf-8")
    done = program("--lang", "fr", "batch", jobs, "-j", 2)
    errors = [record["error"] for record in done.records]
    assert [error.startswith("le moteur letters ne peut pas ") for error in errors] == [True, True]
