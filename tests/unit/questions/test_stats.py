"""The figures of fills against published values and what was counted by hand."""

from __future__ import annotations

import sys
from importlib import import_module
from string import ascii_uppercase

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import CpfillError, GridError
from cpfill.design import STYLES
from cpfill.design.figures import FaultKind
from cpfill.formats.registry import read_puzzle
from cpfill.problem.problem import Fill
from cpfill.puzzle.grid import Direction, Grid, Slot
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.stats import (
    LANGUAGES,
    describe_fill,
    describe_grid,
    find_alike,
    find_faults,
    take_answers,
)
from cpfill.words.lexicon import Lexicon, _load_stemmer
from cpfill.words.wordlist import parse_word_list, read_word_list
from tests.support import ROOT

LATIN = Alphabet()
MINI = ROOT / "tests" / "golden" / "mini.ipuz"
ENGLISH, FRENCH = LANGUAGES["en"], LANGUAGES["fr"]
# The letters in a bag of the English game, without the two blanks.
COUNTS = (9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)
BAG = dict(zip(ascii_uppercase, COUNTS, strict=True))


def grid_of(*rows: str, bars: frozenset[tuple[int, int]] = frozenset()) -> Grid:
    cells = tuple(
        0 if cell == "#" else LATIN.full if cell == "." else LATIN.letter_set(cell) for row in rows for cell in row
    )
    return Grid(len(rows), len(rows[0]), cells, LATIN, bars=bars)


def lexicon_of(*lines: str) -> Lexicon:
    return Lexicon([parse_word_list("\n".join(lines))])


