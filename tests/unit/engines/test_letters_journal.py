"""The journal of `letters`: whatever kills a run, and wherever, the next one tells every fill once, in order."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from cpfill.base.errors import EngineError, InputError
from cpfill.base.records import seal, unseal
from cpfill.engines.letters import journal
from cpfill.engines.letters.cubes import search_cube
from cpfill.engines.letters.engine import LettersEngine
from cpfill.engines.letters.journal import FORMAT
from cpfill.problem.event import Found, StopReason
from tests.support import ROOT, run
from tests.unit.engines.test_letters import ASKED, EVERY, WORDS, counted, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cpfill.engines.letters._letters import Kernel
    from cpfill.engines.letters.cubes import Cube, CubeSlice
    from cpfill.testing.brute_force import Rows

FILLS = in_order(ASKED, reverse=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def told(path: Path, asked: Any = ASKED, *, workers: int = 1, reverse: bool = False) -> list[Rows]:
    engine = LettersEngine(resume=str(path), reverse=reverse)
    found = run(engine, asked.problem(), replace(EVERY, workers=workers)).found
    return [rows for rows, _ in found]


@pytest.mark.parametrize(("workers", "reverse"), [(1, False), (2, True)])
def test_a_journal_changes_no_fill(path: Path, workers: int, reverse: bool) -> None:
    everything = in_order(ASKED, reverse=reverse)
    assert told(path, workers=workers, reverse=reverse) == everything
    whole = path.read_bytes()
    assert told(path, workers=3 - workers, reverse=reverse) == everything  # all out of the journal
    assert path.read_bytes() == whole
    header, *lines = map(json.loads, whole.splitlines())
    assert sorted(line["cube"] for line in lines) == list(range(header["cubes"]))
    assert sum(line["fills"] for line in lines) == len(everything)
    begin = whole.index(b"\n") + 1
    places = Random(5).sample(range(begin, len(whole)), 8)
    damaged = [whole[:place] for place in (0, 20, begin - 1, begin, *places, len(whole) - 1)]
    first, last = sorted(places[:2])
    damaged.append(whole[:first] + bytes(last - first) + whole[last:])  # lost when the machine crashed
    for left in damaged:
        path.write_bytes(left)
        assert told(path, reverse=reverse) == everything
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


# A run as a program: it writes each fill to a file, flushed, as the command line does, slowly enough to be killed.
PROGRAM = """
import sys, time
from cpfill import Alphabet, Found, Limits, make_problem
from cpfill.engines.letters import cubes, engine
from cpfill.engines.letters.engine import LettersEngine

def search_slowly(*asked, search=cubes.search_cube, **more):
    time.sleep(0.005)
    return search(*asked, **more)

