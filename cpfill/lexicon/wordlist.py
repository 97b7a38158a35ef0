"""Lists of scored words, as read from a file, a text or a package."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.alphabet import Alphabet
from cpfill.budgets import MAX_LIST_BYTES
from cpfill.errors import Fault, LexiconError, unknown_name
from cpfill.lexicon.packing.packed import PackedWords
from cpfill.ranges import SCORE
from cpfill.sources import STDIN, decode, display_name, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping


DEFAULT_SCORE = 50.0
"""What a word without a score counts, by the custom of scored word lists."""

THEME_SCORE = 1.0
"""What a word without a score counts in a list of theme words: how many are placed is what matters."""

PACKAGED = ("en", "fr")
"""The lists that come with cpfill, English and French, scored 1 to 100 by frequency."""

DEFAULT_LIST = "en"
"""What is used where no list is asked for."""

_PACKAGED_AT = Path(__file__).parent / "packaged"


@dataclass(frozen=True)
class WordList:
    """The words of one list: folded word -> (score, spelling), and how many lines were skipped for which reason.

    The words are folded onto `alphabet`.
    """

    name: str
    words: Mapping[str, tuple[float, str]] = field(hash=False)
    skipped: Mapping[str, int] = field(default_factory=dict, hash=False)
    alphabet: Alphabet = field(default_factory=Alphabet)

    @cached_property
    def packed(self) -> PackedWords:
        """The words, packed by length."""
        return PackedWords.of(self.words, self.alphabet)

    @property
    def weights(self) -> dict[str, float]:
        """The score of each word, as a theme has it."""
        return {word: score for word, (score, _) in self.words.items()}

    def __repr__(self) -> str:
        return f"<WordList {self.name}: {len(self.words):,} words>"

    def rescored(self, score: float) -> WordList:
        """Return the same words, all with one score."""
        return replace(self, words=self.packed.rescored(score))

    def corrected(self, by: WordList) -> WordList:
        """Return the same words, those of another list with the scores that they have there."""
        return replace(self, words=self.packed.corrected(by.packed))


def read_word_list(
    source: str | os.PathLike[str], alphabet: Alphabet | None = None, *, default_score: float = DEFAULT_SCORE
) -> WordList:
    """Return the list in a file, in standard input (`-`), or of a packaged name (`en`, `fr`).

    A word without a score counts `default_score`.

    Raises:
        LexiconError: no such list, unreadable, no usable word in it, or a score out of its range.
    """
    name = str(source)
    if name in PACKAGED and not os.path.exists(name):  # noqa: PTH110 - no error of any name
        text = decode((_PACKAGED_AT / f"{name}.txt.gz").read_bytes(), name, LexiconError)
        return parse_word_list(text, name, alphabet, default_score=default_score)
    bare = Path(name).suffix == "" and Path(name).parent == Path()
    if name not in {"", STDIN} and bare and not os.path.exists(name):  # noqa: PTH110 - likewise
        raise LexiconError(unknown_name("a word list (a file, or a packaged one)", name, PACKAGED))
    text = read_text(source, LexiconError, MAX_LIST_BYTES)
    return parse_word_list(text, display_name(source), alphabet, default_score=default_score)


def parse_word_list(
    text: str, name: str = "words", alphabet: Alphabet | None = None, *, default_score: float = DEFAULT_SCORE
) -> WordList:
    """Return the list that a text holds: a word a line, or a word and its score.

    The first of several lines that fold to one word wins. Lines that hold no usable word are skipped and counted. A
    word without a score counts `default_score`.

    Raises:
        LexiconError: a score is out of its range, or no usable word is left.
    """
    SCORE.check(default_score, "default_score", LexiconError)
    alphabet = alphabet or Alphabet()
    words, skipped = PackedWords.read(text, name, alphabet, default_score)
    if not words:
        got = f"none; {describe_skipped(skipped)}" if skipped else "none"
        raise LexiconError(Fault(path=name, expected="a list with at least one usable word", got=got))
    return WordList(name, words, skipped, alphabet)


def describe_skipped(skipped: Mapping[str, int]) -> str:
    """Return how many lines of a list were skipped, and why."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.items()))
    lines = sum(skipped.values())
    return f"{'1 line' if lines == 1 else f'{lines} lines'} skipped ({reasons})"
