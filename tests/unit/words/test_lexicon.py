"""Word lists read from texts and files, and the lexicons made of them."""

from __future__ import annotations

import gzip
import io
import itertools
import math
import pickle
import sys
import tracemalloc
from itertools import islice, product
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.base.errors import InputError, LexiconError
from cpfill.base.files import read_text
from cpfill.base.imports import load_kernel
from cpfill.words.lexicon import Lexicon
from cpfill.words.packing import KERNELS, WordIndex
from cpfill.words.sources import ListFinder
from cpfill.words.wordlist import ListFile, WordList, parse_word_list, read_word_list
from tests.support import ROOT
from tests.tables import Case, cases, read_table

if TYPE_CHECKING:
    from collections.abc import Callable


TEXTS = read_table("unit/words/lists.toml")
READABLE = [(text, case) for case in TEXTS["list"] for text in case["texts"]]
REPORTS = ROOT / "tests" / "reports"


def parse(text: str, case: Case) -> WordList:
    asked = dict(case.get("asked", {}))
    if "alphabet" in asked:
        asked["alphabet"] = Alphabet.named(asked["alphabet"])
    return parse_word_list(text, "list.txt", **asked)


@pytest.mark.parametrize(("text", "case"), READABLE)
def test_a_text_is_read_as_its_words(text: str, case: Case) -> None:
    parsed = parse(text, case)
    assert {word: [*entry] for word, entry in parsed.words.items()} == case["words"]
    assert {name: count for name, count in parsed.skipped.items() if count} == case.get("skipped", {})


@cases("unit/words/lists.toml", "refused")
def test_a_text_is_refused_with_its_faulty_lines(case: Case) -> None:
    with pytest.raises(LexiconError) as caught:
        parse(case["text"], case)
    assert [[fault.line or 0, fault.got] for fault in caught.value.faults] == case["faults"]
    assert {fault.path for fault in caught.value.faults} == {"list.txt"}


def test_minus_nought_is_nought() -> None:
    ((score, _),) = parse_word_list("chien;-0").words.values()
    assert str(score) == "0.0"


def test_rescored_words_have_one_score() -> None:
    assert parse_word_list("chat;3\nÉté").rescored(0.0).words == {"CHAT": (0.0, "chat"), "ETE": (0.0, "Été")}


# Reports to other programs

