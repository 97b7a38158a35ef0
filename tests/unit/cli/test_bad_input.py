"""Bad input gets one line, which says where it stands, what was expected and what was found."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.app import VERBS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

FILES = {
    "page.txt": b"<!DOCTYPE html><html><body>3x3</body></html>",
    "noise.jsonl": bytes(range(128, 256)) + b"\n",
    "grid.txt": b"...\n...\n...\n",
}
REFUSED = {
    "solve page.txt": "page.txt: expected a puzzle, found a web page: save the puzzle itself",
    "bench report noise.jsonl": "noise.jsonl:1: expected a line of results of cpfill bench run, found binary data",
    "convert grid.txt folder": "folder: expected a file to write to, found a directory",
    "convert grid.txt folder --to ipuz": "folder: expected a file to write to, found a directory",
    "serve ''": "expected a directory, or a puzzle file, found ''",
    "generate --seed-words '???'": "expected a seed word over the alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZ, found '???'",
}


@pytest.mark.parametrize("command", REFUSED)
def test_bad_input_is_told_in_one_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(command))
    assert (done.code, done.out, done.complaints) == (2, "", [f"cpfill: {REFUSED[command]}"])


def test_the_example_of_batch_is_a_file_of_jobs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("aa\nab\nba\n", encoding="utf-8")
    _, verb, jobs, *options = VERBS["batch"].example.split()
    (tmp_path / jobs).write_text('{"grid": "2x2", "words": ["words.txt"]}\n', encoding="utf-8")
    assert (run(verb, jobs, *options).code, verb) == (0, "batch")
