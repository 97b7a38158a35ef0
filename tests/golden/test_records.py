"""What verbs print, as JSON and as text, and what routes answer: record for record as it is promised.

Run `python -m tests.golden.test_records` to write the files anew, and read what changed.
"""

from __future__ import annotations

import json
import re
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import INSTANCES, ROOT, TINY, Outcome, program
from tests.dictionaries import write_wordnet
from tests.web.support import Client, puzzle, serving

if TYPE_CHECKING:
    from tests.cli.program import Run

pytestmark = pytest.mark.skipif(not find_spec("cpfill.engines.mac._kernel"), reason="they are fills of the kernel")

HERE = Path(__file__).parent
VERBS, ROUTES = HERE / "verbs.json", HERE / "routes.json"

_WORDS = "-w three.words.txt"
_JUDGED = ("count", "explain", "stats", "check", "compare -e fc -e mac")
COMMANDS = [
    f"solve square.txt {_WORDS}",
    f"solve square.txt pair.txt {_WORDS} --seed 3 -e fc-cbj",
    f"solve square.txt {_WORDS} -a -e letters",
    f"solve square.txt {_WORDS} --objective min",
    f"solve square.txt {_WORDS} -n 3",
    f"solve square.txt {_WORDS} -n 2 --diverse",
    f"solve square.txt {_WORDS} --theme lists.a.words.txt",
    f"solve square.txt {_WORDS} --require CAT --strict",
    f"solve square.txt {_WORDS} --min-score 60 --explain",
    f"solve given.txt {_WORDS} --explain",
    f"solve one-fill.txt {_WORDS} --clear 1-Across",
    *(f"{verb} square.txt {_WORDS}" for verb in _JUDGED),
    *(f"{verb} one-fill.txt given.txt {_WORDS}" for verb in _JUDGED if verb != "check"),
    f"check one-fill.txt {_WORDS}",
    f"check square.txt one-fill.txt {_WORDS} --min-score 60",
    f"compare square.txt {_WORDS} -e mac -e fc --objective min",
    "stats one-fill.txt --style american -w scored.words.txt",
    f"candidates square.txt 1-Across {_WORDS}",
    f"candidates square.txt 2-Down {_WORDS} -n 3 --only yes --witness",
    f"candidates square.txt {_WORDS} --letters R1C2",
    f"candidates square.txt {_WORDS} --all-letters",
    f"candidates given.txt {_WORDS} --all-letters",
    f"estimate square.txt pair.txt {_WORDS}",
    f"estimate square.txt {_WORDS} --sample --draws 20 --measure --runs 2 -t 60s",
    "generate --size 5x5 --style free -n 2 --seed 2",
    f"generate --size 3x4 --style free --symmetry none --blocks 1-2 --fillable {_WORDS} -n 2",
    f"generate --size 3x3 --style free --symmetry none --blocks 2 --filled {_WORDS} --objective min -n 2",
    f"generate --size 3x3 --style free --blocks 0 --filled {_WORDS} --min-score 99",
    "generate --size 4x4 --style american --blocks 1",
    f"words heatmap {_WORDS.split()[1]}",
    f"batch square.txt {_WORDS} --objective min -j 1",
]

_GIVEN = puzzle("A..", ".#.", "...")
_NONE = puzzle("AB.", ".#.", "C..")
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("candidates", {"puzzle": _GIVEN, "slot": "1-Across"}),
    ("candidates", {"puzzle": _NONE, "slot": "1-Across"}),
    ("best", {"puzzle": _GIVEN, "slot": "1-Across", "words": ["ABC", "AGE", "XYZ"]}),
    ("letters", {"puzzle": _GIVEN}),
    ("letters", {"puzzle": _NONE, "cells": [8, 1]}),
    ("solve", {"puzzle": _GIVEN}),
    ("solve", {"puzzle": _GIVEN, "engine": "fc", "seed": 2, "request": {"words": ["mine.txt"], "objective": "min"}}),
    ("solve", {"puzzle": _GIVEN, "another": ["ABC", "D#U", "EFE"]}),
    ("solve", {"puzzle": puzzle("QQQ", ".#.", "..."), "request": {"words": ["mine.txt"], "min_score": 5}}),
    ("count", {"puzzle": _GIVEN}),
    ("count", {"puzzle": _NONE}),
    ("info", {"puzzle": _GIVEN}),
    ("info", {"puzzle": _NONE, "request": {"words": ["mine.txt"]}}),
    ("explain", {"puzzle": _GIVEN}),
    ("explain", {"puzzle": _NONE}),
    ("stats", {"puzzle": puzzle("ABC", "D#U", "E.E"), "style": "american"}),
    ("stats", {"puzzle": _GIVEN}),
    ("check", {"puzzle": puzzle("ABC", "D#U", "EFE")}),
    ("check", {"puzzle": puzzle("ABC", "D#U", "ABC"), "request": {"words": ["mine.txt"], "min_score": 4}}),
    ("heatmap", {}),
    ("generate", {"size": [5, 5], "style": "free", "number": 2, "seed": 4}),
    ("generate", {"size": [3, 3], "style": "free", "symmetry": "none", "blocks": 1, "filled": True}),
    (
        "generate",
        {
            "puzzle": _GIVEN,
            "style": "free",
            "symmetry": "none",
            "blocks": [1, 1],
            "around": True,
            "fillable": True,
            "request": {"words": ["mine.txt"], "min_score": 9},
        },
    ),
    ("clues", {"words": ["abc", "zzz"], "files": ["clues.tsv"]}),
    ("watch", {"puzzle": _GIVEN, "engine": "fc", "seed": 1, "order": "random"}),
    ("watch", {"puzzle": _NONE, "engine": "mac", "steps": 4}),
    ("watch", {"puzzle": _GIVEN, "revisions": True}),
]
WORDS = "ABC;9\nADE;8\nAGE;7\nCXE;6\nEFE;5\nEYE;4\nCUE;3\n"


