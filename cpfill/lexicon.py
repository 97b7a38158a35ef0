"""Scored words by length, and the index over them: for each (position, letter) the words that have it there.

A `WordList` is one list as read; a `Lexicon` is the union of lists that a problem uses. Words of one length form a
`WordTable`, best score first, so that "the words that score at least t" is always a prefix of the table and a domain
cut to it is one AND. Domains are big-integer bitsets: bit i stands for the word of id i in the table of its length.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from operator import itemgetter, neg
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.alphabet import Alphabet
from cpfill.errors import Fault, LexiconError, unknown_name
from cpfill.sources import STDIN, decode, display_name, read_text

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

WordId = int
"""A word is its place in the table of its length."""

DEFAULT_SCORE = 50.0
"""What a word without a score counts, by the custom of scored word lists."""

PACKAGED = ("en", "fr")
"""The lists that come with cpfill, English and French, scored 1 to 100 by frequency."""

# What stands after `;` or a tab is a score, and so is what stands after a comma without a blank ("veni, vidi" is one
# entry), and a plain number after blanks.
_SCORED = re.compile(
    r"\s*(?P<word>[^;\t]*?)(?:\s*[;\t]\s*(?P<strict>.*?)|,(?P<comma>[^\s,;]*)|\s+(?P<blank>[-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]inf))\s*"
)


@dataclass(frozen=True)
class WordList:
    """The words of one list: folded word -> (score, spelling), and how many lines were skipped for which reason.

    The words are folded onto `alphabet`.
    """

    name: str
    words: Mapping[str, tuple[float, str]]
    skipped: Mapping[str, int] = field(default_factory=dict)
    alphabet: Alphabet = field(default_factory=Alphabet)

    def rescored(self, score: float) -> WordList:
        """Return the same words, all with one score."""
        words = {word: (score, spelling) for word, (_, spelling) in self.words.items()}
        return replace(self, words=words)


def read_word_list(source: str | os.PathLike[str], alphabet: Alphabet | None = None) -> WordList:
    """Return the list in a file, in standard input (`-`), or of a packaged name (`en`, `fr`).

    Raises:
        LexiconError: no such list, unreadable, no usable word in it, or a score that is no finite number >= 0.
    """
    name = str(source)
    if name in PACKAGED and not Path(name).exists():
        data = resources.files("cpfill.lexicons").joinpath(f"{name}.txt.gz").read_bytes()
        return parse_word_list(decode(data, name, LexiconError), name, alphabet)
    if name not in {"", STDIN} and not Path(name).exists() and Path(name).suffix == "" and Path(name).parent == Path():
        raise LexiconError(unknown_name("a word list (a file, or a packaged one)", name, PACKAGED))
    return parse_word_list(read_text(source, LexiconError), display_name(source), alphabet)


def parse_word_list(text: str, name: str = "words", alphabet: Alphabet | None = None) -> WordList:
    """Return the list that a text holds: a word a line, or a word and its score.

    The first of several lines that fold to one word wins. Lines that hold no usable word are skipped and counted.

    Raises:
        LexiconError: a score is no finite number >= 0, or no usable word is left.
    """
    alphabet = alphabet or Alphabet()
    codes, fold = alphabet.codes, alphabet.fold
    ascii_letters = set(codes).issuperset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    words: dict[str, tuple[float, str]] = {}
    skipped: Counter[str] = Counter()
    scores: dict[str, float] = {"": DEFAULT_SCORE}
    for number, line in enumerate(text.split("\n"), start=1):
        spelling, _, score_text = line.partition(";")
        # The common line, `word` or `word;score` with a score met before, takes no more than this.
        if not (ascii_letters and spelling.isalpha() and spelling.isascii() and score_text in scores):
            if not line.strip():
                continue
            if line.lstrip().startswith("#"):
                skipped["comment"] += 1
                continue
            spelling, score_text = _split(line)
            if score_text not in scores:
                scores[score_text] = _parse_score(score_text, name, number)
            folded = fold(spelling)
            foreign = alphabet.foreign(folded)
            if not folded or foreign:
                skipped["character outside the alphabet" if foreign else "no letter"] += 1
                continue
        else:
            folded = spelling.upper()
        if folded in words:
            skipped["duplicate"] += 1
        else:
            words[folded] = (scores[score_text], spelling)
    if not words:
        raise LexiconError(Fault(path=name, expected="a list with at least one usable word", got="none"))
    return WordList(name, words, dict(skipped), alphabet)


def _split(line: str) -> tuple[str, str]:
    """Return the word of a line and the text of its score, empty if it has none."""
    match = _SCORED.fullmatch(line)
    if not match:
        return line.strip(), ""
    return match["word"], match["strict"] or match["comma"] or match["blank"] or ""


def _parse_score(text: str, name: str, line: int) -> float:
    try:
        score = float(text.replace("_", "?"))
    except ValueError:
        score = math.nan
    if not (math.isfinite(score) and score >= 0):
        raise LexiconError(Fault(path=name, line=line, expected="a score: a finite number >= 0", got=f"'{text}'"))
    return score + 0.0  # no negative zero


class WordTable:
    """The words of one length with their scores, best score first; ties keep the order of the lists.

    Attributes:
        length: letters a word.
        words: folded words by id.
        scores: scores by id, never increasing.
        spellings: words as their list wrote them, by id.
    """

    def __init__(self, length: int, entries: Sequence[tuple[str, float, str]], alphabet: Alphabet) -> None:
        ordered = sorted(entries, key=itemgetter(1), reverse=True)
        self.length = length
        self.words = tuple(word for word, _, _ in ordered)
        self.scores = tuple(score for _, score, _ in ordered)
        self.spellings = tuple(spelling for _, _, spelling in ordered)
        self._alphabet = alphabet
        self._masks: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def everything(self) -> int:
        """The domain of all words."""
        return (1 << len(self.words)) - 1

    @cached_property
    def ids(self) -> dict[str, WordId]:
        """The id of each word."""
        return {word: id_ for id_, word in enumerate(self.words)}

    @cached_property
    def codes(self) -> bytes:
        """The letter codes of all words, one after another: word i is `codes[i * length : (i + 1) * length]`."""
        table = {ord(letter): chr(code) for letter, code in self._alphabet.codes.items()}
        return "".join(self.words).translate(table).encode("latin-1")

    def masks(self, pos: int) -> tuple[int, ...]:
        """Return, for each letter code, the bitset of the words that have that letter at position `pos`."""
        known = self._masks.get(pos)
        if known is None:
            # Bit i is word i, and a number is written highest bit first: the column backwards, as binary digits.
            column = self.codes[pos :: self.length][::-1]
            present = set(column)
            known = tuple(
                int(column.translate(_DIGITS[code]), 2) if code in present else 0
                for code in range(len(self._alphabet.letters))
            )
            self._masks[pos] = known
        return known

    def having(self, pos: int, letters: int) -> int:
        """Return the bitset of the words whose letter at `pos` is in the letter set `letters`."""
        masks, union = self.masks(pos), 0
        while letters:
            low = letters & -letters
            union |= masks[low.bit_length() - 1]
            letters ^= low
        return union

    def at_least(self, score: float) -> int:
        """Return the bitset of the words that score at least `score`."""
        return (1 << bisect_right(self.scores, -score, key=neg)) - 1

    def above(self, score: float) -> int:
        """Return the bitset of the words that score more than `score`."""
        return (1 << bisect_left(self.scores, -score, key=neg)) - 1


# For each letter code, the table that turns a column of codes into binary digits.
_DIGITS = tuple(bytes(49 if byte == code else 48 for byte in range(256)) for code in range(64))


class Lexicon:
    """The union of word lists over one alphabet; a word in several lists has its best score.

    Raises:
        LexiconError: a list is folded onto another alphabet.
    """

    def __init__(self, lists: Iterable[WordList], alphabet: Alphabet | None = None) -> None:
        self.alphabet = alphabet or Alphabet()
        self.lists = tuple(lists)
        for one in self.lists:
            if one.alphabet != self.alphabet:
                expected = f"a list over the alphabet {self.alphabet.letters}"
                raise LexiconError(Fault(path=one.name, expected=expected, got=one.alphabet.letters))
        first, *others = self.lists or (WordList("nothing", {}, {}, self.alphabet),)
        union: Mapping[str, tuple[float, str]] = first.words
        if others:
            merged = dict(first.words)
            for other in others:
                for word, entry in other.words.items():
                    known = merged.get(word)
                    if known is None or entry[0] > known[0]:
                        merged[word] = entry
            union = merged
        by_length: dict[int, list[tuple[str, float, str]]] = {}
        for word, (score, spelling) in union.items():
            try:
                by_length[len(word)].append((word, score, spelling))
            except KeyError:
                by_length[len(word)] = [(word, score, spelling)]
        self._entries = by_length
        self._tables: dict[int, WordTable] = {}

    def __len__(self) -> int:
        return sum(len(entries) for entries in self._entries.values())

    @property
    def lengths(self) -> dict[int, int]:
        """How many words there are of each length, shortest first."""
        return {length: len(entries) for length, entries in sorted(self._entries.items())}

    def table(self, length: int) -> WordTable:
        """Return the words of one length, indexed when first asked for; an empty table where there are none."""
        if length not in self._tables:
            self._tables[length] = WordTable(length, self._entries.get(length, ()), self.alphabet)
        return self._tables[length]

    def find(self, word: str) -> tuple[float, str] | None:
        """Return the score and the spelling of a folded word, if it is in the lexicon."""
        table = self.table(len(word))
        id_ = table.ids.get(word)
        return None if id_ is None else (table.scores[id_], table.spellings[id_])
