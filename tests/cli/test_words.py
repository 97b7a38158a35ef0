from __future__ import annotations

import gzip
import json
import os
import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import TINY, packaged_words, plain, words_in_text, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

THREE, ONCE = TINY / "three.words.txt", TINY / "once.words.txt"
LIST = "chat;10\nchâteau;20\nété;30\nà-coup;40\ndog;50\n"


def test_info_describes_a_list(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(LIST + "# a comment\nchat;3\n4x4\n", encoding="utf-8")
    done = run("words", "info", path)
    assert done.code == 0
    assert done.complaints == []
    assert done.out.startswith("5 words; scores 10 to 50, median 30\n")
    assert "3 lines skipped (1 character outside the alphabet, 1 comment, 1 duplicate)" in done.out
    record = run("words", "info", path, "--json").records[0]
    assert {each["length"]: each["words"] for each in record["lengths"]} == {3: 2, 4: 1, 5: 1, 7: 1}
    assert record["skipped"] == {str(path): {"character outside the alphabet": 1, "comment": 1, "duplicate": 1}}
    assert sum(each["words"] for each in record["scores"]) == record["words"] == 5


def test_the_packaged_list_is_described_by_default_and_offensive_words_brought_back(run: Run) -> None:
    offensive, words = packaged_words("en.offensive"), words_of("en")
    record = run("words", "info", "--json").records[0]
    assert (record["words"], record["offensive_left_out"]) == (len(words), {"en": len(offensive)})
    assert record["lengths"][1]["words"] == sum(len(word) == 3 for word in words)
    left_out = f"en: {len(offensive)} offensive words left out (--taste uncensored has them)"
    assert left_out in run("words", "info", "en").out
    whole = run("words", "info", "en", "--taste", "uncensored").out
    assert whole.startswith(f"{len(words) + len(offensive)} words; ")
    assert "offensive" not in whole
    found = run("words", "lookup", "FUCK*", "en", "--taste", "uncensored", "-f", "plain").out.upper().split()
    assert set(found) == {word for word in offensive if word.startswith("FUCK")}
    for options, code in ((), 20), (("--taste", "uncensored"), 0):
        assert run("solve", "-", "--strict", *options, stdin="FUCK\n").code == code


def test_a_heat_map_is_a_table_a_record_and_a_picture(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures = [tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.png"]
    for path in pictures:
        done = run("words", "heatmap", "-", "-l", "3-4", "-o", path, stdin=LIST)
        assert (done.code, done.err) == (0, "")
        assert "Where each letter stands most often" in done.out
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert pictures[2].read_bytes().startswith(b"\x89PNG")
    assert "in % of the letter (2 words)" in run("words", "heatmap", "-", "--length", "3", stdin=LIST).out
    lines = run("words", "heatmap", "-", "-l", "3-4", "--json", stdin=LIST).out.splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["length"] for record in records] == [3, 4]
    assert records[0]["counts"]["E"] == [1, 0, 1]
    assert records[0]["preferred_position"]["O"] == 2
    assert records[1]["preferred_letters"] == ["C", "H", "A", "T"]


def test_a_picture_without_matplotlib_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str, *_rest: object) -> object:
        raise ImportError(f"No module named '{name}'")

    monkeypatch.setattr("cpfill.base.imports.import_module", without)
    done = run("words", "heatmap", THREE, "-o", "x.png")
    assert done.out == ""
    assert len(done.complaints) == 1
    assert "pip install matplotlib" in done.err


def test_merging_and_filtering(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("chat;99\nété;1\n", encoding="utf-8")
    best = run("words", "merge", own, "-", stdin=LIST)
    assert best.out == "chat;99\ndog;50\nà-coup;40\nété;30\nchâteau;20\n"
    first = run("words", "merge", own, "-", "--keep", "first", "--sort", "word", "-f", "tsv", stdin=LIST)
    assert first.out == "à-coup\t40\nchat\t99\nchâteau\t20\ndog\t50\nété\t1\n"
    assert run("words", "filter", "-", "-l", "4-", "-f", "plain", stdin=LIST).out == "à-coup\nchâteau\nchat\n"
    assert run("words", "filter", "-", "--min-score", 20, "--max-score", 40, "-l", "-5", stdin=LIST).out == (
        "à-coup;40\nété;30\n"
    )
    assert run("words", "filter", "-", "--letters", "éthàc", stdin=LIST).out == "été;30\nchat;10\n"
    assert run("words", "filter", "-", "-p", "?[hoé]*", stdin=LIST).out == "dog;50\nchâteau;20\nchat;10\n"
    many = "\n".join(map("".join, product("abcde", repeat=4)))
    few = [run("words", "filter", "-", "--sample", n, "--seed", 3, stdin=many).out.splitlines() for n in (5, 50)]
    assert [len(each) for each in few] == [5, 50]
    assert set(few[0]) < set(few[1])


def test_the_verbs_make_a_pipe(run: Run) -> None:
    text = "The cat sat. The cat ran: \u201cChat, chat!\u201d said the château."
    made = run("words", "from-text", "-", "--min-length", 3, stdin=text)
    assert made.complaints == ["cpfill: 11 words of running text; 7 different ones are kept"]
    kept = run("words", "filter", "-", "-p", "*at*", stdin=made.out)
    again = run("words", "score", "-", "--frequencies", "en", stdin=kept.out)
    scores = words_of("en")
    given = {plain(word): score for word, score in words_in_text(again.out).items()}
    assert set(given) == {"CAT", "CHAT", "SAT", "CHATEAU"}
    ranked = sorted(given, key=lambda word: scores.get(word, 0))
    assert [given[word] for word in ranked] == sorted(given.values())


def test_what_tells_two_lists_apart(run: Run, tmp_path: Path) -> None:
    new = tmp_path / "new.txt"
    new.write_text("chat;11\nété;30\ncow;5\n", encoding="utf-8")
    done = run("words", "diff", "-", new, stdin=LIST)
    assert done.code == 0
    assert done.out == "-à-coup;40\n~chat;10;11\n-château;20\n+cow;5\n-dog;50\n"
    assert done.complaints == [
        "cpfill: 3 words in the first alone, 1 in the second alone, 1 with another score, 1 the same"
    ]
    only = {
        each: run("words", "diff", "-", new, "--only", each, stdin=LIST).out for each in ("first", "second", "both")
    }
    assert only == {"first": "dog;50\nà-coup;40\nchâteau;20\n", "second": "cow;5\n", "both": "été;30\nchat;11\n"}


def test_words_are_looked_up(run: Run) -> None:
    done = run("words", "lookup", "?A??E", "-n", 3)
    known = {word: score for word, score in words_of("en").items() if re.fullmatch(".A..E", word)}
    found = [line.upper().split(";") for line in done.out.splitlines()]
    assert len({word for word, _ in found}) == 3
    assert [float(score) for _, score in found] == sorted(known.values(), reverse=True)[:3]
    assert all(known[word] == float(score) for word, score in found)
    assert run("words", "lookup", "*T*", "-", "--sort", "word", stdin=LIST).out == "chat;10\nchâteau;20\nété;30\n"


def test_an_alphabet_of_its_own_and_a_file_that_appears_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    done = run("words", "lookup", "a[ñ]o", "-", "--alphabet", "es", "-o", path, stdin="año;3\nano;2\n")
    assert (done.code, done.out) == (0, "")
    assert path.read_text(encoding="utf-8") == "año;3\n"
    assert run("words", "lookup", "xyz", "-", "-o", path, stdin="abc").code == 20
    assert path.read_text(encoding="utf-8") == "año;3\n"
    assert os.listdir(tmp_path) == ["out.txt"]  # noqa: PTH208


def test_an_accent_of_its_own_is_part_of_its_letter(run: Run, tmp_path: Path) -> None:
    """However a word comes in: in lists, as an argument, in a grid."""
    words, composed, grid = tmp_path / "words.txt", tmp_path / "composed.txt", tmp_path / "grid.txt"
    words.write_text("A\u030aRE;40\nARE;30\n", encoding="utf-8")
    composed.write_text("ÅRE;40\nARE;30\n", encoding="utf-8")
    grid.write_text("A\u030a..\n", encoding="utf-8")
    common = ("-w", composed, "--alphabet", "sv", "-a")
    assert run("words", "filter", words, "--alphabet", "sv").out == "A\u030aRE;40\nARE;30\n"
    assert run("solve", grid, *common).fills == [("ÅRE",)]
    assert run("solve", "1x3", *common, "--require", "a\u030are").fills == [("ÅRE",)]
    assert run("solve", "1x3", *common, "--exclude", "a\u030are").fills == [("ARE",)]
    assert run("solve", "1x3", *common, "--slot", "1-Across:pattern=A\u030a*").fills == [("ÅRE",)]
    assert run("words", "ban", "a\u030are", "--alphabet", "sv", "--personal", tmp_path / "own.txt").code == 0
    assert run("solve", "1x3", *common, "--personal", tmp_path / "own.txt").fills == [("ARE",)]


def test_a_list_is_packed_where_its_name_says_so(run: Run, tmp_path: Path) -> None:
    packed = tmp_path / "list.txt.gz"
    assert run("words", "merge", "-", "-o", packed, stdin="été;3\nano;2\n").code == 0
    assert gzip.decompress(packed.read_bytes()).decode() == "été;3\nano;2\n"
    assert run("words", "merge", packed).out == "été;3\nano;2\n"


def test_skipped_lines_are_counted_on_standard_error(run: Run) -> None:
    done = run("words", "merge", "-", stdin="a\nb\na\n42\n")
    assert done.out == "a;50\nb;50\n"
    assert done.complaints == [
        "cpfill: standard input: 2 lines skipped (1 character outside the alphabet, 1 duplicate)"
    ]


def test_nothing_left_has_a_code_of_its_own(run: Run) -> None:
    for words in (("lookup", "QXQXQX"), ("filter", "-l", 99), ("heatmap", "-l", 99), ("from-text", "-")):
        done = run("words", *words, stdin="a b c")
        assert (done.code, done.out) == (20, "")
        assert done.complaints[-1] == "cpfill: no word is left"
