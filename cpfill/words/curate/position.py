"""The letters at each position of the words of one length, after the heat maps that guide letter-by-letter fillers.

The two questions (the position that a letter prefers, the letter that a position prefers) are from the figures in
Atelier RLV, L'auteur de mots croisés (2022), on P. D. Smith and S. Y. Steen, A prototype crossword compiler (1981).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.words.lexicon import Lexicon


def columns(lexicon: Lexicon, length: int) -> list[bytes]:
    """Return, for each position, the letter codes of all words of one length, in the order of their table."""
    codes = lexicon.table(length).codes
    return [codes[pos::length] for pos in range(length)]


@dataclass(frozen=True)
class Positions:
    """The count of each letter at each position of the words of one length.

    Attributes:
        length: the number of letters of each word.
        words: the number of words.
        counts: for each letter of the alphabet, its count at each position.
    """

    length: int
    words: int
    counts: dict[str, tuple[int, ...]]

    def preferred_position(self, letter: str) -> int | None:
        """Return the position, from 0, at which a letter is most frequent, or `None` if no word has it."""
        counts = self.counts[letter]
        return counts.index(max(counts)) if any(counts) else None

    def preferred_letters(self, pos: int) -> list[str]:
        """Return the letters that occur at a position, the commonest first."""
        present = [letter for letter, counts in self.counts.items() if counts[pos]]
        return sorted(present, key=lambda letter: -self.counts[letter][pos])

    def share_of_letter(self, letter: str, pos: int) -> float:
        """Return the share of a letter's occurrences that are at a position."""
        total = sum(self.counts[letter])
        return self.counts[letter][pos] / total if total else 0.0

    def share_of_position(self, letter: str, pos: int) -> float:
        """Return the share of the words that have a letter at a position."""
        return self.counts[letter][pos] / self.words


def positions(lexicon: Lexicon, length: int) -> Positions:
    """Return the counts for the words of one length; there must be at least one such word."""
    counters = [Counter(column) for column in columns(lexicon, length)]
    letters = lexicon.alphabet.codes.items()
    counts = {letter: tuple(counter[code] for counter in counters) for letter, code in letters}
    return Positions(length, len(lexicon.table(length)), counts)
