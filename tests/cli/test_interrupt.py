"""Ctrl-C: the run ends soon, with 130, and what was found is printed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import (
    COMMAND,
    EMPTY_7X7,
    HANG_S,
    INSTANCES,
    SQUARE,
    THREE,
    Outcome,
    assert_right,
    cells_in,
    environment,
    fills_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

FOUR = INSTANCES / "squares" / "4x4.txt"
SETTLED_S = 0.3
"""Time for a search that has begun to get under way."""
SQUARED_S = 0.8
"""Work enough to begin, to read the packaged list and to fill a small square, several times over."""

# Sends itself SIGINT when a module is first looked for, and says which those were where the module is none.
STRUCK = """
import os, runpy, signal, sys

class Looker:
    def find_spec(self, name, *_):
        if name == struck:
            os.kill(os.getpid(), signal.SIGINT)
        names.append(name)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in what runs in the background
struck, names = sys.argv.pop(1), []
sys.meta_path.insert(0, Looker())
try:
    runpy.run_module("cpfill", run_name="__main__", alter_sys=True)
finally:
    if struck == "none":
        print(*names, sep="\\n")
"""


def run_python(program: str, *args: object) -> Outcome:
    command = [sys.executable, "-c", program, *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=HANG_S, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def struck_at(module: str) -> Outcome:
    return run_python(STRUCK, module, "solve", SQUARE, "-w", THREE)


def test_while_modules_are_imported() -> None:
    """One line says so, whichever it is, or, once the search has begun, what it came to.

    The first three, until the program listens, hold nothing that takes time.
    """
    looked_for = dict.fromkeys(struck_at("none").out.splitlines())
    names = [name for name in looked_for if name.startswith(("cpfill", "typer"))]
    assert names[:3] == ["cpfill", "cpfill.__main__", "cpfill.cli"]
    assert len(names) > 60
    for name in names[3::8]:
        done = struck_at(name)
        said = re.sub(r"\((auto, )?\d+\.\d\d s\)", "(N s)", done.err)
        assert (name, done.code, done.out) == (name, 130, "")
        assert said in {"cpfill: interrupted\n", "cpfill: UNKNOWN: no fill found, interrupted, none excluded (N s)\n"}


STRIKING = {
    "a class is made": """
import sys
from cpfill.cli import app, main

class Struck:
    def __set_name__(self, *_): raise KeyboardInterrupt

app.make_command = lambda _: type("Verb", (), {"name": Struck()})
sys.argv = ["cpfill", "info"]
main()
""",
    "an object is deleted": """
import signal, sys, time, weakref
from cpfill.cli import app, main

def work(_):
    deleted = type("Deleted", (), {})()
    kept = weakref.ref(deleted, lambda _: signal.raise_signal(signal.SIGINT))
    del deleted
    time.sleep(5)

app.make_command = work
sys.argv = ["cpfill", "info"]
main()
""",
}


@pytest.mark.parametrize("moment", STRIKING)
def test_where_python_raises_another_error_or_none(moment: str) -> None:
    """Python 3.11 makes another error of what a class raises, and lets nothing be raised where an object is deleted."""
    assert run_python(STRIKING[moment]) == Outcome(130, "", "cpfill: interrupted\n")


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc tells what a process did")


def work_of(process: subprocess.Popen[bytes]) -> float:
    """Return the processor time that a process has taken, in seconds."""
    *_, user, system = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def await_work(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has done enough to have begun, however long that takes."""
    while work_of(process) < SQUARED_S:
        time.sleep(0.02)


@needs_proc
@pytest.mark.parametrize(
    ("verb", "options"),
    [("candidates", ["1-Across", "--json"]), ("candidates", ["--all-letters", "--json"]), ("compare", ["--json"])],
)
def test_a_verb_that_is_interrupted_says_so(verb: str, options: list[str], tmp_path: Path) -> None:
    """It has printed a record by then, and has many more to come; the last record is an end nevertheless."""
    words = tmp_path / "words.txt"
    words.write_text("".join(f"{word}\n" for word in words_of("en") if len(word) == 7))
    with running(verb, EMPTY_7X7, *options, "-w", words) as process:
        if verb == "candidates" and "--all-letters" not in options:
            read_lines(process, 1)
        else:
            await_work(process)
        done = interrupt(process)
    assert (done.code, done.err.splitlines()[-1:]) == (130, ["cpfill: interrupted"])
    assert done.ends == done.records[-1:]


@contextmanager
def running(*args: object) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [*COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), bufsize=0
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_lines(process: subprocess.Popen[bytes], count: int) -> str:
    """Return the first lines on standard output; they are there when the search is."""
    assert process.stdout
    return b"".join(process.stdout.readline() for _ in range(count)).decode()


def interrupt(process: subprocess.Popen[bytes], times: int = 1) -> Outcome:
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.03)
    out, err = process.communicate(timeout=HANG_S)
    return Outcome(process.returncode, out.decode(), err.decode())


@pytest.fixture
def four_letter_words(tmp_path: Path) -> Path:
    """Few enough for a model to be built at once, enough for fills without number."""
    words = sorted((-score, word) for word, score in words_of("en").items() if len(word) == 4)[:1600]
    path = tmp_path / "four.txt"
    path.write_text("".join(f"{word};{-score:g}\n" for score, word in words), encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ["cpsat", "fc"])
