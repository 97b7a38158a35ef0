"""`cpfill solve --proof`: what is written, and what is refused. Whether it proves anything: tests/proofs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

import cpfill.engines.audited
from tests.cli.program import COMMAND, INSTANCES, SQUARE, THREE, environment, fills_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.event import Event
    from tests.cli.program import Run


@pytest.mark.parametrize("blocks", [0, 1])
def test_a_full_disk(blocks: int, tmp_path: Path) -> None:
    """No file may have more than so many blocks: the fill is printed, and what was written of the proof is removed."""
    folder = tmp_path / "proof"
    asked = ["solve", str(SQUARE), "-w", str(THREE), "--objective", "min", "--proof", str(folder)]
    limited = ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", *COMMAND, *asked]
    done = subprocess.run(limited, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 2
    assert len(fills_of(done.stdout)) == 1
    proved, said = done.stderr.splitlines()
    assert "optimal" in proved
    expected = "a folder that can be written into, with room for a proof"
    assert said == f"cpfill: {folder}: expected {expected}, found file too large"
    assert not any(folder.iterdir())


def test_nobody_who_reads(tmp_path: Path) -> None:
    """Where the fills cannot be printed there is no proof, nor a part of one in the way of the next."""
    asked = ["solve", "--all", str(SQUARE), "-w", str(THREE), "--proof", str(tmp_path / "proof")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *asked], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)
    assert done.returncode == 2
    assert not any((tmp_path / "proof").iterdir())


def interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@pytest.mark.parametrize("asked", [["solve", "--all"], ["solve", "--objective", "min"], ["count"], ["explain"]])
@pytest.mark.parametrize("step", ["trees.Tree.grow", "fill_to_cnf.Formula.write"])
def test_an_interrupt_while_a_proof_is_written(
    asked: list[str], step: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = INSTANCES / "tiny" / "given.txt" if asked == ["explain"] else SQUARE
    command = [asked[0], grid, "-w", THREE, *asked[1:]]
    whole = run(*command)
    monkeypatch.setattr(f"cpfill.proofs.{step}", interrupted)
    done = run(*command, "--proof", tmp_path / "proof")
    assert (done.code, done.out) == (130, whole.out)
    assert done.complaints[-1] == f"cpfill: interrupted: {tmp_path / 'proof'} has no proof"
    assert not any((tmp_path / "proof").iterdir())


@pytest.mark.parametrize("verb", ["solve", "count"])
def test_after_an_interrupt_no_proof_is_begun(
    verb: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes with the last event of the search: any more are ignored, and a proof may take long."""
    name = {"solve": "search", "count": "search_all"}[verb]

    def late(*args: Any, **options: Any) -> Iterator[Event]:
        yield from getattr(cpfill.engines.audited, name)(*args, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(f"cpfill.questions.{verb}.{name}", late)
    done = run(verb, SQUARE, "-w", THREE, *["--all"] * (verb == "solve"), "--proof", tmp_path / "proof")
    assert done.code == 130
    assert "all there are, proved" in done.err
    assert done.complaints[-1] == f"cpfill: interrupted: {tmp_path / 'proof'} has no proof"
    assert not any((tmp_path / "proof").iterdir())
