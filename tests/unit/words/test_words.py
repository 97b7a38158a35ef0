"""Lists made of lists, texts and counts: merged, filtered, calibrated, looked up, written, described."""

from __future__ import annotations

import fnmatch
import itertools
import math
import random
from collections import Counter
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.words.curate import (
    Entry,
    Filter,
    Format,
    Order,
    Pattern,
    calibrate,
    difference,
    entries,
    frequency_scores,
    merge_lists,
    sample_words,
    tokens,
    words_of_text,
    write_entries,
)
from cpfill.words.curate.description import describe, histogram, positions
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, parse_word_list
from tests.tables import Case, cases, read_table

LATIN = Alphabet()
BAD_PATTERNS = read_table("unit/words/patterns.toml")


def lexicon(text: str) -> Lexicon:
    return Lexicon([parse_word_list(text)])


def listed(scores: dict[str, float]) -> WordList:
    return WordList("words", {word: (score, word) for word, score in scores.items()})


def made(seed: int, letters: str = "ABCD", number: int = 60) -> list[str]:
    rng = random.Random(seed)
    return sorted({"".join(rng.choices(letters, k=rng.randint(1, 5))) for _ in range(number)})


def scored(found: list[Entry]) -> dict[str, float]:
    return {entry.word: entry.score for entry in found}


def test_a_list_of_another_scale_is_calibrated() -> None:
    """Its scores become those that fit best: by least squares, none under one of a lower score."""
    chance = random.Random(1)
    words = ["".join(chance.choices("ABCDEFGH", k=6)) for _ in range(400)]
    base = {word: float(chance.randint(1, 100)) for word in words}
    half = {word: float(round(score / 2 + chance.uniform(-4, 4))) for word, score in base.items() if score > 8}
    _, moved = calibrate([listed(base), listed(half | {"ZZZ": 0.0, "ZZZZ": 30.0})])
    assert moved.calibrated is not None
    assert moved.weights["ZZZ"] == 0
    assert 50 < moved.weights["ZZZZ"] < 70
    pairs = sorted({(half[word], moved.weights[word]) for word in half})
    assert [after for _, after in pairs] == sorted(after for _, after in pairs)
    loss = sum((moved.weights[word] - base[word]) ** 2 for word in half)
    for slope in (1.8, 1.9, 2.0, 2.1):
        assert loss <= sum((slope * score - base[word]) ** 2 for word, score in half.items()) + 1


def test_a_list_of_few_common_words_keeps_its_scores() -> None:
    chance = random.Random(1)
    base = {word: float(chance.randint(1, 100)) for word in made(9, "ABCDEFGH", 400)}
    flat = dict.fromkeys(list(base)[:150], 64.0)
    _, moved = calibrate([listed(base), listed(flat)])
    assert set(moved.weights.values()) == {round(fmean(base[word] for word in flat), 1)}
    few = dict.fromkeys(list(base)[:50], 64.0)
    near = {word: min(100.0, max(1.0, score + chance.uniform(-5, 5))) for word, score in base.items()}
    assert [calibrate([listed(base), listed(other)])[1].calibrated for other in (few, near)] == [None, None]


@pytest.mark.parametrize("scale", [1e-6, 0.01, 1.0, 1e4])
def test_calibrating_loses_no_score_of_any_scale(scale: float) -> None:
    """Three digits of each stay, and none becomes 0, which would ban its word."""
    words = ["".join(letters) for letters in itertools.product("ABCDE", repeat=4)][:200]
    base = {word: scale * at for at, word in enumerate(words, 1)}
    other = {word: 7.0 * at for at, word in enumerate(words, 1)} | {"ZZZ": 1050.0}
    _, moved = calibrate([listed(base | {"Y": scale, "X": scale}), listed(other)])
    assert moved.calibrated
    for word, score in other.items():
        assert math.isclose(moved.weights[word], scale * score / 7, rel_tol=0.005)


# Entries, merged, filtered, sampled


@cases("unit/words/curate.toml", "merge")
def test_merging_keeps_the_best_score_or_the_first(case: Case) -> None:
    lists = list(map(parse_word_list, case["lists"]))
    assert scored(merge_lists(lists)) == case["scores"]
    assert scored(merge_lists(lists, first_wins=True)) == case["first"]


@cases("unit/words/curate.toml", "filter")
def test_a_filter_leaves_out_other_words(case: Case) -> None:
    rules = dict(case.get("rules", {}))
    if "pattern" in case:
        rules["pattern"] = Pattern.parse(case["pattern"], LATIN)
    words = entries(lexicon("one;10\nthree;20\nfour;30\nfive;40\nseven;50"))
    assert {entry.word for entry in Filter(**rules).keep(words)} == {*case["kept"]}


def test_samples_are_nested_and_repeat_themselves() -> None:
    words = entries(lexicon("\n".join(map("".join, itertools.product("abc", repeat=4)))))
    small, large = sample_words(words, 10, 7), sample_words(reversed(words), 40, 7)
    assert len(set(small)) == 10
    assert set(small) < set(large) < set(words)
    assert sample_words(words, 10, 8) != small
    assert set(sample_words(words, 1000)) == set(words)


