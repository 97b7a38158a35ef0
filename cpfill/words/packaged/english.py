"""The English lists: dictionary words by how common they are, and entries by whether a constructor would print them.

`en` and `en-gb` join the words of SCOWL; the entries of the Crossword Nexus Collaborative Word List, which has names
and phrases too; and the phrases of dictionaries. `phrases.py` judges entries of several words. The score of any other
entry is 10 (x - 1.9), from 1 to 60:

    x = 2.7      if Nexus scores it 30 or more; a lower score means "do not use", or that nobody looked at it
      + 0.02 n   if that score n is a multiple of ten: people gave those; 45, 46, 55, 75… came in bulk
      + z        its Zipf frequency z: log10 of the number of its occurrences in 10^9 words
      + 0.3      if it is a word or a name of SCOWL
      - 0.4      if it has 3 or 4 letters

Frequency counts for nothing over 60, where a word gets up to 4 points by its Nexus score. From 8 letters on words score
58 at most, because there a constructor would rather have a phrase. Forms of which puzzles print few for so many as
there are (-ING, -LY, -TION, -NESS, -IZE) and the rarest words of SCOWL lose a few points.

The weights come from a logistic regression, with a constant for each length, on whether an entry was printed in puzzles
of even years since 1995. The frequency weighs more than in the regression (0.3 to 0.6), and 3 and 4 letters count
against an entry, because short names are printed for their letters and not for their own sake. README.md has the
results for odd years.

Some entries score 40 at most, and so are not strong: parts of phrases (INTHE), and forms that stand only in text, whose
frequency they have (MIRANDAS, TODAYS, LOOKIN). Delicate words score 20 at most.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import delicate
from frequencies import read_bins
from offensive import ENGLISH, ENTRIES, INNOCENT_PARTS
from phrases import CONTRACTIONS, WIKTIONARY, Headwords, rate, spell, split_spelling

from cpfill.base.alphabet import Alphabet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SHARE = "usr/share"
_fold = Alphabet().fold


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# SCOWL's sizes up to 70, "large": the words found in most dictionaries. The next, 80, is the Scrabble vocabulary.
SIZES = (10, 20, 35, 40, 50, 55, 60, 70)
ALL_SIZES = (*SIZES, 80, 95)
# Puzzles use American spellings without their secondary variants. British dictionaries have both -ise and -ize, so both
# are included. "english" has the words that both spell alike.
AMERICAN = ("english", "american")
BRITISH = ("english", "british", "british_z")
# The categories of words. Upper-case words, names, abbreviations and special lists (Roman numerals) are excluded.
CATEGORIES = ("words", "contractions")
NAMES = ("upper", "proper-names")
# Except for these, words without a vowel are units, plurals of letters or degrees ("lm", "ks", "hhd").
VOICELESS = _words("brr crwth cwm cwms h'm hmm nth psst pwn pwns sh shh ssh")
NO_ENGLISH = _words("de es et")  # foreign words from phrases (de facto, et al.); the plural of a letter

SOUND = 30  # the least Nexus score of an entry that may be used
USELESS = 20  # entries that only Nexus has are left out under this score: one in fifty was ever printed
LONG = 8
USELESS_LONG = 28  # the same for entries of so many letters: they are many, and each is rarely printed
LONGEST = 21  # the most letters of an entry that only Nexus has: no printed grid is wider
SHORT = 5  # fewer letters count against an entry
COMMON = 2.5  # the least Zipf frequency of a word in a phrase
COMMON_PAIR = 4.5  # the same for words of two letters
UNMISTAKABLE = "FUCK"  # no innocent entry contains it
OFFENSIVE_ZIPF = 3.5  # the least Zipf frequency assumed for an offensive word, so that it is found in phrases
PARTIAL = 40  # the most that a part of a phrase, or a form that stands only in text, scores
# Words that mean nothing by themselves; a phrase of nothing else, or that ends in one of OPEN, or that begins in one of
# LEADING before a single word, is a part of another phrase, unless SCOWL has it, or it is in STANDING.
FUNCTION = _words(
    "A AM AN AND ARE AS AT BE BUT BY DO FOR FROM HAD HAS HAVE HE HER HIM HIS I IF IN INTO IS IT ITS ME MY NOT OF ON OR "
    "OUR SHE SO THAN THAT THE THEIR THEM THESE THEY THIS THOSE TO UPON US WAS WE WERE WHAT WHO WITH YOU YOUR"
)
OPEN = _words("AND FOR FROM HIS INTO MY OF OR OUR THAN THE THEIR WITH YOUR")
LEADING = _words("MY OF THE TO")
STANDING = _words(
    "AAA AAAS AMARE AMAT ANAIS ANDOR ANITAS ASIF ASUS BEAME BEIT BESO DOIN DOINA FROMMETOYOU IAM IDO IFNOT INDO "
    "ISINFORIT ISIT ISNOT ISSO ITIS ITSFORYOU KINDOF MYGOD MYWAY NOTSO OFCOURSE OUTOF SOBE SOWHAT THATIS THEBEST THEDA "
    "THEEND THEFUTURE THEMAN THEMIDDLE THENATIONAL THEON THEONE THEPOLICE THEROAD THETOP THEVOICE THEWALL THEWORLD "
    "THISISIT TODO TOYOU WHATHAVEYOU WHATIF WHATISIT WHATOFIT WHATTHE WHOAMI WHOAREYOU"
)
# Possessives, halves of phrases, words of other languages, and faults; and names of things that look like such forms.
FORMS = _words(
    "ANOTHERS ANYBODYS ANYONES AWAYS BEENS BENEFITTED BITLY BROADCASTED CHILDRENS CHILDS DIEM EACHOTHER ELSES "
    "FORECASTED GENTLEMENS GOTS GRAMMER LIFES LUANG MACHINA MORTEM NOTTING NOWS POCUS SANGRE SEVERALS SHUI SIECLE "
    "SOUTHS THEMS TODAYS TONIGHTS TUPPER VANILLI WIFES WISHY WOMANS WOMENS "
    "DE DI DU ES GD IL LE LU NA NP TE TH VE"
)
THINGS = _words(
    "ARBYS BREAKIN CASHIN CHECKIN DENNYS DOIN EATIN EDMUNDS IPADS IPHONES IPODS LEGOS LLOYDS MACYS MICHAELS MISBEHAVIN "
    "MUPPETS NIKES POWERPOINTS REESES SOTHEBYS TRANS WALKIN WALMARTS WENDYS WESTIN"
)
COMMON_WORD = 60
"""The score from which words differ by their frequency no more."""
COMMON_LONG_WORD = 58
"""The same from 8 letters on: there a constructor would rather have a phrase."""
SHORTEST_PHRASE = 4  # shorter entries of two words (in a) are judged as single words are
PRINTED = {90: 4, 80: 3, 50: 1, 41: 2, 42: 2, 43: 2, 44: 2, 47: 2}
"""Points of common words by their Nexus scores."""
LONG_WORD = 7
ENDINGS = {"ING": 5, "LY": 4, "TION": 3, "TIONS": 3, "NESS": 3, "IZE": 3, "IZES": 3, "IZED": 3}
"""Points off a word of 7 letters and more: puzzles have few of these for so many as there are."""
RARE_SIZES = (70,)
RARE = 2
SHORT_WORDS = _words(
    "A I AD AM AN AS AT AX BE BY DJ DO DR EX GO HE HI IF IN IS IT LA LE MA ME MR MS MY NO OF OH ON OR OX PA PI SO ST "
    "TO TV UN UP US WE"
)
"""Words of one or two letters that may be parts of a phrase which no dictionary has."""
UNCLEAR = 8
"""Points off a phrase whose words are not clear."""
UNKNOWN_BRITISH = 40  # the score assumed for a British word that Nexus, an American list, lacks


def scowl_words(scowl: Path, spellings: Iterable[str]) -> Iterator[str]:
    """Yield the words of SCOWL, except upper-case words, possessives, and strings that are not words on their own."""
    for line in _lines(scowl, spellings, CATEGORIES):
        word = line.replace("I'", "i'")  # I'm, I've: upper-case, but not names
        voiced = re.search("[aeiouyà-ÿ]", word) or word in VOICELESS
        if word.islower() and voiced and not word.endswith("'s") and word not in NO_ENGLISH:
            yield word


def _lines(
    scowl: Path, spellings: Iterable[str], categories: Iterable[str], sizes: Iterable[int] = SIZES
) -> Iterator[str]:
    for spelling in spellings:
        for category in categories:
            for size in sizes:
                file = scowl / SHARE / f"dict/scowl/{spelling}-{category}.{size}"
                if file.exists():  # not every size has contractions
                    yield from file.read_text("utf-8").split()


def _is_partial(parts: Sequence[str]) -> bool:
    """Return whether the words of a phrase are a part of another phrase, if SCOWL does not have it."""
    first, *others, last = parts
    return FUNCTION.issuperset(parts) or last in OPEN or (not others and first in LEADING and len(last) > 2)


def _is_form(letters: str, words: Collection[str], names: Collection[str]) -> bool:
    """Return whether an entry that SCOWL lacks is the plural of a name, a possessive, or a participle without its g."""
    stem = letters[:-1]
    possessive = re.search("[^AEIOU]YS$", letters) is not None
    plural = letters[-1] == "S" and (possessive or (stem in names and stem not in words))
    spoken = letters.endswith("IN") and f"{letters}G" in words
    return letters in FORMS or (len(letters) >= SHORT - 1 and (plural or spoken))


def _dictionary(scowl: Path) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the letters of the usual words of SCOWL, of all its names, and of all that it or `STANDING` has."""
    usual = _lines(scowl, AMERICAN + BRITISH, CATEGORIES)
    words, names = (_lines(scowl, AMERICAN + BRITISH, kinds, ALL_SIZES) for kinds in (CATEGORIES, NAMES))
    every_name = THINGS.union(_fold(name) for name in names if not name.endswith("'s"))
    return frozenset(map(_fold, usual)), every_name, STANDING.union(every_name, map(_fold, words))


