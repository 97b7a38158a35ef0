"""Patterns: the shape of a word. `?` (or `.`) is one letter, `*` any run of letters, `[AEI]` a letter set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cpfill.errors import Fault, InputError
from cpfill.words.entry import Entry, entries_of

if TYPE_CHECKING:
    from cpfill.alphabet import Alphabet
    from cpfill.lexicon import Lexicon

_EXPECTED = "a pattern: letters, ? for any letter, * for any run, [ABC] for a letter set"
_PIECE = re.compile(r"\[(?P<set>[^\]]*)\]|.", re.DOTALL)


def _fault(got: str, text: str, place: int) -> InputError:
    return InputError(Fault(_EXPECTED, got, f"pattern '{text}'", column=place + 1))


def _letters(written: str, text: str, place: int, alphabet: Alphabet) -> str:
    """Return some characters of a pattern, folded; `place` is where in the `text` of the pattern they stand."""
    for at, char in enumerate(written, start=place):
        if alphabet.foreign(alphabet.fold(char)):
            raise _fault(f"'{char}'", text, at)
    return alphabet.fold(written)


@dataclass(frozen=True)
class Pattern:
    """A shape that words have or have not.

    Attributes:
        expression: the same as a regular expression over folded words.
        least: letters that a word must have at least.
        open: whether it may have more.
    """

    expression: str
    least: int
    open: bool

    @classmethod
    def parse(cls, text: str, alphabet: Alphabet) -> Pattern:
        """Return the pattern in a text; its letters are folded as words are.

        Raises:
            InputError: a character that is no letter of the alphabet, a letter set that is empty or not closed, or
                nothing at all.
        """
        pieces: list[str] = []
        for match in _PIECE.finditer(text):
            piece, place = match[0], match.start()
            if piece in "?.":
                pieces.append(".")
            elif piece == "*":
                pieces.append(".*")
            elif piece == "[":
                raise _fault("a letter set that is not closed", text, place)
            elif piece.startswith("["):
                pieces.append(f"[{_letters(match['set'], text, place + 1, alphabet)}]")
                if pieces[-1] == "[]":
                    raise _fault("an empty letter set", text, place)
            else:
                pieces += _letters(piece, text, place, alphabet)
        if not pieces:
            raise _fault("nothing", text, 0)
        runs = pieces.count(".*")
        return cls(re.sub(r"(\.\*)+", ".*", "".join(pieces)), len(pieces) - runs, runs > 0)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def matches(self, word: str) -> bool:
        """Return whether a folded word has this shape."""
        return self._compiled.fullmatch(word) is not None

    def lookup(self, lexicon: Lexicon) -> list[Entry]:
        """Return the words of this shape, shortest first, each length best score first; it reads no other length."""
        lengths = [n for n in lexicon.lengths if n == self.least or (self.open and n > self.least)]
        return [entry for n in lengths for entry in entries_of(lexicon, n) if self.matches(entry.word)]
