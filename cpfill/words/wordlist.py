"""Lists of scored words, as read from a file, a text or a package."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, LexiconError, unknown_name
from cpfill.base.input_limits import MAX_LIST_BYTES
from cpfill.base.ranges import SCORE
from cpfill.base.sources import STDIN, decode, display_name, read_bytes
from cpfill.words.packing.packed import PackedWords

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from cpfill.words.dropping import Drop

DEFAULT_SCORE = 50.0
"""What a word without a score counts, by the custom of scored word lists."""

THEME_SCORE = 1.0
"""What a word without a score counts in a list of theme words: how many are placed is what matters."""

PACKAGED = ("en", "en-gb", "en-words", "fr")
"""The lists that come with cpfill: American, British, French; scored 1 to 100 by frequency, offensive words apart."""

DEFAULT_LIST = "en"
"""What is used where no list is asked for."""

_WEB_PAGE = re.compile(r"\s*<(?:!doctype\b|html\b|head\b|body\b|\?xml\b|!--)", re.IGNORECASE)

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


@dataclass(frozen=True, slots=True)
class ListFile:
    """A word list that every process reads alike.

    Attributes:
        name: the absolute path of a file, or a packaged name.
        digest: the SHA-256 of the file's text; empty for a packaged list.
    """

    name: str
    digest: str = ""


ListSource = str | ListFile | WordList
"""Where words are from: a file or a packaged list by name, a file whose text is known, or the list itself."""


class KeptLists(Protocol):
    """Lists that were read before, as `ListCache` has them."""

    def read(
        self, data: bytes, name: str, letters: Alphabet, default_score: float, parse: Callable[[], WordList]
    ) -> WordList:
        """Return the list in a file with the content `data`: what is kept, or else what `parse` returns."""


def read_word_list(
    source: str | os.PathLike[str],
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    uncensored: bool = False,
    drop: Collection[Drop] = (),
    cache: KeptLists | None = None,
) -> WordList:
    """Return the list in a file, in standard input (`-`), or of a packaged name (`en`, `en-gb`, `fr`).

    A word without a score counts `default_score`. A packaged list leaves out its offensive words unless `uncensored`.
    Lines in `drop` are skipped; of a dictionary of the system, possessives and names always are. What `cache` has of a
    file is not read anew.

    Raises:
        LexiconError: no such list, unreadable, no usable word in it, or a score out of its range.
    """
    name = str(source)
    if name in PACKAGED:  # a file of that name is `./en`
        alphabet = alphabet or Alphabet()

        def parse_packaged() -> WordList:
            text = packaged_text(name, uncensored=uncensored)
            return parse_word_list(text, name, alphabet, default_score=default_score, drop=drop)

        if cache is None or uncensored or drop:
            return parse_packaged()
        return cache.read(_packaged_bytes(name), name, alphabet, default_score, parse_packaged)
    bare = Path(name).suffix == "" and Path(name).parent == Path()
    if name not in {"", STDIN} and bare and not os.path.exists(name):  # noqa: PTH110 - no error of any name
        raise LexiconError(unknown_name("a word list (a file, or a packaged one)", name, PACKAGED))
    data = read_bytes(source, LexiconError, MAX_LIST_BYTES)
    alphabet = alphabet or Alphabet()

    def parse() -> WordList:
        text = decode(data, display_name(source), LexiconError, MAX_LIST_BYTES)
        return parse_word_file(text, source, alphabet, default_score=default_score, drop=drop)

    from cpfill.words.dropping import dropped_from  # noqa: PLC0415 - packaged lists need none of it

    if cache is None or drop or dropped_from(name):
        return parse()
    return cache.read(data, display_name(source), alphabet, default_score, parse)


def read_offensive(name: str, alphabet: Alphabet | None = None) -> WordList:
    """Return the words that a packaged list leaves out unless it is read uncensored."""
    return parse_word_list(_unpacked(f"{name}.offensive"), name, alphabet)


def packaged_text(name: str, *, uncensored: bool = False) -> str:
    """Return the text of a packaged list, with its offensive words or without."""
    return _unpacked(name) + (_unpacked(f"{name}.offensive") if uncensored else "")


def _unpacked(name: str) -> str:
    return decode(_packaged_bytes(name), name, LexiconError)


def _packaged_bytes(name: str) -> bytes:
    return (_PACKAGED_AT / f"{name}.txt.gz").read_bytes()


def parse_word_file(
    text: str,
    path: str | os.PathLike[str],
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    drop: Collection[Drop] = (),
) -> WordList:
    """Return the list that the text of a file holds; of a dictionary of the system, without possessives and names.

    Raises:
        LexiconError: a score is out of its range, or no usable word is left.
    """
    from cpfill.words.dropping import dropped_from, strip_flags  # noqa: PLC0415 - packaged lists need none of it

    if _WEB_PAGE.match(text):
        raise LexiconError(Fault("a word list", "a web page: save the list itself", display_name(path)))
    if str(path).endswith(".dic"):
        text = strip_flags(text)
    dropped = {*drop, *dropped_from(str(path))}
    return parse_word_list(text, display_name(path), alphabet, default_score=default_score, drop=dropped)


def parse_word_list(
    text: str,
    name: str = "words",
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    drop: Collection[Drop] = (),
) -> WordList:
    """Return the list that a text holds: a word a line, or a word and its score.

    The first of several lines that fold to one word wins. Lines that hold no usable word, and those in `drop`, are
    skipped and counted. A word without a score counts `default_score`.

    Raises:
        LexiconError: a score is out of its range, or no usable word is left.
    """
    SCORE.check(default_score, "default_score", LexiconError)
    alphabet = alphabet or Alphabet()
    dropped: Mapping[str, int] = {}
    if drop:
        from cpfill.words.dropping import drop_lines  # noqa: PLC0415 - packaged lists need none of it

        text, dropped = drop_lines(text, drop)
    words, skipped = PackedWords.read(text, name, alphabet, default_score)
    skipped |= dropped
    if not words:
        got = f"none; {describe_skipped(skipped)}" if skipped else "none"
        raise LexiconError(Fault(path=name, expected="a list with at least one usable word", got=got))
    return WordList(name, words, skipped, alphabet)


def describe_skipped(skipped: Mapping[str, int]) -> str:
    """Return how many lines of a list were skipped, and why."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.items()))
    lines = sum(skipped.values())
    return f"{'1 line' if lines == 1 else f'{lines} lines'} skipped ({reasons})"
