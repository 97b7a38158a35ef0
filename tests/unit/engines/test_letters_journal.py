"""The journal of `letters`: whatever kills a run, and wherever, the next one tells every fill once, in order."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.base.records import seal, unseal
from cpfill.engines.letters import journal
from cpfill.engines.letters.cubes import search_cube
from cpfill.engines.letters.engine import LettersEngine
from cpfill.engines.letters.journal import FORMAT
from cpfill.problem.event import Finished, Found, StopReason
from cpfill.problem.result import Limits
from cpfill.problem.rules import Rules
from tests.support import ROOT, question, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.engines.letters._letters import Kernel
    from cpfill.engines.letters.cubes import Cube, CubeSlice

EVERY = Limits(fills=None)
THREES = [a + b + c for a in "ABCDE" for b in "ABCDE" for c in "ABCDE"]
WORDS = Random(3).sample(THREES, 35)
ASKED = question("...", "...", "...", words=" ".join(WORDS), alphabet="ABCDE")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def told(path: Path | None, **options: Any) -> list[tuple[tuple[str, ...], Any]]:
    workers = options.pop("workers", 1)
    engine = LettersEngine(resume=None if path is None else str(path), **options)
    return run(engine, ASKED.problem(), replace(EVERY, workers=workers)).found


def counted(path: Path | None, limits: Limits = EVERY) -> tuple[int, Finished]:
    *_, last = LettersEngine(resume=None if path is None else str(path)).count(ASKED.problem(), limits)
    assert isinstance(last, Finished)
    assert last.counted is not None
    return last.counted, last


def refusal(path: Path, *, problem: Any = None, **options: Any) -> str:
    """Return the one line with which a journal is refused; it is left as it was."""
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        list(LettersEngine(resume=str(path), **options).search(problem or ASKED.problem(), EVERY))
    assert path.read_bytes() == before
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_journal_changes_nothing_in_what_is_told(path: Path, workers: int) -> None:
    everything = told(None)
    assert told(path, workers=workers) == everything
    written = path.read_bytes()
    assert told(path, workers=3 - workers) == everything  # all out of the journal
    assert path.read_bytes() == written
    header, *lines = [json.loads(line) for line in written.splitlines()]
    assert sorted(line["cube"] for line in lines) == list(range(header["cubes"]))
    assert sum(line["fills"] for line in lines) == len(everything)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_journal_cut_anywhere_goes_on_without_the_line_that_was_cut(path: Path, reverse: bool) -> None:
    everything = told(None, reverse=reverse)
    assert told(path, reverse=reverse) == everything
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    for cut in [0, 20, header - 1, header, *Random(5).sample(range(len(whole)), 6), len(whole) - 1]:
        path.write_bytes(whole[:cut])
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


def start(path: Path, output: Path, workers: int) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-c", PROGRAM, str(path), str(output), str(workers), " ".join(WORDS)]
    return subprocess.Popen(program, cwd=ROOT)


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_ten_times_tells_every_fill_once(path: Path, tmp_path: Path, workers: int) -> None:
    everything = ["".join("".join(rows)) for rows, _ in told(None)]
    output, random, killed = tmp_path / "output", Random(workers), 0
    size = 0
    for _ in range(5):  # ten in both tests
        process = start(path, output, workers)
        more = random.randrange(3000)  # bytes of the journal
        while process.poll() is None and (path.stat().st_size if path.exists() else 0) <= size + more:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        size = path.stat().st_size if path.exists() else 0
        lines = output.read_text().split("\n")[:-1]
        assert lines == everything[: len(lines)]
    assert killed >= 3
    assert start(path, output, workers).wait() == 0
    assert output.read_text().splitlines() == everything


def test_what_a_crash_of_the_machine_left_unwritten_is_searched_again(path: Path) -> None:
    everything = told(path)
    whole = path.read_bytes()
    start, end = sorted(Random(9).sample(range(whole.index(b"\n") + 1, len(whole)), 2))
    path.write_bytes(whole[:start] + bytes(end - start) + whole[end:])
    assert told(path) == everything


def test_a_count_goes_on_where_it_stopped(path: Path) -> None:
    everything, last = counted(None)
    assert last.reason is StopReason.EXHAUSTED
    fills, runs, reason = 0, 0, StopReason.NODES
    while reason is StopReason.NODES:
        so_far, last = counted(path, replace(EVERY, nodes=300))
        assert fills <= so_far
        fills, runs, reason = so_far, runs + 1, last.reason
        assert runs < 50
    assert runs > 2
    assert fills == everything
    assert not any("letters" in line for line in path.read_text().splitlines()[1:])
    assert counted(path, replace(EVERY, fills=3))[0] == 3


def test_what_fails_in_a_thread_loses_no_finished_cube(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = told(None)

    def fail_in_time(kernel: Kernel, cube: Cube, *rest: Any) -> Iterator[CubeSlice]:
        if cube.number == 60:
            raise MemoryError("no room")
        return search_cube(kernel, cube, *rest)

    monkeypatch.setattr("cpfill.engines.letters.cubes.search_cube", fail_in_time)
    stream = LettersEngine(resume=str(path)).search(ASKED.problem(), replace(EVERY, workers=2))
    with closing(stream), pytest.raises(MemoryError):
        list(stream)
    assert path.read_text().count("\n") > 20
    monkeypatch.undo()
    assert told(path) == everything


def test_a_journal_of_another_search_is_refused_and_the_difference_named(path: Path) -> None:
    told(path)
    other = question("...", "..A", "...", words=" ".join(WORDS), alphabet="ABCDE").problem()
    assert "grid" in refusal(path, problem=other)
    other = question("...", "...", "...", words=" ".join(WORDS[1:]), alphabet="ABCDE").problem()
    assert "words" in refusal(path, problem=other)
    problem = ASKED.problem()
    rules = (
        Rules(repeats=True),
        Rules(no_shared=True),
        Rules(max_obscure=1, below=2.0),
        Rules(required=frozenset(WORDS[:1])),
    )
    for changed, rule in zip(rules, ("repeats", "no_shared", "max_obscure", "required"), strict=True):
        assert rule in refusal(path, problem=replace(problem, rules=changed))
    assert "reverse" in refusal(path, reverse=True)
    with pytest.raises(InputError, match="counts"):
        list(LettersEngine(resume=str(path)).count(problem, EVERY))


def test_words_of_other_lengths_make_no_other_search(path: Path) -> None:
    everything = told(path)
    more = question("...", "...", "...", words=" ".join([*WORDS, "ABCD", "AB"]), alphabet="ABCDE").problem()
    assert run(LettersEngine(resume=str(path)), more, EVERY).found == everything


def resealed(line: bytes, **changed: object) -> bytes:
    return seal({**(unseal(line) or {}), **changed})


def test_no_damaged_byte_makes_another_count(path: Path) -> None:
    asked = question("..", "..", words="AB BA AA BB", alphabet="ABC").problem()

    def count() -> int:
        *_, last = LettersEngine(resume=str(path)).count(asked, EVERY)
        assert isinstance(last, Finished)
        assert last.reason is StopReason.EXHAUSTED
        assert last.counted is not None
        return last.counted

    fills = count()
    whole = path.read_bytes()
    assert whole.count(b"\n") > 2
    mended = 0
    random = Random(11)
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        if place == len(whole) - 1:  # the end of the last line: it is as if it were cut
            assert count() == fills
            mended += 1
            continue
        line = 1 + whole.count(b"\n", 0, place)
        with pytest.raises(InputError, match=rf"journal:{line}: expected "):
            count()
        assert path.read_bytes() == damaged
    assert mended == 1


def test_what_has_no_end_is_no_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(path)
    whole = path.read_bytes()
    with path.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(InputError, match="journal:1: expected a cpfill journal of cubes, or a new file"):
        told(path)
    path.write_bytes(whole)
    monkeypatch.setattr(journal, "MAX_CUBE_BYTES", 1 << 20)
    with path.open("r+b") as file:
        file.truncate(10 << 30)
    with pytest.raises(InputError, match="expected lines of at most 1 MB each, found a longer one"):
        told(path)
    with pytest.raises(InputError, match="a file to keep a journal in"):
        told(Path("/dev/zero"))


def test_a_cube_that_no_line_holds_is_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_CUBE_BYTES", 100)
    monkeypatch.setattr(journal, "megabytes", lambda size: f"at most {size} bytes")
    with pytest.raises(InputError, match="fills of a cube that take at most 100 bytes in a journal, found more"):
        list(LettersEngine(resume=str(path)).search(ASKED.problem(), EVERY))


def test_a_damaged_journal_is_refused_in_one_line(path: Path) -> None:
    told(path)
    whole = path.read_bytes()
    header, first, *rest = whole.splitlines(keepends=True)
    entry = unseal(next(line for line in rest if b'"letters": "A' in line))
    assert entry
    damages = [
        (1, b"{}\n" + first),
        (1, b"word\nlist\n"),
        (1, b"a file of no line end"),
        (1, header.replace(b'"version": 4', b'"version": 3') + first),
        (1, header.replace(b'"depth": ', b'"depth": 9') + first),
        (1, resealed(header, depth=99) + first),
        (1, resealed(header, cubes="9") + first),
        (1, header[:-1] + b"x" + first),
        (2, header + b"[]\n" + first),
        (2, header + b"[" * 990 + b"\n" + first),
        (2, header + b'{"cube": ' + b"9" * 5000 + b"}\n"),
        (2, header + seal({"cube": 0})),
        (2, header + seal({"cube": True, "fills": 0, "letters": 1})),
        (2, header + seal({"cube": 99999, "fills": 0, "letters": ""})),
        (2, header + seal({"cube": 0, "fills": 1, "letters": "ABC"})),
        (2, header + seal({"cube": 0, "fills": 1})),
        (2, header + first.replace(b'"cube": ', b'"cube": 1')),
        (3, header + first + first),
    ]
    for line, damaged in damages:
        path.write_bytes(damaged)
        assert refusal(path).startswith(f":{line}: expected ")
    path.write_bytes(resealed(header, cubes=10_000) + first)
    assert "cubes" in refusal(path)
    entry["letters"] = entry["letters"][::-1]
    path.write_bytes(header + seal({**entry, "cube": 0}))
    assert "words" in refusal(path)


def test_a_journal_that_cannot_be_used_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        told(tmp_path)
    with pytest.raises(InputError, match="a file to keep a journal in"):
        told(Path("/dev/full"))
    with pytest.raises(InputError, match="no such file"):
        told(tmp_path / "nowhere" / "journal")
    with closing(LettersEngine(resume=str(path)).search(ASKED.problem(), EVERY)) as stream:
        assert any(isinstance(event, Found) for event in stream)
        assert path.read_text().startswith(f'{{"format": "{FORMAT}"')
        with pytest.raises(InputError, match="in use"):
            told(path)


def test_a_disk_that_is_full_when_it_is_forced_is_told_and_the_journal_let_go(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(InputError, match="room to write the journal, found no space left"):
            told(path)
    assert told(path) == told(None)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_told_in_one_line_and_loses_no_finished_cube(path: Path, workers: int) -> None:
    whole, room = told(None), 2000
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limit[1]))
    try:
        with pytest.raises(InputError, match="room to write the journal, found file too large"):
            told(path, workers=workers)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert path.stat().st_size == room
    assert told(path) == whole
