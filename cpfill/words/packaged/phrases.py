"""English phrases, and names of several words: how they are spelt, and how gladly a constructor prints them.

No frequency list counts phrases, so other sources judge them. The score of a phrase, from 1 to 75, is a sum of points:

    21
    + 24 to 3     by its Nexus score (`NEXUS`); - 2 if Nexus lacks it
    + 20 or 17    if it is a headword of several WikDict dictionaries, which come from Wiktionary, or of one
      or 14 or 8  or else of WordNet, 14 for a name; 0 for a species, a substance or an adjective with a hyphen
      or 6        or else a gloss of JMdict
      or 12 to 4  or else a form of one of these: a plural, a tense, with another possessive or article
    + 6           if Wiktionary has it or its headword, or WordNet as a name, and Nexus scores it 50, 80 or 90
    + m - 4       where m is the Zipf frequency of its rarest word, from 2 to 6
    + 3           if its two words stand together e⁷ times more often than they would by chance
    - 4 or 10     if it has fewer than 8 letters; 10 if it is neither a headword nor a form
    - 8 (n - 1)   if its n words end in a preposition that needs another word (in order to)
    - 10          if it consists of a preposition and a word (at leisure), or begins with "be"
    - 20          if it names a taxon (genus Rosa)

README.md says how the points were chosen, and compares the scores with the puzzles of other years.
"""

from __future__ import annotations

import gzip
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.words.spelling import split_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

SHARE = "usr/share"
_fold = Alphabet().fold

BASE = 21
NEXUS = {90: 24, 80: 24, 50: 19, 41: 21, 42: 21, 43: 21, 44: 21, 47: 21, 30: 12, 40: 12, 60: 12, 70: 12, 45: 9}
"""Points by the Nexus score, from the share of entries with that score that puzzles of even years printed."""
NEXUS_OTHER = 3
NEXUS_NONE = -2
CHOSEN = frozenset({50, 80, 90})
"""The Nexus scores that people gave to what they would print."""
WIKTIONARY = (17, 20)  # a headword of one dictionary, of several
WORDNET = 8
WORDNET_NAME = 14
WORDNET_SPECIAL = 0
SPECIAL = frozenset({"05", "20", "27"})
"""The lexicographers' files of animals, plants and substances."""
GLOSS = 6
FORM = {WIKTIONARY[0]: 12, WIKTIONARY[1]: 12, WORDNET_NAME: 9, WORDNET: 7, GLOSS: 4}
"""Points of a form by those of its headword."""
BOTH = 6
TOGETHER = 7.0
SHORT = 8  # fewer letters count against a phrase
MOST = 75
TAXA = frozenset(
    ["genus", "family", "order", "suborder", "class", "subclass", "division", "phylum", "tribe", "superfamily"]
)

PREPOSITIONS = frozenset(["AT", "BY", "FOR", "FROM", "OF", "WITH"])
OPEN_PREPOSITIONS = frozenset(["AS", "FOR", "INTO", "OF", "THAN", "TO", "UPON", "WITH"])
POSSESSIVES = frozenset(["MY", "YOUR", "HIS", "HER", "OUR", "THEIR", "ITS"])
ARTICLES = frozenset(["A", "AN", "THE", "TO", "BE"])
CONTRACTIONS = {
    "ARENT": "aren't", "CANT": "can't", "COULDNT": "couldn't", "DIDNT": "didn't", "DOESNT": "doesn't", "DONT": "don't",
    "HAVENT": "haven't", "HES": "he's", "IM": "I'm", "ISNT": "isn't", "ITLL": "it'll", "IVE": "I've", "SHES": "she's",
    "THATS": "that's", "THERES": "there's", "WASNT": "wasn't", "WHATS": "what's", "WHOS": "who's", "WONT": "won't",
    "WOULDNT": "wouldn't", "YOULL": "you'll", "YOURE": "you're", "YOUVE": "you've",
}  # fmt: skip
_IRREGULAR = """
BE is are was were; BEGIN began; BEND bent; BLOW blew; BREAK broke; BRING brought; BUY bought; CATCH caught
CHILD children; COME came; DIG dug; DO did does; DRAW drew; DRIVE drove; FALL fell; FEEL felt; FOOT feet; GET got
GIVE gave; GO went gone; HANG hung; HAVE had has; HOLD held; KEEP kept; KNIFE knives; LAY laid; LEAD led; LEAVE left
LIE lay; LIGHT lit; LOSE lost; MAKE made; MAN men; MEET met; MOUSE mice; PAY paid; RIDE rode; RISE rose; RUN ran
SAY said; SEE saw seen; SELL sold; SEND sent; SHOOT shot; SING sang; SIT sat; SLEEP slept; SPEND spent; STAND stood
STICK stuck; STRIKE struck; SWEAR swore; TAKE took taken; TEAR tore; TELL told; THROW threw; TOOTH teeth; WEAR wore
WIFE wives; WOMAN women
"""
LEMMAS = {
    form.upper(): headword
    for headword, *forms in (entry.split() for entry in re.split("[;\n]", _IRREGULAR.strip()))
    for form in forms
}
"""The headwords of irregular forms."""


