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

from cpfill.base.errors import InputError
from cpfill.public import make_problem, solve
from cpfill.words.sources import personal_path, set_score
from cpfill.words.wordlist import read_word_list

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
    assert run("solve", "2x2", "-w", "en", "-n", 1).code == 0
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
    assert run("solve", "2x2", "-w", "en").code == 0
    refused = "/closed/cpfill/words.txt: expected a file that can be written, found permission denied"
    assert run("words", "ban", "cat").complaints == [f"cpfill: {refused}"]


def test_words_are_written_to_it_and_others_stay(run: Run, home: Path) -> None:
    assert run("words", "ban", "Crême").code == 0
    assert run("words", "rescore", "it's", "70").complaints == [f"cpfill: {home}: it's scores 70"]
    home.write_text("# mine\n" + home.read_text() + "plain\ncreme brulee\t8\n")
    home.chmod(0o640)
    assert run("words", "rescore", "creme", "30.5").code == 0
    assert home.read_text() == "# mine\nit's;70\nplain\ncreme brulee\t8\ncreme;30.5\n"
    assert home.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in home.parent.iterdir()] == ["words.txt"]


@pytest.mark.parametrize("name", ["none", "en-gb", "day.ipuz"])
def test_no_word_is_written_where_none_would_be_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("words", "ban", "cat", "--personal", name)
    assert done.complaints == [f"cpfill: expected a file of your own words for --personal, found '{name}'"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("verb", [("words", "ban"), ("solve", "5x5", "--exclude"), ("solve", "5x5", "--require")])
def test_words_are_given_one_by_one(run: Run, verb: tuple[str, ...], home: Path) -> None:
    assert run(*verb, "emu,ape").complaints == ["cpfill: expected one word at a time, found 'emu,ape'"]
    assert not home.exists()


def test_what_cannot_be_written_is_told(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("words", "ban", "1234").complaints[0].startswith("cpfill: expected a word over the alphabet")
    assert run("words", "rescore", "cat", "1e17").code == 2
    assert not home.exists()
    tmp_path.joinpath("config").write_text("")
    assert run("words", "ban", "cat").code == 2
    with pytest.raises(InputError, match="a file that can be written"):
        set_score("cat", 1.0)


def test_its_scores_win(run: Run, home: Path, tmp_path: Path) -> None:
    words, grid = tmp_path / "list.txt", tmp_path / "grid.txt"
    words.write_text("CAT;90\nDOG;50\nEMU;40\nANTS;10\n")
    grid.write_text("...\n")
    ask = ("solve", grid, "-w", words, "--objective", "sum")
    before = run(*ask)
    assert before.fills == [("CAT",)]
    assert len(before.complaints) == 1
    home.parent.mkdir(parents=True)
    home.write_text("cat;20\nemu;60\ndog;0\n")
    done = run(*ask)
    assert done.fills == [("EMU",)]
    assert len(done.complaints) == 1
    assert len(run("solve", grid, "-w", words, "-a").fills) == 2
    assert run(*ask, "--personal", "none").fills == before.fills
    other = tmp_path / "other.txt"
    other.write_text("yak;99\n")
    done = run(*ask, "--personal", other)
    assert done.fills == [("YAK",)]
    assert done.complaints[0] == f"cpfill: {other}: 1 scored by your own list, 0 banned"
    jobs = run("batch", grid, "-w", words, "--objective", "sum", "-j", "1")
    assert '"fill": ["EMU"]' in jobs.out
    assert jobs.complaints[0] == f"cpfill: {home}: scores of your own list, in every job that names no other"
    home.write_text("house;1\n")
    assert len(run(*ask).complaints) == 1
    assert run("solve", grid, "-w", words, "--personal", tmp_path / "nothing.txt").code == 2


@pytest.mark.usefixtures("home")
def test_the_library_reads_one_if_it_is_asked_to(home: Path) -> None:
    set_score("dog", 0.0)
    words = {"cat": 20, "dog": 50}
    for made in (words, make_problem(["..."], words).lexicon):
        assert solve(["..."], made, objective="min").value == (50.0,)
        assert solve(["..."], made, objective="min", personal=home).value == (20.0,)
        assert solve(["..."], made, objective="min", personal={"emu": 70, "cat": 80}).value == (80.0,)


def test_bad_lines_are_named_and_no_ban_is_refused_for_them(run: Run, home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("cat;good\nemu;60\ndog;1,5\n")
    done = run("solve", "3x3", "-w", "en")
    assert done.code == 2
    assert [line.partition(" expected")[0] for line in done.complaints] == [f"cpfill: {home}:{n}:" for n in (1, 3)]
    assert run("words", "ban", "yak").code == 0
    assert home.read_text() == "cat;good\nemu;60\ndog;1,5\nyak;0\n"
    done = run("words", "filter", home, "--lenient")
    assert done.out == "emu;60\nyak;0\n"
    assert done.complaints == [f"cpfill: {home}: 2 lines skipped (2 bad scores)"]


def test_no_line_is_added_to_a_table(run: Run, home: Path) -> None:
    """It would have no effect there, and to write a table anew would lose its other columns."""
    home.parent.mkdir(parents=True)
    home.write_text("word,score,why\ncat,60,purrs\n")
    told = f"cpfill: {home}:1: expected a list to add lines to, found column heads"
    assert run("words", "ban", "dog").complaints == [told]
    assert home.read_text() == "word,score,why\ncat,60,purrs\n"
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
    assert run("solve", "2x2", "-w", "en").code == 0


def test_lines_of_other_kinds_stay_as_they_are(home: Path) -> None:
    home.parent.mkdir(parents=True)
    text = "# mine\u2028still mine\n\ncat;70 \n\x0bdog;1\n1234;5\n"
    home.write_text(text)
    for score in (0.1, 33.333333333333336, 1e-7, 99.99999999):
        set_score("emu", score)
        assert home.read_text().startswith(text)
        assert read_word_list(home).words["EMU"][0] == score
