"""`cpfill words clues`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.formats.registry import read_puzzle
from cpfill.puzzle.clues import NO_CLUE, parse_clues
from cpfill.puzzle.clues import dictionaries as dictionary
from cpfill.puzzle.parts import PuzzlePart
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
    monkeypatch.setattr(dictionary, "find_definitions", lambda _: [])
    assert run("words", "clues", "cat").out == "CAT\ta pet\nCAT\ta whip\n"
    assert run("words", "clues", "cat", "--language", "fr").out == "CAT\tdrogue\n"
    none = run("words", "clues", "cat", "--language", "de")
    assert (none.code, none.out) == (2, "")
    assert len(none.complaints) == 1
    assert "install the Debian package mythes-de" in none.err


@pytest.fixture
def definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Only these definitions are installed."""
    path = tmp_path / "glosses.txt"
    path.write_text("are\tvery small area | area of a farm\ncat\ta pet | a whip\nten\ta number\n", encoding="utf-8")
    monkeypatch.setattr(dictionary, "find_definitions", lambda language: [path] if language == "en" else [])
    monkeypatch.setattr(dictionary, "WORDNET_AT", tmp_path / "none")
    monkeypatch.setattr(dictionary, "THESAURI_AT", tmp_path / "none")
    return path


def test_inflected_words_have_clues(run: Run, definitions: Path) -> None:
    assert definitions.is_file()
    assert run("words", "clues", "cats").out == "CATS\tPets\nCATS\tWhips\n"


def test_damaged_definitions_are_told(run: Run, definitions: Path) -> None:
    definitions.write_text("cat\ta pet\nno tab\n", encoding="utf-8")
    done = run("words", "clues", "cat")
    assert done.code == 2
    assert done.complaints == [f"cpfill: {definitions}:2: expected a word, a tab and its definitions, found 'no tab'"]


def test_drafts_are_marked_in_every_file(run: Run, definitions: Path, tmp_path: Path) -> None:
    assert definitions.is_file()
    words = tmp_path / "words.txt"
    words.write_text("ate\nare\neen\n", encoding="utf-8")
    target = tmp_path / "x.ipuz"
    done = run("solve", "-", "-w", words, "--clues", "auto", "-o", target, "-q", stdin=".R.\n.#.\n.#.\n")
    assert done.code == 0
    puzzle = read_puzzle(target)
    assert sorted(puzzle.clues.values()) == [NO_CLUE, NO_CLUE, "~ Very small area"]
    assert puzzle.metadata[PuzzlePart.NOTES] == "~ draft clue: Open English WordNet, CC BY 4.0"
    assert done.complaints == [f"cpfill: 2 of 3 slots have no clue, and are marked {NO_CLUE}"]


def test_drafts_need_a_dictionary(run: Run, definitions: Path, tmp_path: Path) -> None:
    assert definitions.is_file()
    done = run("solve", "-", "-w", "fr", "--clues", "auto", "-o", tmp_path / "x.ipuz", stdin="..\n..\n")
    assert done.code == 2
    assert "pip install 'cpfill[clues]'" in done.err
