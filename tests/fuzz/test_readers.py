"""Whatever a file holds, its reader refuses it, or returns what can be written and read again."""

from __future__ import annotations

import re
import zlib
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_SIDE, FormatError, InputError, LexiconError
from cpfill.base.files import read_text
from cpfill.formats.dialects import DIALECTS, parse_grids, write_template
from cpfill.formats.registry import FORMATS, read_puzzle, read_templates, write_puzzle
from cpfill.problem.problem import Problem
from cpfill.problem.result import Deadline
from cpfill.problem.rules import Rules
from cpfill.proofs.claim import read_claim
from cpfill.puzzle.clues import parse_clues, read_clues, write_clues
from cpfill.puzzle.clues.dictionaries import Dictionary, list_dictionaries, look_up
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.solve import Solve
from cpfill.runs.batch import INVALID, Defaults, encode_line, plan
from cpfill.runs.bench.suite import read_suite
from cpfill.words.curate import Entry, Format, Pattern, words_of_text, write_entries
from cpfill.words.lexicon import Lexicon
from cpfill.words.packing import columns, twin
from cpfill.words.sources import ListFinder
from cpfill.words.wordlist import DEFAULT_SCORE, THEME_SCORE, WordList, parse_word_list, read_word_list
from tests.dictionaries import write_wordnet
from tests.fuzz import corpus
from tests.fuzz.campaign import Campaign, Target
from tests.fuzz.ceilings import ceilings, check_refusal
from tests.support import question

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


LATIN = Alphabet()
DRAWN_CELLS = 400
"""Cells of a puzzle; larger ones take longer to draw than to read."""

try:
    PACKINGS = [import_module("cpfill.words.packing._packing"), twin]
except ModuleNotFoundError:
    PACKINGS = [twin]


@contextmanager
def written_by_us() -> Iterator[None]:
    """Hold a refusal of what the program wrote for a fault; it would pass for one of the input."""
    try:
        yield
    except InputError as error:
        raise AssertionError(f"refused what was written: {error}") from None


def puzzle(path: Path, kind: str | None) -> None:
    read = read_puzzle(path, kind=kind)
    try:
        read.grid(LATIN)
    except InputError as error:
        assert str(error)  # noqa: PT017 - it is no error of reading
    if kind is not None and FORMATS[kind].writes:
        same_again(read, kind)
    if len(read.cells) <= DRAWN_CELLS and path.stat().st_size <= corpus.MOST_SEED_BYTES:
        writable = [name for name, one in FORMATS.items() if one.writes]
        write_puzzle(read, writable[zlib.crc32(path.read_bytes()) % len(writable)])


@pytest.mark.long
@pytest.mark.parametrize("kind", [name for name, one in FORMATS.items() if one.writes and not one.draws])
def test_the_largest_grid_is_written_and_read_within_the_ceilings(kind: str) -> None:
    """Its cells are empty, or all differ, which some formats refuse."""
    cells = range(MAX_SIDE**2)
    for answers in ("",) * len(cells), tuple(f"A{cell}" for cell in cells):
        puzzle = Puzzle(MAX_SIDE, MAX_SIDE, answers)
        with ceilings():
            try:
                data, _ = write_puzzle(puzzle, kind)
            except FormatError as refusal:
                check_refusal(str(refusal))
                continue
            kept = puzzle.keep(FORMATS[kind].load().keeps)
            assert not FORMATS[kind].reads or read_puzzle(data, kind=kind).cells == kept.cells


SIGNS = re.compile(r"""[^\x00-\x9f\xa1-\xff]|['"\-.<>*]""")


def same_again(read: Puzzle, kind: str) -> None:
    kept = read.keep(FORMATS[kind].load().keeps)
    written, told = write_puzzle(read, kind)
    with written_by_us():
        again = read_puzzle(written, kind=kind)
    if any("read otherwise" in line for line in told):
        return
    if any("with plain signs" in line for line in told):
        kept, again = without_signs(kept), without_signs(again)
    assert again == kept


def without_signs(puzzle: Puzzle) -> Puzzle:
    """Leave out of all texts what version 1.3 of .puz has no room for, and the plain signs it is written with."""
    clues = {name: SIGNS.sub("", clue) for name, clue in puzzle.clues.items()}
    return replace(puzzle, clues=clues, metadata={part: SIGNS.sub("", text) for part, text in puzzle.metadata.items()})


def grid(path: Path, dialect: str | None) -> None:
    for template in read_templates(path, dialect=dialect):
        cells = [cell if cell & (cell - 1) == 0 else LATIN.full for cell in template.grid.cells]
        with written_by_us():
            _, (again,) = parse_grids(write_template(template.dialect, template.grid), dialect=template.dialect.name)
        assert list(again.cells) == cells


