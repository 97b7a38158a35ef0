"""Progress is for a person at a terminal, on standard error; standard output holds the fill alone."""

from __future__ import annotations

import os
import pty
import re
import subprocess

from tests.cli.program import (
    COMMAND,
    EMPTY_7X7,
    HANG_S,
    INSTANCES,
    TINY,
    assert_right,
    at_terminal,
    cells_in,
    words_of,
)

A = INSTANCES / "assignment" / "A.txt"
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def test_progress_on_a_terminal() -> None:
    done = at_terminal("solve", A, EMPTY_7X7, "-e", "fc", "-t", "1s")
    (fill,) = done.fills
    assert_right(fill, cells_in(A), words_of("en"))
    assert "\x1b" not in done.out
    assert "fc: " in done.err
    assert "\x1b[" in done.err
    assert "UNKNOWN: no fill found, time is over" in done.err


def test_the_time_and_the_best_fill_so_far_are_shown() -> None:
    grid = INSTANCES / "assignment" / "B.txt"
    done = at_terminal("solve", grid, "--objective", "sum", "-e", "fc", "-t", "2s")
    words, cells = words_of("en"), cells_in(grid)
    lines = COLOUR.sub("", done.err).replace("\r", "\n").splitlines()
    assert any(re.search(r"fc: .*, [0-2] s, .*value \d+", line) for line in lines)
    rows = [line.strip() for line in lines if re.fullmatch(r"[A-Z#]{7}", line.strip())]
    assert len(rows) >= len(cells)
    first = tuple(rows[: len(cells)])
    assert_right(first, cells, words)


def test_the_cursor_is_shown_again_and_the_line_cleared() -> None:
    done = at_terminal("solve", EMPTY_7X7, "-e", "fc", "-t", "0.5s")
    assert done.err.rfind("\x1b[?25h") > done.err.rfind("\x1b[?25l") >= 0
    last = re.split(r"\x1b\[2K|\n", done.err.rstrip("\n"))[-1]
    assert last.startswith("cpfill: UNKNOWN")


def test_no_colour() -> None:
    done = at_terminal("solve", EMPTY_7X7, "-e", "fc", "-t", "0.5s", NO_COLOR="1")
    assert "fc: " in done.err
    assert not COLOUR.search(done.err)


def test_a_dumb_terminal() -> None:
    done = at_terminal("solve", EMPTY_7X7, "-e", "fc", "-t", "0.5s", TERM="dumb")
    assert "\x1b" not in done.err
    assert "\r" not in done.err
    assert done.err.startswith("cpfill: UNKNOWN")


def test_quiet_is_quiet() -> None:
    """A script's author who asks for quiet sees no spinner either, or at least nothing that stays."""
    done = at_terminal("solve", EMPTY_7X7, "-e", "fc", "-t", "0.5s", "-q")
    assert "cpfill:" not in done.err


def test_compare_on_a_terminal() -> None:
    done = at_terminal("compare", A, "-e", "fc", "-e", "fc-cbj")
    assert done.code == 0
    assert "fc-cbj" in done.err
    assert "\x1b" not in done.out


def test_a_grid_that_is_typed_ends_once() -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "solve", "/dev/stdin", "-w", str(TINY / "three.words.txt"), "-e", "fc"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, text=True) as process:
        os.write(ours, b"...\n...\n...\n\x04")
        try:
            assert len(process.communicate(timeout=HANG_S)[0].split()) == 3
        finally:
            process.kill()
            os.close(ours)
            os.close(theirs)
