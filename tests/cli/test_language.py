"""In another language nothing is left in English: what the catalogue has is marked, and a text without a mark is found.

The language is one of signs: the letters of each French text come from another alphabet. What stays in ours is data, a
name that one types, or English that no catalogue has.
"""

from __future__ import annotations

import json
import re
import shutil
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
from tests.cli.program import MALFORMED, SQUARE, THREE, TINY, program
from tests.conftest import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    *(
        "interactive",
        "plain",
        "scored",
        "tsv",
        "best",
        "first",
        "second",
        "both",
        "score",
        "word",
        "dratify",
        "drat",
        "all",
    ),
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
    names = re.compile(r"'[^']*'|\"[^\"]*\"|[a-z]+://|(?:/[^/\s:,;]+)+|--[a-z-]+|[a-z]+\.[a-z]+")
    lines = [names.sub(" ", line) for line in text.splitlines() if not line.startswith("{")]
    return [line for line in lines if set(WORD.findall(line)) - NAMES - typed]


@pytest.mark.parametrize("path", [(), ("words",), ("bench",), *LEAVES], ids=" ".join)
def test_help(speak: Speak, path: tuple[str, ...]) -> None:
    done = speak(*path, "--help")
    usage, *lines = done.out.splitlines()
    example = "Exemple".translate(OTHER)
    said = "\n".join(line for line in lines if not line.startswith(example))
    assert (done.code, english(said)) == (0, [])
    assert usage.startswith("Usage : ".translate(OTHER))


@pytest.mark.long
@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_wrong_arguments(speak: Speak, path: tuple[str, ...]) -> None:
    verb = LEAVES[path]
    needed = ["nofile" for param in verb.params if param.param_type_name == "argument" and param.required]
    valued = {param.opts[0]: param.type.name for param in verb.params if getattr(param, "is_flag", None) is False}
    wrong = [["--nope"], ["--helpp"], ["--help=3"], [*needed, *["more"] * 9], *[[]] * bool(needed)]
    wrong += [[option] for option in valued]
    wrong += [[*needed, option, "rubbish"] for option, kind in valued.items() if needed or kind != "str"]
    for args in wrong:
        assert (args, english(speak(*path, *args).err, *args)) == (args, [])


def test_a_verb_that_there_is_not(speak: Speak) -> None:
    for args in (["sovle"], ["words", "lokup"], ["nonsense"], ["--nope"], ["--lang", "de"], ["words"], ["bench"]):
        assert (args, english(speak(*args).err, *args)) == (args, [])


