"""Scored words by length, and the index over them: for each (position, letter) the words that have it there.

A `WordList` is one list as read; a `Lexicon` is the union of lists that a problem uses. Words of one length form a
`WordTable`, best score first, so that "the words that score at least t" is always a prefix of the table and a domain
cut to it is one AND. Domains are big-integer bitsets: bit i stands for the word of id i in the table of its length.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import neg
from pathlib import Path
from typing import TYPE_CHECKING, Self, overload

from cpfill.alphabet import Alphabet
from cpfill.budgets import MAX_LIST_BYTES, MAX_SIDE
from cpfill.errors import Fault, LexiconError, unknown_name
from cpfill.ranges import SCORE
from cpfill.sources import STDIN, decode, display_name, read_text
from cpfill.wordlist.codes import decode_words, encode_word
from cpfill.wordlist.packed import PackedWords, packing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

WordId = int
"""A word is its place in the table of its length."""

DEFAULT_SCORE = 50.0
"""What a word without a score counts, by the custom of scored word lists."""

THEME_SCORE = 1.0
"""What a word without a score counts in a list of theme words: how many are placed is what matters."""

PACKAGED = ("en", "fr")
"""The lists that come with cpfill, English and French, scored 1 to 100 by frequency."""

DEFAULT_LIST = "en"
"""What is used where no list is asked for."""

_PACKAGED_AT = Path(__file__).parent / "lexicons"
_EXACT = 2**53  # below this every whole number is a float
_SCANS = 64  # so many words are looked for one by one before a table is indexed, which takes longer than they do


@dataclass(frozen=True)
class WordList:
    """The words of one list: folded word -> (score, spelling), and how many lines were skipped for which reason.

    The words are folded onto `alphabet`.
    """

    name: str
    words: Mapping[str, tuple[float, str]]
    skipped: Mapping[str, int] = field(default_factory=dict)
    alphabet: Alphabet = field(default_factory=Alphabet)

    @cached_property
    def packed(self) -> PackedWords:
        """The words, packed by length."""
        return PackedWords.of(self.words, self.alphabet)

    @property
    def weights(self) -> dict[str, float]:
        """The score of each word, as a theme has it."""
        return {word: score for word, (score, _) in self.words.items()}

    def __repr__(self) -> str:
        return f"<WordList {self.name}: {len(self.words):,} words>"

    def rescored(self, score: float) -> WordList:
        """Return the same words, all with one score."""
        return replace(self, words=self.packed.rescored(score))


def read_word_list(
    source: str | os.PathLike[str], alphabet: Alphabet | None = None, *, default_score: float = DEFAULT_SCORE
) -> WordList:
    """Return the list in a file, in standard input (`-`), or of a packaged name (`en`, `fr`).

    A word without a score counts `default_score`.

    Raises:
        LexiconError: no such list, unreadable, no usable word in it, or a score out of its range.
    """
    name = str(source)
    if name in PACKAGED and not os.path.exists(name):  # noqa: PTH110 - no error of any name
        text = decode((_PACKAGED_AT / f"{name}.txt.gz").read_bytes(), name, LexiconError)
        return parse_word_list(text, name, alphabet, default_score=default_score)
    bare = Path(name).suffix == "" and Path(name).parent == Path()
    if name not in {"", STDIN} and bare and not os.path.exists(name):  # noqa: PTH110 - likewise
        raise LexiconError(unknown_name("a word list (a file, or a packaged one)", name, PACKAGED))
    text = read_text(source, LexiconError, MAX_LIST_BYTES)
    return parse_word_list(text, display_name(source), alphabet, default_score=default_score)


def parse_word_list(
    text: str, name: str = "words", alphabet: Alphabet | None = None, *, default_score: float = DEFAULT_SCORE
) -> WordList:
    """Return the list that a text holds: a word a line, or a word and its score.

    The first of several lines that fold to one word wins. Lines that hold no usable word are skipped and counted. A
    word without a score counts `default_score`.

    Raises:
        LexiconError: a score is out of its range, or no usable word is left.
    """
    SCORE.check(default_score, "default_score", LexiconError)
    alphabet = alphabet or Alphabet()
    words, skipped = PackedWords.read(text, name, alphabet, default_score)
    if not words:
        got = f"none; {skipped_text(skipped)}" if skipped else "none"
        raise LexiconError(Fault(path=name, expected="a list with at least one usable word", got=got))
    return WordList(name, words, skipped, alphabet)


def skipped_text(skipped: Mapping[str, int]) -> str:
    """Return how many lines of a list were skipped, and why."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.items()))
    lines = sum(skipped.values())
    return f"{'1 line' if lines == 1 else f'{lines} lines'} skipped ({reasons})"


