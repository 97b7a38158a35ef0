"""Phrases that mark a text as translated: some stand nowhere, others are counted."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.hygiene.test_imports import PACKAGE, room_of
from tests.hygiene.test_weight import LIMITS
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

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


TELLTALES = {
    "what": r"\bwhat\b(?! to\b)",
    "who": r"\b(?:who|whoever|whatever|whichever)\b",
    "one that": r"\b(?:one|none|another) (?:that|who|is|has|does)\b",
    "so many": r"\bso (?:many|often|much|long)\b(?! (?:as|that))",
    "is said": r"\b(?:is|are|was|were) (?:told|said|sought|begun)\b",
    "is none": r"\bto be had\b|\b(?:is|are) none\b|\bas it (?:is|has|was)\b",
    "is no more": r"\bis no \w+(?=[.,;])|\bno (?:one|more)\b(?! than)|\bnothing (?:but|else)\b",
}
"""Patterns by the phrase that they find: a noun is avoided, so that the reader must solve for it."""

WORD = r"[A-Za-z']{2,}"


def prose_of(path: Path) -> str:
    """Return the text for people in a file: a page, or the comments, docstrings and messages of a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in tokens if is_prose(token))


def is_prose(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string)


def count_telltales(text: str) -> int:
    return sum(len(re.findall(pattern, text, re.IGNORECASE)) for pattern in TELLTALES.values())


def rate_telltales() -> dict[str, float]:
    """Return the telltales per thousand words of each folder of `cpfill/`, and of its pages together."""
    words: Counter[str] = Counter()
    telltales: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.*"):
        if path.suffix not in {".py", ".md"}:
            continue
        folder = "pages" if path.suffix == ".md" else room_of(path)
        text = prose_of(path)
        words[folder] += len(re.findall(WORD, text))
        telltales[folder] += count_telltales(text)
    return {folder: 1000 * telltales[folder] / count for folder, count in words.items() if count > MIN_WORDS}


MIN_WORDS = 500
"""Folders of fewer words are too small for a rate."""


def test_no_folder_has_more_telltales() -> None:
    above = {folder: rate for folder, rate in rate_telltales().items() if rate > LIMITS["telltales"]}
    assert not above


@pytest.mark.parametrize(
    "sentence",
    [
        "To closed standard output nothing else can be written.",
        "Whoever shuts the dialog wants nothing.",
        "Return what is said of it.",
        "Run everything so often.",
        "Another is one that has none.",
    ],
)
def test_telltale_is_counted(sentence: str) -> None:
    assert count_telltales(sentence)
    assert not count_telltales("The file is replaced only when all output was written.")
