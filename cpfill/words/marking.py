"""The marks of all words of tables at once, made by the kernel of the packing: `Lexicon.marks` says what marks are.

Stems are those of the Snowball stemmers (Porter 2001, https://snowballstem.org). A packaged list, such as `en`, has
beside it the stems of its parts in the order in which these come, by length of the entries: how many bytes of UTF-8 to
cut from the end of each, and which ending to put there. So no packaged list is stemmed where it is used, which in a
browser's tab would take 15 s.
"""

from __future__ import annotations

import gzip
import json
import sys
from array import array
from collections import defaultdict
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.imports import load, load_kernel
from cpfill.base.texts import later
from cpfill.words.packing import KERNELS
from cpfill.words.spelling import COMMON, LEAST_LONG, LEAST_SHORT, NAME
from cpfill.words.wordlist import PACKAGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cpfill.words.packing import PackedWords
    from cpfill.words.wordlist import WordList

SNOWBALL = {"en": "english", "fr": "french"}
"""The language of each packaged list, by the beginning of its name, and the name of its stemmer."""

_PACKAGED_AT = Path(__file__).with_name("packaged")


class Endings(NamedTuple):
    """The stems of the parts of a list, as the kernel takes them.

    Attributes:
        cuts: for each part, a byte: how many bytes of the part its stem lacks at the end.
        chosen: for each part, a byte: which of the texts its stem has there.
        texts: endings in UTF-8.
        digest: the digest of the parts, 64 bits of FNV-1a with a byte 0 after each; other parts have other stems.
    """

    cuts: bytes = b""
    chosen: bytes = b""
    texts: list[bytes] = []  # noqa: RUF012 - a default that nobody changes
    digest: int = 0


@cache
def _load_stemmer(language: str) -> Any:
    snowball = load("snowballstemmer", "snowballstemmer", later("finding stems"))
    stemmer = snowball.stemmer(SNOWBALL[language])
    stemmer.maxCacheSize = 0  # the cache of the compiled stemmer takes five times as long as it saves
    return stemmer


def list_stems(parts: Iterable[str], language: str) -> list[str]:
    """Return the stems of some parts.

    Raises:
        CpfillError: the stemmers are not installed.
    """
    stems: list[str] = _load_stemmer(language).stemWords(list(parts))
    return stems


@cache
def find_version() -> str:
    """Return the version of the stemmers, without that of its corrections: other versions may find other stems."""
    try:
        version: str = import_module("Stemmer").version()
    except ModuleNotFoundError:  # `importlib.metadata` would take 0.2 s in a tab
        places = chain.from_iterable(Path(folder).glob("snowballstemmer-*.dist-info") for folder in sys.path)
        version = next((place.stem.partition("-")[2] for place in places), "")
    return version.rpartition(".")[0]


@cache
def read_endings(name: str) -> tuple[Endings, dict[str, str]]:
    """Return the kept stems of a packaged list, and those of further words of which its entries in capitals consist.

    There are none if they come from stemmers of another version.
    """
    head, _, columns = gzip.decompress((_PACKAGED_AT / f"{name}.stems.gz").read_bytes()).partition(b"\n")
    known = json.loads(head)
    if known["version"] != find_version():
        return Endings(), {}
    half = len(columns) // 2
    texts = list(map(str.encode, known["texts"]))
    return Endings(columns[:half], columns[half:], texts, known["digest"]), known["also"]


def pack_endings(stems: dict[str, str], also: dict[str, str]) -> bytes:
    """Return a file of kept stems: those of the parts of a list in order, and further ones."""
    digest = 0xCBF29CE484222325
    cuts = bytearray()
    chosen = bytearray()
    texts: dict[bytes, int] = {}
    for part, stem in stems.items():
        spelt = part.encode()
        wanted = stem.encode()
        for byte in spelt:
            digest = (digest ^ byte) * 0x100000001B3 % 2**64
        digest = digest * 0x100000001B3 % 2**64
        same = next((at for at, pair in enumerate(zip(spelt, wanted, strict=False)) if pair[0] != pair[1]), None)
        if same is None:
            same = min(len(spelt), len(wanted))
        cuts.append(len(spelt) - same)
        chosen.append(texts.setdefault(wanted[same:], len(texts)))
    head = {"digest": digest, "texts": list(map(bytes.decode, texts)), "also": also, "version": find_version()}
    return gzip.compress(json.dumps(head).encode() + b"\n" + bytes(cuts) + bytes(chosen), 9, mtime=0)


