"""Conditions on one slot: `17-Across:min=60,list=mine.txt,pattern=S*` keeps only the words that meet all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.puzzle.grid import find_slot
from cpfill.words.curate import Pattern
from cpfill.words.packing import parse_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Grid, RunStart, Slot
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.sources import Shelf
    from cpfill.words.wordlist import Taste, WordList


_UNSCORED = 1e-9
"""The score of a word to which its list gives none."""

_LIST = re.compile(r"([:,]\s*list\s*=)([^,]*)")


def relocate(text: str, find: Callable[[str], str]) -> str:
    """Return the text of a narrowing; `find` replaces the name of its list, if there is a name."""
    return _LIST.sub(lambda term: term[1] + find(term[2].strip()), text)


@dataclass(frozen=True, slots=True)
class SlotNarrowing:
    """The conditions on the word of a slot.

    Attributes:
        slot: the name of the slot.
        min_score: the least score of the word, in the named list if there is a name.
        words: the name of a list that contains the word.
        pattern: the pattern of the word.
    """

    slot: str
    min_score: float = 0.0
    words: str | None = None
    pattern: Pattern | None = None

    @classmethod
    def parse(cls, text: str, alphabet: Alphabet) -> Self:
        slot, _, rest = text.partition(":")
        terms: dict[str, str] = {}
        for term in rest.split(","):
            key, _, value = term.partition("=")
            terms[key.strip()] = value.strip()
        try:
            score = parse_score(terms.get("min", "0"))
        except ValueError:
            score = None
        if not terms.keys() <= {"min", "list", "pattern"} or "" in terms.values() or score is None:
            raise expected(
                "a slot and what narrows it, such as 17-Across:min=60,list=mine.txt,pattern=S*", f"'{text:.60}'"
            )
        shape: Pattern | None = None
        if "pattern" in terms:
            shape = Pattern.parse(terms["pattern"], alphabet)
        return cls(slot, score, terms.get("list"), shape)

    def keep(self, slot: Slot, lexicon: Lexicon, shelf: Shelf, taste: Taste) -> frozenset[str]:
        """Return the words of the lexicon that meet the conditions in a slot."""
        self._check_pattern(slot)
        table = lexicon.table(slot.length)
        scores = dict(zip(table.words, table.scores, strict=True))
        if self.words is not None:
            named = shelf.word_list(self.words, lexicon.alphabet, _UNSCORED, taste=taste)
            scores = _score_by(named, scores)
        return frozenset(word for word, score in scores.items() if self._allows(word, score))

    def _check_pattern(self, slot: Slot) -> None:
        """Raise if no word of the slot's length has the pattern."""
        shape = self.pattern
        if shape is None or shape.fits(slot.length):
            return
        more = say(" or more") if shape.open else ""
        letters = say("one of {least}{what}", least=shape.least, what=more)
        raise expected("a pattern of {length} letters for {name}", letters, length=slot.length, name=slot.name)

    def _allows(self, word: str, score: float) -> bool:
        return score >= self.min_score and (self.pattern is None or self.pattern.matches(word))


def check_narrowings(texts: Iterable[str], alphabet: Alphabet) -> None:
    """Check how narrowings are written.

    Raises:
        InputError: a text has another form.
    """
    for text in texts:
        SlotNarrowing.parse(text, alphabet)


def narrow_slots(
    texts: Iterable[str], grid: Grid, lexicon: Lexicon, shelf: Shelf, taste: Taste
) -> dict[RunStart, frozenset[str]]:
    """Return the allowed words of each narrowed slot."""
    narrowed: dict[RunStart, frozenset[str]] = {}
    for text in texts:
        one = SlotNarrowing.parse(text, grid.alphabet)
        slot = find_slot(grid, one.slot)
        kept = one.keep(slot, lexicon, shelf, taste)
        start = (slot.direction, slot.cells[0])
        narrowed[start] = kept & narrowed.get(start, kept)
    return narrowed


def _score_by(named: WordList, scores: Mapping[str, float]) -> dict[str, float]:
    """Return those words that a list has, with the scores of that list, where it has them."""
    entries = named.words
    found: dict[str, float] = {}
    for word, score in scores.items():
        if word in entries:
            own, _ = entries[word]
            found[word] = score if own == _UNSCORED else own
    return found
