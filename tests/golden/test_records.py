"""What routes answer, record for record as it is promised; `tests/cli/verbs` has what verbs print.

`pytest -n0 tests/golden --update` writes the file anew; read what changed.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries import write_wordnet
from tests.web.support import Client, puzzle, serving

pytestmark = pytest.mark.skipif(not find_spec("cpfill.engines.mac._kernel"), reason="they are fills of the kernel")

HERE = Path(__file__).parent
ROUTES = HERE / "routes.json"

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
    """Return JSON without what differs from run to run: times, the last digits of sums."""
    if isinstance(value, dict):
        return {name: settled(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [settled(each) for each in value]
    if key.endswith("_s") or key in {"seconds", "crc"}:
        return 0
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return value


def lines_of(text: str) -> list[Any]:
    records = [settled(json.loads(line)) for line in text.splitlines()]
    told = [record for record in records if record.get("event") != "progress" and record.get("finished") is not False]
    return [record for record in told if "tried" not in record]


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
        patch.setattr("cpfill.puzzle.clues.dictionaries.find_definitions", lambda _: [])
        for name, more in ASKED:
            asked = {"request": {"words": ["mine.txt"]}, **more}
            answer = Client(page.port, page.token).ask("POST", f"/api/{name}", asked)
            assert answer.status == 200, answer.body
            told.append({"name": name, "records": lines_of(answer.body.decode())})
    return told


def test_routes_answer_what_they_answered(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    answers = ask_all(tmp_path / "page")
    if request.config.option.update:
        ROUTES.write_text(show(answers), "utf-8")
    for (name, more), told, known in zip(ASKED, answers, json.loads(ROUTES.read_text("utf-8")), strict=True):
        assert told == known, (name, more)


def show(answers: list[Any]) -> str:
    """Return JSON with a record a line."""
    parts = []
    for answer in answers:
        records = ",\n   ".join(json.dumps(record, ensure_ascii=False) for record in answer["records"])
        parts.append(f' {{\n  "name": "{answer["name"]}",\n  "records": [\n   {records}\n  ]\n }}')
    return "[\n" + ",\n".join(parts) + "\n]\n"
