"""What is kept between questions is found by its content, lent to one at a time, and bounded."""

from __future__ import annotations

import asyncio
import threading
import weakref
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.problem.result import Limits
from cpfill.puzzle.clues.dictionaries import list_dictionaries
from cpfill.questions.request import Request
from cpfill.web.files import Folder
from cpfill.web.memory import Memory
from cpfill.web.streams import Searches
from cpfill.web.wire import parse_puzzle, parse_request
from tests.dictionaries import write_thesaurus
from tests.web.support import HANG_S, puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.problem.problem import Problem
    from cpfill.words.lexicon import WordTable

LIMITS = Limits(time_s=60.0)


def pose(memory: Memory, *rows: str, **asked: object) -> Problem:
    lists = (memory.lists.find("mine.txt"),)
    return memory.pose(Request(grid=parse_puzzle(puzzle(*rows)), words=lists).updated(asked))


def test_a_state_is_found_again_and_lent_to_one_at_a_time(folder: Path) -> None:
    memory = Memory(Folder(folder))
    with memory.candidates(pose(memory, "A..", ".#.", "..."), LIMITS) as first:
        with memory.candidates(pose(memory, "A..", ".#.", "..."), LIMITS) as second:
            assert first is not second
        with memory.candidates(pose(memory, "..", ".."), LIMITS) as other:
            assert other is not first
    with memory.candidates(pose(memory, "A..", ".#.", "...", objective="min"), LIMITS) as again:
        assert again in {first, second}
    with memory.candidates(pose(memory, "A..", ".#.", "...", min_score=4), LIMITS) as another:
        assert another not in {first, second}


def test_only_so_many_are_kept(folder: Path) -> None:
    memory = Memory(Folder(folder))
    for score in range(20):
        with memory.candidates(pose(memory, "A..", ".#.", "...", min_score=score / 10), LIMITS) as state:
            state.judge()
    assert len(memory._idle) == 4
    assert 0 < len(memory._fills) <= 64


def test_a_fill_is_learnt_where_it_matches_and_obeys_the_rules(folder: Path) -> None:
    memory = Memory(Folder(folder))
    with memory.candidates(pose(memory, "A..", ".#.", "..."), LIMITS) as state:
        _, fill = state.judge()
    assert fill is not None
    none = Limits(time_s=0.0)
    cases: list[tuple[tuple[str, ...], dict[str, object], bool]] = [
        ((fill.rows[0], ".#.", "..."), {}, True),
        (("...", ".#.", "..."), {}, True),
        (("...", "...", "..."), {}, False),
        (("..#", ".#.", "..."), {}, False),
        (("XX.", ".#.", "..."), {}, False),
        (("...", ".#.", "..."), {"min_score": 100}, False),
        (("...", ".#.", "..."), {"alphabet": "es"}, False),
    ]
    for rows, asked, known in cases:
        with memory.candidates(pose(memory, *rows, **asked), none) as state:
            memory.teach(state)
            assert bool(state.fills) == known, (rows, asked)


def test_a_lexicon_is_made_once(folder: Path) -> None:
    memory = Memory(Folder(folder))
    asked = Request(words=(memory.lists.find("mine.txt"),), exclude=("abc",))
    lexicon = memory.lists.lexicon_of(asked)
    assert memory.lists.lexicon_of(replace(asked, min_score=5.0)) is lexicon
    assert lexicon.find("ABC") is None
    themed = [
        memory.pose(
            parse_request({"words": ["mine.txt"], "theme": ["axe"]}, parse_puzzle(puzzle(row)), memory.lists.find)
        )
        for row in ("A..", "...")
    ]
    assert themed[0].lexicon is themed[1].lexicon
    (folder / "mine.txt").write_text("NEW;1\n")
    changed = replace(asked, words=(memory.lists.find("mine.txt"),))
    assert memory.lists.lexicon_of(changed).find("NEW") == (1.0, "NEW")


def test_a_lexicon_that_nothing_asks_for_is_freed(folder: Path) -> None:
    memory = Memory(Folder(folder))
    tables: list[weakref.ref[WordTable]] = []
    for score in range(6):
        (folder / "mine.txt").write_text(f"ABC;{score}\nADE\nAGE\nCXE\nEFE\nEYE\nCUE\n")
        problem = pose(memory, "A..", ".#.", "...")
        with memory.candidates(problem, LIMITS) as state:
            state.judge()
        tables += map(weakref.ref, problem.tables)
    kept = {table() for table in tables} - {None}
    assert len(kept) <= 4, "one of each kept state"


def test_memory_is_given_back_at_rest() -> None:
    async def search(searches: Searches) -> None:
        async with searches.place(), searches.place():
            pass
        async with searches.place():
            pass
        await asyncio.wait_for(rested.wait(), HANG_S)

    rested = asyncio.Event()
    counted = []

    def rest() -> None:
        counted.append(threading.current_thread() is threading.main_thread())
        loop.call_soon_threadsafe(rested.set)

    with closing(asyncio.new_event_loop()) as loop:
        loop.run_until_complete(search(Searches(rest=rest, rest_s=0.0)))
    assert counted == [False], "once for two answers that follow one another, beside the loop"


def test_a_dictionary_is_read_once_until_it_is_another(tmp_path: Path) -> None:
    memory, alphabet = Memory(Folder(tmp_path)), Alphabet()
    path = write_thesaurus(tmp_path / "th_en_US_v2.dat", {"cat": ["(noun)|feline"]})
    (known,) = list_dictionaries([], [path])
    find = memory.read_dictionary(known, alphabet)
    assert find("CAT") == ["feline"]
    assert memory.read_dictionary(known, alphabet) is find
    write_thesaurus(path, {"cat": ["(noun)|mouser"]})
    assert memory.read_dictionary(known, alphabet)("CAT") == ["mouser"]
    path.unlink()
    with pytest.raises(InputError, match="a file that can be read"):
        memory.read_dictionary(known, alphabet)