def word_counts(wordfreq: Path) -> dict[str, float]:
    """Return the number of occurrences of English words in 10**8 words of text, by wordfreq: at least 1."""
    bins = read_bins(wordfreq, "en")
    return {word: 10 ** (8 - index / 100) for index, words in enumerate(bins) for word in words}


def nexus_scores(blacksquare: Path) -> dict[str, int]:
    """Return the entries of the Crossword Nexus list with their scores, except those with a digit."""
    text = (blacksquare / "blacksquare/xwordlist.dict").read_text("utf-8")
    pairs = (line.rpartition(";") for line in text.splitlines())
    scores: dict[str, int] = {}
    for entry, _, score in pairs:
        letters = _fold(entry)
        if len(letters) >= 2 and letters.isalpha() and entry.isalpha() and Alphabet().foreign(letters) is None:
            scores[letters] = max(scores.get(letters, 0), int(score))
    return scores


class Phrases:
    """Splits phrases written without spaces into the commonest words (Viterbi on a unigram model)."""

    def __init__(self, zipf: Mapping[str, float]) -> None:
        self._zipf = {
            word: frequency
            for word, frequency in zipf.items()
            if (len(word) > 2 and frequency >= COMMON)
            or (len(word) == 2 and frequency >= COMMON_PAIR)
            or word in {"A", "I"}
        }
        self._zipf |= {word: max(OFFENSIVE_ZIPF, self._zipf.get(word, 0)) for word in OFFENSIVE_PARTS}
        self._longest = max(map(len, self._zipf))

    def split(self, letters: str) -> list[str]:
        """Return the words of a phrase: the phrase itself if it is a word, an empty list if it cannot be split."""
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(letters) + 1):
            starts = range(max(0, end - self._longest), end)
            ways = [
                (best[start][0] + self._zipf[word] - 9, start)
                for start in starts
                if (word := letters[start:end]) in self._zipf
            ]
            best.append(max(ways, default=(-math.inf, 0)))
        if best[-1][0] == -math.inf:
            return []
        words = []
        end = len(letters)
        while end:
            start = best[end][1]
            words.append(letters[start:end])
            end = start
        return words[::-1]

    def rarest(self, words: Iterable[str]) -> float:
        """Return the Zipf frequency of the rarest word of a phrase."""
        return min(self._zipf[word] for word in words)


