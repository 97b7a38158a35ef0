from __future__ import annotations

import gzip
from itertools import product
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from tests.cli.program import packaged_words, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

LIST = "chat;10\nchâteau;20\nété;30\nà-coup;40\ndog;50\n"


def test_the_packaged_list_is_described_by_default_and_offensive_words_brought_back(run: Run) -> None:
    offensive, words = packaged_words("en.offensive"), words_of("en")
    record = run("words", "info", "--json").records[0]
    assert (record["words"], record["offensive_left_out"]) == (len(words), {"en": len(offensive)})
    assert record["lengths"][1]["words"] == sum(len(word) == 3 for word in words)
    assert f"en: {len(offensive)} offensive words left out" in run("words", "info", "en").out
    whole = run("words", "info", "en", "--taste", "uncensored").out
    assert whole.startswith(f"{len(words) + len(offensive)} words; ")
    found = run("words", "lookup", "FUCK*", "en", "--taste", "uncensored", "-f", "plain").out.splitlines()
    assert set(map(Alphabet().fold, found)) == {word for word in offensive if word.startswith("FUCK")}


def test_a_heat_map_is_a_table_a_record_and_a_picture(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures = [tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.png"]
    for path in pictures:
        done = run("words", "heatmap", "-", "-l", "3-4", "-o", path, stdin=LIST)
        assert (done.code, done.err) == (0, "")
        assert "Where each letter stands most often" in done.out
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert pictures[2].read_bytes().startswith(b"\x89PNG")


def test_a_larger_sample_holds_a_smaller_one(run: Run) -> None:
    many = "\n".join(map("".join, product("abcde", repeat=4)))
    few = run("words", "filter", "-", "--sample", 5, "--seed", 3, stdin=many).out.splitlines()
    more = run("words", "filter", "-", "--sample", 50, "--seed", 3, stdin=many).out.splitlines()
    assert (len(few), len(more)) == (5, 50)
    assert set(few) < set(more)


def test_a_list_is_packed_where_its_name_says_so(run: Run, tmp_path: Path) -> None:
    packed = tmp_path / "list.txt.gz"
    assert run("words", "merge", "-", "-o", packed, stdin="été;3\nano;2\n").code == 0
    assert gzip.decompress(packed.read_bytes()).decode() == "été;3\nano;2\n"
    assert run("words", "merge", packed).out == "été;3\nano;2\n"
