"""Definitions of a dictionary made into clues: cut at a clause, or refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 66
"""The most characters of a clue that is cut from a definition."""

_LEAST = 3
"""The fewest characters of such a clue."""

_LEAST_CUT = 16
"""The fewest characters of a clue that ends within a sentence: shorter ones seldom stand on their own."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the dictionary of a language words its definitions.

    Attributes:
        opening: text before the definition itself, to be left out.
        refused: the beginning of a definition that only refers to another word.
        synonym: a definition that consists of a synonym, which is a clue.
        clause: where a part begins without which the definition still stands.
        phrase: where a part begins without which it may stand, if it has no such clause.
        dangling: words with which no clue ends.
    """

    opening: re.Pattern[str]
    refused: re.Pattern[str]
    synonym: re.Pattern[str]
    clause: re.Pattern[str]
    phrase: re.Pattern[str]
    dangling: frozenset[str]


WORDINGS = {
    "en": Wording(
        re.compile(r"(?:an?|the|to) (?=[^ ])", re.IGNORECASE),
        re.compile(
            r"(?:(?:past|present) (?:tense|participle)|plural|singular|abbreviation|variant|alternative|see|same as"
            r"|the (?:\w+ )?letter of)\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?:synonym of|same as) ([^,;.]+)", re.IGNORECASE),
        re.compile(
            r",? (?=(?:that|which|who|whose|where|when|while|because|although|usually|especially|often|typically|used"
            r"|having|consisting|containing|resembling|characterized|including|such as|as if|so as|so that|in order"
            r"|without|by means)\b)"
        ),
        re.compile(r" (?=(?:of|in|from|for|with|on|to|by|at|and|or|between|into|as|than)\b)"),
        frozenset(
            "a an and any as at be been between by during e.g every for from i.e in into is it its of on one or other so"
            " some such than that the their this those to toward very when where whether who with without your".split()
        ),
    ),
    "fr": Wording(
        re.compile(r"(?:sens propre|au figuré|figuré|par extension|par métonymie|par analogie) ?[:,] ?", re.IGNORECASE),
        re.compile(
            r"(?:variantes?|autres? (?:orthographes?|noms?|formes?|graphies?)|ancien(?:ne)?s? (?:noms?|orthographe"
            r"|dénomination|graphie)|mauvaise|graphies?|orthographe|pluriel|féminin|masculin|forme|abréviation|sigle"
            r"|apocope|aphérèse|symbole|préfixe|suffixe|diminutif de|un des noms|nom (?:donné|usuel|vulgaire"
            r"|vernaculaire|scientifique)|voir|participe|\w+ personne d[ue]|lettre de|suivi d|qualifie|désigne|en termes|dans la langue|ou)\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?:synonyme (?:de |d['’])|syn\. (?:de )?)([^,;.()]+)", re.IGNORECASE),
        re.compile(
            r",? (?=(?:qui|que|qu['’]\w+|dont|où|lequel|laquelle|lorsque|lorsqu['’]\w+|quand|afin|pour|servant"
            r"|permettant|destinée?s?|utilisée?s?|ayant|composée?s?|comme|notamment|située?s?|généralement|souvent"
            r"|par opposition|en parlant|c['’]est-à-dire|sans|par)\b)"
        ),
        re.compile(r" (?=(?:de|du|des|d['’]\w+|à|au|aux|en|dans|sur|avec|et|ou|entre|chez|vers|sous|contre)\b)"),
        frozenset(
            "a à au aux avec ce celle celles celui cette ceux ces chaque d dans de des du elle en est et il l la le les leur ne non on ou où par peu plus pour que qui"
            " sa sans se ses son sous sur très un une".split()
        ),
    ),
}

_ASIDE = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]")
_SENTENCE = re.compile(r"\s*;|\.(?=\s|$)|\s:\s|:\s|\s[—–-]\s|\s*…")
_COMMA = re.compile(r", ")
_DAMAGED = re.compile(r"[\"“”()\[\]{}|=<>«»]|,\s*,|’(?:\s|$)|\b(?:de|du|à|l['’]|d['’]) ?,")
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*(?=\W*$)")


def cut(definition: str, language: str) -> str:
    """Return the clue that a definition begins with, or an empty text if it has none.

    The clue is the first sentence without asides, and without its last clauses if it is too long. A definition that
    refers to another word is no clue, except if that word is a synonym.
    """
    wording = WORDINGS[language]
    synonym = wording.synonym.match(definition)
    if synonym:
        return _finish(synonym[1], wording)
    if wording.refused.match(definition):
        return ""
    whole = _ASIDE.sub("", definition).strip()
    sentence = _SENTENCE.split(whole, maxsplit=1)[0]
    opening = wording.opening.match(sentence)
    if opening:
        sentence = sentence[opening.end() :]
    if len(sentence) > MOST:
        sentence = _shorten(sentence, wording)
    return _finish(sentence, wording)


def _shorten(sentence: str, wording: Wording) -> str:
    """Return the longest beginning that ends before a clause or at a comma, else before a phrase, or an empty text."""
    ends = _list_ends(wording.clause, sentence) + _list_ends(_COMMA, sentence)
    for end in sorted(ends, reverse=True) + _list_ends(wording.phrase, sentence)[::-1]:
        if _LEAST_CUT <= end <= MOST and not _dangles(sentence[:end], wording):
            return sentence[:end]
    return ""


def _list_ends(part: re.Pattern[str], sentence: str) -> list[int]:
    return [found.start() for found in part.finditer(sentence)]


def _dangles(text: str, wording: Wording) -> bool:
    """Return whether a text ends with a word that another must follow."""
    last = _LAST_WORD.search(text)
    return last is None or last[0].lower() in wording.dangling


def _finish(text: str, wording: Wording) -> str:
    """Return a text as a clue, or an empty text if it is damaged or too short."""
    text = " ".join(text.split()).strip(" ,;:.")
    damaged = _DAMAGED.search(text)
    if damaged or not _LEAST <= len(text) <= MOST or _dangles(text, wording):
        return ""
    return text[0].upper() + text[1:]
