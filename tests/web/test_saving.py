"""Files in a directory that several servers change at once, as several processes do."""

from __future__ import annotations

import errno
import subprocess
import sys
from subprocess import PIPE
from typing import TYPE_CHECKING

import cpfill
from cpfill.base import system
from cpfill.web.files import Folder
from cpfill.web.wire import parse_puzzle
from cpfill.words.personal import set_score
from tests.cli.program import environment
from tests.web.support import puzzle

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

    monkeypatch.setattr(system._fcntl, "flock", refuse)
    Folder(tmp_path).save("a.ipuz", parse_puzzle(puzzle("AB")), None)
    assert cpfill.read_puzzle(tmp_path / "a.ipuz").cells == ("A", "B")
    set_score("cat", 0.0, tmp_path / "words.txt")
    assert (tmp_path / "words.txt").read_text() == "cat;0\n"