def settled(value: Any, key: str = "") -> Any:
    """Return JSON without what differs from run to run: times, where files stand, the last digits of sums."""
    if isinstance(value, dict):
        return {name: settled(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [settled(each) for each in value]
    if key.endswith("_s") or key in {"seconds", "crc"}:
        return 0
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return value.replace(f"{INSTANCES}/", "") if isinstance(value, str) else value


def lines_of(text: str) -> list[Any]:
    records = [settled(json.loads(line)) for line in text.splitlines()]
    told = [record for record in records if record.get("event") != "progress" and record.get("finished") is not False]
    return [record for record in told if "tried" not in record]


def text_lines(text: str) -> list[str]:
    """Return lines without times, without the columns of a table that tell any, and columns as wide as they may be."""
    told = re.sub("─+", "─", text.replace(f"{INSTANCES}/", ""))
    said = re.sub(r" {2,}", "  ", re.sub(r"\d+\.\d\d s\b", "0 s", told))
    return re.sub(r"( +\d+\.\d\d){2,}$", "", said, flags=re.MULTILINE).splitlines()


def arguments(command: str) -> list[object]:
    return [TINY / word if word.endswith(".txt") else word for word in command.split()]


def tell(run: Run, command: str) -> dict[str, Any]:
    """Return what a verb prints, and says, with `--json` and without."""
    given = arguments(command)
    if command.startswith("batch"):
        done = run(*given)
        return {"code": done.code, "records": lines_of(done.out)}
    done, shown = run(*given, "--json"), run(*given)
    assert (done.code, "Traceback" in done.err) == (shown.code, False)
    told = {"code": done.code, "records": lines_of(done.out), "text": text_lines(shown.out)}
    return {**told, "said": text_lines(shown.err)}


def ask_all(folder: Path) -> list[Any]:
    """Return what each route answers, of a page that serves a folder."""
    folder.mkdir()
    (folder / "mine.txt").write_text(WORDS)
    (folder / "clues.tsv").write_text("abc\tthe beginning\n")
    told = []
    with pytest.MonkeyPatch.context() as patch, serving(folder) as page:
        at = write_wordnet(folder.parent / "wordnet", {"abc": ["an alphabet"]}, {})
        patch.setattr("cpfill.puzzle.clues.dictionaries.WORDNET_AT", at)
        patch.setattr("cpfill.puzzle.clues.dictionaries.THESAURI_AT", folder.parent)
        for name, more in ASKED:
            asked = {"request": {"words": ["mine.txt"]}, **more}
            answer = Client(page.port, page.token).ask("POST", f"/api/{name}", asked)
            assert answer.status == 200, answer.body
            told.append({"name": name, "records": lines_of(answer.body.decode())})
    return told


@pytest.mark.parametrize("command", COMMANDS)
def test_a_verb_prints_what_it_printed(run: Run, command: str) -> None:
    assert tell(run, command) == json.loads(VERBS.read_text("utf-8"))[command]


def test_routes_answer_what_they_answered(tmp_path: Path) -> None:
    for (name, more), told, known in zip(
        ASKED, ask_all(tmp_path / "page"), json.loads(ROUTES.read_text("utf-8")), strict=True
    ):
        assert told == known, (name, more)


def _write() -> None:
    def run(*args: object, stdin: str | bytes = b"") -> Outcome:
        return program(*args, stdin=stdin, LANG="C", XDG_CONFIG_HOME=str(ROOT / "no"), XDG_CACHE_HOME=str(ROOT / "no"))

    VERBS.write_text(_show({command: tell(run, command) for command in COMMANDS}), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        ROUTES.write_text(_show(ask_all(Path(folder) / "page")), "utf-8")


def _show(value: Any, indent: str = "") -> str:
    """Return JSON with a record a line."""
    short = json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict) and "records" not in value and indent:
        return short
    if not isinstance(value, dict | list) or not value:
        return short
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name)}: {_show(each, inner)}" for name, each in value.items()]
    else:
        parts = [inner + _show(each, inner) for each in value]
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    return f"{opened}\n" + ",\n".join(parts) + f"\n{indent}{closed}" + "\n" * (not indent)


if __name__ == "__main__":
    _write()
