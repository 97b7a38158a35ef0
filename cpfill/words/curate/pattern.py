"""Patterns of words.

In a pattern, `?` (or `.`) is one letter, `*` any run of letters, `[AEI]` or `[A-I]` a letter set, `[!AEI]` any other
letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cpfill.base.alphabet import compose
from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import later, say
from cpfill.words.curate.entries import Entry, entries_of

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.words.lexicon import Lexicon

_EXPECTED = later("a pattern: letters, ? for any letter, * for any run, [ABC], [A-C] or [!ABC] for a letter set")
_BETWEEN_WORDS = " -'\u2018\u2019\u2013"
_PIECE = re.compile(r"\[(?P<set>[^\]]*)\]?|.", re.DOTALL)


def _fault(got: str, text: str, position: int) -> InputError:
    return InputError(Fault(say(_EXPECTED), got, say("pattern '{text}'", text=text), column=position + 1))


def _letters(char: str, text: str, position: int, alphabet: Alphabet) -> str:
    """Return a character of a pattern, folded; `position` is its index in `text`, the whole pattern."""
    folded = alphabet.fold(char)
    if alphabet.foreign(folded) or not (folded or char in _BETWEEN_WORDS):
        raise _fault(f"'{char}'", text, position)
    return folded


def _letter_set(written: str, text: str, position: int, alphabet: Alphabet) -> str:
    """Return the letters of a letter set; `written` is the text in its brackets."""
    others = written.startswith(("!", "^"))
    chosen: set[str] = set()
    for match in re.finditer(r"(.)(?:-(.))?", written[others:], re.DOTALL):
        at = position + others + match.start()
        # A character that folds to no letter, such as a hyphen, or to two, such as œ, cannot be in a set.
        low, high = (alphabet.codes.get(alphabet.fold(one), -1) for one in (match[1], match[2] or match[1]))
        if not 0 <= low <= high:
            raise _fault(f"'{match[0]}'", text, at)
        chosen.update(alphabet.letters[low : high + 1])
    letters = "".join(letter for letter in alphabet.letters if (letter in chosen) is not others)
    if not (letters and chosen):
        raise _fault(say("an empty letter set"), text, position - 1)
    return letters


@dataclass(frozen=True)
class Pattern:
    """A pattern.

    Attributes:
        expression: the equivalent regular expression over folded words.
        least: the least number of letters of a word that matches.
        open: whether words with more letters can match.
    """

    expression: str
    least: int
    open: bool

    @classmethod
    def parse(cls, text: str, alphabet: Alphabet) -> Pattern:
        """Return the pattern in a text; its letters are folded as words are.

        Raises:
            InputError: the text is empty, has a character outside the alphabet, or has a letter set that is empty,
                not closed or otherwise invalid.
        """
        text = compose(text)
        pieces: list[str] = []
        for match in _PIECE.finditer(text):
            piece = match[0]
            position = match.start()
            if piece in "?.":
                pieces.append(".")
            elif piece == "*":
                pieces.append("*")
            elif piece.startswith("["):
                if not piece.endswith("]"):
                    raise _fault(say("a letter set that is not closed"), text, position)
                pieces.append(f"[{_letter_set(match['set'], text, position + 1, alphabet)}]")
            else:
                pieces += _letters(piece, text, position, alphabet)
        if not pieces:
            raise _fault(say("nothing"), text, 0)
        runs = pieces.count("*")
        first, *others = "".join(pieces).split("*")
        # Matching each part but the last as early as possible is always best, so atomic groups avoid backtracking.
        parts = [f"(?>.*?{part})" for part in others[:-1] if part] + [f".*{part}" for part in others[-1:]]
        return cls(first + "".join(parts), len(pieces) - runs, runs > 0)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def fits(self, length: int) -> bool:
        """Return whether some word of a length can match."""
        return length == self.least or (self.open and length > self.least)

    def matches(self, word: str) -> bool:
        """Return whether a folded word matches."""
        return self._compiled.fullmatch(word) is not None

    def lookup(self, lexicon: Lexicon) -> list[Entry]:
        """Return the words that match, shortest first, each length best score first; it skips lengths that cannot."""
        lengths = filter(self.fits, lexicon.lengths)
        return [entry for n in lengths for entry in entries_of(lexicon, n) if self.matches(entry.word)]
