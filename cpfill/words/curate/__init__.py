"""Lists merged, filtered, sampled, compared, scored by frequency, and written as lines that `read_word_list` reads.

In a pattern, `?` (or `.`) is one letter, `*` any run of letters, `[AEI]` or `[A-I]` a letter set, `[!AEI]` any other
letter.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import compose
from cpfill.base.errors import MAX_SIDE, Fault, InputError
from cpfill.base.texts import later, say
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import DEFAULT_SCORE, Calibration, format_decimal, round_score

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.words.wordlist import WordList


class Entry(NamedTuple):
    """A folded word, its score, and its spelling in its list."""

    word: str
    score: float
    spelling: str


def entries(lexicon: Lexicon) -> list[Entry]:
    """Return the words of a lexicon, shortest first, each length best score first."""
    return [entry for length in lexicon.lengths for entry in entries_of(lexicon, length)]


def entries_of(lexicon: Lexicon, length: int) -> list[Entry]:
    """Return the words of one length, best score first."""
    table = lexicon.table(length)
    return list(map(Entry, table.words, table.scores, table.spellings))


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
            piece, position = match[0], match.start()
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


COMMON = 100
"""The least number of common words by which a list is calibrated."""

APART = 0.1
"""Lists have one scale if calibration moves a common word by less than this share of it, on average."""


def calibrate(lists: Sequence[WordList]) -> list[WordList]:
    """Return lists on the scale of the longest one, as far as their common words tell it.

    A list of another scale, or of one score, gets the scores of an isotonic regression over the common words (pool
    adjacent violators: Ayer et al., An empirical distribution function for sampling with incomplete information, Annals
    of Mathematical Statistics 26, 1955).
    """
    longest = max(lists, key=lambda one: len(one.words), default=None)
    known = dict(longest.packed.list_scores()) if longest is not None and len(lists) > 1 else {}
    calibrated = []
    for one in lists:
        common = [(score, known[word]) for word, score in one.packed.list_scores() if score and known.get(word)]
        by = None if longest is None or one is longest or len(common) < COMMON else _fit(longest.name, common)
        moves = by is not None and (
            len(by.scores) == 1
            or fmean(abs(by.move(score) - score) for score, _ in common) > APART * max(known.values())
        )
        calibrated.append(one.moved(by) if by and moves else one)
    return calibrated


def _fit(onto: str, common: Collection[tuple[float, float]]) -> Calibration:
    """Return the calibration that fits best, by least squares, the pairs of scores in both lists."""
    wanted: dict[float, list[float]] = defaultdict(list)
    for score, other in common:
        wanted[score].append(other)
    pools: list[tuple[float, int, list[float]]] = []  # the sum of the scores wanted, their number, the scores
    for score in sorted(wanted):
        total, number, scores = sum(wanted[score]), len(wanted[score]), [score]
        while pools and pools[-1][0] / pools[-1][1] >= total / number:
            before = pools.pop()
            total, number, scores = total + before[0], number + before[1], before[2] + scores
        pools.append((total, number, scores))
    moved = tuple((score, round_score(total / number)) for total, number, scores in pools for score in scores)
    return Calibration(onto, len(common), moved)


def merge(lists: Sequence[WordList], *, first_wins: bool = False) -> list[Entry]:
    """Return the union of lists over one alphabet.

    A word in several lists has its best score, as in a `Lexicon`, or with `first_wins` that of the first such list.
    """
    if not lists:
        return []
    alphabet = lists[0].alphabet
    if not first_wins:
        return entries(Lexicon(lists, alphabet))
    merged: dict[str, Entry] = {}
    for one in lists:
        for entry in entries(Lexicon([one], alphabet)):
            merged.setdefault(entry.word, entry)
    return list(merged.values())


@dataclass(frozen=True, slots=True)
class Filter:
    """The conditions for a word to stay. Ranges of lengths and scores include both ends.

    Attributes:
        letters: the only letters that the word may have; empty for any.
        pattern: the pattern that the word must match, if there is one.
    """

    min_length: int = 1
    max_length: float = math.inf
    min_score: float = -math.inf
    max_score: float = math.inf
    letters: str = ""
    pattern: Pattern | None = None

    def keep(self, candidates: Iterable[Entry]) -> list[Entry]:
        """Return the entries that stay, in their order."""
        letters, pattern = frozenset(self.letters), self.pattern
        return [
            entry
            for entry in candidates
            if self.min_length <= len(entry.word) <= self.max_length
            and self.min_score <= entry.score <= self.max_score
            and (not letters or letters.issuperset(entry.word))
            and (pattern is None or pattern.matches(entry.word))
        ]


def sample(candidates: Iterable[Entry], size: int, seed: int = 0) -> list[Entry]:
    """Return `size` random entries, or all of them if there are fewer.

    With the same seed, a smaller sample is part of every larger one, and the order of the candidates does not matter.
    """
    shuffled = sorted(candidates)
    Random(seed).shuffle(shuffled)  # noqa: S311
    return shuffled[:size]


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences of two lists; `rescored` has pairs of entries for the words whose scores differ."""

    only_first: list[Entry]
    only_second: list[Entry]
    rescored: list[tuple[Entry, Entry]]
    same: int


