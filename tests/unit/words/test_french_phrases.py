"""The French phrases: which headwords are phrases or names, and what they score."""

from __future__ import annotations

import pytest
from french_phrases import (
    LEAST_NAME,
    Entry,
    Occurrences,
    Works,
    better_than,
    find_entries,
    find_phrases,
    is_name,
    is_phrase,
    phrase_scores,
    score_name,
)

from cpfill.base.alphabet import Alphabet
from cpfill.words.wordlist import Taste, list_parts, read_delicate, read_offensive, read_word_list

VERBS = {"crisper", "battre"}
FREQUENCIES = dict.fromkeys(["pomme", "poire", "de", "terre", "battre", "la", "chamade", "mer"], 5.0)


def works_of(glosses: dict[str, str], *dictionaries: str, compounds: str = "") -> Works:
    """Return works with these definitions, in which dictionaries from and into French have the same headwords."""
    listed = [[*map(Alphabet().fold, names.split(", "))] for names in dictionaries]
    return Works(
        [(headword, tuple(gloss.split(" | "))) for headword, gloss in glosses.items()],
        FREQUENCIES,
        thesaurus=(),
        compounds=[*map(Alphabet().fold, compounds.split(", "))],
        from_french=listed,
        into_french=[names.split(", ") for names in dictionaries],
    )


def entry_of(headword: str, gloss: str) -> Entry:
    (entry,) = find_entries([(headword, tuple(gloss.split(" | ")))])
    return entry


@pytest.mark.parametrize(("headword", "gloss", "phrase"), [
    ("pomme de terre", "Tubercule.", True),
    ("talon d'Achille", "Point faible.", True),
    ("laitue amère", "Espèce de plante.", False),
    ("laitue amère", "Espèce de plante. | Déception.", True),
    ("barre bastillée", "Ancien nom d'une barre.", False),
    ("à fleur de", "Presque au niveau de.", False),
    ("se crisper", "Se resserrer.", False),
    ("se battre en retraite", "Se retirer.", True),
    ("la vieille", "Appellation.", False),
    ("Le Havre", "Commune française.", False),
])  # fmt: skip
def test_a_definition_tells_a_phrase(headword: str, gloss: str, *, phrase: bool) -> None:
    assert is_phrase(entry_of(headword, gloss), VERBS) is phrase


@pytest.mark.parametrize(
    "headword", ["pomme", "mécontent·e", "rugby à 7", "auto-", "-phase", "pas grand'chose", "oh, là"]
)
def test_a_headword_without_clean_parts_is_no_entry(headword: str) -> None:
    assert list(find_entries([(headword, ("Sens.",))])) == []


def test_a_name_is_of_no_family() -> None:
    assert is_name(entry_of("Costa Rica", "Pays d'Amérique centrale."))
    assert not is_name(entry_of("Le Goff", "Nom de famille."))
    assert not is_name(entry_of("pomme de terre", "Tubercule."))


def test_a_phrase_is_found_in_the_plural_in_others() -> None:
    glosses = {"pomme de terre": "Tubercule ; une pomme de terre.", "purée": "Mets de pommes de terre. | Rien."}
    works = works_of(glosses, "deux pommes de terre", "poire")
    occurrences = Occurrences(find_entries(works.glosses), works)
    phrase = ("pomme", "de", "terre")
    assert occurrences.defining == {phrase: 1}
    assert occurrences.translating == {phrase: 1}
    assert occurrences.words["terre"] == 2


def test_a_phrase_that_works_have_scores_more() -> None:
    glosses = {"pomme de terre": "Tubercule. | Plante.", "poire de terre": "Tubercule."}
    first = works_of(glosses, compounds="pomme de terre")
    second = works_of(glosses, "pomme de terre", compounds="pomme de terre")
    assert phrase_scores(first, VERBS).keys() == {"pomme de terre"}
    assert phrase_scores(first, VERBS)["pomme de terre"] < phrase_scores(second, VERBS)["pomme de terre"]


def test_a_name_that_dictionaries_have_stands() -> None:
    glosses = {"Costa Rica": "Pays.", "Le Havre": "Ville.", "Morra De Sanctis": "Commune d'Italie."}
    known = works_of(glosses, *["Costa Rica, Le Havre"] * 2)
    scores = phrase_scores(known, VERBS)
    assert scores.keys() == {"Costa Rica"}
    entries = {entry.spelling: entry for entry in find_entries(known.glosses)}
    occurrences = Occurrences(entries.values(), known)
    assert scores["Costa Rica"] == score_name(entries["Costa Rica"], known, occurrences) >= LEAST_NAME
    assert score_name(entries["Le Havre"], known, occurrences) < LEAST_NAME


def test_the_better_of_two_spellings_is_listed() -> None:
    glosses = {"pomme de terre": "Tubercule.", "pomme-de-terre": "Tubercule."}
    assert phrase_scores(works_of(glosses, compounds="pomme de terre"), VERBS).keys() == {"pomme de terre"}


def test_a_phrase_replaces_a_word_that_scores_less() -> None:
    phrases = {"arc-en-ciel": 60, "porte-plume": 40, "pomme de terre": 30}
    assert better_than({"arc-en-ciel": 40, "porteplume": 40}, phrases).keys() == {"arc-en-ciel", "pomme de terre"}


def test_a_part_makes_a_phrase_delicate() -> None:
    phrases = ["faire caca", "pique-caca", "caca d'oie", "point G"]
    assert find_phrases(phrases, {"CACA"}, {"point G"}, {"pique-caca"}) == {"faire caca", "caca d'oie", "point G"}


def test_a_list_of_two_files_is_read_as_one() -> None:
    assert list_parts("fr") == ("fr-phrases", "fr")
    assert list_parts("en") == ("en",)
    phrases = read_word_list("fr-phrases")
    whole = read_word_list("fr")
    assert phrases.words.items() <= whole.words.items()
    assert whole.words["MAISON"][1] == "maison"
    assert read_word_list("fr", taste=Taste.FRANK).skipped == {}
    assert read_offensive("fr-phrases").words.keys() < read_offensive("fr").words.keys()
    assert read_delicate("fr-phrases").words.keys() < read_delicate("fr").words.keys()