def test_a_difference_has_lost_new_and_rescored_words() -> None:
    found = difference(lexicon("old;1\nsame;2\nraised;3"), lexicon("Same;2\nraised;4\nnew;5"))
    assert scored(found.only_first) == {"OLD": 1}
    assert scored(found.only_second) == {"NEW": 5}
    assert [(one.score, other.score) for one, other in found.rescored] == [(3, 4)]
    assert found.same == 1


# Patterns

_PIECES = st.sampled_from(["A", "B", "C", "?", "*", "[AB]", "[C]", "[BCA]", "[A-C]", "[B-BA]", "[!AC]", "[!B-C]"])


@given(st.lists(_PIECES, min_size=1, max_size=6))
def test_a_pattern_finds_the_words_of_a_shell(pieces: list[str]) -> None:
    words = ["".join(letters) for n in range(1, 5) for letters in itertools.product("ABC", repeat=n)]
    text = "".join(pieces)
    found = {entry.word for entry in Pattern.parse(text, LATIN).lookup(lexicon("\n".join(words)))}
    assert found == {word for word in words if fnmatch.fnmatchcase(word, text)}


@cases("unit/words/curate.toml", "folded")
def test_a_pattern_is_folded_as_words_are(case: Case) -> None:
    (entry,) = Pattern.parse(case["pattern"], LATIN).lookup(lexicon("été\nœuvre\nêta"))
    assert entry.spelling == case["found"]


def test_no_pattern_takes_long() -> None:
    """With backtracking these would take years."""
    word = "AB" * 30
    assert not Pattern.parse("*?" * 30 + "Q", LATIN).matches(word)
    assert not Pattern.parse("*[A-Z]*" * 12 + "QZ", LATIN).matches(word)
    assert Pattern.parse("*?" * 29 + "AB*", LATIN).matches(word)


def test_a_range_goes_by_the_alphabet() -> None:
    spanish = Alphabet.named("es")
    words = Lexicon([parse_word_list("año\nano\naro", alphabet=spanish)], spanish)
    assert {e.spelling for e in Pattern.parse("A[N-O]O", spanish).lookup(words)} == {"año", "ano"}
    assert {e.spelling for e in Pattern.parse("A[!Ñ]O", spanish).lookup(words)} == {"ano", "aro"}


@pytest.mark.parametrize("text", BAD_PATTERNS)
def test_a_bad_pattern_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Pattern.parse(text, LATIN)
    (fault,) = caught.value.faults
    assert [fault.column or 0, fault.got] == BAD_PATTERNS[text]


# Frequencies and texts


@cases("unit/words/curate.toml", "frequency")
def test_scores_grow_with_the_logarithm_of_the_count(case: Case) -> None:
    assert frequency_scores(list(case["scores"]), case["counts"]) == case["scores"]


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.floats(min_value=1e-6, max_value=1e9), min_size=2))
def test_scores_keep_the_order_of_the_counts(counts: dict[str, float]) -> None:
    scores = frequency_scores(list(counts), counts)
    assert all(1 < score <= 100 for score in scores.values())
    for one, other in itertools.pairwise(sorted(counts, key=counts.__getitem__)):
        assert scores[one] <= scores[other]
    if max(counts.values()) > min(counts.values()):
        assert {min(scores.values()), max(scores.values())} == {2, 100}


def test_a_text_is_parted_into_its_words() -> None:
    text = "L'homme qu\u2019il aime, aujourd'hui\u00a0; John's dog don\u2019t 2 _well-being_ e\u0301te\u0301 co\u00adop"
    expected = "homme il aime aujourd'hui John dog don\u2019t well-being été coop"
    assert list(tokens(text)) == expected.split()


def test_a_text_gives_its_words_by_frequency() -> None:
    text = "The Whale. The whale, the whale! Ahab saw the whale; Ahab sailed. Кит"
    found = words_of_text(text, LATIN)
    assert found.running == 13
    assert found.foreign == 1
    assert {entry.spelling: entry.score for entry in found.entries} == {"whale": 100, "Ahab": 51, "sailed": 2}
    assert {e.word for e in words_of_text(text, LATIN, min_length=3, min_count=2).entries} == {"THE", "WHALE", "AHAB"}


# Writing


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("order", Order)
def test_a_written_list_is_read_back(form: Format, order: Order) -> None:
    text = "rock'n'roll;3.5\nété;0\nveni,vidi;7\nin -inf;8\nNew York;1e3\nab-c;0.1\nx;2\n"
    before = entries(lexicon(text))
    written = write_entries(before, form, order)
    after = entries(lexicon(written))
    words = {entry.word: entry.spelling for entry in before}
    assert {entry.word for entry in after} == set(words)
    if form is Format.PLAIN:
        assert {entry.score for entry in after} == {50}
    else:
        assert sorted(after) == sorted(before)


