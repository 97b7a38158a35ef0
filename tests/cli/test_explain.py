"""`cpfill explain`, as a person or a program meets it."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from cpfill.questions.explain.explanation import explain_in_steps
from tests.cli.program import SQUARE, THREE, at_terminal, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.questions.explain.explanation import Explanation
    from tests.cli.program import Run


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("cat;90\ndog;60\npig;20\n", encoding="utf-8")
    return path


def test_no_fill(run: Run, words: Path) -> None:
    done = run("explain", "-", "-w", words, stdin=".Q.\n###\n...\n")
    assert done.code == 20
    assert done.out == (
        "No word of 3 letters fits 1-Across `?Q?`.\n"
        "\n"
        " C  1  2  3\n"
        "R1  ?  Q  ?\n"
        "R2  #  #  #\n"
        "R3  .  .  .\n"
        "\n"
        "Freeing R1C2 (Q) helps: A, I and O work there.\n"
    )
    (line,) = done.complaints
    assert line.startswith("cpfill: UNSATISFIABLE: 1 slot and 1 given that cannot go together, proved minimal (")


def test_every_process_finds_the_same_reason() -> None:
    """The words from 80 leave a 3x3 square several reasons of one size."""
    grid = "...\n...\n...\n"
    said = {program("explain", "-", "--min-score", 80, stdin=grid, PYTHONHASHSEED=str(seed)).out for seed in range(4)}
    assert len(said) == 1


def test_bars_are_drawn(run: Run, words: Path) -> None:
    done = run("explain", "-", "-w", words, stdin=". Q .|.\n-------\n. . .|.\n")
    assert done.code == 20
    assert (" C  1  2  3  4\nR1  ?  Q  ?| .\n   ------------\nR2  .  .  .| .\n") in done.out


def test_a_fill(run: Run) -> None:
    done = run("explain", SQUARE, "-w", THREE)
    assert (done.code, done.out) == (0, "There is a fill: nothing to explain.\n")
    assert done.err.startswith("cpfill: a fill exists (")


def test_the_gravest_of_several(run: Run, words: Path, tmp_path: Path) -> None:
    several = tmp_path / "several.txt"
    several.write_text("...\n\nQ..\n", encoding="utf-8")
    done = run("explain", several, "-w", words)
    assert done.code == 20
    assert done.out.startswith(f"{several}#1:\nThere is a fill")
    assert f"{several}#2:\nNo word of 3 letters fits 1-Across `Q??`.\n" in done.out
    assert [line.split(": ")[1] for line in done.complaints] == [f"{several}#1", f"{several}#2"]


def test_json(run: Run, words: Path) -> None:
    done = run("explain", "-", "-w", words, "--min-score", "50", "--json", stdin=".I.\n###\n[AD].G\n")
    assert done.code == 20
    *_, record, end = done.records
    assert end == {"grid": "standard input", "done": True, "status": "UNSATISFIABLE", "finished": True}
    assert record["status"] == "UNSATISFIABLE"
    assert record["finished"]
    assert record["minimal"]
    assert record["reason"] == "No word that fits 1-Across `?I?` scores 50 or more: the best is PIG with 20."
    assert record["text"][0] == record["reason"]
    assert record["rules"] == ["C2"]
    given, slot = sorted(record["elements"], key=lambda element: element["kind"])
    assert given == {
        "kind": "given",
        "cell": "R1C2",
        "letters": "I",
        "needed": True,
        "repairs": True,
        "works": "A",
        "undecided": "",
    }
    assert slot["slot"] == "1-Across"
    assert slot["pattern"] == "?I?"
    assert slot["cells"] == ["R1C1", "R1C2", "R1C3"]
    assert record["best"] == {
        "score": 20.0,
        "bound": 20.0,
        "next": 50.0,
        "elements": ["R1C2 (I)", "1-Across"],
        "minimal": True,
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--no-shared",), "no two words may be alike"),
        (("--max-obscure", "0", "--below", "70"), "no word may score under 70"),
        (("--require", "pig"), "The required word PIG fits no slot"),
        (("--exclude", "-"), ""),
    ],
)
def test_the_other_rules(run: Run, words: Path, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("D..\n###\n..T\n" if said else "D..\n", encoding="utf-8")
    if "--no-shared" in options:
        grid.write_text("D..\n###\n..D\n", encoding="utf-8")
        words.write_text("dot\ntod\n", encoding="utf-8")
    done = run("explain", grid, "-w", words, *options, stdin="dog\n")
    assert done.code == 20
    assert said in done.out


def test_bad_usage(run: Run) -> None:
    assert run("explain", SQUARE, "-t", "soon").code == 2
    assert run("explain", "nowhere.txt").code == 2


def test_what_was_found_before_an_interrupt(run: Run, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(problem: Problem, limits: Limits) -> Iterator[Explanation]:
        for step in explain_in_steps(problem, limits=limits):
            yield step
            if step.conflict is not None:
                raise KeyboardInterrupt

    monkeypatch.setattr("cpfill.questions.explain.question.explain_in_steps", interrupted)
    handlers = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    done = run("explain", "-", "-w", words, stdin=".Q.\n")
    for number, handler in handlers:
        signal.signal(number, handler)
    assert done.code == 130
    assert done.out.startswith("No word of 3 letters fits 1-Across `?Q?`.")
    assert ", not proved minimal, interrupted (" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_colours_on_a_terminal_alone(tmp_path: Path, words: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text(".Q.\n###\n...\n", encoding="utf-8")
    coloured, plain = (
        at_terminal("explain", grid, "-w", words, on="out", **env).out for env in ({}, {"NO_COLOR": "1"})
    )
    assert "\x1b[1;31m ? " in coloured
    assert "R3  .  .  ." in coloured
    assert "\x1b[1;31m" not in plain
    assert "R1  ?  Q  ?" in plain.replace("\x1b[1m", "").replace("\x1b[0m", "")
