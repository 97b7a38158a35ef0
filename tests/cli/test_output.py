"""`-o`: the file appears whole and in its place, and nothing found is lost."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.output import Output
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.web.files import Folder
from tests.cli.program import (
    COMMAND,
    HANG_S,
    SQUARE,
    THREE,
    TINY,
    assert_right,
    cells_in,
    environment,
    fills_of,
    program,
)
from tests.cli.program import words_of as words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.testing.brute_force import Rows
    from tests.cli.program import Outcome, Run

HOLDING = """import sys, time
from pathlib import Path
from cpfill.base.files import open_beside
from cpfill.cli.output import Output
handle, _ = open_beside(Path(sys.argv[1]))
with Output(sys.argv[2]) as out:
    out.write("half")
    print(flush=True)
    time.sleep(600)
"""
SOLVE = ("solve", SQUARE, "-w", THREE)


def assert_fill(text: str) -> None:
    (fill,) = fills_of(text)
    right(fill)


def right(fill: Rows) -> None:
    assert_right(fill, cells_in(SQUARE), words_in(THREE))


@pytest.mark.parametrize("serving", [False, True])
def test_what_a_killed_program_left_goes_with_the_next(run: Run, tmp_path: Path, serving: bool) -> None:
    """What a running program writes stays, however old it is."""

    def begin() -> set[str]:
        if serving:
            Folder(tmp_path)
        else:
            assert run(*SOLVE, "-o", tmp_path / "out.txt").code == 0
            (tmp_path / "out.txt").unlink()
        return {each.name for each in tmp_path.iterdir()}

    foreign = tmp_path / ".mine.0badcafe"
    foreign.touch()
    with subprocess.Popen([*COMMAND[:1], "-c", HOLDING, tmp_path / "saved", tmp_path / "out"], stdout=PIPE) as held:
        assert held.stdout is not None
        held.stdout.readline()
        half = {each.name for each in tmp_path.iterdir()}
        assert len(half) == 3
        for each in tmp_path.iterdir():
            os.utime(each, (0, 0))
        assert begin() == half
        held.kill()
    assert begin() == {foreign.name}


def test_the_file_appears_and_nothing_else(run: Run, tmp_path: Path) -> None:
    done = run(*SOLVE, "-a", "-o", tmp_path / "out.txt")
    assert (done.code, done.out) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    fills = fills_of((tmp_path / "out.txt").read_text(encoding="utf-8"))
    assert len(fills) == 4
    for fill in fills:
        right(fill)


def test_a_relative_path_is_in_the_working_directory(tmp_path: Path) -> None:
    assert program(*SOLVE, "-o", "out.txt", "-e", "fc", cwd=tmp_path).code == 0
    assert_fill((tmp_path / "out.txt").read_text(encoding="utf-8"))


def test_a_file_there_is_replaced_and_keeps_its_mode(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    assert run(*SOLVE, "-o", target).code == 0
    assert_fill(target.read_text(encoding="utf-8"))
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_new_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    run(*SOLVE, "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_through_a_symbolic_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "out.txt", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    assert run(*SOLVE, "-o", link).code == 0
    assert link.is_symlink()
    assert_fill(target.read_text(encoding="utf-8"))


def test_through_a_dangling_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out.txt")
    assert run(*SOLVE, "-o", tmp_path / "link").code == 0
    assert_fill((tmp_path / "out.txt").read_text(encoding="utf-8"))


def test_a_link_to_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert_refused(run(*SOLVE, "-o", tmp_path / "loop"), tmp_path / "loop")


@pytest.mark.parametrize("options", [("--min-score", 60), ("-e", "fc", "--node-limit", 1)])
def test_a_file_there_stays_when_nothing_is_found(run: Run, tmp_path: Path, options: tuple[object, ...]) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    assert run(*SOLVE, *options, "-o", target).code in {20, 124}
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_no_file_appears_when_nothing_is_found(run: Run, tmp_path: Path) -> None:
    assert run("solve", TINY / "too-long.txt", "-w", THREE, "-o", tmp_path / "out.txt").code == 20
    assert list(tmp_path.iterdir()) == []


def test_bad_input_leaves_the_file_alone(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    assert run("solve", SQUARE, tmp_path / "none.txt", "-w", THREE, "-o", target).code == 2
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_json_goes_to_the_file_too(run: Run, tmp_path: Path) -> None:
    done = run(*SOLVE, "--json", "-o", tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert done.out == ""
    assert json.loads(lines[-1])["done"]


def assert_refused(done: Outcome, path: object) -> None:
    assert (done.code, done.out) == (2, "")
    (line,) = done.complaints
    assert line.startswith(f"cpfill: {path}: expected ")


def test_a_directory_is_no_file(run: Run, tmp_path: Path) -> None:
    assert_refused(run(*SOLVE, "-o", tmp_path), tmp_path)


def test_a_directory_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert_refused(run(*SOLVE, "-o", tmp_path / "none" / "out.txt"), tmp_path / "none" / "out.txt")


def test_a_file_in_place_of_the_directory(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert_refused(run(*SOLVE, "-o", tmp_path / "file" / "out.txt"), tmp_path / "file" / "out.txt")


def test_a_directory_nobody_can_write_to(run: Run) -> None:
    assert_refused(run(*SOLVE, "-o", "/proc/out.txt"), "/proc/out.txt")


def test_dash_is_standard_output_or_refused(tmp_path: Path) -> None:
    """`-` is standard input everywhere else: nobody means a file of that name."""
    done = program(*SOLVE, "-e", "fc", "-o", "-", cwd=tmp_path)
    assert not (tmp_path / "-").exists()
    assert done.fills or done.code == 2


def test_a_pipe_called_dev_stdout() -> None:
    done = program(*SOLVE, "-e", "fc", "-o", "/dev/stdout")
    assert done.code == 0
    assert_fill(done.out)


def test_dev_stdout_does_not_replace_the_file_that_standard_output_is(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with path.open("w", encoding="utf-8") as log:
        log.write("before\n")
        log.flush()
        subprocess.run(
            [*COMMAND, *map(str, SOLVE), "-o", "/dev/stdout", "-q"],
            stdout=log,
            env=environment(),
            timeout=HANG_S,
            check=False,
        )
        log.write("after\n")
    assert path.read_text(encoding="utf-8").startswith("before\n")


def test_dev_null(run: Run) -> None:
    done = run(*SOLVE, "-o", os.devnull)
    assert (done.code, done.out) == (0, "")


def test_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, *map(str, SOLVE), "-e", "fc", "-o", str(pipe)], env=environment()) as running:
        text = pipe.read_text(encoding="utf-8")
        assert running.wait(HANG_S) == 0
    assert_fill(text)


def assert_rescued(done: Outcome, path: object) -> None:
    assert done.code == 2
    assert_fill(done.out)
    (line,) = done.complaints
    assert line == f"cpfill: {path}: expected a file that can be written, found no space left on device"


def test_a_full_device() -> None:
    assert_rescued(program(*SOLVE, "-o", "/dev/full"), "/dev/full")


def fill_up(disk: Path) -> None:
    with (disk / "filler").open("ab", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(b"x" * 4096):
            pass


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system without a free byte, on which a file `out.txt` holds `old`."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(disk)]
    try:
        subprocess.run(mounting, check=True, capture_output=True, timeout=HANG_S)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("cannot mount a small file system here")
    try:
        (disk / "out.txt").write_text("old", encoding="utf-8")
        fill_up(disk)
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True, timeout=HANG_S)


def test_a_full_disk(full_disk: Path) -> None:
    target = full_disk / "out.txt"
    assert_rescued(program(*SOLVE, "-o", target), target)
    assert target.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in full_disk.iterdir()) == ["filler", "out.txt"]


def test_a_disk_that_fills_up_on_the_way(full_disk: Path) -> None:
    """Fills that had been written before the disk was full are printed too."""
    (full_disk / "filler").write_bytes(b"x" * 4096)
    done = program("solve", SQUARE, "-w", THREE, "--repeats", "-a", "-e", "fc", "-o", full_disk / "new.txt")
    assert done.code == 0  # 116 fills take 1.5 kB
    fill_up(full_disk)
    done = program("solve", SQUARE, "-w", THREE, "--repeats", "-a", "-e", "fc", "-o", full_disk / "new.txt")
    assert done.code == 2
    assert done.fills
    assert len(fills_of((full_disk / "new.txt").read_text(encoding="utf-8"))) == 116


def test_a_file_that_cannot_take_its_place(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Path, _target: Path) -> Path:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "replace", refuse)
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    done = run(*SOLVE, "-q", "-o", target)
    assert done.code == 2
    assert_fill(done.out)
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


class InterruptsCounting(str):
    """A text whose writing succeeds, and whose counting is interrupted."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        raise KeyboardInterrupt(encoding, errors)


