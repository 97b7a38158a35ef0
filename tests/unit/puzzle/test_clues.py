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
from tests.tables import read_rows

if TYPE_CHECKING:
    from pathlib import Path

LATIN = Alphabet()
ACROSS, DOWN = Direction.ACROSS, Direction.DOWN


# Files of clues


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "# my clues\nHot-dog\tSnack; with mustard\n\n  été;Saison\nHOTDOG;Show\toff\nhotdog\tShow   off\n",
            {"HOTDOG": ("Snack; with mustard", "Show off"), "ETE": ("Saison",)},
        ),
        # A comma parts where nothing else does.
        (
            "CAT, Feline, as a rule\nDOG, Canine; barks\nEWE\tShe, who bleats\n",
            {"CAT": ("Feline, as a rule",), "DOG": ("Canine; barks",), "EWE": ("She, who bleats",)},
        ),
        ("YES, SIR;Agreed\nNO, SIR\tNot so\n", {"YESSIR": ("Agreed",), "NOSIR": ("Not so",)}),
        # A table in CSV.
        (
            'ARE,"we, you"\nTEN,"a ""x"" b"\nSIX,"half" a dozen\n',
            {"ARE": ("we, you",), "TEN": ('a "x" b',), "SIX": ("half a dozen",)},
        ),
        ('number,answer,clue\n1,CAT,"two\nlines"\n2,,none\n3,D?G,half\n', {"CAT": ("two lines",)}),
        ("word;clue\ncat;Purrs; sleeps\n;;\ndog;Barks\n", {"CAT": ("Purrs; sleeps",), "DOG": ("Barks",)}),
        ("Définition\tMot\nUn chat\tminou\n", {"MINOU": ("Un chat",)}),
        ('"Clue", "Word"\n"Barks, bites",dog\n', {"DOG": ("Barks, bites",)}),
        ("clue,dog\nword,cat\n", {"CLUE": ("dog",), "WORD": ("cat",)}),
        ('Answer,Clue\ncat,"Feline, ""so"""\na?c,Unknown\ndog,\n', {"CAT": ('Feline, "so"',)}),
    ],
)
def test_a_word_has_a_clue_a_line(text: str, words: dict[str, tuple[str, ...]]) -> None:
    assert parse_clues(text).words == words


def test_the_table_of_a_puzzle_is_a_file_of_clues() -> None:
    clues = {(ACROSS, 1): 'One, "two"; three', (DOWN, 1): "Down"}
    table, _ = write_puzzle(Puzzle(2, 2, ("A", "B", "C", ""), clues), "csv")
    assert parse_clues(table.decode()).words == {"AB": ('One, "two"; three',), "AC": ("Down",)}


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv"
    path.write_bytes("\ufeffaño\tTwelve months\r\ndog;Chien\r\n".encode())
    assert read_clues(path, alphabet=Alphabet.named("es")).words == {"AÑO": ("Twelve months",), "DOG": ("Chien",)}


EXPECTED = "expected WORD, a tab, semicolon or comma, and its clue, found"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# clues\nDOG;one\nCAT\n", f"my.csv:3: {EXPECTED} no tab, semicolon or comma"),
        ("CAT,\n", f"my.csv:1: {EXPECTED} no clue"),
        ("CAT;\n", f"my.csv:1: {EXPECTED} no clue"),
        ("CAT\t \u200b\n", f"my.csv:1: {EXPECTED} no clue"),
        (";a pet\n", f"my.csv:1: {EXPECTED} '', without letters"),
        ("---;a pet\n", f"my.csv:1: {EXPECTED} '---', without letters"),
        ("---,a pet\n", f"my.csv:1: {EXPECTED} '---', without letters"),
        ("answer,clue\nAB,x\n--,y\n", f"my.csv:3: {EXPECTED} '--'"),
        (f'answer,clue\nAB,"{"x" * 200_000}"\n', "my.csv:2: expected a CSV table, found field larger"),
        ("word,clue\nAB,\n", f"my.csv:2: {EXPECTED} no clue"),
        ("word\tclue\nAB\tx\n\ty\n", f"my.csv:3: {EXPECTED} ''"),
        (f"AB;x\nCD;{'x' * 20_000}\n", "my.csv:2: expected a clue of at most 10000 characters, found 20000"),
        (f'AB,"{"x" * 200_000}"\n', "my.csv:1: expected a clue of at most 10000 characters, found 200002"),
    ],
)
def test_a_bad_line_is_told_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_clues(text, "my.csv")
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 150


def test_a_word_outside_the_alphabet_is_told_with_its_line() -> None:
    assert parse_clues("CAT;x\nR2D2;y\n").words.keys() == {"CAT", "R2D2"}
    with pytest.raises(InputError, match=r"^my.csv:2: expected a word over the alphabet .*'R2D2'$"):
        parse_clues("CAT;x\nR2D2;y\n", "my.csv", vocabulary=True)


