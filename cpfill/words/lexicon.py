"""The union of the word lists that a problem uses."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Self

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, LexiconError
from cpfill.base.input_limits import MAX_SIDE
from cpfill.words.decimals import count_decimals
from cpfill.words.table import WordTable
from cpfill.words.wordlist import DEFAULT_SCORE, WordList, parse_word_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


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

    def unlisted(self, words: Collection[str]) -> tuple[str, ...]:
        """Return those of some folded words that are in no list, nor excluded, in alphabetical order."""
        known = {word for word in words for one in self.lists if one.packed.get(word)}
        return tuple(sorted({*words} - known - self._exclude))

    def including(self, words: Iterable[str], score: float = DEFAULT_SCORE) -> Lexicon:
        """Return the lexicon with those of some folded words that it lacks and a slot may hold, at one score.

        Raises:
            LexiconError: one of them is excluded.
        """
        missing = sorted(word for word in words if len(word) <= MAX_SIDE and self.find(word) is None)
        if not missing:
            return self
        for word in missing:
            if word in self._exclude:
                raise LexiconError(Fault("words to require, or of a theme, that are not excluded", word))
        added = parse_word_list("\n".join(missing), "the words asked for", self.alphabet, default_score=score)
        return Lexicon([*self.lists, added], self.alphabet, exclude=self._exclude)

    def lifting(self, words: Collection[str], score: float) -> Lexicon:
        """Return the lexicon with some of its words, which all score less, at a higher score."""
        if not words:
            return self
        found = {word: entry for word in words if (entry := self.find(word)) is not None}
        lifted = {word: (score, spelling) for word, (_, spelling) in found.items()}
        own = WordList("own entries", lifted, {}, self.alphabet)
        return Lexicon([*self.lists, own], self.alphabet, exclude=self._exclude)

    def corrected(self, by: WordList) -> Lexicon:
        """Return the lexicon with the words and scores of one more list, whatever the others say; 0 bans a word."""
        banned = {word for word, score in by.weights.items() if score == 0}
        lists = [*(one.corrected(by) for one in self.lists), by]
        return Lexicon(lists, self.alphabet, exclude=self._exclude.union(banned))

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
        """Return the score and the spelling of a folded word, if it is in the lexicon: what the first best list says.

        It is looked up in the lists as they were read, not in the tables, so that an audit notices what is wrong there.
        """
        if word in self._exclude:
            return None
        entries = [entry for one in self.lists if (entry := one.packed.get(word))]
        return max(entries, key=itemgetter(0), default=None)

    def decimals(self, lengths: Iterable[int]) -> int:
        """Return how many decimals the scores of the words of these lengths have at most: `WordTable.units` of them."""
        scores = set[float]().union(*(self.table(length).scores for length in lengths))
        return max(map(count_decimals, scores), default=0)
