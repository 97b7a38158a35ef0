"""The program as a whole: help, version, and what becomes of its streams."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest
import typer.main

import cpfill
from cpfill.base.texts import ENGLISH, spoken
from cpfill.cli.app import make_command
from tests.cli.program import COMMAND, HANG_S, INSTANCES, SQUARE, THREE, TINY, Outcome, environment, fills_of, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Run

VERBS: dict[str, Any] = dict(vars(typer.main.get_command(make_command()))["commands"])
ALL = ("solve", SQUARE, "-w", THREE, "--repeats", "-a", "-e", "fc")

WITHOUT_CODES = {"info", "bench", "estimate", "stats", "words"}
"""Verbs that have no exit code of their own, or other verbs under them."""


def test_help_lists_the_verbs() -> None:
    done = program("--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: ")
    assert {"solve", "compare", "check", "info", "bench", "count", "explain", "estimate", "words"} <= set(VERBS)
    assert all(f"\n  {verb} " in done.out for verb in VERBS)


def test_a_run_in_this_process_leaves_it_as_it_was(run: Run) -> None:
    """Each run turns the collector off, and speaks a language: without one, workers grow to gigabytes."""
    assert run("--lang", "fr", "info", SQUARE).code == 0
    assert gc.isenabled()
    assert spoken() == ENGLISH


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_of_a_verb(run: Run, verb: str) -> None:
    done = run(verb, "--help")
    assert (done.code, done.err) == (0, "")
    assert "Exit codes:" in done.out or verb in WITHOUT_CODES
    assert max(map(len, done.out.splitlines())) <= 110
    assert run(verb, "-h").out == done.out
    for parameter in VERBS[verb].params:
        assert parameter.help, parameter.name
        for option in parameter.opts:
            assert option in done.out or not option.startswith("-")


def test_the_library_takes_a_size_too() -> None:
    assert cpfill.solve("3x3", THREE).status is cpfill.Status.SATISFIED
    assert cpfill.make_problem("2x3").grid.width == 3


MISSING: dict[str, tuple[tuple[object, ...], str]] = {
    "distributed": (("batch", SQUARE, "--scheduler", "tcp://127.0.0.1:8786"), "pip install distributed"),
    "matplotlib": (("words", "heatmap", THREE, "-o", "x.png"), "pip install matplotlib"),
    "mcp.types": (("mcp",), "pip install 'cpfill[mcp]'"),
}


@pytest.mark.parametrize("module", MISSING)
def test_a_missing_package_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    args, told = MISSING[module]
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    (line,) = done.complaints
    assert line.startswith("cpfill: ")
    assert line.endswith(told)


def test_version() -> None:
    done = program("--version")
    assert (done.code, done.out, done.err) == (0, f"{version('cpfill')}\n", "")


def to_head(*args: object) -> tuple[int, str, str]:
    """Run the program into a pipe that nobody reads to its end; return its code, the first line and its errors."""
    with subprocess.Popen(
        [*COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), bufsize=0
    ) as running:
        assert running.stdout
        assert running.stderr
        first = running.stdout.readline().decode()
        running.stdout.close()
        err = running.stderr.read().decode()
        return running.wait(HANG_S), first, err


@pytest.mark.parametrize(
    "args",
    [
        ALL,
        (*ALL, "--json"),
        ("solve", INSTANCES / "squares" / "4x4.txt", "-a", "-e", "fc"),
        ("solve", INSTANCES / "squares" / "4x4.txt", "-a", "-e", "fc", "--json"),
    ],
    ids=["text", "json", "endless text", "endless json"],
)
def test_a_reader_who_has_enough(args: tuple[object, ...]) -> None:
    """`cpfill … | head -1`: no complaint, and no code that means a fault of the program."""
    code, first, err = to_head(*args)
    assert first
    assert "Traceback" not in err
    assert all(line.startswith("cpfill: ") for line in err.splitlines())
    assert code != 1, err


@pytest.mark.parametrize(
    "args",
    [
        ("info", INSTANCES / "classic" / "23.01.txt"),
        ("compare", SQUARE, "-w", THREE, "-e", "fc"),
        ("check", SQUARE, "-w", THREE),
        ("--help",),
    ],
    ids=["info", "compare", "check", "help"],
)
def test_a_reader_who_is_gone(args: tuple[object, ...]) -> None:
    piped = ["sh", "-c", '{ "$@"; echo "code $?" >&2; } | true', "sh", *COMMAND, *map(str, args)]
    done = subprocess.run(piped, capture_output=True, text=True, env=environment(), timeout=HANG_S, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "code 120" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("solve", SQUARE, "-w", THREE, "-e", "fc"),
        ("solve", SQUARE, "-w", THREE, "-e", "fc", "--json"),
        ("info", SQUARE),
        ("check", SQUARE, "-w", THREE),
        ("compare", SQUARE, "-w", THREE, "-e", "fc"),
        ("--version",),
    ],
    ids=["solve", "json", "info", "check", "compare", "version"],
)
def test_standard_output_is_full(args: tuple[object, ...]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [*COMMAND, *map(str, args)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=HANG_S,
            check=False,
        )
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert "no space left on device" in done.stderr


GIVEN = (SQUARE, "-w", THREE)
# Arguments of each verb that print something, with the exit code.
PRINTING: list[tuple[tuple[object, ...], int]] = [
    (("--help",), 0),
    (("--version",), 0),
    (("solve", *GIVEN), 0),
    (("solve", *GIVEN, "--json"), 0),
    (("solve", *GIVEN, "--to", "ipuz"), 0),
    (("solve", *GIVEN, "-o", "-"), 0),
    (("solve", *GIVEN, "-o", "/dev/stdout"), 0),
    (("compare", *GIVEN, "-e", "fc"), 0),
    (("check", *GIVEN), 1),
    (("explain", *GIVEN, "--min-score", "99"), 20),
    (("count", *GIVEN), 0),
    (("batch", *GIVEN), 0),
    (("estimate", *GIVEN), 0),
    (("generate", "--size", "4x4", "--style", "free"), 0),
    (("convert", SQUARE, "-", "--to", "svg"), 0),
    (("info", *GIVEN), 0),
    (("stats", *GIVEN), 0),
    (("words", "info", THREE), 0),
    (("words", "filter", THREE), 0),
    (("bench", "run", "--help"), 0),
]


@contextmanager
def closed(stream: str) -> Iterator[None]:
    """Have no stream of that name, as Python has none where one is closed when the program starts."""
    before = getattr(sys, stream)
    setattr(sys, stream, None)
    try:
        yield
    finally:
        getattr(sys, stream).close()
        setattr(sys, stream, before)


LOST = ["cpfill: expected standard output that can be written, found bad file descriptor"]


@pytest.mark.parametrize(("args", "code"), PRINTING, ids=[" ".join(map(str, args)) for args, _ in PRINTING])
def test_a_stream_is_closed(run: Run, args: tuple[object, ...], code: int) -> None:
    with closed("stdout"):
        lost = run(*args)
    assert (lost.code, lost.complaints[-1:]) == (2, LOST)  # `compare` has said before what it does
    with closed("stderr"):
        told = run(*args)
    assert (told.code, bool(told.out)) == (code, True)


def closing(stream: str, args: tuple[object, ...]) -> Outcome:
    """Run the program as a daemon would start it."""
    command = ["sh", "-c", f'exec "$@" {stream}', "sh", *COMMAND, *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=HANG_S, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_standard_output_is_closed_as_it_starts() -> None:
    lost = closing(">&-", ("solve", *GIVEN))
    assert (lost.code, lost.complaints) == (2, LOST)


@pytest.mark.parametrize("streams", ["<&-", "2>&-", "<&- 2>&-"])
def test_other_streams_are_closed_as_it_starts(streams: str) -> None:
    told = closing(streams, ("solve", *GIVEN))
    assert (told.code, len(told.fills), "Traceback" in told.err) == (0, 1, False)


def test_a_file_needs_no_standard_output(tmp_path: Path) -> None:
    done = closing(">&-", ("solve", *GIVEN, "-o", tmp_path / "out.txt"))
    assert done.code == 0
    assert len(fills_of((tmp_path / "out.txt").read_text(encoding="utf-8"))) == 1


def test_a_terminal_that_knows_ascii_alone() -> None:
    """Letters it cannot show are no fault of the program."""
    grid, words = TINY / "spanish-given.txt", TINY / "spanish.words.txt"
    done = program("solve", grid, "-w", words, "--alphabet", "es", "-e", "fc", PYTHONIOENCODING="ascii")
    assert "Traceback" not in done.err
    assert done.code in {0, 2}
    told = program("solve", grid, "-w", words, "--alphabet", "es", "-e", "fc", "--json", PYTHONIOENCODING="ascii").out
    assert "Ñ" in str([json.loads(line) for line in told.splitlines()])


def options_of(command: Any) -> Iterator[tuple[str, str]]:
    """Yield the first long name of every option of every verb that has a short one, with that."""
    for inner in getattr(command, "commands", {}).values():
        yield from options_of(inner)
    for option in command.params:
        shorts = [name for name in option.opts if len(name) == 2]
        yield from ((short, option.opts[0]) for short in shorts)


def test_a_short_option_means_one_thing_in_every_verb() -> None:
    found = set(options_of(typer.main.get_command(make_command())))
    assert len(found) > 12
    assert len({short for short, _ in found}) == len(found)