def test_an_interrupt_between_writing_and_counting_loses_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Output(str(tmp_path / "out.txt")) as output:
        output.write(InterruptsCounting("ABC\n"))
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "ABC\n"


@pytest.mark.parametrize("suffix", ["ipuz", "puz", "xd", "exolve"])
def test_a_puzzle_file_has_the_fill_and_is_a_grid_again(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    done = run(*SOLVE, "-q", "-o", path)
    assert (done.code, done.out) == (0, "")
    text = run("convert", path, "-", "--to", "native").out
    assert_fill(text)
    again = run("solve", path, "-w", THREE, "-q")
    assert again.code == 0
    assert_fill(again.out)


def test_a_puzzle_that_is_filled_keeps_all_else(run: Run, tmp_path: Path) -> None:
    template, filled = tmp_path / "template.ipuz", tmp_path / "filled.ipuz"
    given = replace(
        read_puzzle(b"...\n.#.\n..."),
        clues={(Direction.ACROSS, 1): "first", (Direction.DOWN, 2): "second"},
        metadata={
            PuzzlePart.TITLE: "A title",
            PuzzlePart.AUTHOR: "Someone",
            PuzzlePart.COPYRIGHT: "2026 Someone",
            PuzzlePart.NOTES: "A note",
        },
        circles=frozenset({0, 8}),
    )
    template.write_bytes(write_puzzle(given, "ipuz")[0])
    done = run("solve", template, "-w", THREE, "-q", "-o", filled)
    assert (done.code, done.out, done.err) == (0, "", "")
    puzzle = read_puzzle(filled.read_bytes())
    assert all(answer is None or len(answer) == 1 for answer in puzzle.cells)
    assert replace(puzzle, cells=given.cells) == given


def test_a_clue_does_not_stay_with_another_word(run: Run, tmp_path: Path) -> None:
    template, filled = tmp_path / "template.ipuz", tmp_path / "filled.ipuz"
    clues = {(Direction.ACROSS, 1): "stands", (Direction.DOWN, 1): "went", (Direction.DOWN, 9): "of no slot"}
    template.write_bytes(write_puzzle(replace(read_puzzle(b"CAT\n.#.\n..."), clues=clues), "ipuz")[0])
    done = run("solve", template, "-w", "-", "-q", "-o", filled, stdin="cat\ncon\ntan\nnun\n")
    assert done.complaints[0] == f"cpfill: {template}: dropped 1 clue of words that stood there before"
    assert read_puzzle(filled.read_bytes()).clues == {
        (Direction.ACROSS, 1): "stands",
        (Direction.DOWN, 9): "of no slot",
    }


def test_a_format_can_be_asked_for(run: Run, tmp_path: Path) -> None:
    assert json.loads(run(*SOLVE, "-q", "-f", "ipuz").out)["version"].startswith("http://ipuz.org/")
    path = tmp_path / "fill.text"
    assert run(*SOLVE, "-q", "--to", "across-lite", "-o", path).code == 0
    assert path.read_text(encoding="utf-8").startswith("<ACROSS PUZZLE")


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".log", ".txt", ""])
def test_json_lines_go_to_a_file(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    assert run(*SOLVE, "-q", "--json", "-o", path).code == 0
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["done"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (("generate", "--size", "7x7", "-n", "10"), [f"mini-{number:02}.ipuz" for number in range(1, 11)]),
        (("solve", "grid.txt", "-w", "words.txt", "-n", 2), ["mini-1.ipuz", "mini-2.ipuz"]),
        (("solve", "grid.txt", "-w", "words.txt", "-a"), ["mini-1.ipuz", "mini-2.ipuz", "mini-3.ipuz"]),
        (("solve", "grid.txt", "grid.txt", "-w", "words.txt"), ["mini-1.ipuz", "mini-2.ipuz"]),
        (("solve", "grid.txt", "-w", "words.txt"), ["mini.ipuz"]),
    ],
)
def test_each_of_several_puzzles_has_a_numbered_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.txt").write_text("...\n", encoding="utf-8")
    Path("words.txt").write_text("cat\ndog\nowl\n", encoding="utf-8")
    before = {*tmp_path.iterdir()}
    done = run(*asked, "-o", "mini.ipuz", "--quiet")
    assert (done.code, done.out) == (0, "")
    written = sorted({*tmp_path.iterdir()} - before)
    assert [path.name for path in written] == names
    puzzles = [read_puzzle(path) for path in written]
    assert len({puzzle.cells for puzzle in puzzles}) == (1 if asked.count("grid.txt") == 2 else len(names))
