"""Lines and texts that would become much work, or much memory, or a message of megabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
    MAX_LINE_BYTES,
    MAX_LIST_BYTES,
    MAX_SIDE,
    MAX_SUITE_BYTES,
    Fault,
    InputError,
    LexiconError,
    megabytes,
    unknown_name,
)
from cpfill.formats.dialects import parse_grids
from cpfill.public import make_problem
from cpfill.puzzle.clues.dictionaries import gives_away, look_up, read_synonyms
from cpfill.puzzle.parts import clean_copyright
from cpfill.runs.bench.suite import read_suite
from cpfill.words.curate import tokens, words_of_text
from cpfill.words.packing import columns as packed
from cpfill.words.packing import twin
from cpfill.words.wordlist import parse_word_list
from tests.fuzz.ceilings import ceilings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LATIN = Alphabet()


@pytest.fixture(params=["as it comes", "twin"])
def _packing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "twin":
        monkeypatch.setattr(packed, "load_kernel", lambda *_: twin)


# Lists

LINES = {
    "words right-aligned": "\n".join(f"{word:>3000}" for word in ("one", "two") * 200),
    "blanks within": "\n".join([f"é{' ' * 4000}1x"] * 200),
    "marks": "\n".join(["a" + "\u0301\u0316" * 1000] * 500),
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
@pytest.mark.usefixtures("_packing")
def test_a_line_takes_time_in_proportion_to_it(text: str) -> None:
    with ceilings():
        parse_word_list(f"{text}\nDOG")


@pytest.mark.parametrize("line", ["{}x", "cat;{}", "cat {}", "é{}", " {}", "cat;1{}", "cat; {} b"])
@pytest.mark.usefixtures("_packing")
def test_a_line_over_the_budget_is_skipped_and_counted(line: str) -> None:
    over = line.format("x" * MAX_LINE_BYTES)
    parsed = parse_word_list(f"one\n{over}\ntwo;3\n#{over}\n{over}")
    assert set(parsed.words) == {"ONE", "TWO"}
    assert parsed.skipped == {"too long": 2, "comment": 1}


@pytest.mark.usefixtures("_packing")
def test_a_line_within_the_budget_is_read() -> None:
    blanks = " " * (MAX_LINE_BYTES - len("cat;3"))
    assert parse_word_list(f"cat;{blanks}3").words == {"CAT": (3.0, "cat")}
    with pytest.raises(LexiconError):
        parse_word_list(f"cat; {blanks}3")


@pytest.mark.parametrize("line", ["é" * MAX_LINE_BYTES, "x" + "é" * MAX_LINE_BYTES, "x" + "漢" * MAX_LINE_BYTES])
@pytest.mark.usefixtures("_packing")
def test_a_line_over_the_budget_ends_within_a_character(line: str) -> None:
    assert parse_word_list(f"{line}\ncat").skipped == {"too long": 1}


@pytest.mark.parametrize("letter", ["a", "é", "œ"])
@pytest.mark.usefixtures("_packing")
def test_a_word_longer_than_any_slot_is_skipped(letter: str) -> None:
    longest = letter * (MAX_SIDE // len(LATIN.fold(letter)))
    parsed = parse_word_list(f"{longest}\n{longest}{letter}\n{longest}b{letter};3")
    assert [word for _, word in parsed.words.values()] == [longest]
    assert parsed.skipped == {"too long": 2}


def test_a_list_without_a_usable_word_says_why() -> None:
    with pytest.raises(LexiconError, match=r"found none; 2 lines skipped \(1 comment, 1 too long\)"):
        parse_word_list(f"#\n{'a' * 300}")


def test_a_required_word_longer_than_any_slot_is_refused() -> None:
    with pytest.raises(InputError, match=r"a required word as long as a slot of the grid .*, found A{50}…A*, of 300$"):
        make_problem(["..."], ["cat"], require=["A" * 300])


def test_a_list_in_one_line_takes_little_memory() -> None:
    """No more than a few times its size: a text, its bytes, and no table of its letters."""
    import tracemalloc

    text = "a" * (MAX_LIST_BYTES >> 4)
    tracemalloc.start()
    try:
        with pytest.raises(LexiconError):
            parse_word_list(text)
        assert tracemalloc.get_traced_memory()[1] < 3 * len(text)
    finally:
        tracemalloc.stop()


# Texts and dictionaries

WORK: dict[str, Callable[[], object]] = {
    "elisions": lambda: list(tokens("l'" * 500_000 + "a")),
    "elisions of qu": lambda: list(tokens("aqu'" * 300_000 + "a")),
    "marks": lambda: list(tokens("a" + "\u0301\u0316" * 500_000)),
    "a clue of short words": lambda: gives_away("x " * 100_000, "CAT", LATIN),
    "a clue of signs": lambda: gives_away("½ " * 100_000, "CAT", LATIN),
    "signs of a copyright": lambda: clean_copyright("© (c)" * 200_000),
    "blank lines before a grid": lambda: parse_grids("\n" * 99_990 + ".."),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_a_text_takes_time_in_proportion_to_it(work: Callable[[], object]) -> None:
    with ceilings():
        work()


def test_a_word_of_a_text_fits_into_a_slot() -> None:
    found = words_of_text(f"{'a' * MAX_SIDE} {'b' * (MAX_SIDE + 1)} cat", LATIN, min_length=3)
    assert {entry.word for entry in found.entries} == {"A" * MAX_SIDE, "CAT"}


def test_a_thesaurus_takes_time_in_proportion_to_it(tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_text(f"UTF-8\ncat|3\n(noun)|x{' ' * 300_000}(\n(noun)|{'x (' * 300_000}\n(noun)|{'x ' * 300_000}\n")
    with ceilings():
        assert look_up(["CAT"], [read_synonyms(path, LATIN)], LATIN).words["CAT"] == ("x (",)


SYNONYMS = {
    "dog": "dog",
    "dog (generic term)": "dog",
    "dog  (generic term)  ": "dog ",
    "dog (antonym)": "",
    "hot (dog) (antonym)": "",
    "hot (dog) (related term)": "hot (dog)",
    **{text: text for text in ("dog (a (b))", "dog(s)", "dog (", "dog (a) b", "dog)")},
}


@pytest.mark.parametrize("synonym", SYNONYMS)
def test_a_note_behind_a_synonym_is_left_out(synonym: str, tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_text(f"UTF-8\ncat|1\n(noun)|{synonym}\n")
    assert read_synonyms(path, LATIN)("CAT") == list(filter(None, [SYNONYMS[synonym]]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x" * (MAX_SUITE_BYTES + 1), "expected at most 64 kB, found more"),
        (f"name = 'x'\n{'a.' * MAX_LINE_BYTES}a = 1", rf":2: expected a line of at most {MAX_LINE_BYTES} characters"),
    ],
)
def test_a_suite_has_a_budget(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_suite(str(path))


# Messages

LONG = "y" * 1_000_000


@pytest.mark.parametrize(
    "fault",
    [
        Fault("a score", f"'{LONG}'", "list.txt", 3),
        Fault(f"a key of {LONG}", "none"),
        Fault("a file", "nothing there", f"{LONG}.txt"),
        Fault(LONG, "\x1b" * 1_000_000, LONG, 10**6, 10**6),
        unknown_name("a list", LONG[:5000], ["en", "fr"]),
    ],
)
def test_a_message_is_short(fault: Fault) -> None:
    message = str(fault)
    assert len(message) < 900
    assert message.isprintable()
    assert "…" in message


@pytest.mark.parametrize(
    ("fault", "start", "end"),
    [
        (Fault("a score", f"'{LONG}' (did you mean 'x'?)"), "expected a score, found 'y", "y' (did you mean 'x'?)"),
        (
            Fault("a file", "none", f"/here/{LONG}/list.txt", 7),
            "/here/yyy",
            "yyy/list.txt:7: expected a file, found none",
        ),
        (Fault("a score", "'x'", "list.txt", 3, 4), "list.txt:3:4:", "list.txt:3:4: expected a score, found 'x'"),
        (Fault("a score", "a\nb\x1b"), "expected", r"expected a score, found a\nb\x1b"),
    ],
    ids=["found", "path", "short", "signs"],
)
def test_a_message_keeps_the_ends_of_its_parts(fault: Fault, start: str, end: str) -> None:
    message = str(fault)
    assert message.startswith(start)
    assert message.endswith(end)


@pytest.mark.parametrize(("size", "said"), [(MAX_LIST_BYTES, "128 MB"), (1 << 20, "1 MB"), (1 << 16, "64 kB")])
def test_budgets_are_in_megabytes_or_less(size: int, said: str) -> None:
    assert megabytes(size) == f"at most {said}"


@pytest.mark.usefixtures("_packing")
@pytest.mark.parametrize("line", ["1", "-", " ", "\u0416"])
def test_lines_without_a_word_have_a_budget(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.words.packing.lines.MAX_ODD_LINES", 1000)
    assert [*parse_word_list(f"{line}\n" * 1000 + "cat\n", "mine").words] == ["CAT"]
    with pytest.raises(LexiconError, match="mine:1002: expected a word list, with at most 1,000 lines"):
        parse_word_list(f"cat\n{line}\n" + f"{line}\n" * 1000, "mine")


@pytest.mark.usefixtures("_packing")
def test_one_word_in_every_line_is_one_word() -> None:
    """In more lines than are kept before those that are the same are dropped."""
    words = parse_word_list("b;1\n" + "a;2\nb;3\n" * (1 << 20) + "c;4\n", "mine")
    assert words.words == {"B": (1.0, "b"), "A": (2.0, "a"), "C": (4.0, "c")}
    assert words.skipped == {"duplicate": (1 << 21) - 1}
