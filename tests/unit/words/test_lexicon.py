from __future__ import annotations

import gzip
import io
import math
import pickle
import sys
import tracemalloc
from fractions import Fraction
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

if TYPE_CHECKING:
    from collections.abc import Callable


def scores(text: str, alphabet: Alphabet | None = None) -> dict[str, float]:
    return {word: score for word, (score, _) in parse_word_list(text, alphabet=alphabet).words.items()}


SCORED = [
    *("chat;7.5", "chat; 7.5", "chat ;7.5", "chat,7.5", "chat\t7.5", "chat 7.5", "chat    7.5  ", "CHAT;7.5"),
    *("  chat;7.5", "chat \t 7.5", "chat, 7.5", "chat;+7.5", "chat;75e-1", "chat 75e-1"),
    *("chat;7.5%", "chat,7.5%", "chat 7.5%", "chat\t7.5 %"),
]
LINES = {
    **dict.fromkeys(SCORED, ("CHAT", 7.5)),
    **dict.fromkeys(("chat", "chat;", "chat\t", "chat,", " chat  ", "Chat"), ("CHAT", 50.0)),
    "New York;3": ("NEWYORK", 3.0),
    "New York 3": ("NEWYORK", 3.0),
    "pomme de terre\t3": ("POMMEDETERRE", 3.0),
    "veni, vidi, vici": ("VENIVIDIVICI", 50.0),
    "double toil; and trouble": ("DOUBLETOILANDTROUBLE", 50.0),
    "rest; 'tis late": ("RESTTISLATE", 50.0),
}


@pytest.mark.parametrize("line", LINES)
def test_a_word_is_parted_from_its_score(line: str) -> None:
    word, score = LINES[line]
    assert scores(line) == {word: score}


@pytest.mark.parametrize("line", ["cat\ta pet", "cat;a pet", "cat; pet", "cat -1", "cat -.5", "cat -inf", "cat +inf"])
def test_what_follows_a_word_is_a_score_of_the_range(line: str) -> None:
    with pytest.raises(LexiconError, match=r"words:1: expected a score \(0, or"):
        scores(line)


def test_the_spelling_is_kept() -> None:
    words = parse_word_list("Œuvre;3\nNew York\nporte-clés 7\nCHAT\n").words
    assert {word: spelling for word, (_, spelling) in words.items()} == {
        "OEUVRE": "Œuvre",
        "NEWYORK": "New York",
        "PORTECLES": "porte-clés",
        "CHAT": "CHAT",
    }


def test_comments_and_blank_lines_are_no_words() -> None:
    assert scores("# a list; 3\n\nchat\n   \n#chien\n") == {"CHAT": 50.0}


def test_the_first_duplicate_in_a_list_wins() -> None:
    parsed = parse_word_list("été;3\nETE;70\nchat\nÉté\n")
    assert parsed.words == {"ETE": (3.0, "été"), "CHAT": (50.0, "chat")}
    assert parsed.skipped == {"duplicate": 2}


def test_the_best_score_of_several_lists_wins() -> None:
    lists = [parse_word_list("chat;3\nchien;80"), parse_word_list("Chat;70\nchien;5\nrat")]
    lexicon = Lexicon(lists)
    assert lexicon.find("CHAT") == (70.0, "Chat")
    assert lexicon.find("CHIEN") == (80.0, "chien")
    assert lexicon.find("RAT") == (50.0, "rat")
    assert lexicon.find("LOUP") is None
    assert lexicon.find("") is None
    assert len(lexicon) == 3
    assert lexicon.lengths == {3: 1, 4: 1, 5: 1}


def test_what_is_skipped_is_counted() -> None:
    parsed = parse_word_list("chat\n2CV\nдзж\n---\n...;3\n#x\nchat;3\n")
    assert set(parsed.words) == {"CHAT"}
    assert parsed.skipped["character outside the alphabet"] == 2
    assert parsed.skipped["no letter"] == 2
    assert parsed.skipped["duplicate"] == 1