def test_a_word_of_a_vocabulary_may_lack_its_clue() -> None:
    read = parse_clues("word,clue\nCat,Purrs\nDog,\n", vocabulary=True)
    assert read.words == {"CAT": ("Purrs",), "DOG": ()}
    assert parse_clues("CAT\nDOG\n", vocabulary=True).words == {"CAT": (), "DOG": ()}


TEXTS = st.text(max_size=12).map(clean).filter(bool)
WORDS = st.text("ABCD4", min_size=1, max_size=4)


@given(st.dictionaries(WORDS, st.lists(TEXTS, min_size=1, max_size=3, unique=True).map(tuple)))
def test_written_clues_are_read_back(words: dict[str, tuple[str, ...]]) -> None:
    assert parse_clues(write_clues(ClueCollection(words))).words == words


# Clues given to slots


def square(rows: str, clues: dict[tuple[Direction, int], str] | None = None) -> Puzzle:
    cells = rows.replace("/", "").replace(".", " ")
    return Puzzle(2, 2, tuple(map(str.strip, cells)), clues or {})


# Rows, seed, clues that the file has, clues that the slots get (1-Across, 3-Across, 1-Down, 2-Down).
GIVEN = read_rows("""
AB/CD | 0 | AB;one ab;two AC;three CD;four EF;five | one four three -
AB/CD | 1 | AB;one ab;two AC;three CD;four EF;five | two four three -
ÀB/C. | 0 | AB;one ab;two AC;three C;four B;five   | one - three -
AB/BA | 0 | AB;one AB;two BA;three                 | one three two -
""")


@pytest.mark.parametrize(("rows", "seed", "lines", "expected"), GIVEN)
def test_slots_get_clues_of_their_words(rows: str, seed: str, lines: str, expected: str) -> None:
    clues = parse_clues(lines.replace(" ", "\n"))
    clued, missing = place_clues(square(rows), clues, int(seed))
    told = [clued.clue(slot) for slot in clued.slots]
    assert told == [text.replace("-", NO_CLUE) for text in expected.split()]
    assert [clued.clue(slot) for slot in missing] == [NO_CLUE] * told.count(NO_CLUE)
    assert place_clues(clued, clues, seed=5) == (clued, missing)


def test_clues_that_stand_there_stay() -> None:
    puzzle = square("AB/BA", {(ACROSS, 1): "two", (ACROSS, 3): NO_CLUE, (DOWN, 9): "stray"})
    clued, _ = place_clues(puzzle, parse_clues("AB;two\nAB;one\nBA;three\n"))
    assert [clued.clue(slot) for slot in clued.slots] == ["two", "three", "one", NO_CLUE]
    assert clued.clues[DOWN, 9] == "stray"


def test_cells_of_several_letters_have_clues() -> None:
    clued, _ = place_clues(Puzzle(1, 3, ("HEART", "4", "U")), parse_clues("heart-4-u;Card to you\n"))
    assert clued.clues == {(ACROSS, 1): "Card to you"}


THREE = st.text("AB", min_size=3, max_size=3)


@given(
    st.lists(THREE, min_size=3, max_size=3), st.dictionaries(THREE, st.integers(1, 4), max_size=8), st.integers(-3, 9)
)
def test_clues_go_to_as_many_slots_as_can_be(rows: list[str], known: dict[str, int], seed: int) -> None:
    puzzle = Puzzle(3, 3, tuple("".join(rows)))
    clues = {}
    for word, count in known.items():
        clues[word] = tuple(f"{word} {n}" for n in range(count))
    clued, missing = place_clues(puzzle, ClueCollection(clues), seed)
    found = [(clued.answer(slot), clued.clue(slot)) for slot in clued.slots if slot not in missing]
    assert all(text in clues[word] for word, text in found)
    assert len(set(found)) == len(found)
    standing = Counter(clued.answer(slot) for slot in clued.slots)
    assert len(found) == sum(min(count, known.get(word, 0)) for word, count in standing.items())


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_clue_comes_under_some_seed(count: int) -> None:
    texts = tuple(map(str, range(count)))
    clues = ClueCollection({"AB": texts})
    found = [place_clues(Puzzle(1, 2, ("A", "B")), clues, seed)[0].clues[ACROSS, 1] for seed in range(count)]
    assert sorted(found) == list(texts)


# Dictionaries

NOUNS = {
    "hot_dog": ["a frankfurter served hot on a bun"],
    "cat": ["a feline mammal; purrs: domestic cats", 'a spiteful gossip; "what a cat she is!"', "a whip;"],
    "dog": ["a canid"],
    "o'er": ['"nothing but this example"', 'the "so-called" pole'],
}
VERBS = {"cat": ['beat with a cat-o\'-nine-tails; "he was catted"', 'throw up: "to be ill"']}
CATS = ["a feline mammal; purrs: domestic cats", "a spiteful gossip", "a whip"]


