"""Large lists kept from one run to the next: always as they would be read anew, and never the cause of an error."""

from __future__ import annotations

import gzip
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import LexiconError
from cpfill.words import marking
from cpfill.words import sources as caching
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import ListCache, cache_directory
from cpfill.words.wordlist import Drop, WordList, parse_word_list, read_word_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Run

TEXT = "# mine\nété;80\nsœur;70.5\ncat's\nétÉ;3\n42;7\n" + "".join(
    f"{''.join(four)};9\n" for four in product("ab", repeat=4)
)


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(caching, "LEAST_BYTES", 1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the lists that are read anew, as they are."""
    names: list[str] = []
    parse = vars(caching)["_keep"]

    def note(path: Path, words: WordList, data: bytes, reader: list[object]) -> None:
        names.append(words.name)
        parse(path, words, data, reader)

    monkeypatch.setattr(caching, "_keep", note)
    return names


def read(source: Path, cache: ListCache | None = None, **options: Any) -> WordList:
    return read_word_list(source, cache=cache or ListCache("1"), **options)


def read_right(source: Path, times: int = 1, **options: Any) -> None:
    """Read a list, which has the words of the file in their order."""
    fresh = read_word_list(source, **options)
    for _ in range(times):
        words = read(source, **options)
        assert words == fresh
        assert [*words.words.items()] == [*fresh.words.items()]


def kept() -> list[Path]:
    return sorted(cache_directory().iterdir())


def test_a_list_is_read_once_and_then_loaded(source: Path, parses: list[str], tmp_path: Path) -> None:
    read_right(source, 2)
    assert read(source).skipped == {"comment": 1, "duplicate": 1, "character outside the alphabet": 1}
    elsewhere = tmp_path / "copy.txt"
    elsewhere.write_bytes(source.read_bytes())
    assert read(elsewhere).name == str(elsewhere)  # it is found by its content, and has its own name
    assert parses == [str(source)]


def test_options_and_texts_are_kept_apart(source: Path, parses: list[str]) -> None:
    swedish = Alphabet.named("sv")
    for options in ({}, {"default_score": 3.0}, {"alphabet": swedish}, {"drop": [Drop.POSSESSIVES]}):
        read_right(source, 2, **options)
    read(source, ListCache("2"))
    source.write_text(TEXT.replace("80", "81"), encoding="utf-8")
    assert read(source).words["ETE"] == (81.0, "été")
    assert len(parses) == len(kept()) == 5  # a list without some of its lines is never kept


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + TEXT.encode(), b"cat\r\ndog\r\n"])
def test_a_file_that_is_not_its_own_text_is_not_kept(source: Path, content: bytes) -> None:
    source.write_bytes(content)
    read_right(source, 2)
    assert not cache_directory().exists()


def test_a_packed_list_is_kept_as_it_is(source: Path, parses: list[str]) -> None:
    source.write_bytes(gzip.compress(TEXT.encode()))
    read_right(source, 2)
    assert len(parses) == len(kept()) == 1


def test_damage_is_noticed_wherever_it_is(source: Path, parses: list[str]) -> None:
    read(source)
    (path,) = kept()
    whole = path.read_bytes()
    damaged = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 29)]
    damaged += [whole[:length] for length in range(0, len(whole), 61)]
    for data in damaged:
        path.write_bytes(data)
        read_right(source)
        assert path.read_bytes() == whole  # it is mended
    assert len(parses) == 1 + len(damaged)


def test_unread_words_may_be_damaged(source: Path, parses: list[str]) -> None:
    fresh = read(source)
    (path,) = kept()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])  # the longest words are the last that are kept
    loaded = read(source)
    assert len(loaded.words) == len(fresh.words) == 19
    assert loaded.words["ETE"] == fresh.words["ETE"]
    assert len(parses) == 1
    assert loaded.words["SOEUR"] == fresh.words["SOEUR"]
    assert len(parses) == 2
    assert path.read_bytes() == whole


def test_many_at_once_leave_one_whole_list(source: Path) -> None:
    def read_anew(_: int) -> None:
        for path in cache_directory().glob("[!.]*"):
            path.unlink(missing_ok=True)
        read_right(source)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(read_anew, range(64)))
    read(source)
    (path,) = kept()  # nothing lies beside it
    whole = path.read_bytes()
    path.unlink()
    read(source)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("cache", ["/dev/null", ""])
def test_lists_are_read_if_nothing_can_be_kept(cache: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setattr(Path, "home", no_home)
    read_right(source)


def test_the_list_unused_for_longest_goes_first(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(source)
    (first,) = kept()
    monkeypatch.setattr(caching, "MOST_BYTES", 5 * first.stat().st_size // 2)
    read(source, default_score=51.0)
    (second,) = set(kept()) - {first}
    os.utime(first, (1, 1))
    os.utime(second, (2, 2))
    read(source)  # the first is used again
    read(source, default_score=52.0)
    assert first in kept()
    assert second not in kept()
    assert len(kept()) == 2
    monkeypatch.setattr(caching, "MOST_BYTES", 10)
    read(source, default_score=53.0)
    assert len(kept()) == 2  # a list over the limit drives nothing out


def test_a_list_that_is_refused_is_refused_again(source: Path) -> None:
    source.write_text("cat;high\n")
    for _ in range(2):
        with pytest.raises(LexiconError, match="high"):
            read(source)


def test_no_cache_keeps_none_and_loads_none(source: Path, run: Run) -> None:
    source.write_text("abc\nbcd\ncde\n")
    args = ("solve", "1x3", "-w", source)
    assert run(*args, "--no-cache").code == 0
    assert not cache_directory().exists()
    first, (path,) = run(*args), kept()
    path.write_bytes(b"")
    assert run(*args, "--no-cache").out == first.out
    assert not path.read_bytes()
    assert run(*args).out == first.out
    assert path.read_bytes()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_folder_is_not_waited_for(make: Callable[[Path], None], source: Path) -> None:
    read(source)
    (path,) = kept()
    path.unlink()
    make(path)
    read_right(source)


def test_a_changed_parser_reads_a_list_anew(
    source: Path, parses: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the same version, too, as where cpfill is being worked on."""
    read(source)
    changed = tmp_path / "lines.py"
    changed.write_text("# another parser\n")
    monkeypatch.setattr("cpfill.words.packing.lines.__file__", str(changed))
    read(source)
    assert len(parses) == len(kept()) == 2


UNSORTED = "tac;1\ncats;40\nrun;20\ncat;60\nruns;70\nCATRUNS;50\nstac;45\n"


def sharers(words: WordList, altered: Callable[[Lexicon], Lexicon] = lambda lexicon: lexicon) -> set[frozenset[str]]:
    """Return the words that share a mark, for each mark, as numbered for all words at once."""
    lexicon = altered(Lexicon([words]))
    tables = [lexicon.table(length) for length in (3, 4, 7, 9)]
    having: dict[int, set[str]] = {}
    for table, pairs in zip(tables, lexicon.mark_tables(tables), strict=True):
        for id_, mark in zip(pairs[::2], pairs[1::2], strict=True):
            having.setdefault(mark, set()).add(table.words[id_])
    expected: dict[str, set[str]] = {}
    for word in {word for table in tables for word in table.words}:
        for text in lexicon.marks(word):
            expected.setdefault(text, set()).add(word)
    found = {frozenset(sharing) for sharing in having.values()}
    assert found == {frozenset(sharing) for sharing in expected.values()}
    return found


def test_marks_are_kept_with_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "unsorted.txt"
    source.write_text(UNSORTED, encoding="utf-8")
    fresh = sharers(read(source))
    assert {frozenset({"CAT", "CATS"}), frozenset({"CAT", "TAC"})} <= {each - {"CATRUNS"} for each in fresh}
    assert sharers(read(source)) == fresh
    (at,) = (path for path in kept() if path.suffix == ".en")
    good = at.read_bytes()
    for bad in (b"", good[:-1], good[:30], good[:-9] + b"\xff" * 9, good.replace(b'"of": [', b'"of": [7, ')):
        at.write_bytes(bad)
        assert sharers(read(source)) == fresh
        assert at.read_bytes() == good
    monkeypatch.setattr(marking, "mark_packed", None)
    assert sharers(read(source)) == fresh
    sharers(read(source), lambda lexicon: lexicon.lifting(["RUN", "TAC"], 90.0).without(["CATS"]))


def test_marks_of_other_words_are_not_those_kept(source: Path) -> None:
    for _ in range(2):
        sharers(read(source))
    sharers(read(source), lambda lexicon: lexicon.including(["CAT", "RUN", "RATTRAP"]))
    sharers(read(source), lambda lexicon: lexicon.corrected(parse_word_list("runs;90\ncats;0")))