LISTED = (SQUARE, "-w", THREE)
RIGHT = [
    ("solve", *LISTED),
    ("solve", *LISTED, "-n", 2, "--seed", 1, "--seed", 2),
    ("solve", *LISTED, "-n", 3, "--diverse"),
    ("solve", *LISTED, "-a", "--objective", "any"),
    ("solve", *LISTED, SQUARE, "--objective", "leximin"),
    ("solve", *LISTED, "--objective", "min", "-e", "cpsat"),
    ("solve", *LISTED, "--min-score", 60),
    ("solve", TINY / "too-long.txt", "-w", THREE, "--explain"),
    ("solve", *LISTED, "-t", "1ms", "-e", "fc"),
    ("solve", *LISTED, "-o", "own.ipuz"),
    ("solve", TINY / "given.txt", "-w", TINY / "folded.words.txt", "--require", "NOSUCH"),
    ("generate", "--size", "3x3", "-n", 2),
    ("generate", "--size", "3x3", "-w", THREE, "--filled", "--objective", "min"),
    ("generate", "--size", "4x4", "--style", "british", "-t", "1s"),
    ("generate", "--size", "9x9", "--seed-words", "abcde,abcd", "-t", "1s"),
    ("candidates", *LISTED[:1], "1-Across", *LISTED[1:]),
    ("candidates", *LISTED, "--all-letters"),
    ("candidates", TINY / "too-long.txt", "-w", THREE, "--letters", "R1C1"),
    ("explain", *LISTED),
    ("explain", TINY / "too-long.txt", "-w", THREE),
    ("explain", *LISTED, "--min-score", 60),
    ("count", *LISTED),
    ("count", *LISTED, "--resume", "journal", "-e", "letters"),
    ("count", *LISTED, "--max-obscure", 0, "--below", 60),
    ("estimate", *LISTED),
    ("estimate", *LISTED, "--measure", "--runs", 2, "--sample", "--draws", 5),
    ("stats", "fill.txt", "-w", THREE),
    ("stats", SQUARE),
    ("info", *LISTED),
    ("info", TINY / "letter-sets.txt"),
    ("info", "--build"),
    ("check", SQUARE, "fill.txt", "-w", THREE),
    ("check", SQUARE, "wrong.txt", "-w", THREE, "--max-obscure", 0, "--below", 60, "--no-shared"),
    ("compare", *LISTED),
    ("compare", *LISTED, "-a", "-e", "fc", "-e", "mac"),
    ("compare", TINY / "scored.txt", "--weighted", TINY / "once.words.txt"),
    ("convert", "own.ipuz", "own.puz"),
    ("convert", "own.ipuz", "own.txt", "--title", "T"),
    ("words", "info", THREE, TINY / "folded.words.txt"),
    ("words", "heatmap", THREE),
    ("words", "heatmap", THREE, "--length", 3),
    ("words", "merge", THREE, TINY / "once.words.txt", "-o", "merged.txt"),
    ("words", "filter", THREE, "--min-length", 3, "-o", "kept.txt"),
    ("words", "diff", THREE, TINY / "once.words.txt", "-o", "changes.txt"),
    ("words", "lookup", "A??", THREE),
    ("words", "from-text", "text.txt", "-o", "some.txt"),
    ("words", "score", "few.txt", "-o", "scored.txt"),
    ("words", "clues", "CAT", "--dict", "nowhere"),
    ("words", "ban", "cat", "--personal", "mine.txt"),
    ("words", "rescore", "cat", 7, "--personal", "mine.txt"),
    ("batch", SQUARE, "-w", THREE, "-o", "answers.jsonl"),
    ("batch", "jobs.jsonl", "-o", "more.jsonl"),
    ("bench", "run", "suite.toml", "-o", "records.jsonl"),
    ("bench", "report", "records.jsonl"),
    ("bench", "report", "records.jsonl", "--against", "fc"),
    ("bench", "experiment", *LISTED, "--sizes", "all", "--runs", 1),
    ("solve", *LISTED, "--objective", "min", "--proof", "proof"),
    ("verify", "proof"),
    ("verify", "changed"),
]


WRONG = [
    *(("solve", path, "-w", THREE) for path in sorted(MALFORMED.glob("*.txt"))),
    *(("solve", SQUARE, "-w", path) for path in sorted(MALFORMED.glob("*.txt"))),
    *(
        ("info", name)
        for name in ("bad.ipuz", "bad.jpz", "bad.puz", "bad.xd", "bad.exolve", "bad.json", ".", "none.puz")
    ),
    ("solve", SQUARE, "-w", "nofile.txt"),
    ("solve", SQUARE, "-w", "."),
    ("solve", SQUARE, SQUARE, "-w", THREE, "-o", "two.ipuz"),
    ("solve", *LISTED, "-o", "nowhere/out.txt"),
    ("solve", *LISTED, "-o", "."),
    ("solve", *LISTED, "-n", 2, "-a"),
    ("solve", *LISTED, "-n", 2, "--objective", "min"),
    ("solve", *LISTED, "--diverse"),
    ("solve", *LISTED, "-e", "fcc"),
    ("solve", *LISTED, "-e", "mac", "--resume", "x"),
    ("solve", *LISTED, "--core", 3),
    ("solve", *LISTED, "-e", "cpsat", "--cpsat-param", "nonsense=1"),
    ("solve", *LISTED, "-e", "letters", "--objective", "min"),
    ("solve", *LISTED, "--objective", "mni"),
    ("solve", *LISTED, "-t", "soon"),
    ("solve", *LISTED, "--require", "x y z 1"),
    ("solve", *LISTED, "--slot", "9-Across:min=1"),
    ("solve", *LISTED, "--slot", "1-Across:mni=1"),
    ("solve", *LISTED, "--clear", "nonsense"),
    ("solve", *LISTED, "--open", "1-Across", "--open", "9-Down"),
    ("solve", *LISTED, "--max-obscure", 1),
    ("solve", *LISTED, "--max-obscure", -1, "--below", 0),
    ("solve", *LISTED, "--clues", "nofile.txt"),
    ("solve", *LISTED, "--to", "nonsense"),
    ("solve", *LISTED, "--paper", "a4"),
    ("solve", *LISTED, "--seed", "9" * 30),
    ("solve", *LISTED, "--proof", "text.txt"),
    ("solve", *LISTED, "--proof", "new", "-e", "fc"),
    ("count", *LISTED, "--resume", "text.txt"),
    ("count", TINY / "pair.txt", "-w", THREE, "--resume", "journal"),
    ("candidates", *LISTED, "--only", "maybe"),
    ("candidates", SQUARE, "R9C9-Down", "-w", THREE),
    ("candidates", SQUARE, "-w", THREE),
    ("estimate", *LISTED, "--runs", 2),
    ("generate", "--size", "3"),
    ("generate", "--size", "3x3", "--style", "brittish"),
    ("generate", "--size", "3x3", "--symmetry", "none", "--blocks", "9-1"),
    ("generate", "--size", "4x3", "--symmetry", "diagonal"),
    ("generate", "--size", "3x3", "--seed-words", "toolongforit"),
    ("stats", SQUARE, "--style", "nonsense"),
    ("info",),
    ("check", SQUARE, TINY / "pair.txt", "-w", THREE),
    ("compare", *LISTED, "-e", "nonsense"),
    ("convert", "own.ipuz", "own.nonsense"),
    ("convert", "own.ipuz", "own.puz", "-w", THREE),
    ("convert", SQUARE, "own.opb", "-w", THREE, "--objective", "min-then-sum"),
    ("convert", SQUARE, "own.cnf", "-w", THREE, "--title", "T"),
    ("words", "lookup", "[["),
    ("words", "lookup", "[]"),
    ("words", "lookup", ""),
    ("words", "diff", THREE, "nofile.txt"),
    ("words", "filter", THREE, "--drop", "nonsense"),
    ("words", "filter", THREE, "--length", "x"),
    ("words", "heatmap", THREE, "-o", "x.gif"),
    ("words", "ban", "c4t", "--personal", "mine.txt"),
    ("words", "clues", "CAT", "--wordnet", "nowhere"),
    ("batch", "bad.jsonl"),
    ("batch", "bad.toml"),
    ("batch", "nowhere"),
    ("batch", SQUARE, "-w", THREE, "-o", "text.txt"),
    ("batch", SQUARE, "-w", THREE, "--glob", "/x"),
    ("bench", "run", "bad.toml"),
    ("bench", "run", "suite.toml", "-e", "nonsense"),
    ("bench", "run", "suite.toml", "--peer", "x=nosuchprogram"),
    ("bench", "report", "text.txt"),
    ("bench", "report", "nofile.jsonl"),
    ("verify", "."),
    ("verify", "nowhere"),
    ("site", SQUARE),
    ("serve", "nowhere"),
]