_LEAST = [LEAST_SHORT.get(length, LEAST_LONG) for length in range(max(LEAST_SHORT) + 2)]


PackedTable = tuple[int, bytes, bytes, bytes]
"""The length of words, their letter codes, their scores, and for each its index in the concatenation of all lists."""


def mark_packed(
    lists: Sequence[WordList],
    tables: Sequence[PackedTable],
    rating: Sequence[PackedTable],
    language: str,
    *,
    telling: bool,
) -> list[array[int]]:
    """Return the words of each table, by id, with each of their marks, by number: pairs, in one array a table.

    `rating` has the words of which entries in capitals may consist, best first; `telling` says whether capitals tell
    names. Nothing is returned if a spelling has characters that the kernel does not know, or the kernel was not
    compiled.
    """
    kept = [_find_endings(one, language) for one in lists]
    spelt = [_spell(one, endings) for one, (endings, _) in zip(lists, kept, strict=True)]
    ranked = _tell_apart(tables, rating)
    letters = _encode(map(str.lower, lists[0].alphabet.letters))
    customs = letters, _encode(sorted(COMMON)), _LEAST, NAME if telling else 0
    mark = load_kernel(*KERNELS).mark
    stems: dict[str, str] = {}
    for _, also in kept:
        stems |= also
    while True:
        known, unknown, marked = mark(spelt, ranked, *customs, _encode(stems), _encode(stems.values()))
        if not known or not unknown:
            return [array("I", pairs) for pairs in marked]
        parts = unknown.decode().split()
        stems |= zip(parts, list_stems(parts, language), strict=True)


def _tell_apart(
    tables: Sequence[PackedTable], rating: Sequence[PackedTable]
) -> list[tuple[int, bytes, bytes, bytes, bool, bool]]:
    """Return all tables, each once, and whether its words are to be marked, and may be parts of entries."""
    ranked = [(*table, True, table in rating) for table in tables]
    return ranked + [(*table, False, True) for table in rating if table not in tables]


def _encode(texts: Iterable[str]) -> list[bytes]:
    return list(map(str.encode, texts))


def _spell(words: WordList, endings: Endings) -> tuple[bytes, list[tuple[int, bytes]], tuple[Any, ...]]:
    """Return the spellings of a list, the shortest words first, with the kept stems of their parts."""
    columns = sorted(words.packed.columns.items())
    return words.packed.text, [(length, column.spans) for length, column in columns], tuple(endings)


def _find_endings(words: WordList, language: str) -> tuple[Endings, dict[str, str]]:
    """Return the kept stems of a list, and those of further words; none if it has none of this language."""
    if words.name in PACKAGED and words.name.partition("-")[0] == language:
        return read_endings(words.name)
    return Endings(), {}


def read_kept(
    words: PackedWords,
    places: Mapping[int, bytes | None],
    language: str,
    mark_all: Callable[[Sequence[PackedTable]], list[array[int]]],
) -> list[array[int]]:
    """Return the marks of tables, kept with the list that has all their words, or made by `mark_all` and kept.

    `places` has by length the place of each word in the list, `None` if the list lacks one. Then nothing is returned,
    nor if the list keeps no marks.
    """
    if words.marks is None or None in places.values():
        return []
    kept = words.marks.read(language, places)
    if not kept:
        marks = _mark_columns(words, mark_all)
        if not marks:
            return []
        words.marks.keep(language, marks)
        kept = [marks.get(length, b"") for length in places]
    spread = load_kernel(*KERNELS).spread
    return [array("I", spread(*each)) for each in zip(kept, places.values(), strict=True)]


def _mark_columns(
    words: PackedWords, mark_all: Callable[[Sequence[PackedTable]], list[array[int]]]
) -> dict[int, bytes]:
    """Return the marks of all words of a list in its order, by length."""
    listed = []
    for length, column in words.columns.items():
        listed.append((length, column.codes, column.scores, array("I", range(column.size)).tobytes()))
    return dict(zip(words.columns, (pairs.tobytes() for pairs in mark_all(listed)), strict=False))


def number_singly(tables: Iterable[Iterable[frozenset[str]]]) -> list[array[int]]:
    """Return the words of each table, by id, with each of their marks, by number."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    numbered = []
    for table in tables:
        pairs = array("I")
        for word, marks in enumerate(table):
            for mark in sorted(marks):
                pairs.extend((word, numbers[mark]))
        numbered.append(pairs)
    return numbered
