"""`-o`: the file appears whole and in its place, and nothing found is lost."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.output import Output
from cpfill.web.files import Folder
from tests.cli.program import (
    COMMAND,
    HANG_S,
    SQUARE,
    THREE,
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