def _with_plurals(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_fold(each) for word in words for each in (word, f"{word}s"))


OFFENSIVE = _with_plurals(ENGLISH | ENTRIES)
"""The letters of the offensive words, and of their plurals."""

OFFENSIVE_PARTS = OFFENSIVE - _with_plurals(INNOCENT_PARTS)
"""Those that make a phrase offensive in any company."""

DELICATE = _with_plurals(delicate.ENGLISH)
"""The letters of the delicate words, and of their plurals."""

DELICATE_PARTS = DELICATE - _with_plurals(delicate.INNOCENT_PARTS)
"""Those that make a phrase delicate in any company."""


class Sources(NamedTuple):
    """The sources of the entries and of their scores."""

    scowl: Path
    counts: Mapping[str, float]
    nexus: Mapping[str, int]
    headwords: Headwords
    together: Mapping[str, float]


def constructor_scores(
    sources: Sources, spellings: tuple[str, ...]
) -> tuple[dict[str, int], frozenset[str], frozenset[str]]:
    """Return the entries of a list with their scores, the offensive ones among them, and the delicate ones.

    An entry that only Nexus has keeps its spelling, in capitals, unless a dictionary spells it or it splits into words
    clearly. Words that only the other side of the Atlantic spells so are left out.
    """
    judge = _Judge(sources, spellings)
    offensive = set[str]()
    touchy = set[str]()
    scores = dict[str, int]()
    for letters in judge.list_entries():
        spelling, score, parts = judge.rate(letters)
        least = USELESS
        if len(letters) >= LONG:
            least = USELESS_LONG
        if score < least and letters not in judge.words:
            continue
        scores[spelling] = score
        if letters in OFFENSIVE or UNMISTAKABLE in letters or not OFFENSIVE_PARTS.isdisjoint(parts):
            offensive.add(spelling)
        elif letters in DELICATE or not DELICATE_PARTS.isdisjoint(parts):
            touchy.add(spelling)
    return scores, frozenset(offensive), frozenset(touchy)


