"""Possessives and names that are dropped from lists, as from the dictionaries of systems."""

from __future__ import annotations

from contextvars import copy_context
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.texts import speak
from cpfill.words.sources import ListFinder, Shelf
from cpfill.words.wordlist import Drop, describe_skipped, drop_lines, read_word_list

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

# As systems sort their dictionaries: capitals first, and what is to stay behind what folds to the same word.
DICTIONARY = "Cat's\nI\nI'm\nMarch\nMarch's\nNATO\nT-shirt\nboss'\ncat's\ncats\nmarch\n\u00c9ire\nd\u00e9j\u00e0\n"
BOTH = {"I", "IM", "TSHIRT", "CATS", "MARCH", "DEJA"}


@pytest.mark.parametrize("text", ["ABOUT;50\nPARIS;80\n", "About 50\nParis 80\n", "# all\n\nPARIS\n"])
def test_capitals_mean_nothing_if_all_words_have_them(text: str) -> None:
    assert drop_lines(text, tuple(Drop)) == (text.rstrip("\n"), {})


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the dictionaries of a system, with links to one of them from within and without."""
    folder = tmp_path / "dict"
    folder.mkdir()
    (folder / "british").write_text(DICTIONARY, encoding="utf-8")
    (folder / "words").symlink_to("british")
    (tmp_path / "linked").symlink_to(folder / "words")
    monkeypatch.setattr("cpfill.words.wordlist.SYSTEM", folder)
    return folder


@pytest.mark.parametrize("name", ["words", "british", "../linked"])
def test_a_dictionary_of_the_system_has_no_names(name: str, system: Path) -> None:
    assert read_word_list(system / name).words.keys() == BOTH
    found = ListFinder().find(name, system)
    assert Shelf().word_list(found, Alphabet()).words.keys() == BOTH


def test_another_dictionary_has_names(tmp_path: Path) -> None:
    (tmp_path / "own").write_text(DICTIONARY, encoding="utf-8")
    assert "NATO" in read_word_list(tmp_path / "own").words


def test_the_entries_of_a_hunspell_dictionary_are_read(tmp_path: Path) -> None:
    path = tmp_path / "en.dic"
    path.write_text("5\nParis/M\ncat/SM\nA's\nown\tpo:adj\nice/FLAG po:nom\n", encoding="utf-8")
    read = read_word_list(path)
    assert set(read.words) == {"CAT", "OWN", "ICE"}
    assert (read.skipped["name"], read.skipped["possessive"]) == (1, 1)


def test_the_filter_drops_lines_and_counts_them(run: Run) -> None:
    done = run("words", "filter", "-", "--drop", "possessives,names", "-f", "plain", "--sort", "word", stdin=DICTIONARY)
    assert done.out.split("\n")[:-1] == ["cats", "d\u00e9j\u00e0", "I", "I'm", "march", "T-shirt"]
    assert done.complaints == ["cpfill: standard input: 7 lines skipped (3 names, 4 possessives)"]
    wrong = run("words", "filter", "-", "--drop", "name", stdin=DICTIONARY)
    assert (wrong.code, "did you mean 'names'" in wrong.err) == (2, True)


def test_dropped_lines_of_a_system_are_counted(run: Run, system: Path) -> None:
    told = run("solve", "-", "-w", system / "words", stdin="....\n")
    assert told.fills in ([("CATS",)], [("DEJA",)])
    assert told.complaints[0] == f"cpfill: {system / 'words'}: 6 words, 7 lines skipped (3 names, 4 possessives)"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "3 lines skipped (2 characters outside the alphabet, 1 comment)"),
        ("fr", "3 lignes sans effet (2 caractères hors de l'alphabet, 1 commentaire)"),
    ],
)
def test_reasons_have_a_plural(language: str, told: str) -> None:
    context = copy_context()
    context.run(speak, language)
    skipped = {"character outside the alphabet": 2, "comment": 1}
    assert context.run(describe_skipped, skipped) == told
