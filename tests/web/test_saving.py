"""Files in a directory that several servers change at once, as several processes do."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from subprocess import PIPE
from typing import TYPE_CHECKING

import cpfill
from cpfill.base.files import _fcntl
from cpfill.web.files import Folder
from cpfill.web.wire import parse_puzzle
from cpfill.words.sources import set_score
from tests.cli.program import environment
from tests.web.support import Client, puzzle

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ROUNDS = 60
SAVER = """
import sys
from pathlib import Path
from cpfill.web.files import ConflictError, Folder
from cpfill.web.wire import parse_puzzle

folder, letter = Folder(Path(sys.argv[1])), sys.argv[2]
for line in sys.stdin:
    try:
        tag = folder.save("a.ipuz", parse_puzzle({"height": 1, "width": 2, "cells": ["A", letter]}), line.strip())
    except ConflictError:
        tag = "conflict"
    print(tag, flush=True)
"""


def test_of_two_processes_that_read_one_file_one_saves_it(tmp_path: Path) -> None:
    """Each round both are given the same tag at the same time; the answers say what then stands in the file."""
    tag = Folder(tmp_path).save("a.ipuz", parse_puzzle(puzzle("AB")), None)
    command = [sys.executable, "-c", SAVER, str(tmp_path)]
    savers = [
        subprocess.Popen([*command, letter], stdin=PIPE, stdout=PIPE, text=True, env=environment()) for letter in "CD"
    ]
    try:
        for number in range(ROUNDS):
            for saver in savers[:: 1 if number % 2 else -1]:
                assert saver.stdin
                saver.stdin.write(f"{tag}\n")
                saver.stdin.flush()
            answers = [saver.stdout.readline().strip() for saver in savers if saver.stdout]
            assert answers.count("conflict") == 1, number
            (tag,) = [answer for answer in answers if answer != "conflict"]
            saved = cpfill.read_puzzle(tmp_path / "a.ipuz").cells[1]
            assert saved == "CD"[answers.index(tag)], number
            tag = Folder(tmp_path).save("a.ipuz", parse_puzzle(puzzle("AB")), tag)
    finally:
        for saver in savers:
            saver.kill()
            saver.communicate()


def test_a_file_system_without_locks_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Network drives refuse to lock a directory."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(_fcntl, "flock", refuse)
    Folder(tmp_path).save("a.ipuz", parse_puzzle(puzzle("AB")), None)
    assert cpfill.read_puzzle(tmp_path / "a.ipuz").cells == ("A", "B")
    set_score("cat", 0.0, tmp_path / "words.txt")
    assert (tmp_path / "words.txt").read_text() == "cat;0\n"


def test_a_puzzle_that_the_file_has_already_is_no_conflict(client: Client, folder: Path) -> None:
    """An answer that was lost, a disk that was full after the file was replaced, or another program that wrote it."""
    record = puzzle("AB#", "C..", clues={"1-Across": "a  clue"}, metadata={"notes": "two\nlines"})
    first = client.ask("PUT", "/api/puzzles/a.ipuz", record, {"If-None-Match": "*"}).record["etag"]
    again = client.ask("PUT", "/api/puzzles/a.ipuz", record, {"If-None-Match": "*"})
    assert (again.status, again.record["etag"]) == (200, first)
    path = folder / "a.ipuz"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=7))
    written = path.read_bytes()
    found = client.ask("PUT", "/api/puzzles/a.ipuz", record, {"If-Match": first})
    assert (found.status, path.read_bytes()) == (200, written)
    assert found.record["etag"] == client.ask("GET", "/api/puzzles/a.ipuz").headers["ETag"] != first
    other = puzzle("AB#", "C.D", clues={"1-Across": "a  clue"})
    assert client.ask("PUT", "/api/puzzles/a.ipuz", other, {"If-Match": first}).status == 412
    saved = client.ask("PUT", "/api/puzzles/a.ipuz", other, {"If-Match": found.record["etag"]})
    assert (saved.status, client.ask("GET", "/api/puzzles/a.ipuz").record["cells"][-1]) == (200, "D")


def test_a_file_is_copied_as_it_is(client: Client, folder: Path) -> None:
    path, data = folder / "a.ipuz", b"no puzzle at all \xff"
    path.write_bytes(data)
    os.utime(path, (1000, 1000))
    tag = client.ask("PUT", "/api/puzzles/a.ipuz", puzzle("AB"), {"If-None-Match": "*"}).record["etag"]

    def copy(to: str, keep: object = True) -> int:
        return client.ask("POST", "/api/puzzles/a.ipuz", {"to": to, "keep": keep}, {"If-Match": tag}).status

    assert [copy("a.ipuz"), copy("../b.ipuz"), copy("b.txt"), copy("b.ipuz", "yes")] == [412, 400, 400, 400]
    assert copy("b.ipuz") == 200
    assert (path.read_bytes(), (folder / "b.ipuz").read_bytes()) == (data, data)
    assert (folder / "b.ipuz").stat().st_mtime == 1000
    assert copy("b.ipuz") == 412


def test_the_puzzle_that_was_saved_last_is_told(client: Client, folder: Path) -> None:
    def recent() -> object:
        return client.ask("GET", "/api/puzzles").record["recent"]

    assert recent() is None
    for age, name in enumerate(["b.ipuz", "c.ipuz", "a.ipuz"]):
        client.ask("PUT", f"/api/puzzles/{name}", puzzle("AB"), {"If-None-Match": "*"})
        os.utime(folder / name, (1000 - age, 1000 - age))
    assert recent() == "b.ipuz"
    tag = client.ask("GET", "/api/puzzles/c.ipuz").headers["ETag"]
    client.ask("PUT", "/api/puzzles/c.ipuz", puzzle("XY"), {"If-Match": str(tag)})
    assert recent() == "c.ipuz"
    (folder / "c.ipuz").rename(folder / "d.ipuz")
    assert recent() == "d.ipuz"
    (folder / "d.ipuz").unlink()
    assert recent() == "b.ipuz"


def test_a_damaged_personal_list_is_read_and_deleted_and_can_be_left_out(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert client.ask("GET", "/api/words").status == 404
    path, data = tmp_path / "cpfill" / "words.txt", b"cat;5\n\xff\xfe\x00"
    path.parent.mkdir()
    path.write_bytes(data)
    for own in ({}, {"personal": None}):
        asked = {"puzzle": puzzle("..."), "slot": "1-Across", "request": {"words": ["mine.txt"], **own}}
        answer = client.ask("POST", "/api/candidates", asked)
        told = answer.records[0]
        assert ("words" in told) == bool(own)
        assert own or told["error"].startswith(f"{path}:2: expected UTF-8 text")
    assert client.ask("GET", "/api/words").body == data
    assert client.ask("DELETE", "/api/words").status == 200
    assert not path.exists()
    assert client.ask("DELETE", "/api/words").status == 200
    assert client.ask("POST", "/api/words", {"ban": "cat"}).status == 200
    assert client.ask("GET", "/api/words").body == b"cat;0\n"
