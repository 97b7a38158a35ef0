"""Inflected French words: their headwords, and clues in the same form."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.alphabet import Alphabet

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDINGS = {
    "imperfect": "ais ais ait ions iez aient",
    "future": "ai as a ons ez ont",
    "conditional": "ais ais ait ions iez aient",
    "subjunctive": "e es e ions iez ent",
}
_PAST = {
    "a": "ai as a âmes âtes èrent",
    "i": "is is it îmes îtes irent",
    "u": "us us ut ûmes ûtes urent",
    "n": "ns ns nt nmes ntes nrent",
}
_PAST_SUBJUNCTIVE = {
    "a": "asse asses ât assions assiez assent",
    "i": "isse isses ît issions issiez issent",
    "u": "usse usses ût ussions ussiez ussent",
    "n": "nsse nsses nt nssions nssiez nssent",
}
_GENDERS = {"participle": "", "participle_feminine": "e", "participle_plural": "s", "participle_feminine_plural": "es"}
_PRONOUNS = ("me", "te", "se", "nous", "vous", "se")
_PERSONS = (2, 5, 0, 1, 3, 4)
"""The persons, the third first: a clue is written for the first of those whose forms are alike."""

_INFINITIVE = re.compile(r"(?:(s'|se )?)([a-zà-ÿœ]+(?:er|ir|re))\b", re.IGNORECASE)
_NEXT = re.compile(r"(, (?:et |ou )?| et | ou )(s'|se )?([a-zà-ÿœ]+(?:er|ir|re))\b")
_OWN = re.compile(r"\b(?:son|sa|ses)\b")
_THEY = 5


class Form(NamedTuple):
    """A form of a word: its kind, and the person of a verb, from 0 to 5."""

    kind: str
    person: int = 0

    @property
    def group(self) -> str:
        """The forms of which a word needs one alone: FINIS is of the present and of the past."""
        if self.kind in _ENDINGS or self.kind in {"present", "past", "past_subjunctive"}:
            return "finite"
        return self.kind


class _Family(NamedTuple):
    """Verbs that are conjugated alike: the end of their infinitives, and of each form."""

    end: str
    forms: dict[Form, str]


@cache
def _read_data() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "french.toml").read_text("utf-8"))


@cache
def _read_adjective() -> re.Pattern[str]:
    told = str(_read_data()["adjective"]).replace("\n", "")
    return re.compile(rf"(?:{told})\b", re.IGNORECASE)


@cache
def _list_families() -> list[_Family]:
    """Return the families, those with the longest ends first."""
    lines = str(_read_data()["verbs"]).strip().split("\n")
    families = [_parse_family(line) for line in lines]
    return sorted(families, key=lambda family: -len(family.end))


def _parse_family(line: str) -> _Family:
    end, present, imperfect, future, past, participle, *rest = (field.strip() for field in line.split("|"))
    forms = {Form("present", person): form for person, form in enumerate(present.split())}
    stem, vowel = past[:-1], past[-1]
    subjunctive = rest[0] if rest else forms[Form("present", 5)].removesuffix("ent")
    tables = {
        "imperfect": (imperfect, _ENDINGS["imperfect"]),
        "future": (future, _ENDINGS["future"]),
        "conditional": (future, _ENDINGS["conditional"]),
        "past": (stem, _PAST[vowel]),
        "subjunctive": (subjunctive, _ENDINGS["subjunctive"]),
        "past_subjunctive": (stem, _PAST_SUBJUNCTIVE[vowel]),
    }
    for kind, (begin, endings) in tables.items():
        for person, ending in enumerate(endings.split()):
            forms[Form(kind, person)] = begin + ending
    forms[Form("gerund")] = f"{imperfect}ant"
    for kind, ending in _GENDERS.items():
        forms[Form(kind)] = participle + ending
    return _Family(end, forms)


@cache
def _index_endings() -> dict[str, list[tuple[str, Form]]]:
    """Return the forms with each folded ending, each with the folded end of the infinitive."""
    fold = Alphabet().fold
    found: dict[str, list[tuple[str, Form]]] = {}
    for family in _list_families():
        ordered = sorted(family.forms, key=lambda form: _PERSONS.index(form.person))
        for form in ordered:
            found.setdefault(fold(family.forms[form]), []).append((fold(family.end), form))
    return found


def list_forms(word: str) -> Iterator[tuple[str, Form]]:
    """Yield the folded words of which a folded word may be a form, and that form."""
    for head, kind in _list_noun_forms(word):
        yield head, Form(kind)
    endings = _index_endings()
    for at in range(len(word) + 1):
        for end, form in endings.get(word[at:], ()):
            for stem in _vary_stem(word[:at], end):
                if _find_family(stem + end) == end:
                    yield stem + end, form


def _list_noun_forms(word: str) -> Iterator[tuple[str, str]]:
    """Yield the words of which a word may be the plural, the feminine or the plural of the feminine."""
    for ending, of_head, kind in _read_data()["endings"]:
        if word.endswith(ending):
            yield word.removesuffix(ending) + of_head, kind
        if kind == "feminine" and word.endswith(f"{ending}S"):
            yield word.removesuffix(f"{ending}S") + of_head, "feminine_plural"


def _vary_stem(stem: str, end: str) -> Iterator[str]:
    """Yield the stems of the infinitive for a stem: MANGE of MANGEAIT, APPELL of APPELLE, PAI of PAIE."""
    yield stem
    if end != "ER" or len(stem) < 3:
        return
    if stem.endswith("GE"):
        yield stem[:-1]
    if stem.endswith("I"):
        yield f"{stem[:-1]}Y"
    if stem[-1] == stem[-2] and stem[-1] in "LT":
        yield stem[:-1]


@cache
def _list_ends() -> list[str]:
    return [Alphabet().fold(family.end) for family in _list_families()]


def _find_family(infinitive: str) -> str | None:
    """Return the folded end of the family of a folded infinitive."""
    return next((end for end in _list_ends() if infinitive.endswith(end)), None)


def conjugate(infinitive: str, form: Form) -> str | None:
    """Return a form of a verb in lower case, or `None` if its family is not known."""
    family = next((each for each in _list_families() if infinitive.endswith(each.end)), None)
    if family is None:
        return None
    stem = infinitive.removesuffix(family.end)
    ending = family.forms[form]
    if family.end == "er":
        stem = _spell_stem(stem, ending, infinitive)
    return stem + ending


def _spell_stem(stem: str, ending: str, infinitive: str) -> str:
    """Return the stem of a verb in -er as it is written before an ending."""
    if ending[0] in "aâo":
        if stem.endswith("g"):
            return f"{stem}e"
        if stem.endswith("c"):
            return f"{stem[:-1]}ç"
    mute = ending in {"e", "es", "ent"}
    if not mute and not ending.startswith("er"):
        return stem
    if stem.endswith(("oy", "uy")):
        return f"{stem[:-1]}i"
    if infinitive in str(_read_data()["doubling"]).split():
        return stem + stem[-1]
    return re.sub("[eé]([bcdfgjklmnpqrstvz]|[bcdfgptv][lr])$" if mute else "e([bcdfgjklmnpqrstvz])$", r"è\1", stem)


def reword(clue: str, form: Form) -> str:
    """Return a clue of a headword as a clue of one of its forms, or an empty text if its sense has no such form."""
    first = _INFINITIVE.match(clue)
    told: str = _read_data()["told"][form.kind]
    if form.kind in {"plural", "feminine", "feminine_plural"}:
        if first or (form.kind != "plural" and not _read_adjective().match(clue)):
            return ""
        return _agree(clue, form.kind, told)
    if first is None:
        return ""
    if form.kind in _GENDERS:
        return f"{clue}, {told}"
    begun = _conjugate_found(first[1], first[2], form)
    if begun is None:
        return f"{clue}, {told}"

    def go_on(found: re.Match[str]) -> str:
        verb = _conjugate_found(found[2], found[3], form)
        return found[0] if verb is None else found[1] + verb

    rest = _NEXT.sub(go_on, clue[first.end() :])
    if form.person == _THEY:
        rest = _OWN.sub(lambda found: "leurs" if found[0] == "ses" else "leur", rest)
    return begun[0].upper() + begun[1:] + rest


def _conjugate_found(reflexive: str | None, infinitive: str, form: Form) -> str | None:
    """Return a form of a verb with its pronoun, if it is reflexive."""
    verb = conjugate(infinitive.lower(), form)
    if verb is None or not reflexive:
        return verb
    pronoun = _PRONOUNS[form.person]
    if form.kind == "gerund":
        pronoun = "se"
    elided = verb[0] in "aâeéèêiîoôuûœ" or (verb[0] == "h" and reflexive.endswith("'"))
    if pronoun.endswith("e") and elided:
        return f"{pronoun[:-1]}'{verb}"
    return f"{pronoun} {verb}"


_AGREEING = re.compile(r"(Relati)f\b|(Propr)e\b|(Originair)e\b|(Spécialist)e\b|(Semblabl)e\b|(Capabl)e\b")
_ENDS = {"plural": ("fs", "es"), "feminine": ("ve", "e"), "feminine_plural": ("ves", "es")}


def _agree(clue: str, kind: str, told: str) -> str:
    """Return the clue of a noun or an adjective for another number or gender."""
    found = _AGREEING.match(clue)
    if found is None:
        return f"{clue}, {told}"
    stem = found[found.lastindex or 0]
    end = _ENDS[kind][0 if stem == "Relati" else 1]
    return stem + end + clue[found.end() :]
