"""Inflected English words: their headwords, and clues in the same form."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each ending, what the headword has in its place, and the form. A doubled consonant is one in the headword.
_ENDINGS = (
    *(("S", "", "s"), ("ES", "", "s"), ("IES", "Y", "s"), ("VES", "F", "s"), ("VES", "FE", "s")),
    *(("ED", "", "past"), ("D", "", "past"), ("IED", "Y", "past")),
    *(("ING", "", "ing"), ("ING", "E", "ing"), ("YING", "IE", "ing")),
    *(("ER", "", "more"), ("R", "", "more"), ("IER", "Y", "more")),
    *(("EST", "", "most"), ("ST", "", "most"), ("IEST", "Y", "most")),
)
_DOUBLED = re.compile(r"([BDGKLMNPRTVZ])\1$")
_ADJECTIVE = re.compile(
    r"(?:of|in|on|to|at|by|with|without|having|being|not|no|capable|characterized|causing|relating|pertaining|able|very"
    r"|lacking|full|free|more|most|less|marked|affected|suitable|likely|extremely|so|showing|belonging|based|away|outside|inside|near|under|over)\b|\w+(?:ly|ed)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile("[A-Za-z]+")
_AND = re.compile(r"(, (?:and |or )?| and | or )([a-z]{1,30})\b")
_AGREES = re.compile(r"\b(that|which|who) (is|has|does|was|[a-z]{1,30}[^s\W]s)\b")
_AGREES_TOO = re.compile(r"\b(and|or) (is|has|does|was)\b")
_PLURAL_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}
_PRONOUNS = frozenset(["someone", "anyone", "one", "something", "anything"])
_UNCHANGED = frozenset(["any", "each", "either", "various", "several", "some", "many", "most", "no"])


class Form(NamedTuple):
    """A form of a word: `s` of nouns and verbs, `past`, `ing`, `more`, `most`."""

    kind: str

    @property
    def group(self) -> str:
        """The forms of which a word needs one alone."""
        return self.kind


@cache
def _read_data() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "english.toml").read_text("utf-8"))


@cache
def _read_verbs() -> frozenset[str]:
    return frozenset(_read_data()["verbs"].split())


@cache
def _read_past() -> dict[str, str]:
    """Return the simple past of irregular verbs."""
    return {base: past for base, past, _ in _split_rows("irregular")}


@cache
def _read_plurals() -> dict[str, str]:
    """Return irregular plurals."""
    return dict(_split_rows("plurals"))


def _split_rows(name: str) -> list[list[str]]:
    rows = _read_data()[name].strip().replace("\n", "|").split("|")
    return [row.split() for row in rows]


@cache
def _index_irregular() -> dict[str, list[tuple[str, Form]]]:
    """Return the headwords of irregular forms, in capitals."""
    found: dict[str, list[tuple[str, Form]]] = {}
    for base, past, participle in _split_rows("irregular"):
        for form in dict.fromkeys((past, participle)):
            found.setdefault(form.upper(), []).append((base.upper(), Form("past")))
    for one, several in _split_rows("plurals"):
        found.setdefault(several.upper(), []).append((one.upper(), Form("s")))
    return found


def list_forms(word: str) -> Iterator[tuple[str, Form]]:
    """Yield the folded words of which a folded word may be a form, and that form."""
    yield from _index_irregular().get(word, ())
    for ending, of_head, kind in _ENDINGS:
        if not word.endswith(ending):
            continue
        stem = word.removesuffix(ending)
        yield stem + of_head, Form(kind)
        if not of_head and ending[0] in "EI" and _DOUBLED.search(stem):
            yield stem[:-1], Form(kind)


def reword(clue: str, form: Form) -> str:
    """Return a clue of a headword as a clue of one of its forms, or an empty text if its sense has no such form.

    The clue has no article, so its first word alone shows whether it is that of a noun or of a verb.
    """
    first = _LETTERS.match(clue)
    if first is None:
        return ""
    verb = first[0].lower()
    if verb in _read_verbs():
        return _reword_verb(clue, form.kind)
    adjective = _ADJECTIVE.match(clue) is not None
    if form.kind == "s" and not adjective:
        return _write_plural(clue)
    if form.kind == "more" and adjective:
        return f"{clue}, comparatively"
    if form.kind == "most" and adjective:
        return f"{clue}, superlatively"
    return ""


def _reword_verb(clue: str, kind: str) -> str:
    """Return the clue of a verb for one of its forms: each verb of a row has that form."""
    if kind not in {"s", "past", "ing"}:
        return ""
    first = _LETTERS.match(clue)
    if first is None:
        return ""
    begun = inflect(first[0].lower(), kind)

    def go_on(found: re.Match[str]) -> str:
        if found[2] not in _read_verbs():
            return found[0]
        return found[1] + inflect(found[2], kind)

    return begun[0].upper() + begun[1:] + _AND.sub(go_on, clue[first.end() :])


def inflect(verb: str, kind: str) -> str:
    """Return a form of a verb: `s`, `past` or `ing`."""
    if kind == "s":
        return {"have": "has", "be": "is"}.get(verb) or _add_s(verb)
    if kind == "past" and verb in _read_past():
        return _read_past()[verb]
    if kind == "past":
        return _add_ed(verb)
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and len(verb) > 2:
        return f"{verb[:-1]}ing"
    return f"{_double(verb)}ing"


def _add_s(word: str) -> str:
    """Return a verb in the third person, or the regular plural of a noun."""
    if re.search("[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    if re.search("(?:s|x|z|ch|sh|[^aeiou]o)$", word):
        return f"{word}es"
    return f"{word}s"


def _add_ed(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return f"{_double(verb)}ed"


def _double(verb: str) -> str:
    """Return a verb with its last consonant doubled, if it ends in one stressed vowel and a consonant."""
    short = re.fullmatch("[^aeiou]*(?:qu)?[aeiou][bdgklmnprtvz]", verb)
    if (short or verb in _read_data()["stressed"].split()) and not verb.endswith("ll"):
        return verb + verb[-1]
    return verb


def _write_plural(clue: str) -> str:
    """Return the clue of a noun in the plural, its noun and the verb that agrees with it, or an empty text."""
    words = clue.split(" ")
    if words[0].lower() in _UNCHANGED:
        return clue
    head = _find_noun(words)
    if head is None:
        return ""
    noun = _LETTERS.match(words[head])
    if noun is None or noun[0].endswith("ed"):
        return ""
    plural = _read_plurals().get(noun[0].lower()) or _add_plural(noun[0].lower())
    if noun[0][0].isupper():
        plural = plural[0].upper() + plural[1:]
    words[head] = plural + words[head][noun.end() :]
    agreed = _AGREES.sub(lambda found: f"{found[1]} {_write_plural_verb(found[2])}", " ".join(words))
    return _AGREES_TOO.sub(lambda found: f"{found[1]} {_PLURAL_VERBS[found[2]]}", agreed)


def _find_noun(words: list[str]) -> int | None:
    """Return the place of the noun that the words of a definition are about, if that can be told."""
    if words[0].lower() in _PRONOUNS:
        return 0
    after = frozenset(_read_data()["after_noun"].split())
    if words[0].endswith("ing") and not _ends_noun(words, 0, after):
        return None
    end = next(at for at in range(len(words)) if _is_noun(words, at, after))
    if words[end + 1 : end + 2] in (["and"], ["or"]):
        return None
    return end


def _is_noun(words: list[str], at: int, after: frozenset[str]) -> bool:
    """Return whether what stands behind a word shows that the noun of the definition is there."""
    if at + 1 == len(words) or (at and words[at].endswith(",")):
        return True
    behind = words[at + 1]
    if behind in after or behind.endswith("ed"):
        return True
    return behind.endswith("ing") and not _ends_noun(words, at + 1, after)


def _ends_noun(words: list[str], at: int, after: frozenset[str]) -> bool:
    """Return whether a word in -ing is a noun: nothing follows it that belongs to it."""
    return at + 1 == len(words) or words[at + 1] in after or words[at].endswith(",")


def _add_plural(noun: str) -> str:
    """Return the regular plural of a noun, or the noun if it is one."""
    if re.search("[^siu]s$", noun):
        return noun
    return _add_s(noun)


def _write_plural_verb(verb: str) -> str:
    """Return the plural of a verb in the third person."""
    if verb in _PLURAL_VERBS:
        return _PLURAL_VERBS[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if re.search("(?:ss|x|z|ch|sh|o)es$", verb):
        return verb[:-2]
    return verb[:-1]