cubes.search_cube = engine.search_cube = search_slowly
journal, output, workers, words = sys.argv[1:]
problem = make_problem("...\\n...\\n...", words.split(), alphabet=Alphabet("ABCDE"))
with open(output, "w") as out:
    limits = Limits(fills=None, workers=int(workers))
    for event in LettersEngine(resume=journal).search(problem, limits):
        if isinstance(event, Found):
            print("".join(event.fill.letters), file=out, flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_often_tells_every_fill_once(path: Path, tmp_path: Path, workers: int) -> None:
    everything = list(map("".join, FILLS))
    output = tmp_path / "output"
    program = [sys.executable, "-c", PROGRAM, str(path), str(output), str(workers), " ".join(WORDS)]
    random = Random(workers)
    killed = 0
    path.touch()
    for _ in range(5):
        enough = path.stat().st_size + random.randrange(3000)
        with subprocess.Popen(program, cwd=ROOT) as process:
            while process.poll() is None and path.stat().st_size <= enough:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        killed += process.returncode == -signal.SIGKILL
        lines = output.read_text().split("\n")[:-1]
        assert lines == everything[: len(lines)]
    assert killed >= 3
    subprocess.run(program, cwd=ROOT, check=True)
    assert output.read_text().splitlines() == everything


def test_a_count_goes_on_where_it_stopped(path: Path) -> None:
    fills = [0]
    reason = StopReason.NODES
    while reason is StopReason.NODES:
        so_far, last = counted(ASKED.problem(), replace(EVERY, nodes=300), resume=str(path))
        fills.append(so_far or 0)
        reason = last.reason
        assert len(fills) < 50
    assert fills == sorted(fills)
    assert len(fills) > 3
    assert fills[-1] == len(FILLS)
    assert b"letters" not in path.read_bytes().partition(b"\n")[2]
    assert counted(ASKED.problem(), replace(EVERY, fills=3), resume=str(path))[0] == 3


def test_a_fault_in_a_thread_loses_no_cube(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_in_time(kernel: Kernel, cube: Cube, *rest: Any) -> Iterator[CubeSlice]:
        if cube.number == 60:
            raise MemoryError("no room")
        return search_cube(kernel, cube, *rest)

    before = threading.active_count()
    with monkeypatch.context() as patch:
        patch.setattr("cpfill.engines.letters.cubes.search_cube", fail_in_time)
        with pytest.raises(EngineError, match="no room"):
            told(path, workers=2)
    assert threading.active_count() == before
    assert path.read_text().count("\n") > 20
    assert told(path) == FILLS


def refusal(path: Path, *, problem: Any = None, **options: Any) -> str:
    """Return the one line with which a journal is refused; it is left as it was."""
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        list(LettersEngine(resume=str(path), **options).search(problem or ASKED.problem(), EVERY))
    assert path.read_bytes() == before
    (line,) = str(caught.value).splitlines()
    assert line.startswith(str(path))
    return line.removeprefix(str(path))


@pytest.mark.parametrize(
    ("difference", "changed"),
    {
        "grid": {"cells": (("ABCDE",) * 3, ("ABCDE", "A", "ABCDE"), ("ABCDE",) * 3)},
        "words": {"words": dict.fromkeys(WORDS[1:], 50.0)},
        "repeats": {"repeats": True},
        "no_shared": {"no_shared": True},
        "max_obscure": {"max_obscure": 1, "below": 2.0},
        "required": {"required": frozenset(WORDS[:1])},
    }.items(),
)
def test_the_journal_of_another_search_is_refused(path: Path, difference: str, changed: dict[str, Any]) -> None:
    told(path)
    assert difference in refusal(path, problem=replace(ASKED, **changed).problem())
    assert "reverse" in refusal(path, reverse=True)
    with pytest.raises(InputError, match="counts"):
        counted(ASKED.problem(), resume=str(path))


def test_words_of_other_lengths_change_no_search(path: Path) -> None:
    told(path)
    words = [*WORDS, "ABCD", "AB"]
    assert told(path, replace(ASKED, words=dict.fromkeys(words, 50.0))) == FILLS


def test_endless_files_are_no_journals(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(path)
    whole = path.read_bytes()
    monkeypatch.setattr(journal, "MAX_CUBE_BYTES", 1 << 20)
    for begin, expected in ((b"", ":1: expected a cpfill journal of cubes"), (whole, "lines of at most 1 MB each")):
        path.write_bytes(begin)
        os.truncate(path, 10 << 30)
        with pytest.raises(InputError, match=expected):
            told(path)


def test_a_cube_that_no_line_holds_is_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_CUBE_BYTES", 100)
    monkeypatch.setattr(journal, "megabytes", lambda size: f"at most {size} bytes")
    with pytest.raises(InputError, match="fills of a cube that take at most 100 bytes in a journal, found more"):
        told(path)


def resealed(line: bytes, **changed: object) -> bytes:
    return seal({**(unseal(line) or {}), **changed})


DAMAGES: list[tuple[int, Callable[[bytes, bytes], bytes]]] = [
    (1, lambda _, first: b"{}\n" + first),
    (1, lambda *_: b"word\nlist\n"),
    (1, lambda *_: b"a file of no line end"),
    (1, lambda header, first: header.replace(b'"version": 4', b'"version": 3') + first),
    (1, lambda header, first: header.replace(b'"depth": ', b'"depth": 9') + first),
    (1, lambda header, first: resealed(header, depth=99) + first),
    (1, lambda header, first: resealed(header, cubes="9") + first),
    (1, lambda header, first: header[:-1] + b"x" + first),
    (1, lambda header, first: header.replace(b'"cubes": ', b'"cubes": 1') + first),
    (1, lambda header, first: header.replace(b'"version"', b'"seen": 1, "version"') + first),
    (2, lambda header, first: header + b"[]\n" + first),
    (2, lambda header, first: header + b"[" * 990 + b"\n" + first),
    (2, lambda header, _: header + b'{"cube": ' + b"9" * 5000 + b"}\n"),
    (2, lambda header, _: header + seal({"cube": 0})),
    (2, lambda header, _: header + seal({"cube": True, "fills": 0, "letters": 1})),
    (2, lambda header, _: header + seal({"cube": 99999, "fills": 0, "letters": ""})),
    (2, lambda header, _: header + seal({"cube": 0, "fills": 1, "letters": "ABC"})),
    (2, lambda header, _: header + seal({"cube": 0, "fills": 1})),
    (2, lambda header, first: header + first.replace(b'"cube": ', b'"cube": 1')),
    (3, lambda header, first: header + first + first),
]


def test_a_damaged_journal_is_refused(path: Path) -> None:
    told(path)
    header, first, *rest = path.read_bytes().splitlines(keepends=True)
    for line, damage in DAMAGES:
        path.write_bytes(damage(header, first))
        assert refusal(path).startswith(f":{line}: expected ")
    path.write_bytes(resealed(header, cubes=10_000) + first)
    assert "cubes" in refusal(path)
    entry = unseal(next(line for line in rest if b'"letters": "A' in line))
    assert entry
    path.write_bytes(header + seal({**entry, "cube": 0, "letters": entry["letters"][::-1]}))
    assert "words" in refusal(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "directory"),
        ("/dev/full", "a file to keep a journal in"),
        ("/dev/zero", "a file to keep a journal in"),
        ("nowhere/journal", "no such file"),
    ],
)
def test_other_places_hold_no_journal(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        told(tmp_path / name)


def test_a_journal_serves_one_search_at_a_time(path: Path) -> None:
    with closing(LettersEngine(resume=str(path)).search(ASKED.problem(), EVERY)) as stream:
        assert any(isinstance(event, Found) for event in stream)
        assert path.read_text().startswith(f'{{"format": "{FORMAT}"')
        with pytest.raises(InputError, match="in use"):
            told(path)


def test_a_disk_that_cannot_be_forced_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", Mock(side_effect=full))
        with pytest.raises(InputError, match="room to write the journal, found no space left"):
            told(path)
    assert told(path) == FILLS


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_loses_no_finished_cube(path: Path, workers: int) -> None:
    room = 2000
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limit[1]))
    try:
        with pytest.raises(InputError, match="room to write the journal, found file too large"):
            told(path, workers=workers)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert path.stat().st_size == room
    assert told(path) == FILLS