@dataclass
class Headwords:
    """The headwords of dictionaries by their letters: their spellings, and the points of those of several words."""

    spellings: dict[str, str] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)

    def add(self, spelling: str, points: int) -> None:
        """Add a headword; the first spelling of its letters stands, and the most points."""
        letters = _fold(spelling)
        if not (letters.isascii() and letters.isalpha()):
            return
        self.spellings.setdefault(letters, spelling)
        if len(split_spelling(spelling)) > 1:
            self.points[letters] = max(points, self.points.get(letters, 0))

    def find_form(self, parts: Sequence[str]) -> int:
        """Return the points of the headword of which a phrase is a form, or 0."""
        return max((self.points.get(letters, 0) for letters in _list_lemmas(parts)), default=0)


def split_spelling(spelling: str) -> list[str]:
    """Return the words of a spelling that have letters, folded."""
    return list(filter(None, map(_fold, split_words(spelling))))


def read_headwords(wordnet: Path, wikdicts: Sequence[Path], edict: Path) -> Headwords:
    """Return the headwords of WordNet and of five English dictionaries of WikDict, and the glosses of JMdict."""
    found = Headwords()
    in_dictionaries = Counter(chain.from_iterable(set(_list_wikdict(each)) for each in wikdicts))
    languages: Counter[str] = Counter()
    for spelling, count in in_dictionaries.items():
        languages[_fold(spelling)] = max(languages[_fold(spelling)], count)
    for spelling in sorted(in_dictionaries, key=lambda each: (-in_dictionaries[each], each)):
        found.add(spelling, WIKTIONARY[languages[_fold(spelling)] > 1])
    for spelling, points in _list_wordnet(wordnet):
        found.add(spelling, points)
    for spelling in sorted(_list_glosses(edict)):
        found.add(spelling, GLOSS)
    return found


def _clean(spelling: str) -> str:
    """Return a spelling without signs other than hyphens and apostrophes; *Q.E.D.* is one word."""
    text = re.sub(r"[^\w\s'\-]", " ", spelling.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace(".", ""))
    return " ".join(text.split()).strip("'-")


def _list_wordnet(wordnet: Path) -> Iterator[tuple[str, int]]:
    """Yield each headword with its points: few for a species, a substance, or an adjective with a hyphen."""
    for kind in ("adj", "adv", "noun", "verb"):
        for line in (wordnet / SHARE / f"wordnet/data.{kind}").read_text("utf-8").splitlines():
            if line.startswith(" "):  # the licence
                continue
            fields = line.split()
            for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                spelling = _clean(re.sub(r"\(\w+\)$", "", word).replace("_", " "))
                special = fields[1] in SPECIAL or (kind == "adj" and "-" in spelling)
                if special:
                    yield spelling, WORDNET_SPECIAL
                elif spelling.istitle():
                    yield spelling, WORDNET_NAME
                else:
                    yield spelling, WORDNET


def _list_wikdict(dictionary: Path) -> Iterator[str]:
    (packed,) = (dictionary / SHARE / "dictd").glob("*.dict.dz")
    for line in gzip.decompress(packed.read_bytes()).decode().splitlines():
        if headword := re.match(r"(\S.{,40}?)( /.*/)? <\w+>", line):
            yield _clean(headword[1])


