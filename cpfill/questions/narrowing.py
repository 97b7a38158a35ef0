"""Conditions on one slot: `17-Across:min=60,list=mine.txt,pattern=S*` keeps only the words that meet all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.words.curate import Pattern
from cpfill.words.packing import parse_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Slot
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.sources import Shelf
    from cpfill.words.wordlist import Taste


_UNSCORED = 1e-9
"""The score of a word to which its list gives none."""

_LIST = re.compile(r"([:,]\s*list\s*=)([^,]*)")


def relocate(text: str, find: Callable[[str], str]) -> str:
    """Return the text of a narrowing with the name of its list, if any, replaced by what `find` returns."""
    return _LIST.sub(lambda term: term[1] + find(term[2].strip()), text)


@dataclass(frozen=True, slots=True)
class SlotNarrowing:
    """The conditions on the word of a slot.

    Attributes:
        slot: the name of the slot.
        min_score: the least score of the word, in the list if one is named.
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
        terms = {key.strip(): value.strip() for key, _, value in (term.partition("=") for term in rest.split(","))}
        try:
            score = parse_score(terms.get("min", "0"))
        except ValueError:
            score = None
        if not terms.keys() <= {"min", "list", "pattern"} or "" in terms.values() or score is None:
            raise expected(
                "a slot and what narrows it, such as 17-Across:min=60,list=mine.txt,pattern=S*", f"'{text:.60}'"
            )
        shape = Pattern.parse(terms["pattern"], alphabet) if "pattern" in terms else None
        return cls(slot, score, terms.get("list"), shape)

    def keep(self, slot: Slot, lexicon: Lexicon, shelf: Shelf, taste: Taste) -> frozenset[str]:
        """Return the words of the lexicon that meet the conditions in a slot."""
        shape = self.pattern
        if shape is not None and not shape.fits(slot.length):
            letters = say("one of {least}{what}", least=shape.least, what=say(" or more") if shape.open else "")
            raise expected("a pattern of {length} letters for {name}", letters, length=slot.length, name=slot.name)
        table = lexicon.table(slot.length)
        scored: Iterable[tuple[str, float]] = zip(table.words, table.scores, strict=True)
        if self.words is not None:
            named = shelf.word_list(self.words, lexicon.alphabet, _UNSCORED, taste=taste).words
            both = ((word, score, named[word][0]) for word, score in scored if word in named)
            scored = ((word, score if own == _UNSCORED else own) for word, score, own in both)
        kept = (word for word, score in scored if score >= self.min_score)
        return frozenset(word for word in kept if shape is None or shape.matches(word))
