"""Whatever is said goes through the catalogue: in a language whose messages are all marked, no other text is seen."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from cpfill.base import texts
from cpfill.cli.app import VERBS
from cpfill.engines import ENGINES
from cpfill.formats.registry import FORMATS
from cpfill.problem.result import Status
from cpfill.questions.generate import STYLES, Symmetry
from cpfill.questions.solvers import DATA_FORMATS
from tests.cli.program import SQUARE, THREE, TINY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

LIST = ("-w", THREE)
ASKED: list[tuple[object, ...]] = [
    *((verb,) for verb in VERBS if verb not in {"serve", "bench", "words", "site"}),
    *(("words", verb) for verb in ("ban", "diff", "from-text", "heatmap", "info", "lookup")),
    ("nosuch",),
    ("solve", SQUARE, *LIST),
    ("solve", SQUARE, *LIST, "--all"),
    ("solve", SQUARE, *LIST, "--objective", "min"),
    ("solve", TINY / "given.txt", *LIST),
    ("solve", SQUARE, "--foo"),
    ("solve", SQUARE, "-t"),
    ("solve", SQUARE, "-j", "x"),
    ("solve", SQUARE, "-n", "0"),
    ("solve", SQUARE, "-e", "nosuch"),
    ("solve", SQUARE, *LIST, "--all=3"),
    ("count", SQUARE, *LIST),
    ("count", SQUARE, SQUARE, *LIST, "-e", "cpsat"),
    ("candidates", SQUARE, "1-Across", *LIST, "-n", "2"),
    ("candidates", SQUARE, "1-Across", *LIST),
    ("candidates", SQUARE, "9-Across", *LIST),
    ("candidates", SQUARE, "--letters", "R1C1", *LIST),
    ("candidates", SQUARE, "1-Across", "more", *LIST),
    ("explain", SQUARE, *LIST),
    ("explain", TINY / "given.txt", *LIST),
    ("stats", SQUARE),
    ("stats", TINY / "given.txt", "--style", "american"),
    ("check", SQUARE, SQUARE, *LIST),
    ("check", "nosuch", SQUARE),
    ("compare", SQUARE, *LIST, "-e", "fc", "-e", "mac"),
    ("compare", TINY / "given.txt", *LIST, "-e", "fc"),
    ("estimate", SQUARE, *LIST),
    ("info", SQUARE),
    ("info", SQUARE, "--slots"),
    ("batch", SQUARE, *LIST, "-j", "1", "-o", "OUT"),
    ("convert", SQUARE, "x.nosuch"),
    ("verify", "nosuch"),
    ("generate", "--size", "4x4", "--style", "american", "--blocks", "1"),
    ("generate", "--size", "5x5", "--style", "nosuch"),
    ("words", "diff", THREE, THREE),
    ("words", "diff", THREE, "LISTED"),
    ("words", "lookup", "[["),
    ("words", "lookup", "[]"),
    ("words", "lookup", "?E?", *LIST),
    ("words", "info", "LISTED"),
    ("words", "ban", "ACE", "--personal", "OUT"),
    ("bench", "run", "nosuch"),
]
DATA = {
    *("cpfill", "json", "jsonl", "help", "tiny", "txt", "foo", "nosuch", "given", "square", "more", "american"),
    *(word for name in (*ENGINES, *STYLES, *Symmetry) for word in re.findall("[a-z]+", name)),
    *(word for verb in VERBS for word in verb.split("-")),
    *(name for format_ in FORMATS.values() for name in re.findall("[a-z]+", " ".join(format_.suffixes))),
    *(name for data in DATA_FORMATS.values() for name in re.findall("[a-z]+", " ".join(data.suffixes))),
    *("min", "across", "en", "native", "int", "ban", "diff", "from", "text", "heatmap", "lookup"),
    *("out", "listed", "claim", "weave", "scaffold", "naive", "letters", "words", "three", "Across", "Down", "any"),
}
"""Names, and what the tests typed; statuses are written in capitals, like words."""


class _Marked(dict[str, str]):
    """A catalogue in which every text of a message is marked, and what it is given is not."""

    def get(self, text: str, _: object = None) -> str:
        parts = []
        for literal, field, form, conversion in Formatter().parse(text):
            plain = literal.replace("{", "{{").replace("}", "}}")
            parts.append(f"⟦{plain}⟧" if re.search("[A-Za-z]", plain) else plain)
            if field is not None:
                more = (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
                parts.append("{" + field + more + "}")
        return "".join(parts)


class _MarkedThings(dict[str, list[str]]):
    def get(self, thing: str, _: object = None) -> list[str]:
        return [f"⟦{thing}⟧"] * 2


def foreign(text: str) -> list[str]:
    """Return the words of a text that no message has, and no data."""
    said = re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    said = re.sub(r"^\{.*\}$", "", said, flags=re.MULTILINE)  # records
    said = re.sub(r"\S*/\S*|--?[a-z][\w-]*|\S+\.(txt|json|jsonl|tsv)\b", " ", said)  # paths and options
    return [word for word in re.findall(r"[A-Za-z]*[a-z][A-Za-z]+", said) if word not in DATA]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(str(each).rpartition("/")[2] for each in asked))
def test_nothing_is_said_but_by_the_catalogue(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: tuple[object, ...]
) -> None:
    listed = tmp_path / "listed"
    listed.write_text("ACE;9\nACE;8\n???\nTOE\nB2B;x;y\n")
    monkeypatch.setattr(texts, "_load_messages", _Marked)
    monkeypatch.setattr(texts, "_load_things", _MarkedThings)
    names = {"OUT": tmp_path / "out", "LISTED": listed}
    done = run("--lang", "fr", *(names.get(str(each), each) for each in asked))
    assert foreign(done.out + done.err) == []


def test_a_text_that_is_not_said_would_be_seen() -> None:
    said = _Marked().get("{n} words in {name}").format(n=3, name="en.txt")
    assert foreign(f"{said}: SATISFIED, {Status.OPTIMAL}") == []
    assert foreign(f"{said} alone") == ["alone"]
    assert foreign(_Marked().get("expected {expected}").format(expected="a grid")) == ["grid"]
