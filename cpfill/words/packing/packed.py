"""The words of one list, packed by length; a mapping to those who do not care."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from cpfill.base.compiled import load_kernel
from cpfill.base.errors import Fault, LexiconError
from cpfill.base.input_limits import MAX_LINE_BYTES, MAX_SIDE
from cpfill.base.ranges import SCORE
from cpfill.words.packing import KERNELS
from cpfill.words.packing.codes import decode_words, encode_word
from cpfill.words.packing.lines import LineReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cpfill.base.alphabet import Alphabet

MAX_PACKED_BYTES = 2**32 - 1
_SCANS = 64
"""How many words of one length are looked for one by one before all are indexed, which takes longer than that."""


class WordColumn(NamedTuple):
    """The words of one length, in the order of the list.

    Attributes:
        codes: letter codes, one word after another.
        scores: a double a word.
        spans: two unsigned ints a word: where its spelling starts and ends in the text.
    """

    codes: bytes
    scores: bytes
    spans: bytes

    @property
    def size(self) -> int:
        """How many words there are."""
        return len(self.spans) // 8


class PackedWords(Mapping[str, tuple[float, str]]):  # noqa: PLW1641 - no hash, as no mapping has one
    """Folded word -> (score, spelling), packed; words and spellings are made when asked for.

    A few words are looked for in the column of their length, more of them in an index of it.

    Attributes:
        text: what the spellings stand in: UTF-8, in which a surrogate may stand for itself. It may be given as a
            function, which is called once the text is asked for.
        columns: the words of each length.

    `size` is how many words there are, where that is known without a look at the columns.
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
        """What the spellings stand in."""
        if not isinstance(self._text, bytes):
            self._text = self._text()
        return self._text

    @classmethod
    def read(cls, text: str, name: str, alphabet: Alphabet, default_score: float) -> tuple[Self, dict[str, int]]:
        """Return the words of a list of that name, and how many lines were skipped for which reason.

        Raises:
            LexiconError: a score is out of its range, or the text has 4 GiB or more.
        """
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > MAX_PACKED_BYTES:
            raise LexiconError(Fault(path=name, expected="less than 4 GiB of text", got=f"{len(data) >> 30} GiB"))
        lines = LineReader(name, alphabet, default_score)
        kernel = load_kernel(KERNELS)
        packed, comments, duplicates = kernel.parse(data, default_score, MAX_LINE_BYTES, lines.fold, lines.read)
        columns = {length: WordColumn(*column) for length, column in packed.items()}
        too_long = sum(columns.pop(length).size for length in packed if length > MAX_SIDE)
        lines.skipped.update({"comment": comments, "duplicate": duplicates, f"over {MAX_SIDE} letters": too_long})
        words = cls(data, columns, alphabet)
        return words, dict(+lines.skipped)

    @classmethod
    def of(cls, words: Mapping[str, tuple[float, str]], alphabet: Alphabet) -> PackedWords:
        """Return words of that alphabet packed, unless they are.

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
        """Return the same words, all with one score."""
        one = array("d", [score])
        columns = {
            length: column._replace(scores=(one * column.size).tobytes()) for length, column in self.columns.items()
        }
        return PackedWords(self._text, columns, self._alphabet)

    def corrected(self, by: PackedWords) -> PackedWords:
        """Return the same words, those that are in `by` too with the scores that they have there."""
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
        """Return how the list spells the word of this index in the column of a length."""
        start, end = memoryview(self.columns[length].spans).cast("I")[2 * index : 2 * index + 2]
        return self.text[start:end].decode("utf-8", "surrogatepass")

    def list_spellings(self, length: int) -> Iterator[str]:
        """Yield how the list spells the words of a length, much sooner than one by one."""
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
        """Return whether the words are the same; where what is packed is, as in a copy, there is no need to unpack."""
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
        """Return the index of a folded word in the column of its length, if it is there."""
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
        """Return what is read; the indices are made again where they are."""
        return PackedWords, (self.text, dict(self.columns), self._alphabet)


def _scan(column: bytes, word: str, alphabet: Alphabet) -> int | None:
    """Return the index of a folded word in the letter codes of its length, if it is there."""
    codes = encode_word(word, alphabet)
    if not codes:
        return None
    at = column.find(codes)
    while at % len(codes) and at >= 0:  # it begins within a word
        at = column.find(codes, at + 1)
    return at // len(codes) if at >= 0 else None