def alike(*words: str, language: str = "en", others: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """Return what makes words alike, in a list with these words and others."""
    slots = [Slot(id_, Direction.ACROSS, (id_,), id_ + 1, ((id_, 0),)) for id_ in range(len(words))]
    standing = {slot: LATIN.fold(word) for slot, word in zip(slots, words, strict=True)}
    lexicon = Lexicon([parse_word_list("\n".join(f"{word};70" for word in (*words, *others)), language)])
    return {link.text: [words[slot.id] for slot in link.slots] for link in find_alike(standing, lexicon)}


def test_all_tiles_of_the_english_game_are_worth_187() -> None:
    assert sum(BAG.values()) == 98
    assert sum(ENGLISH[letter] * count for letter, count in BAG.items()) == 187


def test_the_french_game_has_other_values() -> None:
    assert set(FRENCH) == set(ascii_uppercase)
    assert {letter for letter in ascii_uppercase if FRENCH[letter] != ENGLISH[letter]} == set("KMQWXY")
    assert [FRENCH[letter] for letter in "KMQWXY"] == [10, 2, 8, 10, 10, 10]


def test_stems_are_those_that_snowball_publishes() -> None:
    """In the samples of its pages on English and French."""
    assert alike("consign", "consigned", "consistency", "consigning", "consignment") == {
        "consign": ["consign", "consigned", "consigning", "consignment"]
    }
    assert alike("continu", "continué", "continuité", "continuellement", "continuez", language="fr")["continu"]


@pytest.mark.parametrize(
    ("name", "stemmer"), [("en", "english_stemmer.EnglishStemmer"), ("fr", "french_stemmer.FrenchStemmer")]
)
def test_the_stemmers_of_the_tab_find_the_same_stems(name: str, stemmer: str) -> None:
    """A browser's tab has those in Python; elsewhere compiled ones take their place."""
    module, _, kind = stemmer.partition(".")
    in_python = getattr(import_module(f"snowballstemmer.{module}"), kind)()
    words = sorted(spelling.lower() for _, spelling in read_word_list(name).words.values())[::100]
    assert [*map(_load_stemmer(name), words)] == [*map(in_python.stemWord, words)]


def test_words_of_one_stem_are_alike() -> None:
    assert alike("run", "ran", "running", "runs", "tea") == {"run": ["run", "running", "runs"]}
    assert alike("run", "run") == {}
    assert alike("mangé", "manger", language="fr") == {"mang": ["mangé", "manger"]}
    assert alike("aide", "aides", "rang", "range") == {"aid": ["aide", "aides"], "rang": ["rang", "range"]}


def test_entries_with_a_word_in_common_are_alike() -> None:
    assert alike("home run", "runs", "out of", "end of", "tic-tac") == {"run": ["home run", "runs"]}
    assert alike("ATECROW", "crows", "eatery", others=("ate", "crow")) == {"crow": ["ATECROW", "crows"]}
    assert alike("ATECROW", "EATENUP", others=("ATE", "CROW", "EATEN", "EAT")) == {}
    assert alike("ATECROW", "CROWBAR", others=("ATE", "CROW", "BAR")) == {"crow": ["ATECROW", "CROWBAR"]}
    assert alike("OUTOFTHEBOX", "outs", "THEBLUES", others=("out", "of", "the", "box", "blues")) == {}


def test_letters_within_a_longer_word_make_none_alike() -> None:
    assert alike("generally", "overall", "all", "over", "general ledger") == {
        "general": ["generally", "general ledger"]
    }
    assert alike("fortune", "unequal", others=("tune", "fort")) == {}


def test_words_that_reverse_each_other_are_alike() -> None:
    assert alike("star", "rats", "level", "no", "on") == {"RATS": ["star", "rats"]}


def test_without_the_stemmers_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _load_stemmer.cache_clear()
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(CpfillError, match="pip install snowballstemmer"):
        alike("RUN", "RUNS")


def test_a_fill() -> None:
    """Its word UTE is not in the list, and NET stands there twice."""
    grid = grid_of("RUN", "ATE", "NET")
    lexicon = lexicon_of("run;60", "ate;5", "net;20", "ran;5", "ute;100", "exx;1").without({"UTE"})
    figures = describe_fill(Fill.of_grid(grid), lexicon)
    assert figures
    assert {slot.name: word for slot, word in figures.words.items()} == {
        "1-Across": "RUN",
        "4-Across": "ATE",
        "5-Across": "NET",
        "1-Down": "RAN",
        "2-Down": "UTE",
        "3-Down": "NET",
    }
    assert [slot.name for slot in figures.unlisted] == ["2-Down"]
    assert (figures.mean_score, figures.median_score) == (22.0, 20.0)
    assert [slot.name for slot in figures.find_worst()] == ["4-Across", "1-Down", "5-Across", "3-Down", "1-Across"]
    assert [slot.name for slot in figures.find_worst(1)] == ["4-Across"]
    assert [(each.low, each.words) for each in figures.histogram] == [
        (0, 2),
        (10, 0),
        (20, 2),
        (30, 0),
        (40, 0),
        (50, 1),
    ]
    assert {letter: count for letter, count in figures.letters.items() if count} == {
        "R": 1, "U": 1, "N": 2, "A": 1, "T": 2, "E": 2,
    }  # fmt: skip
    assert not figures.pangram
    assert figures.scrabble == 1.0
    assert [(link.text, [slot.name for slot in link.slots]) for link in figures.repeats] == [
        ("NET", ["5-Across", "3-Down"])
    ]


@pytest.mark.parametrize(
    ("language", "letters", "worth", "pangram"),
    [("en", "QUA", 12 / 3, False), ("fr", ascii_uppercase, sum(FRENCH.values()) / 26, True)],
)
def test_letters_count_where_words_have_no_scores(language: str, letters: str, worth: float, pangram: bool) -> None:
    figures = describe_fill(Fill.of_grid(grid_of(letters)), lexicon_of("ate"), values=LANGUAGES[language])
    assert figures
    assert (figures.mean_score, figures.median_score, figures.histogram, figures.find_worst()) == (None, None, [], [])
    assert len(figures.unlisted) == 1
    assert figures.scrabble == pytest.approx(worth)
    assert figures.pangram == pangram


def test_full_words_of_a_grid_count_and_a_grid_without_one_has_no_figures() -> None:
    figures = describe_fill(Fill.of_grid(grid_of("RUN", "A..", "...")), lexicon_of("run"))
    assert figures
    assert list(figures.words.values()) == ["RUN"]
    assert sum(figures.letters.values()) == 4
    assert describe_fill(Fill.of_grid(grid_of("RU.", "A..", "...")), lexicon_of("run")) is None


def test_a_letter_without_a_value_leaves_no_average() -> None:
    letters = Alphabet.named("de")
    grid = Grid(1, 2, (letters.letter_set("Ä"), letters.letter_set("B")), letters)
    figures = describe_fill(Fill.of_grid(grid), Lexicon([parse_word_list("äb", alphabet=letters)], letters))
    assert figures
    assert figures.scrabble is None


def test_a_puzzle_with_a_cell_of_several_letters() -> None:
    """The middle cell of the mini puzzle has ART."""
    fill = take_answers(read_puzzle(MINI), LATIN)
    figures = describe_fill(fill, lexicon_of("started", "charter"))
    assert figures
    assert {"STARTED", "CHARTER"} <= set(figures.words.values())
    assert sum(figures.letters.values()) == 20 + 3
    assert figures.alike == ()


def test_a_digit_is_no_letter_and_a_letter_of_another_script_is_refused() -> None:
    figures = describe_fill(take_answers(Puzzle(1, 3, ("7", "U", "P")), LATIN), lexicon_of("up"))
    assert figures
    assert [list(figures.words.values()), sum(figures.letters.values())] == [["7UP"], 2]
    with pytest.raises(GridError, match="Ж"):
        take_answers(Puzzle(1, 2, ("Ж", "U")), LATIN, name="x.ipuz")


def test_bars_part_words_and_break_symmetry() -> None:
    """Behind the second cell of a row it makes two words of it."""
    bar = frozenset({(1, 2)})
    figures = describe_grid(grid_of("....", "....", bars=bar))
    assert figures.lengths == {2: 6, 4: 1}
    assert figures.symmetries == ("mirror",)
    assert describe_grid(grid_of("....", "....", bars=bar | {(5, 6)})).symmetries == ("rotate", "mirror")
    assert describe_grid(grid_of("....", bars=bar)).parts == (2, 2)
    faults = find_faults(grid_of("....", "....", bars=bar), STYLES["american"])
    assert [fault.at for fault in faults if fault.kind is FaultKind.ASYMMETRIC] == ["R1C2"]
    assert describe_grid(grid_of("..#..", bars=bar)).cheaters == (2,)
    assert describe_grid(grid_of("..#..")).cheaters == ()


def test_an_american_grid_has_78_words_at_most() -> None:
    """As newspapers print them. Two rows of blocks leave 13 of three words, and 13 columns of three."""
    rows = ["....#.....#...."] * 15
    rows[4] = rows[10] = "#" * 15
    assert len(grid_of(*rows).slots) == 78
    faults = find_faults(grid_of(*rows), STYLES["american"])
    assert not any(fault.kind is FaultKind.MANY_WORDS for fault in faults)
    rows[7] = "....#..#..#...."
    assert len(grid_of(*rows).slots) == 80
    faults = find_faults(grid_of(*rows), STYLES["american"])
    assert any(fault.kind is FaultKind.MANY_WORDS for fault in faults)


def test_what_a_lattice_must_not_have() -> None:
    faults = find_faults(grid_of("....", "##.#", "....", "##.#"), STYLES["british"])
    kinds = {(str(fault.kind), fault.at) for fault in faults}
    assert ("word crossed by one letter alone", "1-Across") in kinds
    two = find_faults(grid_of("......", "#.##.#", "......", "#.##.#"), STYLES["british"])
    assert FaultKind.LITTLE_CHECKED in {fault.kind for fault in two if fault.at == "1-Across"}
    assert FaultKind.HANGING not in {fault.kind for fault in two}
    assert not any(kind == "three unchecked cells in a row" for kind, _ in kinds)
    faults = find_faults(grid_of("....", "###.", "....", "###."), STYLES["british"])
    assert {fault.at for fault in faults if fault.kind is FaultKind.UNCHECKED_ROW} == {"R1C1-R1C3", "R3C1-R3C3"}


def test_faults_of_an_arrowword() -> None:
    faults = find_faults(grid_of("#..", "...", "#.#"), STYLES["arrow"])
    assert {(fault.kind, fault.at) for fault in faults} == {
        (FaultKind.NO_FRAME, "R1C3"),
        (FaultKind.IDLE, "R3C1"),
        (FaultKind.IDLE, "R3C3"),
        (FaultKind.NO_CLUE_CELL, "1-Down"),  # R1C1 has two clues already
        (FaultKind.NO_CLUE_CELL, "2-Down"),
    }
    assert find_faults(grid_of("#.#", "...", "#.."), STYLES["arrow"]) == ()


def test_names_that_cross_where_another_letter_would_do() -> None:
    """ISIS and ASIA could be IRIS and ARIA; TOKYO has no other letter where it crosses; tea and tee are no names."""
    lines = ("ISIS;60", "ASIA;60", "iris;60", "aria;60", "TOKYO;60", "sea;60", "tea;60", "see;60", "ARIE;30", "ERIE;30")
    lexicon = lexicon_of(*lines)

    def crossed(*rows: str) -> list[str]:
        figures = describe_fill(Fill.of_grid(grid_of(*rows)), lexicon)
        assert figures
        return [link.text for link in figures.naticks]

    assert crossed("##A#", "ISIS", "##I#", "##A#") == []
    assert crossed("#A##", "ISIS", "#I##", "#A##") == ["R2C2"]
    assert crossed("TOKYO", "#####") == []
    assert crossed("SEA", "E##", "E##") == []