SUITE = f"""
name = "tiny"
limit = "20s"
[[families]]
name = "ONE"
grids = ["{SQUARE}"]
lists = ["three"]
[lists.three]
words = ["{THREE}"]
[[engines]]
engine = "fc"
[[engines]]
engine = "mac"
"""
FILES = {
    "fill.txt": "ATE\nSEA\nHAT\n",
    "wrong.txt": "ATE\nSE.\nHAX\n",
    "text.txt": "The cat sat. The cat ran.\n",
    "few.txt": "cat\ndog\n",
    "suite.toml": SUITE,
    "jobs.jsonl": f'{{"grid": "{SQUARE}", "words": "{THREE}", "min_score": 99}}\n{{"grid": "NOWHERE"}}\n',
    "bad.jsonl": "{\n",
    "bad.toml": "a = \n",
    "bad.ipuz": '{"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], x}',
    "bad.jpz": "<crossword-compiler><a></b>",
    "bad.puz": "ACROSS&DOWN",
    "bad.xd": "Title: x\n\n\n\n",
    "bad.exolve": "exolve-begin\nexolve-width: x\nexolve-end\n",
    "bad.json": "[",
}


def test_what_it_answers(speak: Speak, tmp_path: Path) -> None:
    """In one directory, for a run may read what one before it wrote."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    left = {}
    for args in [*RIGHT, *WRONG]:
        if args == ("verify", "changed"):
            shutil.copytree("proof", "changed")
            (tmp_path / "changed" / "grid.txt").write_text("..\n..\n", encoding="utf-8")
        done = speak(*args)
        assert "Traceback" not in done.err
        if lines := english(done.out + done.err, *args):
            left[args] = lines
    assert left == {}


def test_a_process_of_its_own_speaks_it_too(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    job = {"grid": ["..."], "words": str(THREE), "engine": "letters", "objective": "min"}
    jobs.write_text(2 * f"{json.dumps(job)}\n", encoding="utf-8")
    done = program("--lang", "fr", "batch", jobs, "-j", 2)
    errors = [record["error"] for record in done.records]
    assert [error.startswith("le moteur letters ne peut pas ") for error in errors] == [True, True]