ODD = {"HEARTOFGOLD": 60.0, "DONT": 50.0, "AOK": 55.0, "CAFE": 40.0, "NAIVE": 30.0, "ROCKROLL": 50.0, "AEON": 10.0}
WEIGHTS = {
    "l-csv-header.csv": ODD,
    "l-utf16.txt": ODD,
    "l-percent.txt": {"CAT": 50.0, "DOG": 40.0},
    "cities.txt": dict.fromkeys(("ARIZONA", "NEWYORK", "ATHENS", "PARIS", "AGRA"), 50.0),
    "own.txt": {"CAT": 50.0, "ARE": 40.0, "TEN": 30.0, "CAR": 20.0, "ATE": 20.0},
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("kernels", [KERNELS, ("cpfill.words.packing.twin",)])
def test_a_list_of_another_program_is_read(
    name: str, kernels: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpfill.words.packing.columns.KERNELS", kernels)
    assert read_word_list(REPORTS / name).weights == WEIGHTS[name]


def test_a_word_with_other_signs_is_outside_the_alphabet() -> None:
    with pytest.raises(LexiconError, match="1 character outside the alphabet"):
        read_word_list(REPORTS / "hi2.txt", Alphabet("कल"))


# Files


@pytest.mark.parametrize(
    "data",
    [
        "été;3\nchat\n".encode(),
        "\ufeffété;3\nchat".encode(),
        "été;3\r\nchat\r\n".encode(),
        "été;3\rchat\r".encode(),
        gzip.compress("été;3\nchat\n".encode(), mtime=0),
        gzip.compress("\ufeffété;3\r\nchat".encode(), mtime=0),
        gzip.compress("été;3\n".encode(), mtime=0) + gzip.compress(b"chat"),
        "\ufeffété;3\r\nchat".encode("utf-16-le"),
        "\ufeffe\u0301te\u0301;3\nchat".encode("utf-16-be"),
    ],
    ids=["plain", "BOM", "CRLF", "CR", "gzip", "gzip-BOM-CRLF", "gzip-members", "UTF-16", "UTF-16-BE-NFD"],
)
def test_a_list_is_read_in_any_packing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "words.any"
    path.write_bytes(data)
    assert read_word_list(path).weights == {"ETE": 3.0, "CHAT": 50.0}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(b"chat\n" * 1000, mtime=0)[:-9], "a damaged one"),
        (gzip.compress(b"chat\n" * 1000, mtime=0)[:20], "a damaged one"),
        (b"\x1f\x8b", "a damaged one"),
        (b"\x1f\x8bchat and more", "a damaged one"),
        (gzip.compress(b"chat\n", mtime=0)[:-8] + b"\0" * 8, "a damaged one"),
        (gzip.compress(b"chat\n", mtime=0) + b"tail", "a damaged one"),
        ("chat\nété\n".encode("latin-1"), r"words\.txt:2: .*0xE9"),
        (b"chat\nch\0ien\n", r"words\.txt:2: .*binary"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary|0x89"),
        ("chat".encode("utf-16-le"), "binary"),
        ("chat\nrat\n".encode("utf-16")[:-1], r"words\.txt:2: .*UTF-16"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(data)
    with pytest.raises(LexiconError, match=message):
        read_word_list(path)


@pytest.mark.parametrize("name", ["none.txt", ".", "a/b.txt"])
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(LexiconError) as caught:
        read_word_list(tmp_path / name)
    assert caught.value.faults[0].path == str(tmp_path / name)


def test_a_name_has_no_nought() -> None:
    with pytest.raises(LexiconError, match="file name"):
        read_word_list("a\0b.txt")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path, _mode: str) -> IO[bytes]:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "words.txt"
    path.write_text("chat")
    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(LexiconError, match="permission denied"):
        read_word_list(path)


def test_a_gzip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.words.wordlist.MAX_LIST_BYTES", 1 << 20)
    path = tmp_path / "words.gz"
    path.write_bytes(gzip.compress(b"chat\n" * (1 << 19), mtime=0))
    with pytest.raises(LexiconError, match="at most 1 MB in the gzip file, found more"):
        read_word_list(path)


def test_a_list_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.words.wordlist.MAX_LIST_BYTES", 1 << 22)
    with pytest.raises(LexiconError, match="/dev/zero: expected at most 4 MB, found more"):
        read_word_list("/dev/zero")


def test_a_list_comes_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"chat\r\nrat;3")))
    assert set(read_word_list("-").words) == {"CHAT", "RAT"}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(InputError, match="standard input"):
        read_text("-")


def test_an_unknown_list_suggests_a_near_name() -> None:
    with pytest.raises(LexiconError, match="did you mean 'fr'"):
        read_word_list("frr")


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_a_file_named_like_a_packaged_list_is_not_read(
    make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "fr")
    assert "MAISON" in read_word_list("fr").words
    assert ListFinder().find("fr", tmp_path) == ListFile("fr")


def test_the_packaged_lists_are_whole(english: WordList, french: WordList) -> None:
    assert 100_000 <= len(english.words) <= 120_000
    assert len(french.words) >= 130_000
    for packaged, common in ((english, "HOUSE"), (french, "MAISON")):
        assert packaged.words[common][0] > 50
        values = {score for score, _ in packaged.words.values()}
        assert values == {float(score) for score in range(1, 101)} & values
        assert min(values) == 1
        assert max(values) == 100
        assert set("".join(packaged.words)) == set(LATIN)
        assert set(packaged.skipped) <= {"comment"}


