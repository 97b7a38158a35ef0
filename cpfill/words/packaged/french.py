"""The packaged French list: the forms of a spelling dictionary, its names, and their scores.

A score says whether a constructor would print the entry: 50 and over yes, 40 to 49 if nothing better fits, under 40 no.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from frequencies import read_bins

from cpfill.base.alphabet import Alphabet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

SHARE = "usr/share"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Form(NamedTuple):
    """A word of a dictionary: a form of one of its entries; `literary` marks forms found only in old novels."""

    spelling: str
    entry: str
    literary: bool = False

    @property
    def name(self) -> bool:
        """Whether it is a name or an acronym: Paris, ADN."""
        return self.entry[0].isupper()


# Parts of speech that puzzles do not use: prefixes and suffixes, Roman numerals, faults, signs.
NO_WORDS = _words("po:pfx po:sfx po:nbro po:err po:ponc po:sign po:div")
NEEDAFFIX, NOSUGGEST, KEEPCASE = "()", "--", "||"  # as the .aff declares them
# Symbols, abbreviations and fragments of Latin that the dictionary does not mark as such.
NO_FRENCH = _words(
    "ab ac ad al av avr bibl cetera cf chap circ cit coll conf cosh cotan dei div dpi déc env etc fig févr hab ibid "
    "ibn id janv juil litt ln nov oct op pt pts rel réf sinh sui suppl tanh trad tél ud vs éd étym"
)
# Parts of names that are not names on their own, foreign words that are counted as names, abbreviations.
NO_NAMES = _words(
    "Angeles Alt ASi At Cie City Ctrl Drs Éts Faso FAST Free Gogh HIP Hong Kong Los Maj Mgr Mill Mmes Mr Mrs NDLR NdT "
    "Penh Prs Rica Rico ROS San São Sri St Vve Will Yes"
)
# The prefixes of units in daily use; the dictionary has all from yotta to yocto.
MULTIPLES = ("", "giga", "méga", "kilo", "hecto", "déca", "déci", "centi", "milli")
# Parts of speech of forms found only in old novels: passé simple, imparfait du subjonctif. A form that is also a
# present or an imparfait is not literary.
LITERARY = _words("po:ipsi po:simp")
PRESENT = _words("po:ipre po:spre po:iimp")
# The part of its entry's score that a form, or a literary form, has at least.
INHERITED = 1 / 2
INHERITED_LITERARY = 1 / 4
# The parameters below were chosen by hand; README.md says from which sources.
# The Zipf frequency at which an entry scores 50, and the steepness of the curve there: 20 points per factor of ten.
KNOWN = 1.75
STEEPNESS = 0.8
# Inflected forms and names reach 50 at a frequency higher by this much, short words, which are few, at a lower one.
INFLECTED = 0.4
NAME = 1.4
SHORT = 1.0
SHORT_LETTERS = 3  # the most letters of a short word
# A word with hyphens is assumed to be rarer than its rarest part by this much: wordfreq counts only the parts.
COMPOUND = 2.75


class Affix(NamedTuple):
    """A rule of a hunspell .aff: if `condition` matches, remove `strip`, attach `add`, and continue with `flags`."""

    prefix: bool
    strip: str
    add: str
    flags: str
    condition: re.Pattern[str]
    literary: bool

    def apply(self, stem: str) -> str | None:
        """Return the stem with the affix, or `None` if the rule does not apply."""
        if not self.condition.search(stem):
            return None
        if self.prefix:
            return self.add + stem.removeprefix(self.strip)
        return stem.removesuffix(self.strip) + self.add


def _pairs(flags: str) -> list[str]:  # two characters each, by "FLAG long" in the .aff
    return [flags[i : i + 2] for i in range(0, len(flags), 2)]


def read_affixes(aff: str) -> dict[str, list[Affix]]:
    """Return the rules of an .aff by flag, without elisions (l'ami), attached pronouns (vas-y), and rare multiples."""
    rules = defaultdict(list)
    for line in aff.splitlines():
        kind, *fields = line.split() or [""]
        if kind not in ("PFX", "SFX") or len(fields) < 4:  # another option, or the header of a class
            continue
        flag = fields[0]
        add, _, flags = fields[2].partition("/")
        condition = fields[3]
        strip = fields[1].replace("0", "")  # 0 stands for nothing
        add = add.replace("0", "")
        prefix = kind == "PFX"
        if add not in MULTIPLES if prefix else {"'", "-"}.intersection(add):
            continue
        pattern = re.compile(f"^{condition}" if prefix else f"{condition}$")
        literary = bool(LITERARY.intersection(fields)) and not PRESENT.intersection(fields)
        rules[flag].append(Affix(prefix, strip, add, flags, pattern, literary))
    return rules


def expand(form: Form, flags: str, rules: Mapping[str, list[Affix]]) -> Iterator[Form]:
    """Yield all forms of a stem: itself, unless it needs an affix, and those that the rules of its flags derive."""
    if NEEDAFFIX not in _pairs(flags):
        yield form
    for flag in _pairs(flags):
        for affix in rules.get(flag, ()):
            if spelling := affix.apply(form.spelling):
                literary = form.literary or affix.literary
                yield from expand(form._replace(spelling=spelling, literary=literary), affix.flags, rules)


def french_words(hunspell: Path) -> Iterator[Form]:
    """Yield all forms of the dictionary's entries, except those that are not words on their own.

    Upper-case entries are names and acronyms. KEEPCASE is ignored for them, because upper case is their spelling.
    """
    rules = read_affixes((hunspell / SHARE / "hunspell/fr.aff").read_text("utf-8"))
    entries = (hunspell / SHARE / "hunspell/fr.dic").read_text("utf-8").splitlines()[1:]
    for entry in entries:
        head, *tags = entry.split()
        stem, _, flags = head.partition("/")
        unwanted = {NOSUGGEST, KEEPCASE} if stem.islower() else {NOSUGGEST}
        if NO_WORDS.intersection(tags) or unwanted.intersection(_pairs(flags)):
            continue
        if stem.islower() or stem[0].isupper():
            forms = expand(Form(stem, stem), flags, rules)
            yield from (form for form in forms if form.spelling not in NO_FRENCH | NO_NAMES)


def all_forms(forms: Collection[Form], entries: Collection[str]) -> frozenset[str]:
    """Return the letters of all forms of some entries, offensive or delicate.

    If such a form has the letters of another entry (chia), all forms of that entry are innocent.
    """
    fold = Alphabet().fold
    banned = {fold(form.spelling) for form in forms if form.entry in entries}
    shared = banned - set(map(fold, entries))
    return frozenset(banned - {fold(form.spelling) for form in forms if fold(form.entry) in shared})


def french_frequencies(wordfreq: Path) -> dict[str, float]:
    """Return the Zipf frequency of French words in eight kinds of text: log10 of their number in 10**9 words."""
    bins = read_bins(wordfreq, "fr")
    return {word: 9 - index / 100 for index, words in enumerate(bins) for word in words}


def french_scores(forms: Iterable[Form], frequencies: Mapping[str, float]) -> dict[str, int]:
    """Return the score of each word, with one spelling for words of the same letters.

    The score is a logistic curve over the Zipf frequency. It is 50 at `KNOWN`, at a higher frequency for inflected
    forms and names, at a lower one for short words. A word with hyphens that was not counted is judged by its rarest
    part. Any other word that was not counted scores 1; a name that was not counted is left out. A form has at least a
    part (`INHERITED`) of the best score among its entry and the forms of no other entry. A frequency counts only for a
    spelling of the dictionary, accents included: "real" is Spanish, not "réal". If several spellings have the same
    letters (cote, côte, côté), the commonest word is chosen; if none was counted, the one with accents.
    """
    alphabet = Alphabet()
    forms = list(forms)
    spelt = {plain(form.spelling) for form in forms}
    zipf: dict[str, float] = {}
    any_zipf: dict[str, float] = {}  # of words that the dictionary lacks, too: anglo
    for word, frequency in frequencies.items():
        letters = alphabet.fold(word)
        for known_as in [zipf, any_zipf] if plain(word) in spelt else [any_zipf]:
            known_as[letters] = max(known_as.get(letters, 0), frequency)
    chosen: dict[str, Form] = {}
    entries: defaultdict[str, dict[str, float]] = defaultdict(dict)  # by entry, the parts that its forms inherit
    heads: set[str] = set()
    for form in sorted(forms, key=lambda form: (not form.name, frequencies.get(form.spelling, 0), form.spelling)):
        letters = alphabet.fold(form.spelling)
        parts = [any_zipf.get(alphabet.fold(part), 0) for part in form.spelling.split("-")]
        if letters not in zipf and len(parts) > 1 and min(parts) > COMPOUND and not form.name:
            zipf[letters] = min(parts) - COMPOUND
        if len(letters) >= 2 and alphabet.foreign(letters) is None and not (form.name and letters not in zipf):
            chosen[letters] = form
            if not form.name:
                entry = alphabet.fold(form.entry)
                part = INHERITED_LITERARY if form.literary else INHERITED
                entries[entry][letters] = max(part, entries[entry].get(letters, 0))
                heads.update({letters} & {entry})
    own = {
        letters: round(
            100 / (1 + math.exp(STEEPNESS * (known(letters, chosen[letters].name, letters in heads) - zipf[letters])))
        )
        if letters in zipf
        else 1
        for letters in chosen
    }
    score = dict(own)
    shared = Counter(letters for inflected in entries.values() for letters in inflected)
    for entry, inflected in entries.items():
        best = max((own[letters] for letters in inflected if shared[letters] == 1 or letters == entry), default=1)
        for letters, part in inflected.items():
            score[letters] = max(score[letters], round(best * part))
    return {form.spelling: score[letters] for letters, form in chosen.items()}


def plain(spelling: str) -> str:
    """Return a spelling with its accents, but without features that corpora vary: capitals, œ, hyphens."""
    return re.sub("[-'\u2019]", "", spelling.lower()).replace("œ", "oe").replace("æ", "ae")


def known(letters: str, name: bool, head: bool) -> float:
    """Return the Zipf frequency at which a word scores 50: a name, an entry (`head`), or an inflected form."""
    if name:
        return KNOWN + NAME
    return KNOWN + (0 if head else INFLECTED) - (SHORT if len(letters) <= SHORT_LETTERS else 0)
