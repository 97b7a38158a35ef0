"""The words of one list, packed by length, with the interface of a mapping."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.base.errors import MAX_LINE_BYTES, MAX_SIDE, SCORE, Fault, LexiconError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import later, say
from cpfill.words.packing import KERNELS
from cpfill.words.packing.codes import decode_words, encode_word
from cpfill.words.packing.lines import LineReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cpfill.base.alphabet import Alphabet

MAX_PACKED_BYTES = 2**32 - 1
_SCANS = 64
"""After this many lookups by scanning a column, the column is indexed; that takes longer than these scans."""


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
        """The number of words."""
        return len(self.spans) // 8


class PackedWords(Mapping[str, tuple[float, str]]):  # noqa: PLW1641 - no hash, as no mapping has one
    """A packed mapping, folded word -> (score, spelling); words and spellings are made on demand.

    The first lookups scan the column of a length; later ones use an index of it.

    Attributes:
        text: the text that contains the spellings: UTF-8 that may also encode lone surrogates. The constructor also
            accepts a function that returns it, which is called on first use.
        columns: the words of each length.

    `size` is the number of words, if it is known without loading the columns.
    """

    def __init__(
        self,
        text: bytes | Callable[[], bytes],
        columns: Mapping[int, WordColumn],
        alphabet: Alphabet,
        size: int | None = None,
    ) -> None:
        self._text = text
        self.columns = columns
        self._alphabet = alphabet
        self._size = size
        self._found: dict[int, dict[str, int | None]] = {}
        self._indexed: set[int] = set()

    @property
    def text(self) -> bytes:
        """The text that contains the spellings."""
        if not isinstance(self._text, bytes):
            self._text = self._text()
        return self._text

    @classmethod
    def read(cls, text: str, name: str, alphabet: Alphabet, default_score: float) -> tuple[Self, dict[str, int]]:
        """Return the words of a list, and the number of lines skipped for each reason; messages call the list `name`.

        Raises:
            LexiconError: a score is out of its range, or the text has 4 GiB or more.
        """
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > MAX_PACKED_BYTES:
            raise LexiconError(Fault(path=name, expected=say("less than 4 GiB of text"), got=f"{len(data) >> 30} GiB"))
        lines = LineReader(name, alphabet, default_score)
        kernel = load_kernel(KERNELS)
        packed, comments, duplicates = kernel.parse(data, default_score, MAX_LINE_BYTES, lines.fold, lines.read)
        columns = {length: WordColumn(*column) for length, column in packed.items()}
        too_long = sum(columns.pop(length).size for length in packed if length > MAX_SIDE)
        found = {later("comment"): comments, later("duplicate"): duplicates, later("too long"): too_long}
        lines.skipped.update(found)
        words = cls(data, columns, alphabet)
        return words, dict(+lines.skipped)

    @classmethod
    def of(cls, words: Mapping[str, tuple[float, str]], alphabet: Alphabet) -> PackedWords:
        """Return words over an alphabet in packed form; packed words are returned as they are.

        Raises:
            LexiconError: a score is out of its range.
        """
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
        """Return the words, all with the same score."""
        one = array("d", [score])
        columns = {
            length: column._replace(scores=(one * column.size).tobytes()) for length, column in self.columns.items()
        }
        return PackedWords(self._text, columns, self._alphabet)

    def corrected(self, by: PackedWords) -> PackedWords:
        """Return the words, with the scores of `by` for those that it has."""
        columns = dict(self.columns)
        for length in columns.keys() & by.columns.keys():
            scores = array("d", columns[length].scores)
            known = array("d", by.columns[length].scores)
            for word, score in zip(decode_words(by.columns[length].codes, length, self._alphabet), known, strict=True):
                index = self._place(word)
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
        return super().__eq__(other)

    def __getitem__(self, word: str) -> tuple[float, str]:
        index = self._place(word)
        if index is None:
            raise KeyError(word)
        score: float = memoryview(self.columns[len(word)].scores).cast("d")[index]
        return score, self.spelling(len(word), index)

    def _place(self, word: str) -> int | None:
        """Return the index of a folded word in the column of its length, or `None`."""
        length = len(word)
        if length not in self.columns:
            return None
        found = self._found.setdefault(length, {})
        if word not in found and length not in self._indexed:
            column = self.columns[length].codes
            if len(found) == _SCANS:
                found |= {each: index for index, each in enumerate(decode_words(column, length, self._alphabet))}
                self._indexed.add(length)
            else:
                found[word] = _scan(column, word, self._alphabet)
        return found.get(word)

    def __reduce__(self) -> tuple[type[PackedWords], tuple[bytes, Mapping[int, WordColumn], Alphabet]]:
        """Return the packed data; the receiver builds its own indices."""
        return PackedWords, (self.text, dict(self.columns), self._alphabet)


def _scan(column: bytes, word: str, alphabet: Alphabet) -> int | None:
    """Return the index of a folded word in the letter codes of its length, or `None`."""
    codes = encode_word(word, alphabet)
    if not codes:
        return None
    at = column.find(codes)
    while at % len(codes) and at >= 0:  # not at the start of a word
        at = column.find(codes, at + 1)
    return at // len(codes) if at >= 0 else None