def test_a_hard_grid(engine: str) -> None:
    with running("solve", SQUARE, EMPTY_7X7, FOUR, "-w", "en", "-e", engine) as process:
        first = read_lines(process, 3)
        time.sleep(SETTLED_S)
        done = interrupt(process)
    assert done.code == 130
    (fill,) = fills_of(first + done.out)  # no search for the third grid began
    assert_right(fill, cells_in(SQUARE), words_of("en"))
    assert ": UNKNOWN: no fill found, interrupted, none excluded" in done.complaints[-1]
    assert len(done.complaints) == 2


@pytest.mark.parametrize("engine", ["cpsat", "fc"])
def test_an_enumeration(engine: str, four_letter_words: Path) -> None:
    with running("solve", FOUR, "-w", four_letter_words, "-a", "-e", engine) as process:
        first = read_lines(process, 5)
        done = interrupt(process)
    fills = fills_of(first + done.out)
    assert done.code == 130
    assert len(set(fills)) == len(fills)
    for fill in fills:
        assert_right(fill, cells_in(FOUR), words_of(four_letter_words))
    (line,) = done.complaints
    assert line.startswith(f"cpfill: {len(fills)} fill")
    assert "interrupted; there may be more" in line


def test_the_best_so_far(four_letter_words: Path) -> None:
    with running("solve", FOUR, "--weighted", four_letter_words, "-e", "fc", "--json") as process:
        first = ""
        while '"found"' not in first:
            first = read_lines(process, 1)
        done = interrupt(process)
    last = done.records[-1]
    assert last["done"]
    if done.code == 130:  # the best fill may have been proved meanwhile
        assert (last["status"], last["reason"]) == ("SATISFIED", "interrupted")
        assert "best so far: minimum score" in done.err


def test_json_ends_with_the_result_and_its_times() -> None:
    with running("solve", EMPTY_7X7, "--json", "-e", "fc") as process:
        read_lines(process, 1)
        time.sleep(SETTLED_S)
        done = interrupt(process)
    last = done.records[-1]
    assert done.code == 130
    assert (last["done"], last["status"], last["reason"]) == (True, "UNKNOWN", "interrupted")
    assert last["stats"]["build_s"] + last["stats"]["search_s"] > 0
    assert "0.00 s" not in done.err


def test_the_file_has_what_was_found(tmp_path: Path, four_letter_words: Path) -> None:
    target = tmp_path / "out.txt"
    with running("solve", FOUR, "-w", four_letter_words, "-a", "-e", "fc", "-o", target) as process:
        while not any(path.stat().st_size for path in tmp_path.glob(".out.txt*")):
            time.sleep(0.05)
        done = interrupt(process)
    assert (done.code, done.out) == (130, "")
    fills = fills_of(target.read_text(encoding="utf-8"))
    assert done.err.startswith(f"cpfill: {len(fills)} fill")
    assert "interrupted" in done.err
    assert not list(tmp_path.glob(".out.txt*"))


def test_the_file_has_what_was_found_when_the_terminal_goes(tmp_path: Path, four_letter_words: Path) -> None:
    target = tmp_path / "out.txt"
    ours, terminal = pty.openpty()
    command = [*COMMAND, "solve", str(FOUR), "-w", str(four_letter_words), "-a", "-e", "fc", "-o", str(target)]
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup, which is inherited
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=environment()) as process:
        signal.signal(signal.SIGHUP, hangup)
        os.close(terminal)
        while not any(path.stat().st_size for path in tmp_path.glob(".out.txt*")):
            time.sleep(0.05)
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        assert process.wait(HANG_S) == 130
    assert fills_of(target.read_text(encoding="utf-8"))
    assert not list(tmp_path.glob(".out.txt*"))


def test_the_best_designs_so_far() -> None:
    with running("generate", "--size", "7x7", "--filled", "--objective", "min", "-n", "2", "--json") as process:
        first = ""
        while '"design": 2' not in first:
            first += read_lines(process, 1)
        done = interrupt(process)
    records = done.records
    grids = [each for each in records if each.get("event") == "grid"]
    assert done.code == 130
    assert len(grids) == 2
    assert grids[0]["value"] >= grids[1]["value"]
    assert (records[-1]["status"], records[-1]["reason"]) == ("SATISFIED", "interrupted")


@needs_proc
def test_compare_shows_the_rows_it_has() -> None:
    with running("compare", SQUARE, EMPTY_7X7, "-e", "fc", "-e", "fc-cbj", "-t", "1h", "-w", "en") as process:
        await_work(process)
        done = interrupt(process)
    assert done.code == 130
    assert "Traceback" not in done.err
    assert "SATISFIED" in done.out


@pytest.mark.parametrize("attempt", range(3))
def test_the_impatient(attempt: int) -> None:
    """Ctrl-C again and again; what happens hangs on the moment, hence several attempts."""
    with running("solve", EMPTY_7X7, "-e", "cpsat", "--json") as process:
        read_lines(process, 1)
        time.sleep((1 + attempt) * SETTLED_S)  # it makes a model, or the solver is at work
        done = interrupt(process, times=4)
    assert done.code in {130, -signal.SIGINT}
    assert "terminate called" not in done.err
    assert "Traceback" not in done.err


def test_waiting_for_standard_input() -> None:
    """The grid has not ended yet: the program takes it out of the pipe as soon as it reads."""
    theirs, ours = os.pipe()
    command = [*COMMAND, "solve", "-", "-w", str(THREE)]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        os.write(ours, b"...")
        while int.from_bytes(fcntl.ioctl(theirs, termios.FIONREAD, bytes(4)), sys.byteorder):
            time.sleep(0.02)
        done = interrupt(process)
    os.close(theirs)
    os.close(ours)
    assert done.code == 130
    assert "Traceback" not in done.err
