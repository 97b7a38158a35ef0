"""The English lists: dictionary words by how common they are, and entries by whether a constructor would print them.

`en` and `en-gb` join three sources: the words of SCOWL; the entries of the Crossword Nexus Collaborative Word List,
which has names and phrases too; the frequencies of wordfreq. The score of an entry is 10 (x - 1.9), from 1 to 100:

    x = 2.7                 if Nexus scores it 30 or more; a lower score means "do not use", or that nobody looked at it
      + 0.02 n              if that score n is a multiple of ten: people gave those; 45, 46, 55, 75… came in bulk
      + z                   its Zipf frequency z: log10 of the number of its occurrences in 10^9 words
      + 0.3                 if it is a word or a name of SCOWL
      + 0.2 m - 0.4 (+ 0.6) if it is a phrase whose rarest word has the Zipf frequency m (and has 8 letters or more)
      - 0.4                 if it has 3 or 4 letters

All weights but three come from a logistic regression, with a constant for each length, on whether an entry was printed
in puzzles of even years since 1995. The frequency weighs more than in the regression (0.3 to 0.6), and 3 and 4 letters
count against an entry, because short names are printed for their letters and not for their own sake. Long phrases weigh
more, because each of them is rarely printed. README.md has the results for odd years.

Some entries score 40 at most, and so are not strong: parts of phrases (INTHE), and forms that stand only in text, whose
frequency they have (MIRANDAS, TODAYS, LOOKIN). Delicate words score 20 at most.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import delicate
from frequencies import read_bins
from offensive import ENGLISH, ENTRIES, INNOCENT_PARTS

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
LONGEST = 21  # the most letters of an entry that only Nexus has: no printed grid is wider
PHRASE_LENGTH = 8
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


def constructor_scores(
    scowl: Path, spellings: tuple[str, ...], counts: Mapping[str, float], nexus: Mapping[str, int]
) -> tuple[dict[str, int], frozenset[str], frozenset[str]]:
    """Return the entries of a list with their scores, the offensive ones among them, and the delicate ones.

    Entries that only Nexus has keep its spelling, in capitals. Words that only the other side of the Atlantic spells so
    are left out.
    """
    zipf: dict[str, float] = {}
    for word, count in counts.items():
        zipf[_fold(word)] = max(zipf.get(_fold(word), 0.0), math.log10(count) + 1)
    spelt = {_fold(word): word for word in sorted(scowl_words(scowl, spellings), key=lambda word: counts.get(word, 0))}
    spelt = {letters: word for letters, word in spelt.items() if len(letters) >= 2}
    others = {_fold(word) for word in scowl_words(scowl, AMERICAN if spellings == BRITISH else BRITISH)}
    names = {_fold(word) for word in _lines(scowl, AMERICAN + BRITISH, NAMES) if not word.endswith("'s")}
    only_nexus = (entry for entry, score in nexus.items() if score >= SOUND and len(entry) <= LONGEST)
    spelt |= {entry: entry for entry in only_nexus if entry not in spelt and entry not in others}
    words, every_name, known = _dictionary(scowl)
    phrases = Phrases(zipf)
    offensive = set[str]()
    touchy = set[str]()
    scores = dict[str, int]()
    for letters, word in spelt.items():
        listed = nexus.get(letters, 0)
        frequency = zipf.get(letters, 0.0)
        if not listed and frequency and spellings == BRITISH and letters not in others:
            listed = UNKNOWN_BRITISH
        parts = phrases.split(letters) if word.isupper() else [letters]
        x = frequency + 0.3 * (word.islower() or letters in names) - 0.4 * (len(letters) < SHORT)
        if listed >= SOUND:
            x += 2.7 + 0.02 * listed * (listed % 10 == 0)
        if len(parts) > 1:
            x += 0.2 * phrases.rarest(parts) - 0.4 + 0.6 * (len(letters) >= PHRASE_LENGTH)
        score = min(100, max(1, round(10 * (x - 1.9))))
        if word.isupper() and score < USELESS:
            continue
        part = len(parts) > 1 and letters not in known and _is_partial(parts)
        if part or (word.isupper() and letters not in every_name and _is_form(letters, words, names)):
            score = min(score, PARTIAL)
        scores[word] = score
        if letters in OFFENSIVE or UNMISTAKABLE in letters or not OFFENSIVE_PARTS.isdisjoint(parts):
            offensive.add(word)
        elif letters in DELICATE or not DELICATE_PARTS.isdisjoint(parts):
            touchy.add(word)
    return scores, frozenset(offensive), frozenset(touchy)


def find_words(words: Collection[str], sought: Collection[str]) -> frozenset[str]:
    """Return the dictionary words whose letters are sought: those of `OFFENSIVE` or `DELICATE`."""
    return frozenset(word for word in words if _fold(word) in sought)