def difference(first: Lexicon, second: Lexicon) -> Difference:
    """Return the differences of two lexicons, which do not include spellings."""
    ones, others = ({entry.word: entry for entry in entries(each)} for each in (first, second))
    both = [(entry, others[word]) for word, entry in ones.items() if word in others]
    rescored = [(one, other) for one, other in both if one.score != other.score]
    return Difference(
        only_first=[entry for word, entry in ones.items() if word not in others],
        only_second=[entry for word, entry in others.items() if word not in ones],
        rescored=rescored,
        same=len(both) - len(rescored),
    )


NOT_COUNTED = 1
RAREST = 2
COMMONEST = 100

# Letters with apostrophes and hyphens between them. A Romance elision (l', d', qu', jusqu') and the English possessive
# 's are not part of a word.
_APOSTROPHES, _HYPHENS = "'\u2019", "\u2010-"
_TOKEN = re.compile(rf"[^\W\d_]+(?:[{_APOSTROPHES}{_HYPHENS}][^\W\d_]+)*+")
_ELISION = re.compile(rf"(?:[cdjlmnst]|\w*qu)[{_APOSTROPHES}]", re.IGNORECASE)
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s$", re.IGNORECASE)
_SOFT_HYPHEN = "\u00ad"


def frequency_scores(words: Collection[str], counts: Mapping[str, float]) -> dict[str, float]:
    """Return a score of 1 to 100 for each word, derived from its count.

    With `low` the least of the counts above 0, and `high` the count of the commonest of the words,

        score = 2 + round(98 * log(count / low) / log(high / low))

    so that the rarest word has 2 and the commonest 100: the scale of the packaged lists. A word without a count, or
    with a count of 0, has 1. If all counts are equal, they say nothing, and the words get the default score.
    """
    counted = [counts.get(word, 0) for word in words]
    low = min((count for count in counts.values() if count > 0), default=0)
    high = max(counted, default=0)
    span = math.log(high / low) if high > low > 0 else 0.0

    def score(count: float) -> float:
        if count <= 0:
            return NOT_COUNTED
        if not span:
            return DEFAULT_SCORE
        return RAREST + round((COMMONEST - RAREST) * math.log(count / low) / span)

    return {word: score(count) for word, count in zip(words, counted, strict=True)}


def rescored(candidates: Collection[Entry], counts: Mapping[str, float]) -> list[Entry]:
    """Return the same entries with scores by frequency."""
    scores = frequency_scores([entry.word for entry in candidates], counts)
    return [entry._replace(score=scores[entry.word]) for entry in candidates]


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text, scored by frequency.

    Attributes:
        entries: the words that were kept.
        running: the number of words in the text, repetitions included.
        foreign: the number of these that have a character outside the alphabet.
    """

    entries: list[Entry]
    running: int
    foreign: int


def words_of_text(text: str, alphabet: Alphabet, *, min_length: int = 4, min_count: int = 1) -> TextWords:
    """Return the words of a text that have at least `min_length` letters and occur at least `min_count` times.

    A word has its most frequent spelling. In a tie lower case wins, because the capital may be that of a sentence.
    """
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    running = foreign = 0
    for token in tokens(text):
        running += 1
        word = alphabet.fold(token)
        if alphabet.foreign(word):
            foreign += 1
        elif min_length <= len(word) <= MAX_SIDE:
            spellings[word][token] += 1
    counts = {word: found.total() for word, found in spellings.items() if found.total() >= min_count}
    scores = frequency_scores(list(counts), counts)
    kept = [Entry(word, score, _usual(spellings[word])) for word, score in scores.items()]
    return TextWords(kept, running, foreign)


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text in order, without elided articles before and possessives after them."""
    for match in _TOKEN.finditer(compose(text.replace(_SOFT_HYPHEN, ""))):
        token, start = match[0], 0
        while elision := _ELISION.match(token, start):
            start = elision.end()
        yield _POSSESSIVE.sub("", token[start:])


def _usual(spellings: Counter[str]) -> str:
    return max(spellings, key=lambda spelling: (spellings[spelling], spelling.islower(), spelling))


class Format(StrEnum):
    """The format of a list."""

    SCORED = "scored"
    """`WORD;SCORE`."""
    TSV = "tsv"
    """`WORD<TAB>SCORE`."""
    PLAIN = "plain"
    """One word per line, without scores."""


class Order(StrEnum):
    """The order of the words."""

    SCORE = "score"
    """Best score first, then alphabetical."""
    WORD = "word"
    """Alphabetical."""


# A spelling without a score must not look like a word and its score.
_LOOKS_SCORED = re.compile(r",|\s[-+]")


def write_entries(entries: Iterable[Entry], form: Format = Format.SCORED, order: Order = Order.SCORE) -> str:
    """Return the text of a list; words keep the spelling of their list."""
    if order is Order.SCORE:
        ordered = sorted(entries, key=lambda entry: (-entry.score, entry.word))
    else:
        ordered = sorted(entries, key=lambda entry: entry.word)
    if form is Format.PLAIN:
        return "".join(f"{word if _LOOKS_SCORED.search(spelt) else spelt}\n" for word, _, spelt in ordered)
    separator = ";" if form is Format.SCORED else "\t"
    spelt = ((word if ";" in spelling else spelling, score) for word, score, spelling in ordered)  # `;` ends a word
    return "".join(f"{spelling}{separator}{format_decimal(score)}\n" for spelling, score in spelt)
