"""Lists of scored words, read from a file, a text or a package; what scores mean, and how they are written.

Possessives and names, of which dictionaries are full, can be dropped. They are dropped as lines, not as words, because
a list keeps only the first of the lines that fold to the same word: "March" would replace "march", and "cat's" would
replace "cats".
"""

from __future__ import annotations

import csv
import math
import os
import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
    MAX_LINE_BYTES,
    MAX_LIST_BYTES,
    SCORE,
    EmptyListError,
    LexiconError,
    check_type,
    expected,
    unknown_name,
)
from cpfill.base.files import STDIN, decode, display_name, read_bytes
from cpfill.base.texts import hear, later, say, say_count
from cpfill.words.packing import PackedWords, parse_score, split_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

DEFAULT_SCORE = 50.0
"""The score of a word without one, by the custom of scored word lists."""

THEME_SCORE = 1.0
"""The score of a word without one in a list of theme words: with it, the sum counts the words placed."""

PACKAGED = ("en", "en-gb", "en-words", "fr", "fr-phrases")
"""The lists that come with cpfill: English (American, British, dictionary words only) and French, scored 1 to 100.

Their offensive words, and the own scores of their delicate words, are in separate files.
"""

_JOINED = {"fr": ("fr-phrases", "fr")}
"""The files of a list of several, under different licences; of two lines with the same word, the first counts."""

DELICATE_SCORE = 20
"""The most that a delicate word scores by default."""


class Taste(StrEnum):
    """Which words of the packaged lists a puzzle may have."""

    BREAKFAST = "breakfast"
    """Offensive words are left out, and delicate words score `DELICATE_SCORE` at most (not so in `en-words`)."""
    FRANK = "frank"
    """Delicate words have their own scores."""
    UNCENSORED = "uncensored"
    """Offensive words have theirs, too."""


DEFAULT_LIST = "en"
"""The list that is used by default."""

_WEB_PAGE = re.compile(r"\s*<(?:!doctype\b|html\b|head\b|body\b|\?xml\b|!--)", re.IGNORECASE)

_PACKAGED_AT = Path(__file__).parent / "packaged"


@dataclass(frozen=True)
class Calibration:
    """The calibration that moved the scores of a list onto the scale of a different list.

    Attributes:
        onto: the name of the other list.
        common: the number of words that both have.
        scores: the new score of each score of those words, rising; in between it is interpolated, beyond it is the
            same.
    """

    onto: str
    common: int
    scores: tuple[tuple[float, float], ...]

    def move(self, score: float) -> float:
        """Return the new score; 0 still bans a word."""
        if not score:
            return score
        at = bisect_left(self.scores, (score,))
        low, first = self.scores[max(at - 1, 0)]
        high, last = self.scores[min(at, len(self.scores) - 1)]
        if high <= low or score == high:
            return last
        return round_score(first + (last - first) * (score - low) / (high - low))

    def __str__(self) -> str:
        ends = dict((self.scores[0], self.scores[-1]))
        moves = [f"{format_decimal(before)} → {format_decimal(after)}" for before, after in ends.items()]
        moved = ", ".join(moves)
        return say("scores moved onto those of {onto} by {common} common words: {moved}", **vars(self), moved=moved)


@dataclass(frozen=True)
class WordList:
    """The words of one list, folded onto `alphabet`: folded word -> (score, spelling).

    `skipped` counts the skipped lines for each reason. `calibrated` is the calibration of the scores, if they moved.
    """

    name: str
    words: Mapping[str, tuple[float, str]] = field(hash=False)
    skipped: Mapping[str, int] = field(default_factory=dict, hash=False)
    alphabet: Alphabet = field(default_factory=Alphabet)
    calibrated: Calibration | None = None

    @cached_property
    def packed(self) -> PackedWords:
        """The words, packed by length."""
        return PackedWords.of(self.words, self.alphabet)

    @property
    def weights(self) -> dict[str, float]:
        """The score of each word, which is its weight in a theme."""
        return {word: score for word, (score, _) in self.words.items()}

    def __repr__(self) -> str:
        return f"<WordList {self.name}: {len(self.words):,} words>"

    def rescored(self, score: float) -> WordList:
        """Return the list with the same score for all words."""
        return replace(self, words=self.packed.rescored(score))

    def moved(self, by: Calibration) -> WordList:
        """Return the list with its scores moved."""
        return replace(self, words=self.packed.moved(by.move), calibrated=by)

    def corrected(self, by: WordList) -> WordList:
        """Return the list with the scores of `by` for the words that `by` has."""
        return replace(self, words=self.packed.corrected(by.packed))