@pytest.mark.parametrize(
    ("word", "definitions"),
    {
        "HOTDOG": ["a frankfurter served hot on a bun"],
        "CAT": [*CATS, "beat with a cat-o'-nine-tails", "throw up"],
        "COW": [],
        "OER": [],
    }.items(),
)
def test_definitions_come_without_examples(word: str, definitions: list[str], tmp_path: Path) -> None:
    assert read_definitions(write_wordnet(tmp_path, NOUNS, VERBS), LATIN)(word) == definitions


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
    with pytest.raises(InputError, match=said):
        read_definitions(tmp_path, LATIN)("CAT")


MEANINGS = {
    "été": ["(Nom)|saison|canicule "],
    "cat": ["(noun)|true cat|feline (generic term)|dog (antonym)", "(verb)|vomit|retch"],
    "empty": [],
    "plier": ["(Verbe)|plier(se)|courber"],
}


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO8859-1"])
@pytest.mark.parametrize(
    ("word", "synonyms"),
    {
        "ETE": ["saison", "canicule "],
        "CAT": ["true cat", "feline", "vomit", "retch"],
        "EMPTY": [],
        "COW": [],
        "PLIER": ["plier(se)", "courber"],
    }.items(),
)
def test_synonyms_come_without_notes(word: str, synonyms: list[str], encoding: str, tmp_path: Path) -> None:
    path = write_thesaurus(tmp_path / "th_xx.dat", MEANINGS, encoding)
    assert read_synonyms(path, LATIN)(word) == synonyms


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "begins with its encoding, found ''"),
        ("klingon\ncat|0\n", "begins with its encoding, found 'klingon'"),
        ("UTF-8\nété|0\n", "begins with its encoding"),
        ("UTF-8\ncat\n", r":2: expected an entry of a thesaurus: word\|meanings, found 'cat'"),
        ("UTF-8\ndog|0\ncat|3\n(noun)|a\n", r":3: expected 3 meanings, found the end after 'cat\|3'"),
    ],
)
def test_a_damaged_thesaurus_is_told(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=said):
        read_synonyms(path, LATIN)


@pytest.mark.parametrize(("most", "clues"), [(2, 2), (9, 3)])
def test_no_clue_gives_its_word_away(most: int, clues: int, tmp_path: Path) -> None:
    thesaurus = write_thesaurus(tmp_path / "th.dat", {"cat": ["(n)|true cat|a whip|feline"], "dog": ["(n)|dogs|dog"]})
    listed = list_dictionaries([write_wordnet(tmp_path / "wn", {"cat": NOUNS["cat"]}, {})], [thesaurus])
    known = [each.read(LATIN) for each in listed]
    found = look_up(["DOG", "CAT", "COW", "CAT"], known, LATIN, most=most)
    assert found.words == {"CAT": ("a spiteful gossip", "a whip", "feline")[:clues]}


AWAY = read_rows("""
CAT    | a true cat
CAT    | domestic cats; lions
HOTDOG | a hot, hot dog!
BAKE   | one who bakes
ETE    | fin d'été
""")
KEPT = read_rows("""
CAT    | a category
HOTDOG | hot and dog
BACCO  | a tobacco
A      | the sea
A      |
""")


def test_clues_that_give_a_word_away_are_known() -> None:
    assert [row for row in [*AWAY, *KEPT] if gives_away(row[1], row[0], LATIN)] == AWAY


def test_dictionaries_of_the_system_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "WORDNET_AT", tmp_path / "wordnet")
    monkeypatch.setattr(dictionary, "THESAURI_AT", tmp_path / "mythes")
    monkeypatch.setattr(dictionary, "find_definitions", lambda _: [])
    missing = {
        "en": r"'en': pip install 'cpfill\[clues\]'",
        "fr": r"'fr': pip install 'cpfill\[clues\]'",
        "de": r"'de' .*mythes-de",
        "../x": r"a language .*'\.\./x'",
    }
    for language, said in missing.items():
        with pytest.raises(InputError, match=said):
            find_installed(language)
    write_wordnet(tmp_path / "wordnet", NOUNS, VERBS)
    french = write_thesaurus(tmp_path / "mythes" / "thes_fr.dat", MEANINGS)
    for country in ("BE", "FR"):
        (french.parent / f"th_fr_{country}_v2.dat").symlink_to(french.name)
    assert [each.path for each in find_installed("en")] == [tmp_path / "wordnet"]
    assert [each.path for each in find_installed("fr")] == [french.resolve()]
