"""The marks of all words of tables at once, against those of each word."""

from __future__ import annotations

from array import array
from itertools import product
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cpfill.base.alphabet import NAMED, Alphabet
from cpfill.words import marking
from cpfill.words.lexicon import Lexicon
from cpfill.words.packing import twin
from cpfill.words.wordlist import PACKAGED, WordList, parse_word_list, read_word_list
from tests.unit.engines.wasmtime_host import modules_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.words.lexicon import WordTable

MODULES = modules_of("packing", "cpfill.words.packing._packing")

SPREADING = [twin, *(module for name, module in MODULES.items() if name == "compiled")]

PIECES = [
    *("run", "running", "runs", "cat", "cats", "tac", "of", "the", "with", "été", "ÉTÉS", "œuvre", "Œuvres", "ŵoŷ"),
    *("RUN", "CAT", "CATS", "THE", "AT", "OF", "SŁO", "ŒUVRE", "IJS", "ß", " ", "-", "'", "\u2019", "4", "_", "ŸES"),
]
spellings = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
lists = st.dictionaries(spellings, st.sampled_from([30, 45, 50, 55, 60, 70]), min_size=1, max_size=25)


def read(words: dict[str, int], name: str = "list", alphabet: Alphabet | None = None) -> WordList | None:
    """Return a list, if some of its words can be used."""
    usable = {word: score for word, score in words.items() if any(map(str.isalpha, word)) and "4" not in word}
    if not usable:
        return None
    text = "".join(f"{word};{score}\n" for word, score in words.items())
    return parse_word_list(text, name, alphabet)


def check(lexicon: Lexicon, tables: Iterable[WordTable]) -> None:
    """Check that words share a number wherever they share a mark, and nowhere else."""
    tables = list(tables)
    found = lexicon.mark_tables(tables)
    numbers: dict[str, set[int]] = {}
    for table, pairs in zip(tables, found, strict=True):
        assert list(pairs[::2]) == sorted(pairs[::2])
        for word in table.words:
            numbers[word] = set()
        for id_, number in zip(pairs[::2], pairs[1::2], strict=True):
            numbers[table.words[id_]].add(number)
    for one, other in product(numbers, repeat=2):
        assert bool(numbers[one] & numbers[other]) == bool(lexicon.marks(one) & lexicon.marks(other)), (one, other)
    assert {word: len(marks) for word, marks in numbers.items()} == {word: len(lexicon.marks(word)) for word in numbers}


@pytest.mark.parametrize("kernel", MODULES.values(), ids=MODULES)
@given(first=lists, second=lists, name=st.sampled_from(["list", "fr"]), letters=st.sampled_from(["latin", "sv"]))
@example({"CATRUN": 50, "cat": 50, "run": 60, "CATRUNS": 50, "RUNSCAT": 50, "runs": 45}, {"tac": 30}, "list", "latin")
@example({"RUNCAT\u2019S": 50, "Łódź": 50, "łódź of the": 60}, {"RUNOFCATS": 60, "run": 60, "of": 60}, "fr", "sv")
def test_words_share_numbers_as_they_share_marks(
    kernel: object, first: dict[str, int], second: dict[str, int], name: str, letters: str
) -> None:
    alphabet = Alphabet(NAMED[letters])
    read_lists = [read(first, name, alphabet), read(second, "other", alphabet)]
    lexicon = Lexicon(filter(None, read_lists), alphabet)
    with patch.object(marking, "load_kernel", lambda *_: kernel):
        check(lexicon, map(lexicon.table, lexicon.lengths))
        added = lexicon.including(["CATNIPS", "RUNCATS"]).without(["CAT", "RUN"])
        check(added, map(added.table, added.lengths))


def test_letters_that_only_python_knows_are_marked() -> None:
    greek = Alphabet("ΒΔΕ")
    lexicon = Lexicon([parse_word_list("βδ\nδδεβ\nβεδδ;70\nεδε", "greek", greek)], greek)
    assert not marking.mark_packed(lexicon.lists, [lexicon.table(4).pack()], [], "en", telling=True)
    check(lexicon, map(lexicon.table, lexicon.lengths))


@given(
    marked=st.dictionaries(st.integers(0, 9), st.sets(st.integers(0, 9), min_size=1)),
    order=st.permutations(range(10)),
)
def test_marks_go_with_their_words(marked: dict[int, set[int]], order: list[int]) -> None:
    pairs = array("I", [number for word in sorted(marked) for mark in marked[word] for number in (word, mark)])
    places = array("I", order[:7])
    expected = [
        number for word, place in enumerate(places) for mark in marked.get(place, ()) for number in (word, mark)
    ]
    for module in SPREADING:
        assert list(array("I", module.spread(pairs.tobytes(), places.tobytes()))) == expected


@pytest.mark.parametrize("name", sorted(PACKAGED))
def test_no_packaged_list_is_stemmed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the kept stems are of another list, or of stemmers of another version: derive them again."""
    lexicon = Lexicon([read_word_list(name)])
    with monkeypatch.context() as patched:
        patched.setattr(marking, "list_stems", None)
        assert lexicon.mark_tables([lexicon.table(7)])
    _, also = marking.read_endings(name)
    assert list(also.values()) == marking.list_stems(also, lexicon.language)


def test_kept_stems_are_those_of_the_stemmers(english: WordList) -> None:
    lexicon = Lexicon([english])
    table = lexicon.table(6)
    (pairs,) = lexicon.mark_tables([table])
    firsts: dict[int, frozenset[str]] = {}
    for id_, number in zip(pairs[::2], pairs[1::2], strict=True):
        shared = firsts.get(number, lexicon.marks(table.words[id_])) & lexicon.marks(table.words[id_])
        assert shared
        firsts[number] = shared
    marks = set().union(*map(lexicon.marks, table.words))
    assert len(firsts) == len(marks)