@dataclass(frozen=True, slots=True)
class ListFile:
    """A word list that every process reads in the same way.

    Attributes:
        name: the absolute path of a file, or a packaged name.
        digest: the SHA-256 of the file's text; empty for a packaged list.
    """

    name: str
    digest: str = ""


ListSource = str | ListFile | WordList
"""The source of words: a file or a packaged list by name, a file whose digest is known, or the list itself."""


class KeptLists(Protocol):
    """A cache of lists, such as `ListCache`."""

    def read(
        self, data: bytes, name: str, letters: Alphabet, default_score: float, parse: Callable[[], WordList]
    ) -> WordList:
        """Return the list in a file with the content `data`, from the cache or else from `parse`."""


def read_word_list(
    source: str | os.PathLike[str],
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    taste: Taste = Taste.BREAKFAST,
    drop: Collection[Drop] = (),
    cache: KeptLists | None = None,
    lenient: bool = False,
) -> WordList:
    """Return the list in a file or in standard input (`-`), or the packaged list with a name (`en`, `en-gb`, `fr`).

    A word without a score gets `default_score`. `taste` chooses the words that a packaged list leaves out.
    Lines in `drop` are skipped; possessives and names of a system dictionary always are. A file that `cache` has is not
    parsed again. With `lenient`, lines of a file with a bad score are skipped, too.

    Raises:
        LexiconError: the list does not exist, cannot be read, or has no usable word; or a score is out of its range.
        TypeError: an argument has another type.
    """
    check_type(source, str | os.PathLike, "the name of a file, or of a packaged list")
    check_type(alphabet, Alphabet | None, "an alphabet such as Alphabet('ABC')")
    name = str(source)
    if name in PACKAGED:  # a file of that name is `./en`
        letters = alphabet or Alphabet()
        return _read_packaged(name, letters, default_score=default_score, taste=taste, drop=drop, cache=cache)
    _check_not_mistyped(name)
    data = read_bytes(source, LexiconError, MAX_LIST_BYTES)
    letters = alphabet or Alphabet()

    def parse() -> WordList:
        text = decode(data, display_name(source), LexiconError, MAX_LIST_BYTES)
        return parse_word_file(text, source, letters, default_score=default_score, drop=drop, lenient=lenient)

    if cache is None or drop or lenient or dropped_from(name):
        return parse()
    return cache.read(data, display_name(source), letters, default_score, parse)


def _read_packaged(
    name: str,
    alphabet: Alphabet,
    *,
    default_score: float,
    taste: Taste,
    drop: Collection[Drop],
    cache: KeptLists | None,
) -> WordList:
    """Return a packaged list, whose second line of a word, with a score that does not count, is not told as skipped."""

    def parse() -> WordList:
        text = packaged_text(name, taste=taste)
        return parse_word_list(text, name, alphabet, default_score=default_score, drop=drop)

    if cache is None or drop:
        read = parse()
    else:
        read = cache.read(_packaged_bytes(name, taste), name, alphabet, default_score, parse)
    skipped = {reason: count for reason, count in read.skipped.items() if reason != "duplicate"}
    return replace(read, skipped=skipped)


