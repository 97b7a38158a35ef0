"""The words of one length, indexed: for each position and letter, the words that have the letter there.

Words are sorted by score, best first, so the words that score at least t are a prefix of the table, and restricting a
domain to them is one AND. Domains are big-integer bitsets: bit i stands for the word with id i in the table.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache, cached_property
from operator import neg
from typing import TYPE_CHECKING, overload

from cpfill.base.errors import Fault, LexiconError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.words.packing import KERNELS
from cpfill.words.packing.codes import decode_words, encode_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cpfill.base.alphabet import Alphabet
    from cpfill.words.wordlist import WordList


WordId = int
"""A word is its index in the table of its length."""
_EXACT = 2**53  # below this every whole number is a float


class _Strings(Sequence[str]):
    """Strings that are made on demand."""

    def __init__(self, count: int, one: Callable[[int], str], every: Callable[[], Iterable[str]]) -> None:
        self._origins = range(count)
        self._one = one
        self._every = every

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return [*map(self._one, self._origins[at])] if isinstance(at, slice) else self._one(self._origins[at])

    def __len__(self) -> int:
        return len(self._origins)

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


class WordTable:
    """The words of one length with their scores, best score first; ties keep the order of the lists.

    Attributes:
        length: the number of letters of each word.
        codes: the letter codes of all words, one after another: word i is `codes[i * length : (i + 1) * length]`.
        scores: the scores by id, in descending order.
    """

    def __init__(self, length: int, lists: Iterable[WordList], alphabet: Alphabet, exclude: Iterable[str] = ()) -> None:
        self.length = length
        self._alphabet = alphabet
        self._lists = [one for one in lists if length in one.packed.columns]
        parts = [one.packed.columns[length] for one in self._lists]
        without = b"".join(encode_word(word, alphabet) or b"" for word in exclude if len(word) == length)
        kernel = load_kernel(KERNELS)
        codes, scores, origins = kernel.rank(length, [(part.codes, part.scores) for part in parts], without)
        self.codes: bytes = codes
        self.scores: Sequence[float] = array("d", scores)
        # By id, the index of the word in the concatenation of all lists.
        self._origins: Sequence[int] = array("I", origins)
        self._masks: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"<WordTable: {len(self):,} words of {self.length} letters>"

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words and scores by id, and of the alphabet, in hexadecimal digits."""
        import hashlib  # noqa: PLC0415 - slow to import, and few ask for it

        hashed = hashlib.sha256(f"{self._alphabet.letters}\n".encode())
        hashed.update(self.codes)
        hashed.update(array("d", self.scores).tobytes())
        return hashed.hexdigest()

    @property
    def words(self) -> Sequence[str]:
        """Folded words by id."""
        return _Strings(len(self), self._word, lambda: decode_words(self.codes, self.length, self._alphabet))

    @property
    def spellings(self) -> Sequence[str]:
        """Words as their list wrote them, by id."""
        return _Strings(len(self), self._spelling, self._list_spellings)

    def _word(self, id_: WordId) -> str:
        codes = self.codes[id_ * self.length : (id_ + 1) * self.length]
        return "".join([self._alphabet.letters[code] for code in codes])

    def _spelling(self, id_: WordId) -> str:
        one, index = self._origin(id_)
        return one.packed.spelling(self.length, index)

    def _list_spellings(self) -> Iterable[str]:
        every = [spelling for one in self._lists for spelling in one.packed.list_spellings(self.length)]
        return map(every.__getitem__, self._origins)

    def _origin(self, id_: WordId) -> tuple[WordList, int]:
        """Return the list that provides a word's score and spelling, and the word's index there."""
        index = self._origins[id_]
        for one in self._lists:
            size = one.packed.columns[self.length].size
            if index < size:
                break
            index -= size
        return one, index

    @cached_property
    def everything(self) -> int:
        """The domain of all words."""
        return (1 << len(self)) - 1

    @cached_property
    def ids(self) -> dict[str, WordId]:
        """The id of each word."""
        return {word: id_ for id_, word in enumerate(self.words)}

    def masks(self, pos: int) -> tuple[int, ...]:
        """Return, for each letter code, the bitset of the words that have that letter at position `pos`."""
        known = self._masks.get(pos)
        if known is None:
            # Bit i is word i, but a number begins with its highest bit: hence the column backwards, as binary digits.
            column = self.codes[pos :: self.length][::-1]
            present = set(column)
            known = tuple(
                int(column.translate(_digits(code)), 2) if code in present else 0
                for code in range(len(self._alphabet.letters))
            )
            self._masks[pos] = known
        return known

    def having(self, pos: int, letters: int) -> int:
        """Return the bitset of the words whose letter at `pos` is in the letter set `letters`."""
        masks, union = self.masks(pos), 0
        while letters:
            low = letters & -letters
            union |= masks[low.bit_length() - 1]
            letters ^= low
        return union

    def at_least(self, score: float) -> int:
        """Return the bitset of the words that score at least `score`."""
        return (1 << bisect_right(self.scores, -score, key=neg)) - 1

    def above(self, score: float) -> int:
        """Return the bitset of the words that score more than `score`."""
        return (1 << bisect_left(self.scores, -score, key=neg)) - 1

    def units(self, decimals: int) -> Sequence[int]:
        """Return the scores by id, times 10**`decimals`; they are whole if `decimals` is at least `Lexicon.decimals`.

        Raises:
            LexiconError: one is over 2**53, beyond which sums are not exact.
        """
        from decimal import Decimal  # noqa: PLC0415 - slow to import, and only sums need it

        units = {score: int(Decimal(repr(score)).scaleb(decimals)) for score in set(self.scores)}
        if self.scores and units[self.scores[0]] > _EXACT:
            expected = say(
                ("scores that add up exactly: at most 2**53 in units of 1e-{decimals}, the finest score"),
                decimals=decimals,
            )
            got = say("{scores!r} for {words}", scores=self.scores[0], words=self.words[0])
            raise LexiconError(Fault(path=self._origin(0)[0].name, expected=expected, got=got))
        return array("q", [units[score] for score in self.scores])


def walk_members(bits: int) -> Iterator[int]:
    """Yield the members of a bitset, lowest first; for a domain, these are its words, best score first."""
    digits = f"{bits:b}"[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


@cache
def _digits(code: int) -> bytes:
    """Return the table that translates a column of letter codes into binary digits: 1 for this code, 0 for others."""
    return bytes(49 if byte == code else 48 for byte in range(256))