@pytest.mark.long
def test_a_million_words_load() -> None:
    letters = LATIN[:10]
    text = "\n".join("".join(letters[int(digit)] for digit in f"{number:06}") for number in range(1_000_000))
    assert len(Lexicon([parse_word_list(text)])) == 1_000_000


def test_a_list_over_another_alphabet_is_refused() -> None:
    swedish = parse_word_list("ÅR\nÖL", alphabet=Alphabet.named("sv"))
    with pytest.raises(LexiconError, match="over the alphabet ABC"):
        Lexicon([swedish])
    assert len(Lexicon([swedish.rescored(1.0)], Alphabet.named("sv"))) == 2


# Lexicons


@pytest.mark.parametrize("score", [-1.0, math.nan, math.inf])
def test_the_default_score_is_a_score(score: float) -> None:
    with pytest.raises(LexiconError, match=r"a score .* for default_score"):
        parse_word_list("chat", default_score=score)


@cases("unit/words/lexicons.toml", "lexicon")
def test_a_lexicon_is_made_of_its_lists(case: Case) -> None:
    lexicon = Lexicon(list(map(parse_word_list, case["lists"])), exclude=case.get("exclude", ()))
    assert {str(length): [*lexicon.table(length).words] for length in lexicon.lengths} == case["words"]
    words = list(itertools.chain.from_iterable(case["words"].values()))
    assert len(lexicon) == len(words)
    assert {word: kind for word in words if (kind := lexicon.kind(word))} == case.get("kinds", {})
    for lengths, decimals in case.get("decimals", {}).items():
        assert lexicon.decimals(list(map(int, lengths.split()))) == decimals
    for length, units in case.get("units", {}).items():
        assert [*lexicon.table(int(length)).units(lexicon.decimals([int(length)]))] == units
    for length, spellings in case.get("spellings", {}).items():
        assert [*lexicon.table(int(length)).spellings] == spellings


def test_an_empty_lexicon_has_no_words() -> None:
    lexicon = Lexicon([WordList("none", {})])
    assert (len(lexicon), lexicon.find("A"), len(lexicon.table(9)), lexicon.table(5).words) == (0, None, 0, ())


@pytest.mark.parametrize(("name", "expected"), [("words", ["BAS", "LIE", "ETE"]), ("spellings", ["bas", "lié", "été"])])
def test_words_and_spellings_are_sequences(name: str, expected: list[str]) -> None:
    strings = getattr(Lexicon([parse_word_list("été;1\nœuf\nbas;70\nlié;5")]).table(3), name)
    assert list(strings) == [strings[id_] for id_ in range(3)] == expected
    assert (strings[-1], strings[1:], len(strings)) == (expected[-1], expected[1:], 3)
    assert strings == expected != strings[1:]
    assert strings != expected[1:]
    assert hash(strings) == hash(tuple(expected))
    with pytest.raises(IndexError):
        strings[3]


def test_a_word_is_found_however_many_were_looked_for() -> None:
    lexicon = Lexicon([parse_word_list("aba;3\nbab;3\nabb;3\nbaa;7\nbb;3")])
    for _ in range(100):
        assert [lexicon.find(word) for word in ("ABA", "BAA", "AAA", "BBA", "AéA")] == [
            (3.0, "aba"), (7.0, "baa"), None, None, None,
        ]  # fmt: skip
        assert lexicon.find("BB") == (3.0, "bb")


def test_finding_words_takes_few_bytes_a_word() -> None:
    letters = Alphabet().letters[:20]
    text = "\n".join(map("".join, product(letters, repeat=3)))
    words = parse_word_list(text)
    table = Lexicon([words]).table(3)
    tracemalloc.start()
    try:
        for word in islice(table.words, 100):
            assert word in words.words
        assert "ZZZ" not in table.ids
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 2 * 20 * len(table)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 1000])
def test_an_index_finds_each_word_alone(count: int) -> None:
    alphabet = Alphabet()
    words = ["".join(word) for word in islice(product(alphabet.letters, repeat=3), count)]
    codes = b"".join(bytes(map(alphabet.codes.__getitem__, word)) for word in words)
    index = pickle.loads(pickle.dumps(WordIndex(codes, 3, alphabet)))  # noqa: S301 - our own
    assert dict(index) == {word: number for number, word in enumerate(words)}
    assert [index.find(word) for word in ("ZZZ", "AA", "\u00c9AA", "")] == [None] * 4