def _check_not_mistyped(name: str) -> None:
    """Refuse a name that looks like that of a packaged list, if there is no such file."""
    if name in {"", STDIN}:
        return
    bare = Path(name).suffix == "" and Path(name).parent == Path()
    if bare and not os.path.exists(name):  # noqa: PTH110 - no error of any name
        raise LexiconError(unknown_name(say("a word list (a file, or a packaged one)"), name, PACKAGED))


def list_parts(name: str) -> tuple[str, ...]:
    """Return the names of the files of a packaged list, without their ends."""
    return _JOINED.get(name, (name,))


def read_offensive(name: str, alphabet: Alphabet | None = None) -> WordList:
    """Return the offensive words, which a packaged list leaves out unless it is read uncensored."""
    return parse_word_list(_unpacked(name, ".offensive"), name, alphabet)


@lru_cache(len(PACKAGED))
def read_delicate(name: str, alphabet: Alphabet | None = None) -> WordList:
    """Return the delicate words of a packaged list with their own scores."""
    return parse_word_list(_unpacked(name, ".delicate"), name, alphabet)


def packaged_text(name: str, *, taste: Taste = Taste.BREAKFAST) -> str:
    """Return the text of a packaged list, which of a word in several lines means the first."""
    return decode(_packaged_bytes(name, taste), name, LexiconError)


def _packaged_bytes(name: str, taste: Taste) -> bytes:
    """Return a packaged list in gzip: own scores of delicate words come first, offensive words last."""
    kinds = [""]
    if taste is not Taste.BREAKFAST:
        kinds.insert(0, ".delicate")
    if taste is Taste.UNCENSORED:
        kinds.append(".offensive")
    return b"".join(_read_kind(name, kind) for kind in kinds)


def _read_kind(name: str, kind: str) -> bytes:
    """Return the words of one kind, such as `.delicate`, of a packaged list in gzip."""
    files = [_PACKAGED_AT / f"{part}{kind}.txt.gz" for part in list_parts(name)]
    return b"".join(file.read_bytes() for file in files)


def _unpacked(name: str, kind: str) -> str:
    return decode(_read_kind(name, kind), name, LexiconError)


def parse_word_file(
    text: str,
    path: str | os.PathLike[str],
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    drop: Collection[Drop] = (),
    lenient: bool = False,
) -> WordList:
    """Return the list that the text of a file holds, for a system dictionary without possessives and names."""
    if _WEB_PAGE.match(text):
        raise expected("a word list", say("a web page: save the list itself"), display_name(path), error=LexiconError)
    if str(path).endswith(".dic"):
        text = strip_flags(text)
    dropped = {*drop, *dropped_from(str(path))}
    return parse_word_list(
        text, display_name(path), alphabet, default_score=default_score, drop=dropped, lenient=lenient
    )


def parse_word_list(
    text: str,
    name: str = "words",
    alphabet: Alphabet | None = None,
    *,
    default_score: float = DEFAULT_SCORE,
    drop: Collection[Drop] = (),
    lenient: bool = False,
) -> WordList:
    """Return the list that a text holds: one word per line, with or without a score; or a table with column heads.

    If several lines fold to the same word, the first wins. Lines without a usable word, and those in `drop`, are
    skipped and counted; with `lenient` so are lines with a bad score. A word without a score gets `default_score`.

    Raises:
        LexiconError: a score is out of its range, the table is damaged, or no usable word is left; EmptyListError if
            there was none.
        TypeError: the text is no string.
    """
    check_type(text, str, "a text of words")
    check_type(alphabet, Alphabet | None, "an alphabet such as Alphabet('ABC')")
    SCORE.check(default_score, "default_score", LexiconError)
    alphabet = alphabet or Alphabet()
    text, headed = flatten_table(text, name)
    dropped: dict[str, int] = {}
    if drop:
        text, dropped = drop_lines(text, drop)
    words, skipped = PackedWords.read(text, name, alphabet, default_score, lenient=lenient)
    skipped |= headed | dropped
    if not words:
        got = say("none; {skipped}", skipped=describe_skipped(skipped)) if skipped else say("none")
        kind = EmptyListError if skipped.keys() <= {"comment"} else LexiconError
        raise expected("a list with at least one usable word", got, path=name, error=kind)
    return WordList(name, words, skipped, alphabet)