class _Judge:
    """Spells and rates the entries of one list."""

    def __init__(self, sources: Sources, spellings: tuple[str, ...]) -> None:
        self._sources = sources
        self._british = spellings == BRITISH
        self._zipf: dict[str, float] = {}
        for word, count in sources.counts.items():
            self._zipf[_fold(word)] = max(self._zipf.get(_fold(word), 0.0), math.log10(count) + 1)
        ranked = sorted(scowl_words(sources.scowl, spellings), key=lambda word: sources.counts.get(word, 0))
        self.words = {_fold(word): word for word in ranked if len(_fold(word)) >= 2}
        self._others = {_fold(word) for word in scowl_words(sources.scowl, AMERICAN if self._british else BRITISH)}
        every_name = _lines(sources.scowl, AMERICAN + BRITISH, NAMES)
        self._names = {_fold(word): word for word in every_name if not word.endswith("'s")}
        self._rare = {_fold(word) for word in _lines(sources.scowl, spellings, CATEGORIES, RARE_SIZES)}
        self._every_word, self._every_name, self._known = _dictionary(sources.scowl)
        self._phrases = Phrases(self._zipf)

    def list_entries(self) -> Iterator[str]:
        """Yield the letters of the entries: words, those of Nexus that are sound, phrases of dictionaries."""
        yield from self.words
        seen = self.words.keys() | self._others
        for letters, score in self._sources.nexus.items():
            if score >= SOUND and len(letters) <= LONGEST and letters not in seen:
                yield letters
        headwords = self._sources.headwords
        for letters in headwords.points:
            absent = self._sources.nexus.get(letters, 0) < SOUND and letters not in seen
            if absent and len(letters) <= LONGEST and self._rate_new(letters) >= PARTIAL:
                yield letters

    def _rate_new(self, letters: str) -> int:
        parts = split_spelling(self._sources.headwords.spellings[letters])
        if not self._others.isdisjoint(parts) or not all(part in self._zipf for part in parts):
            return 0
        return self.rate(letters)[1]

    def rate(self, letters: str) -> tuple[str, int, list[str]]:
        """Return the spelling of an entry, its score, and its words."""
        if letters in self.words:
            return self.words[letters], self._rate_word(letters), [letters]
        if letters in self._names:
            return self._names[letters], self._rate_single(letters), [letters]
        spelling = self._sources.headwords.spellings.get(letters, letters)
        parts = split_spelling(spelling)
        if len(parts) > 1:
            return spelling, self._rate_phrase(letters, parts), parts
        if spelling == letters and len(letters) >= SHORT:
            parts = self._phrases.split(letters) or [letters]
        if len(parts) == 1 or letters in self._known:
            return spelling, self._rate_single(letters), [letters]
        score = self._rate_phrase(letters, parts)
        if all(map(self._is_clear, parts)):
            return spell(parts, self._every_word, self._names), score, parts
        return letters, max(1, score - UNCLEAR), parts

    def _is_clear(self, part: str) -> bool:
        """Return whether letters are a word for sure, and not a piece of a longer one."""
        if len(part) <= 2:
            return part in SHORT_WORDS or part in CONTRACTIONS
        return part in self._every_word or part in self._names or part in CONTRACTIONS

    def _rate_word(self, letters: str) -> int:
        """Return the score of a dictionary word.

        Above `COMMON_WORD`, frequency counts for nothing.
        """
        score = self._rate_single(letters)
        if len(letters) >= LONG:
            score = min(score, COMMON_LONG_WORD)
        elif score == COMMON_WORD:
            score += PRINTED.get(self._sources.nexus.get(letters, 0), 0)
        if len(letters) >= LONG_WORD:
            score -= next((points for ending, points in ENDINGS.items() if letters.endswith(ending)), 0)
        if letters in self._rare:
            score -= RARE
        return max(1, score)

    def _rate_single(self, letters: str) -> int:
        """Return the score of an entry of one word, of which nothing else is known."""
        listed = self._sources.nexus.get(letters, 0)
        frequency = self._zipf.get(letters, 0.0)
        if not listed and frequency and self._british and letters not in self._others:
            listed = UNKNOWN_BRITISH
        x = frequency + 0.3 * (letters in self.words or letters in self._names) - 0.4 * (len(letters) < SHORT)
        if listed >= SOUND:
            x += 2.7 + 0.02 * listed * (listed % 10 == 0)
        score = min(COMMON_WORD, max(1, round(10 * (x - 1.9))))
        if letters in self._every_name or letters in self.words:
            return score
        if _is_form(letters, self._every_word, self._names):
            return min(score, PARTIAL)
        return score

    def _rate_phrase(self, letters: str, parts: Sequence[str]) -> int:
        if len(letters) < SHORTEST_PHRASE:
            return self._rate_single(letters)
        sources = self._sources
        rarest = min(self._zipf.get(part, 0.0) for part in parts)
        score = rate(
            parts, sources.nexus.get(letters, 0), rarest, sources.together.get(letters, 0.0), sources.headwords
        )
        lexical = sources.headwords.points.get(letters, 0) in WIKTIONARY and not FUNCTION.issuperset(parts)
        standing = lexical or letters in self._known
        if not standing and (_is_partial(parts) or _is_form(letters, self._every_word, self._names)):
            return min(score, PARTIAL)
        return score


def find_words(words: Collection[str], sought: Collection[str]) -> frozenset[str]:
    """Return the dictionary words whose letters are sought: those of `OFFENSIVE` or `DELICATE`."""
    return frozenset(word for word in words if _fold(word) in sought)
