"""The index of the lexicon against a naive one, and the folding of words."""

from __future__ import annotations

import math
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from cpfill.base.alphabet import LATIN, NAMED, Alphabet
from cpfill.testing.questions import LETTERS, SCORES
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList

alphabets = st.sampled_from(sorted({LATIN, LETTERS, "QZ", "Ω", *NAMED.values()}))
scored_words = st.dictionaries(st.text(LETTERS, min_size=1, max_size=5), st.sampled_from(SCORES), max_size=30)


def lexicon_of(*lists: dict[str, float], alphabet: str = LETTERS) -> Lexicon:
    spelt = [{w: (s, f"{w}-{n}") for w, s in words.items()} for n, words in enumerate(lists)]
    return Lexicon([WordList("list", words, {}, Alphabet(alphabet)) for words in spelt], Alphabet(alphabet))


def bits(flags: list[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


@given(words=scored_words, letters=st.integers(0, 2 ** len(LETTERS) - 1), score=st.sampled_from([*SCORES, 0.15, 2e300]))
def test_the_index_equals_a_naive_one(words: dict[str, float], letters: int, score: float) -> None:
    lexicon = lexicon_of(words)
    assert len(lexicon) == len(words)
    assert lexicon.lengths == {n: sum(len(w) == n for w in words) for n in sorted({len(w) for w in words})}
    for length in range(1, 7):
        table = lexicon.table(length)
        assert sorted(zip(table.words, table.scores, strict=True)) == sorted(
            (word, value) for word, value in words.items() if len(word) == length
        )
        assert list(table.scores) == sorted(table.scores, reverse=True)
        assert {word: table.words[id_] for word, id_ in table.ids.items()} == {word: word for word in table.words}
        assert table.everything == bits([True] * len(table))
        assert table.at_least(score) == bits([value >= score for value in table.scores])
        assert table.above(score) == bits([value > score for value in table.scores])
        assert [LETTERS[code] for code in table.codes] == list("".join(table.words))
        for pos in range(length):
            assert table.masks(pos) == tuple(bits([w[pos] == letter for w in table.words]) for letter in LETTERS)
            members = [letter for code, letter in enumerate(LETTERS) if letters >> code & 1]
            assert table.having(pos, letters) == bits([w[pos] in members for w in table.words])


@given(first=scored_words, second=scored_words, third=scored_words)
def test_a_word_of_several_lists_has_its_best_score(
    first: dict[str, float], second: dict[str, float], third: dict[str, float]
) -> None:
    lexicon = lexicon_of(first, second, third)
    union = {**first, **second, **third}
    assert len(lexicon) == len(union)
    for word in union:
        best = max(words.get(word, -math.inf) for words in (first, second, third))
        entry = lexicon.find(word)
        assert entry is not None
        assert entry[0] == best
        assert entry[1] in {f"{word}-{n}" for n, ws in enumerate((first, second, third)) if ws.get(word) == best}


@given(text=st.text(), letters=alphabets)
@example(text="1ª", letters=LATIN)
@example(text="œuvre - L'Île Æsir STRASSE Straße ﬁn Ω", letters=LATIN)
@example(text="Ñandú y cigüeña", letters=NAMED["es"])
def test_folding_twice_is_folding_once(text: str, letters: str) -> None:
    alphabet = Alphabet(letters)
    folded = alphabet.fold(text)
    assert alphabet.fold(folded) == folded


@given(text=st.text(st.characters(categories=["L", "M", "P", "Z"])), letters=alphabets)
def test_folding_does_not_depend_on_how_a_character_is_composed(text: str, letters: str) -> None:
    alphabet = Alphabet(letters)
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert alphabet.fold(decomposed) == alphabet.fold(composed)