_COUNTABLE = {"bad score", "character outside the alphabet", "comment", "duplicate", "name", "possessive"}
"""The reasons to skip a line that have a plural."""


def describe_skipped(skipped: Mapping[str, int]) -> str:
    """Return how many lines of a list were skipped, and why."""
    reasons = [_count_reason(count, reason) for reason, count in sorted(skipped.items())]
    lines = sum(skipped.values())
    return say("{what} skipped ({reasons})", what=say_count(lines, "line"), reasons=", ".join(reasons))


def _count_reason(count: int, reason: str) -> str:
    if reason in _COUNTABLE:
        return say_count(count, reason)
    return f"{count} {say(reason)}"


def format_decimal(number: float) -> str:
    """Return a number with the fewest digits that identify it."""
    if float(number).is_integer():
        return str(int(number))
    return repr(number)


def round_score(score: float) -> float:
    """Return a computed score over 0 in tenths, or with three digits where those are finer: none becomes 0, a ban."""
    return round(score, max(1, 2 - math.floor(math.log10(score))))


def count_decimals(score: float) -> int:
    """Return the number of decimals that `format_decimal` writes for a number."""
    from decimal import Decimal

    exponent = Decimal(repr(score)).as_tuple().exponent
    if score.is_integer() or not isinstance(exponent, int):
        return 0
    return -exponent


_FIRST_LINE = re.compile(r"^(?![^\S\n]*(?:#|$)).+", re.MULTILINE)
"""The first line of a text that is neither blank nor a comment."""

_WORD_HEADS = frozenset(re.findall(r"\w+", "word words entry answer term phrase mot mots"))
_SCORE_HEADS = frozenset(re.findall(r"\w+", "score scores value rating weight count frequency valeur"))
_NO_SIGNS = {ord(";"): " "}


def _find_separator(line: str) -> str:
    """Return the separator of the column heads in a line, empty if the line has no heads.

    Such a line names a column of words, and where a list has a score it has a text.
    """
    if len(line) > MAX_LINE_BYTES or not _is_bad_score(split_line(line)[2]):
        return ""
    separators = (separator for separator in ";\t," if _WORD_HEADS.intersection(_fold_heads(line.split(separator))))
    return next(separators, "")


def _is_bad_score(text: str) -> bool:
    try:
        return text != "" and parse_score(text) < 0
    except ValueError:
        return True


def _fold_heads(heads: Iterable[str]) -> list[str]:
    return [head.strip(' "').lower() for head in heads]


def flatten_table(text: str, name: str) -> tuple[str, dict[str, int]]:
    """Return a table with column heads as lines of a list, and what to tell of it; any other text as it is.

    A row stays in the line in which it ends.
    """
    first = _FIRST_LINE.search(text)
    separator = ""
    if first:
        separator = _find_separator(first[0])
    if first is None or not separator:
        return text, {}
    before = text.count("\n", 0, first.start())
    lines = (f"{line}\n" for line in text[first.start() :].removesuffix("\n").split("\n"))
    rows = csv.reader(lines, delimiter=separator, strict=True)
    flat = [""] * before
    try:
        heads = _fold_heads(next(rows))
        columns = [_find_column(heads, _WORD_HEADS), _find_column(heads, _SCORE_HEADS)]
        for row in rows:
            flat += [""] * (before + rows.line_num - len(flat) - 1)
            flat.append(_write_row(row, columns))
    except csv.Error as exc:
        raise expected("a CSV table", hear(str(exc)), name, before + rows.line_num, error=LexiconError) from None
    found = [column for column in columns if column is not None]
    reason = later("header")
    if len(found) < len(heads):
        unread = say_count(len(heads) - len(found), "column")
        reason = say("header; not read: {columns}", columns=unread)
    return "\n".join(flat), {reason: 1}