@pytest.mark.parametrize("form", Format)
def test_a_phrase_with_a_semicolon_is_read_back(form: Format) -> None:
    before = entries(lexicon("to be; or not\n"))
    assert [entry.word for entry in entries(lexicon(write_entries(before, form)))] == ["TOBEORNOT"]


def test_the_order_is_by_score_or_by_letters() -> None:
    words = [Entry("B", 1, "b"), Entry("C", 2, "ç"), Entry("A", 1, "a")]
    assert write_entries(words) == "ç;2\na;1\nb;1\n"
    assert write_entries(words, Format.TSV, Order.WORD) == "a\t1\nb\t1\nç\t2\n"


# Positions and figures


def test_positions_are_counted_and_preferred() -> None:
    words = made(1)
    found = positions(lexicon("\n".join(words)), 4)
    of_four = [word for word in words if len(word) == 4]
    assert found.words == len(of_four)
    for pos, letters in enumerate(zip(*of_four, strict=True)):
        counts = Counter(letters)
        assert {letter: found.counts[letter][pos] for letter in LATIN.letters} == dict.fromkeys(
            LATIN.letters, 0
        ) | counts
        order = found.preferred_letters(pos)
        assert [counts[letter] for letter in order] == sorted(counts.values(), reverse=True)
        assert math.isclose(sum(found.share_of_position(letter, pos) for letter in order), 1)
    for letter in "ABCD":
        shares = [found.share_of_letter(letter, pos) for pos in range(4)]
        assert math.isclose(sum(shares), 1)
        assert found.preferred_position(letter) == shares.index(max(shares))
    assert (found.preferred_position("Z"), found.share_of_letter("Z", 0)) == (None, 0)


def test_the_figures_are_those_of_a_plain_count() -> None:
    words = made(2)
    figures = describe(lexicon("\n".join(f"{word};{len(word) * 10}" for word in words)))
    letters = Counter("".join(words))
    share = {letter: letters[letter] / letters.total() for letter in LATIN.letters}
    assert (figures.words, figures.letters) == (len(words), share)
    assert math.isclose(figures.agreement, sum(s * s for s in share.values()))
    lengths = {len(word) for word in words}
    assert (figures.min_score, figures.max_score) == (min(lengths) * 10, max(lengths) * 10)
    assert [each.length for each in figures.lengths] == sorted(lengths)
    for each in figures.lengths:
        n = each.length
        own = [word for word in words if len(word) == n]
        assert (each.words, each.median_score, each.best_score) == (len(own), n * 10, n * 10)
        singles = Counter((p, word[p]) for word in own for p in range(n))
        assert math.isclose(each.letters, len(singles) / (26 * n))
        assert math.isclose(each.fitting_one, sum(share[a] * count for (_, a), count in singles.items()) / n)
        places = list(itertools.combinations(range(n), 2))
        pairs = Counter((p, q, word[p], word[q]) for word in own for p, q in places)
        if not places:
            assert each.pairs is each.fitting_two is None
            continue
        assert math.isclose(each.pairs or 0, len(pairs) / (676 * len(places)))
        fitting = sum(share[a] * share[b] * count for (_, _, a, b), count in pairs.items())
        assert math.isclose(each.fitting_two or 0, fitting / len(places))


@pytest.mark.parametrize("scores", read_table("unit/words/curate.toml")["bins"]["scores"])
def test_every_score_is_in_one_bin(scores: list[float]) -> None:
    bins = histogram(scores)
    assert 1 <= len(bins) <= 10
    edges = [0, *(each.high for each in bins)]
    assert [each.low for each in bins] == edges[:-1]
    assert edges[-1] >= max(scores)
    for each in bins[:-1]:
        assert each.words == sum(each.low <= score < each.high for score in scores)
    assert sum(each.words for each in bins) == len(scores)


@given(st.sets(st.text("ABC", min_size=1, max_size=4), min_size=1, max_size=40), st.data())
def test_words_that_differ_by_a_letter_are_found(words: set[str], data: st.DataObject) -> None:
    scores = dict(zip(sorted(words), itertools.count(1)))
    packed = parse_word_list("\n".join(f"{word};{score}" for word, score in scores.items())).packed
    word = data.draw(st.sampled_from([*scores, "ABBA", "CAB"]))
    pos = data.draw(st.integers(0, len(word) - 1))
    others = {each: scores[each] for each in words - {word} if fnmatch.fnmatch(each, f"{word[:pos]}?{word[pos + 1 :]}")}
    assert dict(packed.list_variants(word, pos)) == others


def test_the_words_of_an_alphabet_of_its_own() -> None:
    spanish = Alphabet.named("es")
    words = Lexicon([parse_word_list("año\nniño\ncaña\nmona", alphabet=spanish)], spanish)
    assert [e.spelling for e in Pattern.parse("?[ñ]*", spanish).lookup(words)] == ["año"]
    assert describe(words).letters["Ñ"] == 3 / 15
    assert positions(words, 4).preferred_position("Ñ") == 2
