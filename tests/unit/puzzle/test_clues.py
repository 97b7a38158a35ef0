"""Files of clues, clues given to slots, and dictionaries read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.clues import NO_CLUE, ClueCollection, parse_clues, place_clues, read_clues, write_clues
from cpfill.puzzle.clues import dictionaries as dictionary
from cpfill.puzzle.clues.dictionaries import (
    find_installed,
    gives_away,
    list_dictionaries,
    look_up,
    read_definitions,
    read_synonyms,
)
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import clean
from cpfill.puzzle.puzzle import Puzzle
from tests.dictionaries import write_thesaurus, write_wordnet

if TYPE_CHECKING:
    from pathlib import Path

LATIN = Alphabet()
ACROSS, DOWN = Direction.ACROSS, Direction.DOWN


# Files of clues


def test_a_word_has_a_clue_a_line() -> None:
    text = "\ufeff# my clues\nHot-dog\tSnack; with mustard\n\n  été;Saison\nHOTDOG;Show\toff\nhotdog\tShow   off\n"
    found = parse_clues(text.removeprefix("\ufeff"))
    assert found.words == {"HOTDOG": ("Snack; with mustard", "Show off"), "ETE": ("Saison",)}
    assert parse_clues("año;Doce meses\n", alphabet=Alphabet.named("es")).words == {"AÑO": ("Doce meses",)}


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv"
    path.write_bytes("\ufeffcat\tFélin\r\ndog;Chien\r\n".encode())
    assert read_clues(path).words == {"CAT": ("Félin",), "DOG": ("Chien",)}


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("CAT", "no tab, semicolon or comma"),
        ("CAT,", "no clue"),
        ("CAT;", "no clue"),
        ("CAT\t \u200b", "no clue"),
        (";a pet", "'', without letters"),
        ("---;a pet", "'---', without letters"),
        ("---,a pet", "'---', without letters"),
    ],
)
def test_a_bad_line_is_told_in_one_line(line: str, got: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_clues(f"# clues\nDOG;one\n{line}\n", "my.tsv")
    assert str(caught.value) == f"my.tsv:3: expected WORD, a tab, semicolon or comma, and its clue, found {got}"


def test_a_comma_parts_where_nothing_else_does() -> None:
    assert parse_clues("CAT, Feline, as a rule\nDOG, Canine; barks\nEWE\tShe, who bleats\n").words == {
        "CAT": ("Feline, as a rule",),
        "DOG": ("Canine; barks",),
        "EWE": ("She, who bleats",),
    }
    assert parse_clues("YES, SIR;Agreed\nNO, SIR\tNot so\n").words == {"YESSIR": ("Agreed",), "NOSIR": ("Not so",)}


def test_the_table_of_a_puzzle_is_a_file_of_clues() -> None:
    clues = {(ACROSS, 1): 'One, "two"; three', (DOWN, 1): "Down"}
    assert parse_clues('ARE,"we, you"\nTEN,"a ""x"" b"\nSIX,"half" a dozen\n').words == {
        "ARE": ("we, you",), "TEN": ('a "x" b',), "SIX": ("half a dozen",),
    }  # fmt: skip
    table, _ = write_puzzle(Puzzle(2, 2, ("A", "B", "C", ""), clues), "csv")
    assert parse_clues('number,answer,clue\n1,CAT,"two\nlines"\n2,,none\n3,D?G,half\n').words == {"CAT": ("two lines",)}
    assert parse_clues(table.decode()).words == {"AB": ('One, "two"; three',), "AC": ("Down",)}
    assert parse_clues('Answer,Clue\ncat,"Feline, ""so"""\na?c,Unknown\ndog,\n').words == {"CAT": ('Feline, "so"',)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("answer,clue\nAB,x\n--,y\n", "my.csv:3: expected WORD, a tab, semicolon or comma, and its clue, found '--'"),
        (f'answer,clue\nAB,"{"x" * 200_000}"\n', "my.csv:2: expected a CSV table, found field larger"),
        (f"AB;x\nCD;{'x' * 20_000}\n", "my.csv:2: expected a clue of at most 10000 characters, found 20000"),
        (f'AB,"{"x" * 200_000}"\n', "my.csv:1: expected a clue of at most 10000 characters, found 200002"),
    ],
)
def test_a_bad_table_or_clue_is_told_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_clues(text, "my.csv")
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 150


TEXTS = st.text(max_size=12).map(clean).filter(bool)
WORDS = st.text("ABCD4", min_size=1, max_size=4)


@given(st.dictionaries(WORDS, st.lists(TEXTS, min_size=1, max_size=3, unique=True).map(tuple)))
def test_what_is_written_is_read_back(words: dict[str, tuple[str, ...]]) -> None:
    assert parse_clues(write_clues(ClueCollection(words))).words == words


# Clues given to slots