def _write_row(row: Sequence[str], columns: Sequence[int | None]) -> str:
    """Return a row of a table as a line of a list."""
    if not any(row):
        return ""
    return ";".join(_read_field(row, column) for column in columns)


def _find_column(heads: Sequence[str], known: Collection[str]) -> int | None:
    """Return the first column with one of the known heads."""
    for column, head in enumerate(heads):
        if head in known:
            return column
    return None


def _read_field(row: Sequence[str], column: int | None) -> str:
    """Return the text of a row in a column, without the signs that have a meaning in a list."""
    if column is None or column >= len(row):
        return ""
    return " ".join(row[column].translate(_NO_SIGNS).split())


class Band(StrEnum):
    """How good an entry is."""

    STRONG = "strong"
    """A constructor would print it."""
    FAIR = "fair"
    """Acceptable if nothing better fits."""
    WEAK = "weak"
    """Better avoided."""


LEAST = {Band.STRONG: 50.0, Band.FAIR: 40.0, Band.WEAK: 0.0}
"""The least score of each band, the best band first."""


def band_of(score: float) -> Band:
    return next(band for band, least in LEAST.items() if score >= least)


def count_bands(scores: Iterable[float]) -> dict[Band, int]:
    """Return how many scores are in each band, the best band first."""
    counted = Counter(map(band_of, scores))
    return {band: counted[band] for band in LEAST}


SYSTEM = Path("/usr/share/dict")
"""The directory of the system's dictionaries."""

_POSSESSIVE = re.compile(r"['\u2019]s$|s['\u2019]$")
_NO_NAME = re.compile(r"I$|I['\u2019]|[A-Z]-[a-z]")  # I, I'm, T-shirt
_FLAGS = re.compile(r"(?<!\\)/|\s")  # the end of the word in a line of a .dic


class Drop(StrEnum):
    """A kind of line to drop."""

    POSSESSIVES = "possessives"
    """cat's, cats'."""
    NAMES = "names"
    """Words with a capital, such as Paris and NATO, if the list also has lower-case words."""


def dropped_from(path: str) -> Collection[Drop]:
    """Return what is dropped from a file by default: names and possessives from a system dictionary, else nothing.

    A system dictionary is a file in `/usr/share/dict`, or a `.dic` file of hunspell.
    """
    places = (Path(path).absolute(), Path(path).resolve())
    if path.endswith(".dic") or any(place.is_relative_to(SYSTEM) for place in places):
        return tuple(Drop)
    return ()


def drop_lines(text: str, drop: Collection[Drop]) -> tuple[str, Counter[str]]:
    """Return a text with the dropped lines blank, so that others keep their line numbers, and the number dropped."""
    lines = text.splitlines()
    words = [_word(line) for line in lines]
    tells = any(word[:1].islower() for word in words)  # else capitals mean nothing
    dropped: Counter[str] = Counter()
    for index, word in enumerate(words):
        if Drop.POSSESSIVES in drop and _POSSESSIVE.search(word):
            dropped["possessive"] += 1
        elif Drop.NAMES in drop and tells and word[:1].isupper() and not _NO_NAME.match(word):
            dropped["name"] += 1
        else:
            continue
        lines[index] = ""
    return "\n".join(lines), dropped


def strip_flags(text: str) -> str:
    """Return the text of a hunspell dictionary without the flags after its words; forms are not expanded."""
    return "\n".join(_FLAGS.split(line, maxsplit=1)[0] for line in text.splitlines())


def _word(line: str) -> str:
    if not line.strip() or line.lstrip().startswith("#"):
        return ""
    start, end, _ = split_line(line)
    return line[start:end]


def has_lower_case(words: WordList) -> bool:
    """Return whether a word is written with a lower-case letter; comments and scores (`1e-06`) say nothing."""
    packed = words.packed
    if not re.search(rb"[a-z\x80-\xff]", packed.text):  # most lists in capitals, at once
        return False
    for length in packed.columns:
        if any(spelling != spelling.upper() for spelling in packed.list_spellings(length)):
            return True
    return False
