"""The packing of word lists: the compiled one, its twin, and one line after another read by the definition."""

from __future__ import annotations

import re
import unicodedata
from array import array
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.base.alphabet import LATIN, NAMED, Alphabet
from cpfill.base.errors import MAX_LINE_BYTES, LexiconError
from cpfill.words.packing import LineReader, split_line, twin
from tests.tables import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    MODULES = [twin, import_module("cpfill.words.packing._packing")]
except ModuleNotFoundError:
    MODULES = [twin]

SIXTY_FOUR = LATIN + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŒŠŽŁΩЖЯ가"
alphabets = st.sampled_from(sorted({LATIN, "ABC", "QZ", "ΑΒΓΔΩ", "АБВЖ", SIXTY_FOUR, *NAMED.values()})).map(Alphabet)


PIECES: dict[str, list[str]] = read_table("property/list_pieces.json")
words, between = st.sampled_from(PIECES["words"]), st.sampled_from(PIECES["between"])
pieces = st.sampled_from([*chain(*PIECES.values())]) | st.text(max_size=3)
scored = st.tuples(words, between, st.sampled_from(PIECES["scores"][:7])).map("".join)
decimals = st.from_regex(r"a[;,\t ][0-9]{0,16}\.?[0-9]{0,17}", fullmatch=True)
lines = scored | words | decimals | st.lists(pieces, max_size=6).map("".join)
texts = st.lists(lines, max_size=12).map("\n".join)


def outcome(
    module: Any,
    text: str,
    alphabet: Alphabet,
    *,
    fold: Callable[[int], bytes | None] | None = None,
) -> tuple[object, ...]:
    """Return all that parsing comes to: columns and counts, or faults."""
    reader = LineReader("list", alphabet, 50.0)
    try:
        columns, comments, duplicates = module.parse(
            text.encode("utf-8", "surrogatepass"), 50.0, MAX_LINE_BYTES, fold or reader.fold, reader.read
        )
    except LexiconError as error:
        return error.faults
    if reader.faults:
        return tuple(reader.faults)
    reader.skipped["comment"] += comments
    assert list(columns) == sorted(columns)
    return columns, duplicates, dict(+reader.skipped)


@given(text=texts, alphabet=alphabets)
@example(text="a;1\n\n#\nb ;2\n c;3\r\nA\nd,bad", alphabet=Alphabet())
@example(text="New York 3\nNew York\nNew  York;3\nNew -York", alphabet=Alphabet())
@example(text="\tcat", alphabet=Alphabet())
@example(
    text="a;7236830840615796.5\nb;74187060.866652760\nc;43591.010316006538\nd;0.30000000000000004", alphabet=Alphabet()
)
def test_every_way_to_parse_comes_to_what_the_definition_says(text: str, alphabet: Alphabet) -> None:
    expected = outcome(twin, text, alphabet, fold=lambda _: None)
    for module in MODULES:
        assert outcome(module, text, alphabet) == expected
        assert outcome(module, text, alphabet, fold=lambda _: None) == expected


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("words", [3000, 70_000])
def test_many_lines_are_many_words(module: Any, words: int) -> None:
    digits = ["".join(LATIN[int(digit)] for digit in f"{number:05}") for number in range(words)]
    text = "\n".join([*digits, *(f"{word.lower()};3" for word in digits), "straße", "a b ;4.5"])
    columns, duplicates, skipped = outcome(module, text, Alphabet())
    assert duplicates == words
    assert skipped == {}
    assert isinstance(columns, dict)
    codes, scores, spans = columns[5]
    assert codes == bytes(int(digit) for number in range(words) for digit in f"{number:05}")
    assert array("d", scores) == array("d", [50.0] * words)
    assert array("I", spans).tolist() == [at for n in range(words) for at in (6 * n, 6 * n + 5)]
    assert array("d", columns[2][1]).tolist() == [4.5]
    assert array("d", columns[7][1]).tolist() == [50.0]


@given(text=st.text() | st.lists(pieces).map("".join), alphabet=alphabets)
def test_a_text_of_common_characters_folds_character_by_character(text: str, alphabet: Alphabet) -> None:
    reader = LineReader("list", alphabet, 50.0)
    common = [char for char in text if reader.fold(ord(char)) is not None]
    codes = b"".join(reader.fold(ord(char)) or b"" for char in common)
    assert alphabet.fold("".join(common)) == "".join(alphabet.letters[code] for code in codes)


def test_no_common_character_composes_with_another() -> None:
    reader = LineReader("list", Alphabet(SIXTY_FOUR), 50.0)
    points = [point for point in range(0x10000) if reader.fold(point) is not None]
    composed = (unicodedata.decomposition(chr(point)).split() for point in range(0x110000))
    seconds = {int(parts[1], 16) for parts in composed if len(parts) == 2 and not parts[0].startswith("<")}
    assert not seconds & set(points)
    assert not any(unicodedata.combining(chr(point)) for point in points)


# What a line says, as a grammar: slow on long lines, and sharing nothing with how they are read.
SCORED_LINE = re.compile(
    r"(?P<word>[^;\t]*?)(?:\s*[;\t]\s*(?P<strict>.*?)"
    r"|,(?P<comma>[^\s,;]*)|\s+(?P<blank>[-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]inf))"
)
PHRASE = re.compile(r"[^;\t]+; [^;\t]*[^\W\d] +[^\W\d][^;\t]*")
SIGNS = [*" \t;,.+-#eE15aé_", "\xa0", "\x1c", "\u0301", "\u0663", "²", "inf", "; ", " 3", "cat"]


@settings(max_examples=500)
@given(line=st.lists(st.sampled_from(SIGNS), max_size=10).map("".join).filter(str.strip))
def test_a_line_is_parted_as_the_grammar_has_it(line: str) -> None:
    text = line.strip()
    match = None if PHRASE.fullmatch(text) else SCORED_LINE.fullmatch(text)
    scores = [match["strict"], match["comma"], match["blank"]] if match else []
    start, end, score = split_line(line)
    assert line[start:end] == (match["word"] if match else text)
    assert score == next((each for each in scores if each), "")
    assert line[:start].strip() == ""


PAIRS = [bytes([one, other]) for one in range(4) for other in range(4)]
parts_of_two = st.lists(st.dictionaries(st.sampled_from(PAIRS), st.sampled_from([0.0, 1.0, 1.5, 50.0])), max_size=4)


@given(parts=parts_of_two, without=st.sets(st.sampled_from(PAIRS), max_size=4))
def test_a_table_is_the_best_of_every_list_in_order(parts: list[dict[bytes, float]], without: set[bytes]) -> None:
    entries = [(word, score) for part in parts for word, score in part.items()]
    first = {word: place for place, (word, _) in reversed(list(enumerate(entries))) if word not in without}
    best = {word: max(score for other, score in entries if other == word) for word in first}
    order = sorted(first, key=lambda word: (-best[word], first[word]))
    packed = [(b"".join(part), array("d", part.values()).tobytes()) for part in parts]
    for module in MODULES:
        codes, scores, places = module.rank(2, packed, b"".join(sorted(without)))
        assert codes == b"".join(order)
        assert array("d", scores).tolist() == [best[word] for word in order]
        assert array("I", places).tolist() == [entries.index((word, best[word])) for word in order]