def _list_glosses(edict: Path) -> Iterator[str]:
    for line in (edict / SHARE / "edict/edict").read_text("euc_jp", errors="replace").splitlines()[1:]:
        for gloss in line.split("/")[1:]:
            text = _clean(re.sub(r"\(.*?\)", "", gloss))
            text = re.sub("^(to|an?|the) ", "", text)
            if len(text) < 40 and " " in text and text.isascii():
                yield text


def read_bigrams(symspellpy: Path) -> dict[str, float]:
    """Return how much more often two words stand together than by chance, as a natural logarithm, by their letters.

    This is the pointwise mutual information (Church and Hanks, Word association norms, 1990).
    """
    folder = symspellpy / "symspellpy"
    words = {}
    for line in _read_lines(folder / "frequency_dictionary_en_82_765.txt"):
        word, count = line.split()
        words[word] = int(count)
    total = sum(words.values())
    found: dict[str, float] = {}
    for line in _read_lines(folder / "frequency_bigramdictionary_en_243_342.txt"):
        first, second, count = line.split()
        if first in words and second in words:
            letters = _fold(first) + _fold(second)
            ratio = int(count) * total / (words[first] * words[second])
            found[letters] = max(math.log(ratio), found.get(letters, -math.inf))
    return found


def _read_lines(file: Path) -> list[str]:
    return file.read_text("utf-8-sig").splitlines()


def _list_stems(part: str) -> Iterator[str]:
    """Yield the words of which a word may be a regular or a listed form, itself excepted."""
    if part in LEMMAS:
        yield LEMMAS[part]
    if part.endswith("S"):
        yield part[:-1]
    if part.endswith("ES"):
        yield part[:-2]
    if part.endswith("IES"):
        yield f"{part[:-3]}Y"
    for ending in ("ED", "ING"):
        stem = part.removesuffix(ending)
        if stem != part and len(stem) > 2:
            yield stem
            yield f"{stem}E"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def _list_lemmas(parts: Sequence[str]) -> Iterator[str]:
    """Yield the letters of the phrases of which these words may be a form."""
    head = "".join(parts[:-1])
    rest = "".join(parts[1:])
    firsts = list(_list_stems(parts[0]))
    for first in firsts:
        yield first + rest
    for last in _list_stems(parts[-1]):
        yield head + last
    if parts[0] in ARTICLES:
        yield rest
    for at, part in enumerate(parts[1:], start=1):
        if part in POSSESSIVES:
            general = "".join(parts[1:at]) + "ONES" + "".join(parts[at + 1 :])
            for first in (parts[0], *firsts):
                yield first + general


def rate(parts: Sequence[str], nexus: int, rarest: float, together: float, headwords: Headwords) -> int:
    """Return the score of a phrase of these words.

    `nexus` is its score in that list or 0, `rarest` the Zipf frequency of its rarest word, and `together` the logarithm
    that `read_bigrams` gives it.
    """
    letters = "".join(parts)
    headword = headwords.points.get(letters, 0)
    form = headwords.find_form(parts)
    points = BASE + max(headword, FORM.get(form, 0)) + min(6.0, max(2.0, rarest)) - 4
    if nexus:
        points += NEXUS.get(nexus, NEXUS_OTHER)
    else:
        points += NEXUS_NONE
    if nexus in CHOSEN and max(headword, form) >= WORDNET_NAME:
        points += BOTH
    if together >= TOGETHER:
        points += 3
    if len(letters) < SHORT:
        points -= 4
        if not (headword or form):
            points -= 6
    if parts[-1] in OPEN_PREPOSITIONS:
        points -= 8 * (len(parts) - 1)
    if parts[0] == "BE" or (len(parts) == 2 and parts[0] in PREPOSITIONS):
        points -= 10
    if headwords.spellings.get(letters, "").partition(" ")[0] in TAXA:
        points -= 20
    return min(MOST, max(1, round(points)))


def spell(parts: Sequence[str], words: Collection[str], names: Collection[str]) -> str:
    """Return the spelling of a phrase that no dictionary has: names that are no words have a capital."""
    spelt = []
    for part in parts:
        if part in CONTRACTIONS:
            spelt.append(CONTRACTIONS[part])
        elif part == "I" or (part in names and part not in words):
            spelt.append(part.capitalize())
        else:
            spelt.append(part.lower())
    return " ".join(spelt)
