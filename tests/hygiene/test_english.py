"""Phrases that mark a text as translated stand nowhere."""

from __future__ import annotations

import re
import subprocess

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


def test_no_phrase_reads_as_translated() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.splitlines() if name.endswith(KINDS) and name != OWN]
    assert len(names) > 150
    found = []
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        for phrase, pattern in DIALECT.items():
            matches = re.finditer(pattern, text, re.MULTILINE)
            found += [f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {phrase}" for match in matches]
    assert not found
