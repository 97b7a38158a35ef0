"""The figures of fills against published values, and counted by hand."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from string import ascii_uppercase
from typing import Any

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import CpfillError, GridError
from cpfill.design import STYLES
from cpfill.design.figures import FaultKind
from cpfill.formats.registry import read_puzzle
from cpfill.problem.fill import Fill
from cpfill.puzzle.grid import Direction, Grid, Slot
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.stats import (
    LANGUAGES,
    LongEntries,
    describe_fill,
    describe_grid,
    find_alike,
    find_faults,
    take_answers,
)
from cpfill.words.lexicon import Lexicon
from cpfill.words.marking import _load_stemmer, list_stems
from cpfill.words.wordlist import parse_word_list, read_word_list
from tests.support import ROOT
from tests.tables import Case, cases

LATIN = Alphabet()
MINI = ROOT / "tests" / "golden" / "mini.ipuz"
ENGLISH, FRENCH = LANGUAGES["en"], LANGUAGES["fr"]
# The letters in a bag of the English game, without the two blanks.
COUNTS = (9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)
BAG = dict(zip(ascii_uppercase, COUNTS, strict=True))


def grid_of(*rows: str, bars: Any = ()) -> Grid:
    letters = {"#": 0, ".": LATIN.full}
    cells = tuple(letters[cell] if cell in letters else LATIN.letter_set(cell) for cell in "".join(rows))
    return Grid(len(rows), len(rows[0]), cells, LATIN, bars=frozenset(map(tuple, bars)))


def lexicon_of(*lines: str) -> Lexicon:
    return Lexicon([parse_word_list("\n".join(lines))])


def figures_of(*rows: str, lines: tuple[str, ...] = ("run",), **options: Any) -> Any:
    return describe_fill(Fill.of_grid(grid_of(*rows)), lexicon_of(*lines), **options)


def find_links(*words: str, language: str = "en", others: Any = ()) -> dict[str, list[str]]:
    """Return what makes words alike, in a list with these words and others."""
    slots = [Slot(id_, Direction.ACROSS, (id_,), id_ + 1, ((id_, 0),)) for id_ in range(len(words))]
    standing = {slot: LATIN.fold(word) for slot, word in zip(slots, words, strict=True)}
    lexicon = Lexicon([parse_word_list("\n".join(f"{word};70" for word in (*words, *others)), language)])
    return {link.text: [words[slot.id] for slot in link.slots] for link in find_alike(standing, lexicon)}


def test_all_tiles_of_the_english_game_are_worth_187() -> None:
    assert sum(BAG.values()) == 98
    assert sum(ENGLISH[letter] * count for letter, count in BAG.items()) == 187


def test_the_french_game_has_other_values() -> None:
    other = {"K": 10, "M": 2, "Q": 8, "W": 10, "X": 10, "Y": 10}
    assert ENGLISH | other == FRENCH
    assert not {*other.items()} & {*ENGLISH.items()}


@pytest.mark.parametrize(
    ("name", "stemmer"), [("en", "english_stemmer.EnglishStemmer"), ("fr", "french_stemmer.FrenchStemmer")]
)
def test_the_stemmers_of_the_tab_find_the_same_stems(name: str, stemmer: str) -> None:
    """A browser's tab has those in Python; elsewhere compiled ones take their place."""
    module, _, kind = stemmer.partition(".")
    in_python = getattr(import_module(f"snowballstemmer.{module}"), kind)()
    words = sorted(spelling.lower() for _, spelling in read_word_list(name).words.values())[::100]
    assert list_stems(words, name) == [*map(in_python.stemWord, words)]


@cases("unit/questions/figures.toml", "alike")
def test_words_alike_have_something_in_common(case: Case) -> None:
    found = find_links(*case["words"], language=case.get("language", "en"), others=case.get("others", ()))
    assert found == case["links"]


def test_missing_stemmers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _load_stemmer.cache_clear()
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(CpfillError, match="pip install snowballstemmer"):
        find_links("RUN", "RUNS")


