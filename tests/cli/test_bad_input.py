from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.cases import VERBS as CASES
from tests.cli.cases import parse
from tests.cli.program import MALFORMED, SQUARE, THREE, program
from tests.cli.test_program import closing

if TYPE_CHECKING:
    from tests.cli.program import Outcome, Run

FAULTS: list[dict[str, Any]] = tomllib.loads((MALFORMED / "malformed.toml").read_text(encoding="utf-8"))["case"]
VERBS = ("solve", "compare", "check", "info")
DAMAGED = {"binary data": bytes(range(256)), "gzip": b"\x1f\x8bnothing of the kind"}


def name_of(fault: dict[str, Any]) -> str:
    name: str = fault.get("grid") or fault["words"]
    return name


def refused(done: Outcome) -> list[str]:
    assert (done.code, done.out) == (2, ""), done
    assert done.complaints
    assert all(line.startswith("cpfill: ") for line in done.complaints), done.err
    return done.complaints


def test_every_malformed_file_has_a_fault() -> None:
    assert {path.name for path in MALFORMED.glob("*.txt")} == set(map(name_of, FAULTS))


@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
def test_the_cases_tell_where_a_fault_is(fault: dict[str, Any]) -> None:
    """The places were counted by hand."""
    file = f"malformed/{name_of(fault)}"
    commands = [command for case in parse(CASES / "malformed.txt") for command in case.commands]
    (told,) = [command.told for command in commands if file in command.line]
    place = ":".join([file, *[str(fault[key]) for key in ("line", "column") if key in fault]])
    assert told[0] == "? 2"
    assert any(line.startswith(f"! cpfill: {place}:") and ", found " in line for line in told)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", [None, "-w"])
class TestFiles:
    """Grids and lists that are no files, or no text."""

    def lines(self, run: Run, verb: str, option: str | None, path: object, stdin: bytes = b"") -> str:
        args = [SQUARE, "-w", path] if option else [path]
        (line,) = refused(run(verb, *args, stdin=stdin))
        return line

    @pytest.mark.parametrize("damage", DAMAGED)
    def test_damaged(self, run: Run, tmp_path: Path, verb: str, option: str | None, damage: str) -> None:
        path = tmp_path / "data"
        path.write_bytes(DAMAGED[damage])
        assert damage in self.lines(run, verb, option, path)

    def test_unreadable(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, option: str | None
    ) -> None:
        path = tmp_path / "secret.txt"
        path.write_text("...\n", encoding="utf-8")
        path.chmod(0)
        if os.access(path, os.R_OK):  # to root nothing is unreadable
            opened = Path.open

            def refuse(self: Path, *args: Any, **options: Any) -> Any:
                if self == path:
                    raise PermissionError(13, "Permission denied")
                return opened(self, *args, **options)

            monkeypatch.setattr(Path, "open", refuse)
        assert (
            self.lines(run, verb, option, path) == f"cpfill: {path}: expected a readable file, found permission denied"
        )

    def test_a_name_with_odd_characters_stays_on_one_line(self, run: Run, verb: str, option: str | None) -> None:
        line = self.lines(run, verb, option, "no\x1b[31m\nsuch.txt")
        assert "\x1b" not in line


def test_no_standard_input_at_all() -> None:
    done = closing("<&-", ("solve", "-"))
    assert (done.code, "Traceback" in done.err) == (2, False)


@pytest.mark.parametrize("where", [".", "./puzzles"])
def test_a_directory_that_is_gone_is_named(where: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    asked = [sys.executable, "-m", "cpfill", "serve", "--no-browser", where]
    begin = f"import os, sys; os.rmdir({str(gone)!r}); os.execv(sys.executable, {asked!r})"
    done = subprocess.run([sys.executable, "-c", begin], cwd=gone, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cpfill: {where}: expected a directory, or a puzzle file, found a directory that is gone\n"


@pytest.mark.parametrize("asked", [("solve",), ("count",), ("explain",), ("stats",), ("compare", "-e", "fc")])
def test_a_name_that_is_not_utf_8(tmp_path: Path, asked: tuple[str, ...]) -> None:
    """Such a file is read, and its record is JSON."""
    grid = tmp_path / os.fsdecode(b"\xff.txt")
    grid.write_bytes(SQUARE.read_bytes())
    out = tmp_path / "out"
    shell = () if asked[0] in {"stats", "explain", "compare", "count"} else ("-o", out)
    done = program(*asked, grid, "-w", THREE, "--json", *shell)
    assert done.code == 0
    records = [json.loads(line) for line in (out.read_text("utf-8") if shell else done.out).splitlines()]
    assert {record["grid"].rpartition("/")[2] for record in records} == {"\udcff.txt"}


@pytest.mark.parametrize(
    "asked", [("words", "ban"), ("words", "rescore"), ("solve", "3x3", "--require"), ("generate", "--seed-words")]
)
def test_a_word_that_is_not_utf_8(tmp_path: Path, asked: tuple[str, ...]) -> None:
    """It is refused, and not taken for its other letters."""
    own = tmp_path / "own.txt"
    more = {"ban": ("--personal", own), "rescore": ("5", "--personal", own)}.get(asked[-1], ())
    done = program(*asked, os.fsdecode(b"caf\xe9"), *more)
    assert (done.code, done.out) == (2, "")
    assert "expected a " in done.complaints[0]
    assert not own.exists()


def test_a_proof_of_a_grid_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    grid, proof = tmp_path / os.fsdecode(b"\xff.txt"), tmp_path / os.fsdecode(b"p\xff")
    grid.write_bytes(SQUARE.read_bytes())
    assert program("solve", grid, "-w", THREE, "--objective", "min", "--proof", proof).code == 0
    assert json.loads((proof / "claim.json").read_bytes())