def square(rows: str, clues: dict[tuple[Direction, int], str] | None = None) -> Puzzle:
    width = rows.index("/")
    cells = tuple(None if char == "#" else "" if char == "." else char for char in rows.replace("/", ""))
    return Puzzle(len(cells) // width, width, cells, clues or {})


def given_clues(puzzle: Puzzle, text: str, seed: int = 0) -> list[str]:
    clued, missing = place_clues(puzzle, parse_clues(text), seed)
    assert [slot.name for slot in missing] == [s.name for s in clued.slots if clued.clue(s) == NO_CLUE]
    return [clued.clue(slot) for slot in clued.slots]


def test_each_slot_has_a_clue_of_its_word_or_the_marker() -> None:
    text = "AB;one\nab;two\nAC;three\nCD;four\nEF;five\n"
    assert given_clues(square("AB/CD"), text) == ["one", "four", "three", NO_CLUE]
    assert given_clues(square("AB/CD"), text, seed=1) == ["two", "four", "three", NO_CLUE]
    assert given_clues(square("ÀB/C."), text) == ["one", NO_CLUE, "three", NO_CLUE]


def test_a_word_that_stands_twice_has_two_clues() -> None:
    assert given_clues(square("AB/BA"), "AB;one\nAB;two\nBA;three\n") == ["one", "three", "two", NO_CLUE]


def test_clues_that_stand_there_stay_and_are_not_given_again() -> None:
    puzzle = square("AB/BA", {(ACROSS, 1): "two", (ACROSS, 3): NO_CLUE, (DOWN, 9): "stray"})
    assert given_clues(puzzle, "AB;two\nAB;one\nBA;three\n") == ["two", "three", "one", NO_CLUE]
    assert place_clues(puzzle, parse_clues(""))[0].clues[DOWN, 9] == "stray"


def test_cells_of_several_letters_and_of_symbols() -> None:
    puzzle = Puzzle(1, 3, ("HEART", "4", "U"))
    assert given_clues(puzzle, "heart-4-u;Card to you\n") == ["Card to you"]


def test_giving_clues_twice_changes_nothing() -> None:
    clues = parse_clues("AB;one\nAC;three\n")
    once, missing = place_clues(square("AB/CD"), clues)
    assert place_clues(once, clues, seed=5) == (once, missing)


PAIRS = st.sampled_from([one + other for one in "AB" for other in "AB"])


@given(
    st.lists(st.lists(st.sampled_from("AB"), min_size=3, max_size=3), min_size=3, max_size=3),
    st.dictionaries(st.text("AB", min_size=3, max_size=3), st.integers(1, 4), max_size=8),
    st.integers(-3, 9),
)
def test_as_many_slots_as_can_have_clues_of_their_own(rows: list[list[str]], known: dict[str, int], seed: int) -> None:
    puzzle = Puzzle(3, 3, tuple(letter for row in rows for letter in row))
    clues = ClueCollection({word: tuple(f"{word} {n}" for n in range(count)) for word, count in known.items()})
    clued, missing = place_clues(puzzle, clues, seed)
    texts = {slot: clued.clue(slot) for slot in clued.slots}
    found = {slot: text for slot, text in texts.items() if slot not in missing}
    assert all(text.split()[0] == clued.answer(slot) for slot, text in found.items())
    assert len(set(found.values())) == len(found)
    standing = Counter(clued.answer(slot) for slot in clued.slots)
    assert len(found) == sum(min(count, known.get(word, 0)) for word, count in standing.items())


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_clue_comes_under_some_seed(count: int) -> None:
    clues = ClueCollection({"AB": tuple(map(str, range(count)))})
    puzzle = Puzzle(1, 2, ("A", "B"))
    assert {place_clues(puzzle, clues, seed)[0].clues[ACROSS, 1] for seed in range(count)} == set(clues.words["AB"])


# Dictionaries

NOUNS = {
    "hot_dog": ["a frankfurter served hot on a bun"],
    "cat": ["a feline mammal; purrs: domestic cats", 'a spiteful gossip; "what a cat she is!"', "a whip;"],
    "dog": ["a canid"],
    "o'er": ['"nothing but this example"', 'the "so-called" pole'],
}
VERBS = {"cat": ['beat with a cat-o\'-nine-tails; "he was catted"', 'throw up: "to be ill"']}


def test_definitions_are_read_without_their_examples(tmp_path: Path) -> None:
    find = read_definitions(write_wordnet(tmp_path, NOUNS, VERBS), LATIN)
    assert {word: find(word) for word in ("CAT", "HOTDOG", "COW", "OER")} == {
        "HOTDOG": ["a frankfurter served hot on a bun"],
        "CAT": [
            "a feline mammal; purrs: domestic cats", "a spiteful gossip", "a whip",
            "beat with a cat-o'-nine-tails", "throw up",
        ],
        "COW": [],
        "OER": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("cat n 9 2 @ ~ 1 0 00000059", "index.noun:1: expected a line of a WordNet index"),
        ("cat n", "index.noun:1: expected a line of a WordNet index"),
        ("cat n 1 0 1 0 00000060", "data.noun: expected a synset at byte 00000060"),
        ("cat n 1 0 1 0 99999999", "data.noun: expected a synset at byte 99999999"),
        ("cat n 1 0 1 0 -0000001", "data.noun: expected a synset at byte -0000001"),
        (f"cat n 1 0 1 0 {500 * '%'}", f"data.noun: expected a synset at byte {20 * '%'}, where"),
    ],
)
def test_a_damaged_database_is_told(index: str, said: str, tmp_path: Path) -> None:
    write_wordnet(tmp_path, NOUNS, VERBS)
    (tmp_path / "index.noun").write_text(f"{index}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_definitions(tmp_path, LATIN)("CAT")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


MEANINGS = {
    "été": ["(Nom)|saison|canicule "],
    "cat": ["(noun)|true cat|feline (generic term)|dog (antonym)", "(verb)|vomit|retch"],
    "empty": [],
    "plier": ["(Verbe)|plier(se)|courber"],
}


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO8859-1"])
def test_synonyms_are_read_without_notes_and_antonyms(encoding: str, tmp_path: Path) -> None:
    path = write_thesaurus(tmp_path / "th_xx.dat", MEANINGS, encoding)
    find = read_synonyms(path, LATIN)
    assert {word: find(word) for word in ("ETE", "CAT", "EMPTY", "COW", "PLIER")} == {
        "ETE": ["saison", "canicule "],
        "CAT": ["true cat", "feline", "vomit", "retch"],
        "EMPTY": [],
        "COW": [],
        "PLIER": ["plier(se)", "courber"],
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "begins with its encoding, found ''"),
        ("klingon\ncat|0\n", "begins with its encoding, found 'klingon'"),
        ("UTF-8\ncat\n", ":2: expected an entry of a thesaurus: word|meanings, found 'cat'"),
        ("UTF-8\ndog|0\ncat|3\n(noun)|a\n", ":3: expected 3 meanings, found the end after 'cat|3'"),
    ],
)
def test_a_damaged_thesaurus_is_told(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_synonyms(path, LATIN)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_thesaurus_in_another_encoding_than_it_says(tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_bytes("UTF-8\nété|0\n".encode("latin-1"))
    with pytest.raises(InputError, match="begins with its encoding"):
        read_synonyms(path, LATIN)


def test_clues_come_from_all_dictionaries_and_none_gives_its_word_away(tmp_path: Path) -> None:
    thesaurus = write_thesaurus(tmp_path / "th.dat", {"cat": ["(n)|true cat|a whip|feline"], "dog": ["(n)|dogs|dog"]})
    listed = list_dictionaries([write_wordnet(tmp_path / "wn", {"cat": NOUNS["cat"]}, {})], [thesaurus])
    known = [each.read(LATIN) for each in listed]
    found = look_up(["DOG", "CAT", "COW", "CAT"], known, LATIN)
    assert found.words == {"CAT": ("a spiteful gossip", "a whip", "feline")}
    assert look_up(["CAT"], known, LATIN, most=2).words == {"CAT": ("a spiteful gossip", "a whip")}


@pytest.mark.parametrize(
    ("clue", "word", "given"),
    [
        ("a true cat", "CAT", True),
        ("domestic cats; lions", "CAT", True),
        ("a category", "CAT", False),
        ("a hot, hot dog!", "HOTDOG", True),
        ("hot and dog", "HOTDOG", False),
        ("one who bakes", "BAKE", True),
        ("a tobacco", "BACCO", False),
        ("fin d'été", "ETE", True),
        ("the sea", "A", False),
        ("", "A", False),
    ],
)
def test_what_gives_a_word_away(clue: str, word: str, given: bool) -> None:
    assert gives_away(clue, word, LATIN) is given


def test_what_the_system_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "WORDNET_AT", tmp_path / "wordnet")
    monkeypatch.setattr(dictionary, "THESAURI_AT", tmp_path / "mythes")
    with pytest.raises(InputError, match=r"'en' .*wordnet-base or mythes-en-us"):
        find_installed("en")
    with pytest.raises(InputError, match=r"'fr' .*mythes-fr"):
        find_installed("fr")
    with pytest.raises(InputError, match=r"a language .*'\.\./x'"):
        find_installed("../x")
    write_wordnet(tmp_path / "wordnet", NOUNS, VERBS)
    french = write_thesaurus(tmp_path / "mythes" / "thes_fr.dat", MEANINGS)
    for country in ("BE", "FR"):
        (french.parent / f"th_fr_{country}_v2.dat").symlink_to(french.name)
    assert [each.path for each in find_installed("en")] == [tmp_path / "wordnet"]
    assert [each.path for each in find_installed("fr")] == [french.resolve()]