def test_a_line_with_a_score_alone_has_no_letter() -> None:
    assert parse_word_list("chat\n;50\n").skipped == {"no letter": 1}


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize(
    "score", ["-1", "-0.001", "nan", "NaN", "inf", "-inf", "Infinity", "1e999", "good", "1_0", "--1", "0x10", "1.2.3"]
)
def test_a_score_is_a_finite_number_not_below_0(separator: str, score: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_word_list(f"chat;3\n# comment\nchien{separator}{score}\n", name="list.txt")
    (fault,) = caught.value.faults
    assert (fault.path, fault.line) == ("list.txt", 3)
    assert score in fault.got


@pytest.mark.parametrize("line", ["chien;1,5", "chien;1 5", "chien\t1,5", "chien;bon;beau"])
def test_a_score_that_is_no_number_is_never_taken_for_a_part_of_the_word(line: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_word_list(f"chat;3\n{line}\n", name="list.txt")
    assert [fault.line for fault in caught.value.faults] == [2]


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("-0", 0.0), ("0.1", 0.1), ("1e16", 1e16), ("1e-15", 1e-15)])
def test_any_number_of_the_range_is_a_score(text: str, value: float) -> None:
    (score,) = scores(f"chien;{text}").values()
    assert score == value
    assert math.copysign(1, score) == 1


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "123\n", "жук\n", "--- ; 3\n"])
def test_a_list_has_a_usable_word(text: str) -> None:
    with pytest.raises(LexiconError, match="usable word"):
        parse_word_list(text, name="list.txt")


def test_the_alphabet_settles_what_is_a_letter() -> None:
    es, small = Alphabet.named("es"), Alphabet("ABC")
    assert scores("año;1\nano;2\nmás;3", es) == {"AÑO": 1.0, "ANO": 2.0, "MAS": 3.0}
    assert scores("cab\nbad\nABC;4", small) == {"CAB": 50.0, "ABC": 4.0}


def test_rescored_words_have_one_score() -> None:
    assert parse_word_list("chat;3\nÉté").rescored(0.0).words == {"CHAT": (0.0, "chat"), "ETE": (0.0, "Été")}


def test_ties_keep_the_order_of_the_lists() -> None:
    lexicon = Lexicon([parse_word_list("bb\naa;7\ncc"), parse_word_list("dd\naa;60")])
    assert lexicon.table(2).words == ("AA", "BB", "CC", "DD")
    assert lexicon.table(2).spellings == ("aa", "bb", "cc", "dd")
    assert len(lexicon.table(9)) == 0


def test_a_lexicon_may_be_empty() -> None:
    assert len(Lexicon([])) == 0
    assert Lexicon([WordList("none", {})]).find("A") is None


# Tables


TABLES = {
    "Word;Score\ncat;40\nTo be, or;3": {"CAT": 40.0, "TOBEOR": 3.0},
    '# mine\n\nscore,notes,answer\n40,"a ""pet"", as\nwe say",cat\n50%,,"veni, vidi"\n': {
        "CAT": 40.0,
        "VENIVIDI": 50.0,
    },
    "mot\tdéfinition\nété\tsaison\nAREA FIFTY\t51\n": {"ETE": 50.0, "AREAFIFTY": 50.0},
}


@pytest.mark.parametrize("text", TABLES)
def test_column_heads_say_where_words_and_scores_are(text: str) -> None:
    read = parse_word_list(text)
    assert read.weights == TABLES[text]
    assert sum(count for reason, count in read.skipped.items() if reason.startswith("header")) == 1


@pytest.mark.parametrize("text", ["word;50\ncat;40", "word\nscore", "cat;40\nword;50", "answer; or not, my dear\ncat"])
def test_entries_are_no_column_heads(text: str) -> None:
    assert len(parse_word_list(text).words) == 2


