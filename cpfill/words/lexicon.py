"""The union of the word lists that a problem uses."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Self

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_SIDE, Fault, LexiconError
from cpfill.base.texts import say
from cpfill.words.decimals import count_decimals
from cpfill.words.table import WordTable
from cpfill.words.wordlist import DEFAULT_SCORE, WordList, parse_word_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class Lexicon:
    """The union of word lists over one alphabet, without the folded words in `exclude`.

    A word in several lists has its best score. Lexicons with the same lists and the same excluded words are equal.
    Pass one lexicon to several calls to read the lists only once: for a small grid, reading takes most of the time.

    Raises:
        LexiconError: a list is folded onto a different alphabet.
    """

    def __init__(
        self, lists: Iterable[WordList], alphabet: Alphabet | None = None, *, exclude: Collection[str] = frozenset()
    ) -> None:
        self.alphabet = alphabet or Alphabet()
        self.lists = tuple(lists)
        for one in self.lists:
            if one.alphabet != self.alphabet:
                expected = say("a list over the alphabet {letters}", letters=self.alphabet.letters)
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
        """Return the union of the lists; if there is a weighted list, words that only the others have score 0."""
        read = lists if weighted is None else [weighted, *(one.rescored(0.0) for one in lists)]
        return cls(read, alphabet, exclude=exclude)

    def unlisted(self, words: Collection[str]) -> tuple[str, ...]:
        """Return, in alphabetical order, the given folded words that are neither in a list nor excluded."""
        known = {word for word in words for one in self.lists if one.packed.get(word)}
        return tuple(sorted({*words} - known - self._exclude))

    def including(self, words: Iterable[str], score: float = DEFAULT_SCORE) -> Lexicon:
        """Return the lexicon with missing folded words added, all with the same score, unless too long for any slot.

        Raises:
            LexiconError: one of these words is excluded.
        """
        missing = sorted(word for word in words if len(word) <= MAX_SIDE and self.find(word) is None)
        if not missing:
            return self
        for word in missing:
            if word in self._exclude:
                raise LexiconError(Fault(say("required words and theme words that are not excluded"), word))
        added = parse_word_list("\n".join(missing), "the words asked for", self.alphabet, default_score=score)
        return Lexicon([*self.lists, added], self.alphabet, exclude=self._exclude)

    def lifting(self, words: Collection[str], score: float) -> Lexicon:
        """Return the lexicon with the score of some words raised to `score`, which must exceed their own."""
        if not words:
            return self
        found = {word: entry for word in words if (entry := self.find(word)) is not None}
        lifted = {word: (score, spelling) for word, (_, spelling) in found.items()}
        own = WordList("own entries", lifted, {}, self.alphabet)
        return Lexicon([*self.lists, own], self.alphabet, exclude=self._exclude)

    def corrected(self, by: WordList) -> Lexicon:
        """Return the lexicon with one more list, whose scores override those of the others; 0 bans a word."""
        banned = {word for word, score in by.weights.items() if score == 0}
        lists = [*(one.corrected(by) for one in self.lists), by]
        return Lexicon(lists, self.alphabet, exclude=self._exclude.union(banned))

    def without(self, words: Collection[str]) -> Lexicon:
        """Return the lexicon with more words excluded."""
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
        """The number of words of each length, shortest first."""
        lengths = sorted({length for one in self.lists for length in one.packed.columns})
        return {length: len(self.table(length)) for length in lengths if len(self.table(length))}

    def table(self, length: int) -> WordTable:
        """Return the table of the words of one length, which is built on first use; it may be empty."""
        if length not in self._tables:
            self._tables[length] = WordTable(length, self.lists, self.alphabet, self._exclude)
        return self._tables[length]

    def find(self, word: str) -> tuple[float, str] | None:
        """Return the best score of a folded word and its spelling in the first list with that score, if it is there.

        The lookup uses the lists, not the tables, so that an audit detects errors in the tables.
        """
        if word in self._exclude:
            return None
        entries = [entry for one in self.lists if (entry := one.packed.get(word))]
        return max(entries, key=itemgetter(0), default=None)

    def decimals(self, lengths: Iterable[int]) -> int:
        """Return the most decimals of any score of a word of these lengths, the argument of `WordTable.units`."""
        scores = set[float]().union(*(self.table(length).scores for length in lengths))
        return max(map(count_decimals, scores), default=0)
