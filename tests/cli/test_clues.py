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
