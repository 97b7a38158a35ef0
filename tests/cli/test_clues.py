"""`cpfill words clues`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.puzzle.clues import dictionaries as dictionary
from cpfill.puzzle.clues import parse_clues
from tests.dictionaries import write_thesaurus, write_wordnet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "wordnet", {"cat": ["a pet", "a whip"], "hot_dog": ["a snack"]}, {})


@pytest.fixture
def thesaurus(tmp_path: Path) -> Path:
    return write_thesaurus(tmp_path / "mythes" / "th_fr_FR_v2.dat", {"été": ["(Nom)|saison"], "cat": ["(Nom)|drogue"]})


def test_a_file_of_clues_is_printed(run: Run, wordnet: Path, thesaurus: Path) -> None:
    done = run("words", "clues", "cat", "Hot-Dog", "cow", "été", "--wordnet", wordnet, "--thesaurus", thesaurus)
    assert done.code == 0
    assert done.out == "CAT\ta pet\nCAT\ta whip\nCAT\tdrogue\nHOTDOG\ta snack\nETE\tsaison\n"
    assert done.complaints == ["cpfill: 1 of 4 words have no clue"]
    assert parse_clues(done.out).words["CAT"] == ("a pet", "a whip", "drogue")


def test_the_words_of_lists_and_a_file_that_appears_whole(run: Run, wordnet: Path, tmp_path: Path) -> None:
    target = tmp_path / "clues.tsv"
    done = run("words", "clues", "-w", "-", "-n", 1, "--wordnet", wordnet, "-o", target, stdin="hot dog;9\ncat;3\n")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert target.read_text(encoding="utf-8").splitlines() == ["CAT\ta pet", "HOTDOG\ta snack"]
    assert run("words", "clues", "cow", "--wordnet", wordnet, "-o", target).code == 20
    assert len(target.read_text(encoding="utf-8").splitlines()) == 2


def test_what_is_installed_is_asked(run: Run, wordnet: Path, thesaurus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "WORDNET_AT", wordnet)
    monkeypatch.setattr(dictionary, "THESAURI_AT", thesaurus.parent)
    assert run("words", "clues", "cat").out == "CAT\ta pet\nCAT\ta whip\n"
    assert run("words", "clues", "cat", "--language", "fr").out == "CAT\tdrogue\n"
    none = run("words", "clues", "cat", "--language", "de")
    assert (none.code, none.out) == (2, "")
    assert len(none.complaints) == 1
    assert "install the Debian package mythes-de" in none.err


CLUES = "ab;one\nab;two\nac;three\n"


@pytest.fixture
def clue_file(tmp_path: Path) -> Path:
    path = tmp_path / "clues.tsv"
    path.write_text(CLUES, encoding="utf-8")
    return path


def test_a_puzzle_is_clued_as_it_is_converted(run: Run, clue_file: Path) -> None:
    done = run("convert", "-", "-", "--to", "csv", "--clues", clue_file, "--seed", 1, stdin="AB\nCD\n")
    assert [line.rpartition(",")[2] for line in done.out.splitlines()[1:]] == ["two", "[no clue]", "three", "[no clue]"]
    assert done.complaints == ["cpfill: 2 of 4 slots have no clue, and are marked [no clue]"]
    twice = run("convert", "-", "-", "--to", "csv", "--clues", "-", stdin="AB\nCD\n")
    assert (twice.code, twice.complaints) == (
        2, ["cpfill: expected standard input for one thing at most, found '-' 2 times"],
    )  # fmt: skip


def test_a_fill_is_clued(run: Run, clue_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "fill.csv"
    lists = tmp_path / "words.txt"
    lists.write_text("AB\nCD\nAC\nBD\n", encoding="utf-8")
    done = run("solve", "-", "-w", lists, "-q", "-o", target, "--clues", clue_file, stdin="A.\nC.\n")
    assert done.code == 0
    assert done.complaints == ["cpfill: 2 of 4 slots have no clue, and are marked [no clue]"]
    assert target.read_text(encoding="utf-8").count("[no clue]") == 2
    text = run("solve", "-", "-w", lists, "--clues", clue_file, stdin="A.\nC.\n")
    assert (text.code, len(text.complaints)) == (2, 1)
    assert "a puzzle file for --clues" in text.err