@pytest.mark.parametrize(("name", "published"), [("en", 0.75), ("fr", None), ("mine", 0.75)])
def test_long_entries_are_counted_by_their_kinds(name: str, published: float | None) -> None:
    spellings = ["toaster oven", "well-to-do", "Erik Satie", "Beethoven", "generally", "sat on", "Bo Peep"]
    words = list(map(LATIN.fold, spellings))
    lexicon = Lexicon([parse_word_list("\n".join(spellings), name)])
    rows = [f"{word:#<11}" for word in (*words, "UNLISTEDONE")]
    figures = describe_fill(Fill.of_grid(grid_of(*"/###########/".join(rows).split("/"))), lexicon)
    assert figures
    long = [spelling for spelling, word in zip(spellings, words, strict=True) if len(word) >= 8]
    phrases = [spelling for spelling in long if re.fullmatch("[a-z]+([- ][a-z]+)+", spelling)]
    names = [spelling for spelling in long if re.fullmatch("[A-Z][a-z]+( [A-Z][a-z]+)*", spelling)]
    assert figures.long == LongEntries(len(long), len(phrases), len(names), published)


def test_a_list_in_capitals_tells_no_kinds() -> None:
    assert figures_of("TOASTEROVEN", lines=("TOASTEROVEN", "RUN")).long is None
    assert figures_of("RUN", lines=("run", "Beethoven")).long is None


def names_of(slots: Any) -> list[str]:
    return [slot.name for slot in slots]


def test_a_fill_has_its_figures() -> None:
    """Its word UTE is not in the list, and NET stands there twice."""
    lexicon = lexicon_of("run;60", "ate;5", "net;20", "ran;5", "ute;100", "exx;1").without({"UTE"})
    figures = describe_fill(Fill.of_grid(grid_of("RUN", "ATE", "NET")), lexicon)
    assert figures
    words = {slot.name: word for slot, word in figures.words.items()}
    across = {"1-Across": "RUN", "4-Across": "ATE", "5-Across": "NET"}
    assert words == across | {"1-Down": "RAN", "2-Down": "UTE", "3-Down": "NET"}
    assert names_of(figures.unlisted) == ["2-Down"]
    assert (figures.mean_score, figures.median_score) == (22.0, 20.0)
    assert names_of(figures.find_worst()) == ["4-Across", "1-Down", "5-Across", "3-Down", "1-Across"]
    assert names_of(figures.find_worst(1)) == ["4-Across"]
    bins = {each.low: each.words for each in figures.histogram}
    assert bins == {0: 2, 10: 0, 20: 2, 30: 0, 40: 0, 50: 1}
    assert "".join(letter * count for letter, count in figures.letters.items()) == "AEENNRTTU"
    assert (figures.pangram, figures.scrabble) == (False, 1.0)
    ((link, slots),) = ((link.text, names_of(link.slots)) for link in figures.repeats)
    assert (link, slots) == ("NET", ["5-Across", "3-Down"])


@pytest.mark.parametrize(
    ("language", "letters", "worth", "pangram"),
    [("en", "QUA", 12 / 3, False), ("fr", ascii_uppercase, sum(FRENCH.values()) / 26, True)],
)
def test_letters_count_without_scores(language: str, letters: str, worth: float, pangram: bool) -> None:
    figures = figures_of(letters, lines=("ate",), values=LANGUAGES[language])
    assert (figures.mean_score, figures.median_score, figures.histogram, figures.find_worst()) == (None, None, [], [])
    assert len(figures.unlisted) == 1
    assert figures.scrabble == pytest.approx(worth)
    assert figures.pangram == pangram


def test_only_whole_words_count() -> None:
    figures = figures_of("RUN", "A..", "...")
    assert list(figures.words.values()) == ["RUN"]
    assert sum(figures.letters.values()) == 4
    assert figures_of("RU.", "A..", "...") is None