def test_a_fault_of_a_table_says_its_line() -> None:
    with pytest.raises(LexiconError) as caught:
        parse_word_list('word,score\n"cat\nnap",40\ndog,good\n')
    assert [(fault.line, fault.got) for fault in caught.value.faults] == [(4, "'good'")]
    with pytest.raises(LexiconError, match=r"words:3: expected a CSV table"):
        parse_word_list('word,score\ncat,1\n"dog,2\n')


# Reports

ODD = {"HEARTOFGOLD": 60.0, "DONT": 50.0, "AOK": 55.0, "CAFE": 40.0, "NAIVE": 30.0, "ROCKROLL": 50.0, "AEON": 10.0}
REPORTS = {
    "l-csv-header.csv": ODD,
    "l-utf16.txt": ODD,
    "l-percent.txt": {"CAT": 50.0, "DOG": 40.0},
    "cities.txt": dict.fromkeys(("ARIZONA", "NEWYORK", "ATHENS", "PARIS", "AGRA"), 50.0),
    "own.txt": {"CAT": 50.0, "ARE": 40.0, "TEN": 30.0, "CAR": 20.0, "ATE": 20.0},
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_list_of_another_program_is_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parents[2] / "reports" / name
    assert read_word_list(path).weights == REPORTS[name]
    monkeypatch.setattr("cpfill.words.packing.columns.KERNELS", ("cpfill.words.packing.twin",))
    assert read_word_list(path).weights == REPORTS[name]


def test_a_word_with_other_signs_is_outside_the_alphabet() -> None:
    with pytest.raises(LexiconError, match="1 character outside the alphabet"):
        read_word_list(Path(__file__).parents[2] / "reports" / "hi2.txt", Alphabet("कल"))


# Bad lines


def test_a_list_names_ten_bad_lines() -> None:
    lines = ["cat;5", *(f"dog;bad{number}" for number in range(12))]
    with pytest.raises(LexiconError) as caught:
        parse_word_list("\n".join(lines), name="list.txt")
    assert [fault.line for fault in caught.value.faults] == list(range(2, 12))


def test_the_other_lines_are_read_where_one_says_so() -> None:
    read = parse_word_list("cat;5\ndog;good\nemu;1e99\ndog;7", lenient=True)
    assert (read.weights, read.skipped) == ({"CAT": 5.0, "DOG": 7.0}, {"bad score": 2})


# Files


def read(path: Path, data: bytes) -> dict[str, float]:
    path.write_bytes(data)
    return {word: score for word, (score, _) in read_word_list(path).words.items()}


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
    assert read(tmp_path / "words.any", data) == {"ETE": 3.0, "CHAT": 50.0}


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
    with pytest.raises(LexiconError, match=message):
        read(tmp_path / "words.txt", data)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path, tmp_path / "a" / "b.txt"):
        with pytest.raises(LexiconError) as caught:
            read_word_list(path)
        assert caught.value.faults[0].path == str(path)
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
    with pytest.raises(LexiconError, match="at most 1 MB in the gzip file, found more"):
        read(tmp_path / "words.gz", gzip.compress(b"chat\n" * (1 << 19), mtime=0))


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


