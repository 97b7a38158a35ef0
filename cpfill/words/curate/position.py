"""Which letter stands where in the words of one length: after the heat maps by which letter-by-letter fillers choose.

The two questions, where a letter prefers to stand and which letter a position prefers, are those of the figures of
Atelier RLV, L'auteur de mots croisés (2022), on P. D. Smith and S. Y. Steen, A prototype crossword compiler (1981).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.words.lexicon import Lexicon


def columns(lexicon: Lexicon, length: int) -> list[bytes]:
    """Return for each position the letter codes of all words of one length, in the order of its table."""
    codes = lexicon.table(length).codes
    return [codes[pos::length] for pos in range(length)]


@dataclass(frozen=True)
class Positions:
    """How often each letter stands at each position of the words of one length.

    Attributes:
        length: letters a word.
        words: how many words.
        counts: for each letter of the alphabet, its count at each position.
    """

    length: int
    words: int
    counts: dict[str, tuple[int, ...]]

    def preferred_position(self, letter: str) -> int | None:
        """Return the position, from 0, at which a letter stands most often; none if it stands nowhere."""
        counts = self.counts[letter]
        return counts.index(max(counts)) if any(counts) else None

    def preferred_letters(self, pos: int) -> list[str]:
        """Return the letters that stand at a position, the commonest first."""
        present = [letter for letter, counts in self.counts.items() if counts[pos]]
        return sorted(present, key=lambda letter: -self.counts[letter][pos])

    def share_of_letter(self, letter: str, pos: int) -> float:
        """Return which part of a letter's occurrences is at a position."""
        total = sum(self.counts[letter])
        return self.counts[letter][pos] / total if total else 0.0

    def share_of_position(self, letter: str, pos: int) -> float:
        """Return which part of the words has a letter at a position."""
        return self.counts[letter][pos] / self.words


def positions(lexicon: Lexicon, length: int) -> Positions:
    """Return the counts for the words of one length, of which there must be some."""
    counters = [Counter(column) for column in columns(lexicon, length)]
    letters = lexicon.alphabet.codes.items()
    counts = {letter: tuple(counter[code] for counter in counters) for letter, code in letters}
    return Positions(length, len(lexicon.table(length)), counts)