def word_list(path: Path) -> None:
    read: list[WordList | LexiconError] = []
    for module in PACKINGS:
        with patch.object(columns, "load_kernel", return_value=module):
            try:
                read.append(read_word_list(path))
            except LexiconError as error:
                read.append(error)
    assert len({summary(each) for each in read}) == 1
    if isinstance(read[0], LexiconError):
        raise read[0]
    entries = [Entry(word, score, spelt) for word, (score, spelt) in read[0].words.items()]
    with written_by_us():
        for form in Format:
            again = parse_word_list(write_entries(entries, form)).weights
            assert again == (dict.fromkeys(again, DEFAULT_SCORE) if form is Format.PLAIN else read[0].weights)
            assert again.keys() == read[0].words.keys()


def summary(read: WordList | LexiconError) -> object:
    if isinstance(read, LexiconError):
        return read.faults
    return tuple(read.words.items()), tuple(sorted(read.skipped.items()))


def theme(path: Path) -> None:
    weights = read_word_list(path, default_score=THEME_SCORE).weights
    asked = question("....", "....", "....", words="CAT DOGS TIGER").problem()
    Problem(asked.grid, asked.lexicon.including(weights), Rules(), asked.objective, weights)


def clue_file(path: Path) -> None:
    read = read_clues(path)
    with written_by_us():
        assert parse_clues(write_clues(read)) == read


def text(path: Path) -> None:
    entries = words_of_text(read_text(path), LATIN).entries
    assert all(1 <= entry.score <= 100 for entry in entries)
    if entries:  # an empty list is none
        with written_by_us():
            assert parse_word_list(write_entries(entries)).weights == {entry.word: entry.score for entry in entries}


def jobs(path: Path) -> None:
    planned = plan(str(path), Defaults(Solve(), (0, 1), ListFinder()))
    assert all(record["status"] == INVALID for record in planned.refused)
    assert all(encode_line(record).count(b"\n") == 1 for record in planned.refused)
    assert len({job.id for job in planned.jobs}) == len(planned.jobs)
    assert len({job.key for job in planned.jobs}) == len(planned.jobs)


def wordnet(path: Path) -> None:
    dictionary(list_dictionaries([path.parent], []))


def thesaurus(path: Path) -> None:
    dictionary(list_dictionaries([], [path]))


def dictionary(source: list[Dictionary]) -> None:
    found = look_up(["CAT", "DOG", "ICECREAM", "ETE"], [each.read(LATIN) for each in source], LATIN)
    with written_by_us():
        assert parse_clues(write_clues(found)) == found


def pattern(path: Path) -> None:
    written = path.read_bytes().decode("utf-8", "surrogateescape")
    parsed = Pattern.parse(written, LATIN)
    for word in parsed.lookup(LEXICON):
        assert len(word.word) >= parsed.least


LEXICON = Lexicon([parse_word_list("cat\ntiger\nnaming\n" + "ab" * 60 + "\n" + "a" * 120)])

TARGETS = [
    *(
        Target(f"puzzle {kind}", "input.any", partial(corpus.puzzles, kind), partial(puzzle, kind=kind))
        for kind, one in FORMATS.items()
        if one.reads
    ),
    Target("puzzle of any kind", "input.any", corpus.foreign, partial(puzzle, kind=None)),
    *(
        Target(f"grid {name}", "input.txt", partial(corpus.grids, name), partial(grid, dialect=name))
        for name in DIALECTS
    ),
    Target("grid of any dialect", "input.txt", corpus.grid_files, partial(grid, dialect=None)),
    Target("list", "input.txt", corpus.lists, word_list),
    Target("theme", "input.txt", corpus.lists, theme),
    Target("clues", "input.tsv", corpus.clues, clue_file),
    Target("text", "input.txt", corpus.texts, text),
    Target("jobs", "input.jsonl", corpus.jobs, jobs, cpu_s=10.0),  # half a millisecond a job, and thousands of jobs
    Target("claim", "claim.json", corpus.claims, lambda path: read_claim(path.parent, Deadline(None))),
    Target("suite", "input.toml", corpus.suites, lambda path: read_suite(str(path))),
    *(Target(f"wordnet {file}", file, partial(corpus.wordnet, file), wordnet) for file in ("index.noun", "data.noun")),
    Target("thesaurus", "input.dat", corpus.thesauri, thesaurus),
    Target("pattern", "input.txt", corpus.patterns, pattern),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_it_is_read_or_refused(campaign: Campaign, target: Target) -> None:
    write_wordnet(campaign.directory, {}, {})
    campaign.run(target)
