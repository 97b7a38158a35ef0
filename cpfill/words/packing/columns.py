"""Word lists in memory: columns of letter codes, scores and spellings, with the interface of a mapping."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from cpfill.base.errors import MAX_LINE_BYTES, MAX_SIDE, SCORE, LexiconError, expected
from cpfill.base.imports import load_kernel
from cpfill.base.texts import later
from cpfill.words.packing.lines import LineReader, decode_words, encode_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cpfill.base.alphabet import Alphabet

KERNELS = ("cpfill.words.packing._packing", "cpfill.words.packing.twin")
"""The compiled module, and its twin in Python."""

MAX_PACKED_BYTES = 2**32 - 1
_SCANS = 64
"""After this many lookups by scanning a column, the column is indexed; that takes longer than these scans."""


_UNPACKING = threading.Lock()
"""Held while a text is unpacked, which an engine and the audit of its fills need at the same time."""


class WordColumn(NamedTuple):
    """The words of one length, in the order of the list.

    Attributes:
        codes: the letter codes of all words, concatenated.
        scores: one double per word.
        spans: two unsigned ints per word, the start and the end of its spelling in the text.
    """

    codes: bytes
    scores: bytes
    spans: bytes

    @property
    def size(self) -> int:
        return len(self.spans) // 8


class KeptMarks(Protocol):
    """Keeps the marks of all words of a list for other processes: see `Lexicon.mark_tables`."""

    def read(self, language: str, lengths: Iterable[int]) -> list[bytes]:
        """Return the marks of the words of some lengths; nothing if none are kept."""

    def keep(self, language: str, marks: Mapping[int, bytes]) -> None:
        """Keep the marks of the words of each length, if that is possible."""


class WordIndex(Mapping[str, int]):
    """The place of each word in a column of letter codes: a hash table of at most 16 bytes a word; a dict takes 110."""

    def __init__(self, codes: bytes, length: int, alphabet: Alphabet) -> None:
        self._codes = codes
        self._length = length
        self._alphabet = alphabet
        self._mask = (1 << (2 * len(self)).bit_length()) - 1
        # A word stands at its hash, or at the next free place: 0 is free, n + 1 is word n.
        self._places = array("I", bytes(4 * (self._mask + 1)))
        for number in range(len(self)):
            at = hash(codes[number * length : (number + 1) * length]) & self._mask
            while self._places[at]:
                at = at + 1 & self._mask
            self._places[at] = number + 1

    def find(self, word: str) -> int | None:
        codes = encode_word(word, self._alphabet)
        length = self._length
        at = hash(codes) & self._mask
        while number := self._places[at]:
            if self._codes[(number - 1) * length : number * length] == codes:
                return number - 1
            at = at + 1 & self._mask
        return None

    def __getitem__(self, word: str) -> int:
        found = self.find(word)
        if found is None:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(decode_words(self._codes, self._length, self._alphabet))

    def __len__(self) -> int:
        return len(self._codes) // self._length

    def __reduce__(self) -> tuple[type[WordIndex], tuple[bytes, int, Alphabet]]:
        return WordIndex, (self._codes, self._length, self._alphabet)  # each process has hashes of its own


class PackedWords(Mapping[str, tuple[float, str]]):  # noqa: PLW1641 - no hash, as no mapping has one
    """A packed mapping, folded word -> (score, spelling); words and spellings are made on demand.

    The first lookups scan the column of a length; later ones use an index of it.

    Attributes:
        text: the text that contains the spellings: UTF-8 that may also encode lone surrogates. The constructor also
            accepts a function that returns it, which is called on first use.
        columns: the words of each length.

    `size` is the number of words, if it is known without loading the columns; `marks` keeps the marks of these words.
    """

    def __init__(
        self,
        text: bytes | Callable[[], bytes],
        columns: Mapping[int, WordColumn],
        alphabet: Alphabet,
        size: int | None = None,
        marks: KeptMarks | None = None,
    ) -> None:
        self.marks = marks
        self._text = text
        self.columns = columns
        self._alphabet = alphabet
        self._size = size
        self._found: dict[int, dict[str, int | None]] = {}
        self._indices: dict[int, WordIndex] = {}

    @property
    def text(self) -> bytes:
        if not isinstance(self._text, bytes):
            with _UNPACKING:
                self._text = self._text if isinstance(self._text, bytes) else self._text()
        return self._text

    @classmethod
    def read(
        cls, text: str, name: str, alphabet: Alphabet, default_score: float, *, lenient: bool = False
    ) -> tuple[Self, dict[str, int]]:
        """Return the words of a list, and how many lines were skipped for each reason; messages say `name`.

        Raises:
            LexiconError: lines have a bad score, and the reader is not `lenient`.
        """
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > MAX_PACKED_BYTES:
            raise expected("less than 4 GiB of text", f"{len(data) >> 30} GiB", path=name, error=LexiconError)
        lines = LineReader(name, alphabet, default_score, lenient=lenient)
        kernel = load_kernel(*KERNELS)
        packed, comments, duplicates = kernel.parse(data, default_score, MAX_LINE_BYTES, lines.fold, lines.read)
        if lines.faults:
            raise LexiconError(*lines.faults)
        columns = {length: WordColumn(*column) for length, column in packed.items()}
        too_long = sum(columns.pop(length).size for length in packed if length > MAX_SIDE)
        found = {later("comment"): comments, later("duplicate"): duplicates, later("too long"): too_long}
        lines.skipped.update(found)
        words = cls(data, columns, alphabet)
        return words, dict(+lines.skipped)

    @classmethod
    def of(cls, words: Mapping[str, tuple[float, str]], alphabet: Alphabet) -> PackedWords:
        """Return words over an alphabet in packed form; packed words are returned as they are."""
        if isinstance(words, PackedWords):
            return words
        text = bytearray()
        by_length: dict[int, tuple[bytearray, array[float], array[int]]] = {}
        for word, (score, spelling) in words.items():
            codes, scores, spans = by_length.setdefault(len(word), (bytearray(), array("d"), array("I")))
            codes.extend(map(alphabet.codes.__getitem__, word))
            SCORE.check(score, word, LexiconError)
            scores.append(score)
            start = len(text)
            text += spelling.encode("utf-8", "surrogatepass")
            spans.extend((start, len(text)))
        columns = {
            length: WordColumn(bytes(codes), scores.tobytes(), spans.tobytes())
            for length, (codes, scores, spans) in by_length.items()
        }
        return cls(bytes(text), columns, alphabet)

    def rescored(self, score: float) -> PackedWords:
        one = array("d", [score])
        columns = {
            length: column._replace(scores=(one * column.size).tobytes()) for length, column in self.columns.items()
        }
        return PackedWords(self._text, columns, self._alphabet)

    def moved(self, move: Callable[[float], float]) -> PackedWords:
        """Return the words with other scores."""
        columns = {}
        for length, column in self.columns.items():
            scores = array("d", column.scores)
            new = {score: move(score) for score in set(scores)}
            columns[length] = column._replace(scores=array("d", [new[score] for score in scores]).tobytes())
        return PackedWords(self._text, columns, self._alphabet)

    def list_scores(self) -> Iterator[tuple[str, float]]:
        """Yield all words with their scores, much faster than one by one."""
        for length, column in self.columns.items():
            yield from zip(decode_words(column.codes, length, self._alphabet), array("d", column.scores), strict=True)

    def corrected(self, by: PackedWords) -> PackedWords:
        """Return the words, with the scores of `by` for those that it has."""
        columns = dict(self.columns)
        for length in columns.keys() & by.columns.keys():
            scores = array("d", columns[length].scores)
            known = array("d", by.columns[length].scores)
            for word, score in zip(decode_words(by.columns[length].codes, length, self._alphabet), known, strict=True):
                index = self.place(word)
                if index is not None:
                    scores[index] = score
            columns[length] = columns[length]._replace(scores=scores.tobytes())
        return PackedWords(self.text, columns, self._alphabet)

    def spelling(self, length: int, index: int) -> str:
        """Return the spelling of the word with an index in the column of a length."""
        start, end = memoryview(self.columns[length].spans).cast("I")[2 * index : 2 * index + 2]
        return self.text[start:end].decode("utf-8", "surrogatepass")

    def list_spellings(self, length: int) -> Iterator[str]:
        """Yield the spellings of all words of a length, much faster than one by one."""
        spans = iter(memoryview(self.columns[length].spans).cast("I"))
        for start, end in zip(spans, spans, strict=True):
            yield self.text[start:end].decode("utf-8", "surrogatepass")

    def list_entries(self, length: int) -> Iterator[tuple[str, tuple[float, str]]]:
        """Yield the words of a length with their scores and spellings, much faster than one by one."""
        column = self.columns.get(length)
        if column is not None:
            words = decode_words(column.codes, length, self._alphabet)
            scores = memoryview(column.scores).cast("d")
            yield from zip(words, zip(scores, self.list_spellings(length), strict=True), strict=True)

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(column.size for column in self.columns.values())
        return self._size

    def __iter__(self) -> Iterator[str]:
        for length, column in self.columns.items():
            yield from decode_words(column.codes, length, self._alphabet)

    def __eq__(self, other: object) -> bool:
        """Return whether the words are equal; equal packed data, as in a copy, is recognised without unpacking."""
        if isinstance(other, PackedWords):
            mine, theirs = ((one.text, one.columns, one._alphabet) for one in (self, other))  # noqa: SLF001 - its own
            if mine == theirs:
                return True
            if self._scores != other._scores:  # which tells most lists apart long before their words would
                return False
        return super().__eq__(other)

    @property
    def _scores(self) -> dict[int, list[float]]:
        """The scores of each length in ascending order."""
        return {length: sorted(memoryview(one.scores).cast("d")) for length, one in self.columns.items()}

    def __getitem__(self, word: str) -> tuple[float, str]:
        index = self.place(word)
        if index is None:
            raise KeyError(word)
        score: float = memoryview(self.columns[len(word)].scores).cast("d")[index]
        return score, self.spelling(len(word), index)

    def place(self, word: str) -> int | None:
        """Return the index of a folded word in the column of its length, or `None`."""
        length = len(word)
        if length not in self.columns:
            return None
        if length in self._indices:
            return self._indices[length].find(word)
        found = self._found.setdefault(length, {})
        if word not in found:
            column = self.columns[length].codes
            if len(found) >= _SCANS:
                self._indices[length] = WordIndex(column, length, self._alphabet)
                self._found.pop(length, None)  # unless another thread did it
                return self.place(word)
            codes = encode_word(word, self._alphabet)
            found[word] = next(_scan(column, length, codes), None) if codes else None
        return found[word]

    def list_variants(self, word: str, pos: int) -> Iterator[tuple[str, float]]:
        """Yield the words that differ from a folded word at one position alone, with their scores: one scan."""
        codes = encode_word(word, self._alphabet) or b""
        length = len(word)
        column = self.columns.get(length)
        if not codes or column is None:
            return
        head = codes[:pos]
        tail = codes[pos + 1 :]
        part, offset = (tail, pos + 1) if len(tail) > len(head) else (head, 0)
        for index in _scan(column.codes, length, part, offset):
            found = column.codes[index * length : (index + 1) * length]
            if found != codes and found[:pos] == head and found[pos + 1 :] == tail:
                letter = self._alphabet.letters[found[pos]]
                yield f"{word[:pos]}{letter}{word[pos + 1 :]}", memoryview(column.scores).cast("d")[index]

    def __reduce__(self) -> tuple[type[PackedWords], tuple[bytes, Mapping[int, WordColumn], Alphabet]]:
        """Return the packed data; the receiver builds its own indices."""
        return PackedWords, (self.text, dict(self.columns), self._alphabet)


def _scan(column: bytes, length: int, part: bytes, offset: int = 0) -> Iterator[int]:
    """Yield the indices of the words of a column that have a part at an offset."""
    at = column.find(part)
    while 0 <= at < len(column):
        index, within = divmod(at - offset, length)
        if not within:
            yield index
        at = column.find(part, at + 1)