def test_a_letter_without_a_value_leaves_no_average() -> None:
    letters = Alphabet.named("de")
    grid = Grid(1, 2, (letters.letter_set("Ä"), letters.letter_set("B")), letters)
    figures = describe_fill(Fill.of_grid(grid), Lexicon([parse_word_list("äb", alphabet=letters)], letters))
    assert figures is not None
    assert figures.scrabble is None


def test_a_cell_of_several_letters_counts_them_all() -> None:
    """The middle cell of the mini puzzle has ART."""
    figures = describe_fill(take_answers(read_puzzle(MINI), LATIN), lexicon_of("started", "charter"))
    assert figures
    assert {*figures.words.values()} >= {"STARTED", "CHARTER"}
    assert sum(figures.letters.values()) == 20 + 3
    assert figures.alike == ()


def test_a_digit_is_no_letter() -> None:
    figures = describe_fill(take_answers(Puzzle(1, 3, ("7", "U", "P")), LATIN), lexicon_of("up"))
    assert figures
    assert [list(figures.words.values()), sum(figures.letters.values())] == [["7UP"], 2]


def test_a_letter_of_another_script_is_refused() -> None:
    with pytest.raises(GridError, match="Ж"):
        take_answers(Puzzle(1, 2, ("Ж", "U")), LATIN, name="x.ipuz")


BAR = (1, 2)


def test_a_bar_parts_words() -> None:
    """Behind the second cell of a row it makes two words of it."""
    assert describe_grid(grid_of("....", "....", bars=[BAR])).lengths == {2: 6, 4: 1}
    assert describe_grid(grid_of("....", bars=[BAR])).parts == (2, 2)


@pytest.mark.parametrize(("bars", "symmetries"), [([BAR], ("mirror",)), ([BAR, (5, 6)], ("rotate", "mirror"))])
def test_a_bar_may_break_symmetry(bars: object, symmetries: tuple[str, ...]) -> None:
    assert describe_grid(grid_of("....", "....", bars=bars)).symmetries == symmetries


@pytest.mark.parametrize(("bars", "cheaters"), [([BAR], (2,)), ([], ())])
def test_a_block_beside_a_bar_is_a_cheater(bars: object, cheaters: tuple[int, ...]) -> None:
    assert describe_grid(grid_of("..#..", bars=bars)).cheaters == cheaters


@pytest.mark.parametrize(("middle", "words"), [("....#.....#....", 78), ("....#..#..#....", 80)])
def test_an_american_grid_has_78_words_at_most(middle: str, words: int) -> None:
    """As newspapers print them. Two rows of blocks leave 13 of three words, and 13 columns of three."""
    rows = ["....#.....#...."] * 15
    rows[4] = rows[10] = "#" * 15
    rows[7] = middle
    grid = grid_of(*rows)
    assert len(grid.slots) == words
    faults = {fault.kind for fault in find_faults(grid, STYLES["american"])}
    assert (FaultKind.MANY_WORDS in faults) == (words > 78)


@cases("unit/questions/figures.toml", "faults")
def test_a_grid_has_the_faults_of_its_style(case: Case) -> None:
    faults = find_faults(grid_of(*case["rows"], bars=case.get("bars", ())), STYLES[case["style"]])
    found: dict[str, list[str]] = {}
    for fault in faults:
        found.setdefault(fault.kind.name, []).append(fault.at)
    expected = {kind: places for kind, places in case.items() if kind in FaultKind.__members__}
    if "all" in case:
        assert found == expected
    assert {kind: found.get(kind, []) for kind in expected} == expected


@cases("unit/questions/figures.toml", "naticks")
def test_names_cross_at_a_letter_to_guess(case: Case) -> None:
    names = ("ISIS;60", "ASIA;60", "TOKYO;60", "ARIE;30", "ERIE;30")
    words = ("iris;60", "aria;60", "sea;60", "tea;60", "see;60")
    assert [link.text for link in figures_of(*case["rows"], lines=names + words).naticks] == case["at"]
