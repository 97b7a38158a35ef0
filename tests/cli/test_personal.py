"""The list of one's own: what it says wins, where it stands, and how words are written to it."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import product
from subprocess import PIPE
from typing import TYPE_CHECKING

import pytest

from cpfill.public import make_problem, solve
from cpfill.words.sources import personal_path, set_score
from cpfill.words.wordlist import read_word_list
from tests.cli.program import SQUARE, THREE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "cpfill" / "words.txt"


def test_it_stands_where_the_desktop_says(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert personal_path() == home
    monkeypatch.setenv("HOME", str(tmp_path))
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", unset)
        assert personal_path() == tmp_path / ".config" / "cpfill" / "words.txt"


def test_who_has_no_home_has_no_list(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.setattr("pathlib.Path.home", unknown)
    assert run("solve", SQUARE, "-w", THREE).code == 0
    assert "expected a file that can be written" in run("words", "ban", "cat").complaints[0]
    assert not home.exists()


def test_a_home_that_is_closed_has_none_either(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = os.stat

    def closed(path: str | os.PathLike[str], **more: bool) -> os.stat_result:
        if str(path).startswith("/closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, follow_symlinks=more.get("follow_symlinks", True))

    monkeypatch.setattr("os.stat", closed)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/closed")
    assert run("solve", SQUARE, "-w", THREE).code == 0
    refused = "/closed/cpfill/words.txt: expected a file that can be written, found permission denied"
    assert run("words", "ban", "cat").complaints == [f"cpfill: {refused}"]


def test_other_lines_and_the_mode_stay(run: Run, home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("# mine\nCrême;0\nit's;70\nplain\ncreme brulee\t8\n")
    home.chmod(0o640)
    assert run("words", "rescore", "creme", "30.5").code == 0
    assert home.read_text() == "# mine\nit's;70\nplain\ncreme brulee\t8\ncreme;30.5\n"
    assert home.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in home.parent.iterdir()] == ["words.txt"]


@pytest.mark.usefixtures("home")
def test_the_library_reads_one_if_it_is_asked_to(home: Path) -> None:
    set_score("dog", 0.0)
    words = {"cat": 20, "dog": 50}
    for made in (words, make_problem(["..."], words).lexicon):
        assert solve(["..."], made, objective="min").value == (50.0,)
        assert solve(["..."], made, objective="min", personal=home).value == (20.0,)
        assert solve(["..."], made, objective="min", personal={"emu": 70, "cat": 80}).value == (80.0,)


def test_a_line_is_added_in_the_encoding_of_the_list(run: Run, home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("cat;60\n", encoding="utf-16")
    assert run("words", "ban", "dog").code == 0
    assert read_word_list(home).weights == {"CAT": 60, "DOG": 0}


def test_several_who_write_at_once_lose_nothing(home: Path) -> None:
    words = ["".join(letters) for letters in product("abcd", repeat=3)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda word: set_score(word, 0.0), words))
    assert sorted(home.read_text().splitlines()) == sorted(f"{word};0" for word in words)
    running = [
        subprocess.Popen([sys.executable, "-m", "cpfill", "words", "ban", word, "--personal", home], stderr=PIPE)
        for word in ("eight", "more", "from", "other", "processes", "at", "once", "too")
    ]
    for one in running:
        with one:
            assert one.wait() == 0
    assert len(home.read_text().splitlines()) == len(words) + 8


def test_a_writer_that_is_killed_holds_nobody_off(home: Path) -> None:
    home.parent.mkdir(parents=True)
    holding = "import sys, time; from pathlib import Path; from cpfill.base.files import locked\n"
    holding += "with locked(Path(sys.argv[1])): print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", holding, home], stdout=PIPE) as one:
        assert one.stdout is not None
        one.stdout.readline()
        with ThreadPoolExecutor() as threads:
            writing = threads.submit(set_score, "cat", 1.0)
            assert not wait([writing], timeout=0.2).done
            one.kill()
            assert writing.result(60) == home
    assert home.read_text() == "cat;1\n"


@pytest.mark.parametrize("word", ["a" * 256, "a" * 100_000, "a" + "-" * 5000 + "b", "a" + "\u0301" * 3000])
def test_what_no_list_holds_is_not_written(word: str, run: Run, home: Path) -> None:
    said = run("words", "ban", word)
    assert said.code == 2
    assert "expected a word of at most 255 letters" in said.complaints[0]
    assert len(said.complaints[0]) < 200
    assert not home.exists()
    assert run("words", "ban", "a" * 255).code == 0
    assert run("solve", SQUARE, "-w", THREE).code == 0


def test_lines_of_other_kinds_stay_as_they_are(home: Path) -> None:
    home.parent.mkdir(parents=True)
    text = "# mine\u2028still mine\n\ncat;70 \n\x0bdog;1\n1234;5\n"
    home.write_text(text)
    for score in (0.1, 33.333333333333336, 1e-7, 99.99999999):
        set_score("emu", score)
        assert home.read_text().startswith(text)
        assert read_word_list(home).words["EMU"][0] == score
