"""The index of the lexicon against a naive one, and the folding of words."""

from __future__ import annotations

import math
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from cpfill.base.alphabet import LATIN, NAMED, Alphabet
from cpfill.testing.questions import LETTERS, SCORES
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import DEFAULT_SCORE, WordList, parse_word_list

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


@given(words=scored_words, word=st.text(LETTERS, max_size=6))
def test_a_word_is_found_if_it_is_there(words: dict[str, float], word: str) -> None:
    entry = lexicon_of(words).find(word)
    assert (None if entry is None else entry[0]) == words.get(word)


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


IN_RANGE = st.just(0.0) | st.floats(1e-15, 1e16)


@given(words=st.dictionaries(st.text(LATIN, min_size=1, max_size=8), IN_RANGE, min_size=1, max_size=20))
def test_what_is_written_as_a_list_is_read_as_that_list(words: dict[str, float]) -> None:
    for separator in (";", ",", "\t", " ; ", ";\t"):
        text = "\n".join(f"{word}{separator}{score!r}" for word, score in words.items())
        parsed = parse_word_list(text)
        assert {word: score for word, (score, _) in parsed.words.items()} == words
        assert not parsed.skipped


@given(lines=st.lists(st.text(st.sampled_from("aBé œ-'"), max_size=6), min_size=1, max_size=12))
def test_every_line_is_a_word_or_counted_as_skipped(lines: list[str]) -> None:
    text = "\n".join([*lines, "last"])
    parsed = parse_word_list(text)
    folded = [Alphabet().fold(line) for line in lines if line.strip()]
    assert set(parsed.words) == {"LAST", *folded} - {""}
    assert all(score == DEFAULT_SCORE for score, _ in parsed.words.values())
    assert len(parsed.words) + sum(parsed.skipped.values()) == 1 + sum(bool(line.strip()) for line in lines)
