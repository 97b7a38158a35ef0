"""The lines of a word list: the word of each, its score, and its letter codes.

`LineReader` defines, once, how a line of a list is read: its word, its score and its folded letters. The compiled
packing reads common lines itself, with `LineReader.fold` for each character, and calls `LineReader.read` for others.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LINE_BYTES, MAX_ODD_LINES, SCORE, Fault, LexiconError
from cpfill.base.texts import later, say

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet


def encode_word(word: str, alphabet: Alphabet) -> bytes | None:
    """Return the letter codes of a word, or `None` if it has a character outside the alphabet."""
    try:
        return bytes(map(alphabet.codes.__getitem__, word))
    except KeyError:
        return None


def decode_words(codes: bytes, length: int, alphabet: Alphabet) -> list[str]:
    """Return the words of one length that consecutive letter codes spell."""
    letters = codes.decode("latin-1").translate(alphabet.letters)
    return [letters[start : start + length] for start in range(0, len(letters), length)]


_STRICT = re.compile(r"[;\t]")
_NUMBER = re.compile(r"(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]inf)%?")
_TWO_WORDS = re.compile(r"[^\W\d] +[^\W\d]")
_SEPARATORS = ";,"
_JAMO = range(0x1100, 0x1200)

MAX_FAULTS = 10
"""Bad lines that a refusal of a list names."""


class LineReader:
    """Reads the lines of one list; `skipped` counts lines without a usable word, by reason.

    A line with a bad score has no usable word. `faults` has the first of these lines, unless the reader is `lenient`.
    Lines, and the text they are from, are UTF-8 that may also encode lone surrogates ("surrogatepass").
    """

    def __init__(self, name: str, alphabet: Alphabet, default_score: float, *, lenient: bool = False) -> None:
        self.skipped: Counter[str] = Counter()
        self.faults: list[Fault] = []
        self._odd = 0
        self._name = name
        self._alphabet = alphabet
        self._default_score = default_score
        self._lenient = lenient

    def fold(self, point: int) -> bytes | None:
        """Return the letter codes of a character, empty if it is dropped; `None` if they depend on the line.

        The line must be read as a whole if it has a character that may separate a word from its score, that is outside
        the alphabet, or that may be composed with the one before it (marks, and the jamo of Hangul).
        """
        char = chr(point)
        if char.isspace() or char in _SEPARATORS or unicodedata.category(char)[0] == "M" or point in _JAMO:
            return None
        return encode_word(self._alphabet.fold(char), self._alphabet)

    def read(self, line: bytes, number: int) -> tuple[bytes, float, int, int] | None:
        """Return the letter codes of a line's word, its score, and the start and end byte of its spelling in the line.

        Return `None` if the line is blank, or skipped and counted. `number` is the number of the line, from 1.
        """
        if len(line) > MAX_LINE_BYTES:
            self._skip(later("too long"), number)
            return None
        text = line.decode("utf-8", "surrogatepass")
        if not text.strip():
            self._count_odd(number)
            return None
        if text.lstrip().startswith("#"):
            self._skip(later("comment"), number)
            return None
        start, end, score_text = split_line(text)
        score = self._score(score_text, number) if score_text else self._default_score
        if score is None:
            return None
        folded = self._alphabet.fold(text[start:end])
        codes = encode_word(folded, self._alphabet)
        if not codes:
            self._skip(later("no letter") if not folded else later("character outside the alphabet"), number)
            return None
        before, spelling = (part.encode("utf-8", "surrogatepass") for part in (text[:start], text[start:end]))
        return codes, score, len(before), len(before) + len(spelling)

    def _skip(self, reason: str, number: int) -> None:
        self.skipped[reason] += 1
        self._count_odd(number)

    def _count_odd(self, number: int) -> None:
        self._odd += 1
        if self._odd > MAX_ODD_LINES:
            expected = say("a word list, with at most {most:,} lines without a word", most=MAX_ODD_LINES)
            raise LexiconError(Fault(path=self._name, line=number, expected=expected, got=say("more")))

    def _score(self, text: str, line: int) -> float | None:
        try:
            return parse_score(text)
        except ValueError:
            self._skip(later("bad score"), line)
        if not self._lenient:
            self.faults.append(Fault(path=self._name, line=line, expected=str(SCORE), got=f"'{text}'"))
        if len(self.faults) == MAX_FAULTS:
            raise LexiconError(*self.faults)
        return None


def split_line(line: str) -> tuple[int, int, str]:
    """Return the start and the end of the word in a line, and the text of its score, empty if it has none.

    The text after `;` or a tab is a score. So is the text after the last comma, unless a blank follows it ("veni, vidi"
    is one entry), and a plain number after blanks.
    """
    text = line.strip()
    start = len(line) - len(line.lstrip())
    last = text.rsplit(maxsplit=1)[-1]
    word = text
    score = ""
    if strict := _STRICT.search(text):
        before = text[: strict.start()]
        behind = text[strict.start() :]
        if not (before and _is_phrase(behind)):
            word = before.rstrip()
            score = behind.lstrip().removeprefix(";").lstrip()
    elif "," in last:
        word, _, score = text.rpartition(",")
    elif last != text and _NUMBER.fullmatch(last):
        word = text.removesuffix(last).rstrip()
        score = last
    return start, start + len(word), score


def _is_phrase(behind: str) -> bool:
    """Return whether several words follow `;` and a blank: then they are part of a phrase, not a mistyped score."""
    return behind.startswith("; ") and not _STRICT.search(behind, 1) and _TWO_WORDS.search(behind) is not None


def parse_score(text: str) -> float:
    """Return the score in a text, which may be in percent."""
    score = float(text.removesuffix("%").replace("_", "?"))
    if not SCORE.holds(score):
        raise ValueError(text)
    return score + 0.0  # no negative zero