def test_lexicons_share_tables_that_are_alike() -> None:
    """An own entry changes the words of its length alone, and marks are those of the lists."""
    lists = [parse_word_list("CAT;3\nDOG;4\nTREE;5\nCATTREES;50\nTREES;60")]
    lexicon = Lexicon(lists)
    made = {
        "added": (lexicon.including(["NEW"]), {"CAT", "DOG", "NEW"}),
        "left out": (lexicon.without(["CAT"]), {"DOG"}),
        "raised": (lexicon.lifting(["CAT"], 60.0), {"CAT", "DOG"}),
    }
    for other, words in made.values():
        assert other.table(4) is lexicon.table(4)
        assert set(other.table(3).words) == words
        assert other.marks("CATTREES") == lexicon.marks("CATTREES")
    assert made["raised"][0].table(3).words[0] == "CAT"
    assert lexicon.table(3).words[0] == "DOG"


def test_lexicons_of_the_same_lists_are_equal(english: WordList) -> None:
    lists = [parse_word_list("été;3\nrat", "one"), parse_word_list("Rat;70\nloup", "other")]
    lexicon = Lexicon(lists, exclude=["LOUP"])
    same = [
        Lexicon(lists, exclude={"LOUP"}),
        Lexicon(lists).without(["LOUP"]),
        Lexicon([parse_word_list("été;3\nrat", "one"), parse_word_list("Rat;70\nloup", "other")], exclude=("LOUP",)),
        pickle.loads(pickle.dumps(lexicon)),  # noqa: S301 - our own
    ]
    others = [
        Lexicon(lists),
        Lexicon(lists[:1], exclude=["LOUP"]),
        Lexicon([lists[0], parse_word_list("Rat;71\nloup", "other")], exclude=["LOUP"]),
        Lexicon([parse_word_list("ete;3\nrat", "one"), lists[1]], exclude=["LOUP"]),
        Lexicon([], Alphabet("ABC")),
    ]
    assert lexicon.table(3).everything  # what is worked out of it does not count
    assert [one == lexicon for one in (*same, *others)] == [True] * len(same) + [False] * len(others)
    assert {hash(one) for one in same} == {hash(lexicon)}
    assert lexicon != "lexicon"
    assert Lexicon([english]) == Lexicon([read_word_list("en-words")]) != Lexicon([english.rescored(1.0)])


def test_lists_are_equal_however_they_are_packed() -> None:
    read = parse_word_list("b;2\na;1", "one")
    made = WordList("one", {"A": (1.0, "a"), "B": (2.0, "b")})
    assert read.words == made.words == {"B": (2.0, "b"), "A": (1.0, "a")}
    assert made.packed == read.packed
    assert read.words != made.rescored(2.0).words


def test_without_a_compiler_the_twin_reads_lists(english: WordList, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cpfill.words.packing._packing", None)
    read = read_word_list("en-words")
    assert load_kernel(*KERNELS).__name__ == "cpfill.words.packing.twin"
    assert read == english
    assert Lexicon([read, read.rescored(30.0)]).lengths == Lexicon([english]).lengths


@pytest.mark.parametrize(("most", "least"), [("9007199254740994", "0"), ("900719925475", "0.0001"), ("1e16", "0.5")])
def test_scores_beyond_that_are_refused(most: str, least: str) -> None:
    lexicon = Lexicon([parse_word_list(f"a;{least}", "fine.txt"), parse_word_list(f"b;1\nc;{most}", "coarse.txt")])
    with pytest.raises(LexiconError, match=r"^coarse\.txt: expected scores that add up exactly.* for C$"):
        lexicon.table(1).units(lexicon.decimals([1]))
