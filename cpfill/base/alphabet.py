"""Letters: which ones a grid may hold, and how written words are folded onto them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_MARKS, InputError, expected, unknown_name
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = "0123456789"
LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMED = {
    "latin": LATIN,
    "es": "ABCDEFGHIJKLMNÑOPQRSTUVWXYZ",
    "de": LATIN + "ÄÖÜ",
    "sv": LATIN + "ÅÄÖ",
    "fi": LATIN + "ÅÄÖ",
    "da": LATIN + "ÆØÅ",
    "nb": LATIN + "ÆØÅ",
}
MAX_LETTERS = 64
# Letters that Unicode does not decompose, and how crosswords write them by custom.
_LIGATURES = {"Œ": "OE", "Æ": "AE", "Ø": "O", "Ð": "D", "Đ": "D", "Þ": "TH", "Ł": "L", "ẞ": "SS"}
_SIGNS = frozenset({0, 9, *range(84, 133)})
"""The combining classes of vowel signs and the like (The Unicode Standard, section 4.3): a mark of class 0 takes a
place of its own, viramas have class 9, and signs of Telugu, Thai, Lao and Tibetan have 84 to 132."""
_SELECTOR = re.compile(r"[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""A mark that says how a letter is drawn."""
_MAY_BE_MARKS = re.compile(rf"[^\x00-\u02ff]{{{MAX_MARKS + 1}}}")


def compose(text: str) -> str:
    """Return a text with letters and accents composed; a letter keeps at most its first MAX_MARKS marks."""
    if _MAY_BE_MARKS.search(text):
        runs = groupby(text, key=lambda char: unicodedata.combining(char) > 0)
        text = "".join(char for marks, run in runs for char in (islice(run, MAX_MARKS) if marks else run))
    return unicodedata.normalize("NFC", text)


def _stays(char: str) -> bool:
    """Return whether folding keeps a character, whose accents are characters of their own.

    In many scripts marks are not accents but vowel signs or tone signs, which distinguish words.
    """
    category = unicodedata.category(char)
    if category in {"Mn", "Mc"} and not _SELECTOR.match(char):
        return unicodedata.combining(char) in _SIGNS
    return category == "Cs" or category[0] not in "MPSZC"


class _FoldTable(dict[int, str]):
    """A `str.translate` table for upper-case text, which folds each character when it first occurs."""

    def __init__(self, letters: str) -> None:
        super().__init__()
        self.letters = letters

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in self.letters:
            folded = char
        elif char in _LIGATURES:
            folded = _LIGATURES[char]
        else:
            # A byte that is not valid UTF-8 stays: it may have been a letter, so no word contains it.
            decomposed = unicodedata.normalize("NFD", char)
            folded = "".join(filter(_stays, decomposed))
        self[code] = folded
        return folded


@dataclass(frozen=True)
class Alphabet:
    """An ordered set of 1 to 64 upper-case letters, where digits count as letters. The index of a letter is its code.

    A *letter set* is an int whose bit i says whether the letter of code i is in it.
    """

    letters: str = LATIN

    def __post_init__(self) -> None:
        distinct = len(set(self.letters)) == len(self.letters)
        plain = all(c in DIGITS or (c.isalpha() and c == c.upper()) for c in self.letters)
        if not (distinct and plain and 1 <= len(self.letters) <= MAX_LETTERS):
            raise expected(
                "an alphabet of 1 to {most} different letters or digits", f"'{self.letters}'", most=MAX_LETTERS
            )

    @classmethod
    def named(cls, name: str) -> Alphabet:
        """Return the alphabet called `name`, or else the alphabet made of the letters of `name`.

        Raises:
            InputError: `name` is neither the name of an alphabet nor a string of different letters and digits.
        """
        if name.lower() in NAMED:
            return cls(NAMED[name.lower()])
        if len(name) < 8 and name.islower():
            raise InputError(unknown_name(say("an alphabet"), name, NAMED))
        return cls(compose(name).upper())

    def including(self, letters: Iterable[str]) -> Alphabet:
        """Return the alphabet with these letters appended in order; its present letters keep their codes."""
        missing = sorted(set(letters).difference(self.letters))
        if missing:
            return Alphabet(self.letters + "".join(missing))
        return self

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of each letter."""
        return {letter: code for code, letter in enumerate(self.letters)}

    @cached_property
    def full(self) -> int:
        """The letter set that holds every letter."""
        return (1 << len(self.letters)) - 1

    @cached_property
    def _fold_table(self) -> _FoldTable:
        return _FoldTable(self.letters)

    def fold(self, text: str) -> str:
        """Return `text` in upper case without accents, punctuation and spaces, ligatures spelt out.

        Letters of the alphabet stay as they are (Ñ stays Ñ if the alphabet has it). The result may contain characters
        outside the alphabet (such as digits, other scripts): see `foreign`.
        """
        if text.isascii():
            upper = text.upper()
            if upper.isalpha():
                return upper
            return upper.translate(self._fold_table)
        return compose(text).upper().translate(self._fold_table)

    def word(self, text: str) -> str:
        """Return a word folded.

        Raises:
            InputError: the folded word is empty or has characters outside the alphabet, or `text` has several words, as
                in `EMU,APE`.
        """
        if re.search(r",\S", text):
            raise expected("one word at a time", f"'{text}'")
        folded = self.fold(text)
        if not folded or self.foreign(folded):
            raise expected("a word over the alphabet {letters}", f"'{text}'", letters=self.letters)
        return folded

    def foreign(self, folded: str) -> str | None:
        """Return the first character of a folded text that is not in the alphabet, if any."""
        return next((c for c in folded if c not in self.codes), None)

    def letter_set(self, letters: str) -> int:
        """Return the letter set of some letters of the alphabet."""
        bits = 0
        for letter in letters:
            bits |= 1 << self.codes[letter]
        return bits

    def first(self, letter_set: int) -> str:
        """Return the first letter of a letter set, or an empty string if the set is empty."""
        if letter_set:
            return self.letters[(letter_set & -letter_set).bit_length() - 1]
        return ""

    def members(self, letter_set: int) -> str:
        """Return the letters of a letter set, in alphabetical order."""
        return "".join(letter for code, letter in enumerate(self.letters) if letter_set >> code & 1)
