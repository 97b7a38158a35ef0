"""Phrases that mark a text as translated stand nowhere."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.support import ROOT

DIALECT = {
    "is told": r"\b(?:is|are|was|were) told\b",
    "none is": r"\bnone is\b",
    "it is none": r"\bit is none\b",
    "what is of": r"\bwhat is of\b",
    "so often": r"\bso often\b",
    "Of, Who": r"(?:^|[.!?:;] |\"\"\"|^ *(?:#|//) )(?:Of (?!course)|Who )(?![^.]*\?)",
}
"""Phrases by name; the last is a sentence that begins so."""

OWN = "tests/hygiene/test_english.py"

KINDS = (".md", ".py", ".hpp", ".cpp", ".js", ".html", ".mzn", ".toml")


def list_files() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if name.endswith(KINDS) and name != OWN]


@pytest.mark.parametrize("phrase", DIALECT)
def test_no_phrase_reads_as_translated(phrase: str) -> None:
    pattern, found = re.compile(DIALECT[phrase], re.MULTILINE), []
    for name in list_files():
        text = (ROOT / name).read_text(encoding="utf-8")
        found += [f"{name}:{text.count(chr(10), 0, match.start()) + 1}" for match in pattern.finditer(text)]
    assert not found


def test_the_files_that_are_read_are_many() -> None:
    """No mistake in the list of exceptions lets everything pass."""
    assert len(list_files()) > 150