def test_an_unknown_list_is_told_the_nearest_name() -> None:
    with pytest.raises(LexiconError, match="did you mean 'fr'"):
        read_word_list("frr")


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_what_is_named_like_a_packaged_list_is_none(
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


# What is made of lists


@pytest.mark.parametrize("line", ["chat", "chat;", "chat,", "été\t"])
def test_what_a_word_without_a_score_counts_can_be_set(line: str, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(f"{line}\nrat;3", encoding="utf-8")
    for parsed in (
        parse_word_list(f"{line}\nrat;3", default_score=1.5),
        read_word_list(tmp_path / "words.txt", default_score=1.5),
    ):
        assert sorted(score for score, _ in parsed.words.values()) == [1.5, 3.0]


@pytest.mark.parametrize("score", [-1.0, math.nan, math.inf])
def test_what_a_word_without_a_score_counts_is_a_score(score: float) -> None:
    with pytest.raises(LexiconError, match=r"a score .* for default_score"):
        parse_word_list("chat", default_score=score)


def test_excluded_words_are_in_no_table() -> None:
    lists = [parse_word_list("chat;3\nrat\nchien"), parse_word_list("chat;70\nloup")]
    lexicon = Lexicon(lists, exclude={"CHAT", "CHIEN", "NOWHERE", "ÉTÉ", "LO"})
    assert lexicon.find("CHAT") is None
    assert lexicon.lengths == {3: 1, 4: 1}
    assert lexicon.table(4).words == ("LOUP",)
    assert lexicon.table(5).words == ()
    assert len(Lexicon(lists[:1], exclude=frozenset({"RAT"}))) == 2


def test_words_and_spellings_are_sequences() -> None:
    table = Lexicon([parse_word_list("été;1\nœuf\nbas;70\nlié;5")]).table(3)
    for strings, expected in ((table.words, ["BAS", "LIE", "ETE"]), (table.spellings, ["bas", "lié", "été"])):
        assert list(strings) == [strings[id_] for id_ in range(3)] == expected
        assert (strings[-1], strings[1:], len(strings)) == (expected[-1], expected[1:], 3)
        assert strings == expected
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


def test_a_lexicon_travels_to_other_processes() -> None:
    lexicon = Lexicon([parse_word_list("été;3\nrat"), parse_word_list("Rat;70\nloup")], exclude={"LOUP"})
    before = lexicon.find("ETE"), lexicon.find("RAT"), lexicon.lengths
    again = pickle.loads(pickle.dumps(lexicon))  # noqa: S301 - our own
    assert (again.find("ETE"), again.find("RAT"), again.lengths) == before


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


def test_the_decimals_are_those_of_the_finest_score() -> None:
    lexicon = Lexicon([parse_word_list("aa;100\nbb;0.5\ncc;1e-3\nddd;7\nee;0.25\nff;1e16")])
    assert [lexicon.decimals(lengths) for lengths in ([3], [2], [2, 3], [9], [])] == [0, 3, 3, 0, 0]
    assert list(lexicon.table(3).units(2)) == [700]
    assert list(Lexicon([parse_word_list("a;0.1\nb;0.7\nc;2.675")]).table(1).units(3)) == [2675, 700, 100]


@pytest.mark.parametrize(
    ("most", "least"), [("9007199254740992", "0"), ("900719925474.0992", "0.0001"), ("0", "1e-15")]
)
def test_scores_up_to_2_to_the_53_units_are_exact(most: str, least: str) -> None:
    lexicon = Lexicon([parse_word_list(f"a;{most}\nb;{least}")])
    decimals = lexicon.decimals([1])
    assert list(lexicon.table(1).units(decimals)) == sorted(
        (int(Fraction(text) * 10**decimals) for text in (most, least)), reverse=True
    )


@pytest.mark.parametrize(("most", "least"), [("9007199254740994", "0"), ("900719925475", "0.0001"), ("1e16", "0.5")])
def test_scores_beyond_that_are_refused(most: str, least: str) -> None:
    lexicon = Lexicon([parse_word_list(f"a;{least}", "fine.txt"), parse_word_list(f"b;1\nc;{most}", "coarse.txt")])
    with pytest.raises(LexiconError, match=r"^coarse\.txt: expected scores that add up exactly.* for C$"):
        lexicon.table(1).units(lexicon.decimals([1]))


@pytest.mark.parametrize("text", ["CAT;1e-06", "# my list\nCAT", "word;score\nCAT;5", "CAT;5\nÉTÉ;4"])
def test_signs_beside_the_words_tell_no_names(text: str) -> None:
    """A list in capitals has none; beside a word in lower case, a word in capitals is one."""
    assert not Lexicon([parse_word_list(text)]).is_name("CAT")
    assert Lexicon([parse_word_list(f"{text}\ndog")]).is_name("CAT")
