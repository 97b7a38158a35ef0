"""Conversion between folded words and letter codes, one byte per letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet


def encode_word(word: str, alphabet: Alphabet) -> bytes | None:
    """Return the letter codes of a word, or `None` if it has a character outside the alphabet."""
    try:
        return bytes([alphabet.codes[letter] for letter in word])
    except KeyError:
        return None


def decode_words(codes: bytes, length: int, alphabet: Alphabet) -> list[str]:
    """Return the words of one length that consecutive letter codes spell."""
    letters = codes.decode("latin-1").translate(alphabet.letters)
    return [letters[start : start + length] for start in range(0, len(letters), length)]