class _Strings(Sequence[str]):
    """Strings that are made when asked for."""

    def __init__(self, count: int, one: Callable[[int], str], every: Callable[[], Iterable[str]]) -> None:
        self._places = range(count)
        self._one = one
        self._every = every

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return [*map(self._one, self._places[at])] if isinstance(at, slice) else self._one(self._places[at])

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


class WordTable:
    """The words of one length with their scores, best score first; ties keep the order of the lists.

    Attributes:
        length: letters a word.
        codes: the letter codes of all words, one after another: word i is `codes[i * length : (i + 1) * length]`.
        scores: scores by id, never increasing.
    """

    def __init__(self, length: int, lists: Iterable[WordList], alphabet: Alphabet, exclude: Iterable[str] = ()) -> None:
        self.length = length
        self._alphabet = alphabet
        self._lists = [one for one in lists if length in one.packed.columns]
        parts = [one.packed.columns[length] for one in self._lists]
        without = b"".join(encode_word(word, alphabet) or b"" for word in exclude if len(word) == length)
        codes, scores, places = packing().rank(length, [(part.codes, part.scores) for part in parts], without)
        self.codes: bytes = codes
        self.scores: Sequence[float] = array("d", scores)
        # By id, where the word stands among those of all lists one after another.
        self._places: Sequence[int] = array("I", places)
        self._masks: dict[int, tuple[int, ...]] = {}
        self._scans = 0

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"<WordTable: {len(self):,} words of {self.length} letters>"

    @property
    def words(self) -> Sequence[str]:
        """Folded words by id."""
        return _Strings(len(self), self._word, lambda: decode_words(self.codes, self.length, self._alphabet))

    @property
    def spellings(self) -> Sequence[str]:
        """Words as their list wrote them, by id."""
        return _Strings(len(self), self._spelling, lambda: map(self._spelling, range(len(self))))

    def _word(self, id_: WordId) -> str:
        codes = self.codes[id_ * self.length : (id_ + 1) * self.length]
        return "".join([self._alphabet.letters[code] for code in codes])

    def _spelling(self, id_: WordId) -> str:
        one, place = self._origin(id_)
        return one.packed.spelling(self.length, place)

    def _origin(self, id_: WordId) -> tuple[WordList, int]:
        """Return the list that a word's score and spelling are from, and its place there."""
        place = self._places[id_]
        for one in self._lists:
            size = one.packed.columns[self.length].size
            if place < size:
                break
            place -= size
        return one, place

    @cached_property
    def everything(self) -> int:
        """The domain of all words."""
        return (1 << len(self)) - 1

    @cached_property
    def ids(self) -> dict[str, WordId]:
        """The id of each word."""
        return {word: id_ for id_, word in enumerate(self.words)}

    def find(self, word: str) -> WordId | None:
        """Return the id of a folded word, if it is in the table."""
        if self._scans >= _SCANS:
            return self.ids.get(word)
        self._scans += 1
        codes = encode_word(word, self._alphabet)
        if not codes or len(codes) != self.length:
            return None
        at = self.codes.find(codes)
        while at > 0 and at % self.length:
            at = self.codes.find(codes, at + 1)
        return at // self.length if at >= 0 else None

    def masks(self, pos: int) -> tuple[int, ...]:
        """Return, for each letter code, the bitset of the words that have that letter at position `pos`."""
        known = self._masks.get(pos)
        if known is None:
            # Bit i is word i, and a number is written highest bit first: the column backwards, as binary digits.
            column = self.codes[pos :: self.length][::-1]
            present = set(column)
            known = tuple(
                int(column.translate(_DIGITS[code]), 2) if code in present else 0
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
        """Return the scores by id, times 10**`decimals`: whole numbers, where `Lexicon.decimals` says so many.

        Raises:
            LexiconError: one is over 2**53, beyond which sums are not exact.
        """
        from decimal import Decimal  # noqa: PLC0415 - slow to import, and only sums need it

        units = {score: int(Decimal(repr(score)).scaleb(decimals)) for score in set(self.scores)}
        if self.scores and units[self.scores[0]] > _EXACT:
            expected = f"scores that add up exactly: at most 2**53 in units of 1e-{decimals}, the finest score"
            got = f"{self.scores[0]!r} for {self.words[0]}"
            raise LexiconError(Fault(path=self._origin(0)[0].name, expected=expected, got=got))
        return array("q", [units[score] for score in self.scores])


# For each letter code, the table that turns a column of codes into binary digits.
_DIGITS = tuple(bytes(49 if byte == code else 48 for byte in range(256)) for code in range(64))


class Lexicon:
    """The union of word lists over one alphabet, less the words in `exclude`, which are folded.

    A word in several lists has its best score. Lexicons of the same lists, less the same words, are equal. Made
    once and given to each call, it saves that the lists are read again, most of the time that a small grid takes.

    Raises:
        LexiconError: a list is folded onto another alphabet.
    """

    def __init__(
        self, lists: Iterable[WordList], alphabet: Alphabet | None = None, *, exclude: Collection[str] = frozenset()
    ) -> None:
        self.alphabet = alphabet or Alphabet()
        self.lists = tuple(lists)
        for one in self.lists:
            if one.alphabet != self.alphabet:
                expected = f"a list over the alphabet {self.alphabet.letters}"
                raise LexiconError(Fault(path=one.name, expected=expected, got=one.alphabet.letters))
        self._exclude = frozenset(exclude)
        self._tables: dict[int, WordTable] = {}

    @classmethod
    def of_lists(
        cls,
        lists: Iterable[WordList],
        weighted: WordList | None = None,
        alphabet: Alphabet | None = None,
        *,
        exclude: Collection[str] = frozenset(),
    ) -> Self:
        """Return the union of the lists; beside a weighted one, words that are in the others alone score 0."""
        read = lists if weighted is None else [weighted, *(one.rescored(0.0) for one in lists)]
        return cls(read, alphabet, exclude=exclude)

    def including(self, words: Iterable[str]) -> Lexicon:
        """Return the lexicon with those of some folded words that it lacks and a slot may hold, at the default score.

        Raises:
            LexiconError: one of them is excluded.
        """
        missing = sorted(word for word in words if len(word) <= MAX_SIDE and self.find(word) is None)
        if not missing:
            return self
        for word in missing:
            if word in self._exclude:
                raise LexiconError(Fault("words to require, or of a theme, that are not excluded", word))
        added = parse_word_list("\n".join(missing), "the words asked for", self.alphabet)
        return Lexicon([*self.lists, added], self.alphabet, exclude=self._exclude)

    def without(self, words: Collection[str]) -> Lexicon:
        """Return the lexicon less some more words."""
        return Lexicon(self.lists, self.alphabet, exclude=self._exclude.union(words))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lexicon):
            return NotImplemented
        mine, theirs = ((one.alphabet, one.lists, one._exclude) for one in (self, other))  # noqa: SLF001 - its own
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.alphabet, self._exclude, *((one.name, len(one.words)) for one in self.lists)))

    def __len__(self) -> int:
        return sum(self.lengths.values())

    def __repr__(self) -> str:
        return f"<Lexicon of {', '.join(map(repr, self.lists)) or 'no list'}>"

    @property
    def lengths(self) -> dict[int, int]:
        """How many words there are of each length, shortest first."""
        lengths = sorted({length for one in self.lists for length in one.packed.columns})
        return {length: len(self.table(length)) for length in lengths if len(self.table(length))}

    def table(self, length: int) -> WordTable:
        """Return the words of one length, indexed when first asked for; an empty table where there are none."""
        if length not in self._tables:
            self._tables[length] = WordTable(length, self.lists, self.alphabet, self._exclude)
        return self._tables[length]

    def find(self, word: str) -> tuple[float, str] | None:
        """Return the score and the spelling of a folded word, if it is in the lexicon."""
        table = self.table(len(word))
        id_ = table.find(word)
        return None if id_ is None else (table.scores[id_], table.spellings[id_])

    def decimals(self, lengths: Iterable[int]) -> int:
        """Return how many decimals the scores of the words of these lengths have at most: `WordTable.units` of them."""
        scores = set[float]().union(*(self.table(length).scores for length in lengths))
        return max(map(decimal_places, scores), default=0)


def decimal_text(number: float) -> str:
    """Return a number in as few digits as tell it from any other."""
    return str(int(number)) if float(number).is_integer() else repr(number)


def decimal_places(score: float) -> int:
    """Return how many decimals a number has when it is written in as few digits as tell it from any other."""
    from decimal import Decimal  # noqa: PLC0415 - slow to import, and only sums need it

    exponent = Decimal(repr(score)).as_tuple().exponent
    return 0 if score.is_integer() or not isinstance(exponent, int) else -exponent
