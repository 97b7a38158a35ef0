"""The packaged lists must agree with the scripts that derive them."""

from __future__ import annotations

import gzip
from itertools import product
from typing import TYPE_CHECKING, Any

import derive_lists
import english
import evaluate_list
import french
import phrases
import pytest
from french import Form
from offensive import ENGLISH, ENTRIES, FRENCH
from phrases import Headwords

from cpfill.base.alphabet import Alphabet
from cpfill.words.wordlist import DELICATE_SCORE, LEAST, Band

if TYPE_CHECKING:
    from pathlib import Path

LISTS = [path.name.removesuffix(".txt.gz") for path in sorted(derive_lists.LISTS.glob("*.txt.gz"))]

fold = Alphabet().fold


def packaged(name: str) -> dict[str, int]:
    lines = gzip.decompress((derive_lists.LISTS / f"{name}.txt.gz").read_bytes()).decode().splitlines()
    return {word: int(score) for word, score in (line.split(";") for line in lines)}


def scowl(root: Path, files: dict[str, str]) -> Path:
    """Write files of words, which blanks part, where Debian has them; return the root of the tree."""
    place = root / "usr/share/dict/scowl"
    place.mkdir(parents=True)
    for name, words in files.items():
        (place / name).write_text(words.replace(" ", "\n"), encoding="utf-8")
    return root


@pytest.mark.long
@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_written_as_it_is_derived(name: str, tmp_path: Path) -> None:
    scored = packaged(name)
    assert list(scored) == sorted(scored, key=lambda word: (-scored[word], len(fold(word)), fold(word)))
    assert len(set(map(fold, scored))) == len(scored)
    assert set(scored.values()) <= set(range(1, 101))
    text, shipped = (
        "".join(f"{word};{score}\n" for word, score in scored.items()),
        derive_lists.LISTS / f"{name}.txt.gz",
    )
    assert gzip.decompress(shipped.read_bytes()).decode() == text
    if name.endswith((".offensive", ".delicate")):  # to pack the others, which are packed alike, takes seconds
        derive_lists.write_gzip(tmp_path / "again.gz", text)
        assert (tmp_path / "again.gz").read_bytes() == shipped.read_bytes()
    else:
        for word, own in packaged(f"{name}.delicate").items():
            assert scored[word] == (own if name == "en-words" else min(own, DELICATE_SCORE))
        banned = ENGLISH if name == "en-words" else ENGLISH | ENTRIES
        left_out = FRENCH if name.startswith("fr") else {*banned, *(f"{word}s" for word in banned)}
        assert set(map(fold, left_out)).isdisjoint(map(fold, scored))


def sources(root: Path, counts: dict[str, float], nexus: dict[str, int], headwords: str = "") -> english.Sources:
    """Return sources without bigrams; a headword stands before `=` and its points."""
    known = Headwords()
    for line in filter(None, headwords.split(", ")):
        spelling, _, points = line.partition("=")
        known.add(spelling, int(points))
    return english.Sources(root, counts, nexus, known, {})


def test_a_word_scores_as_its_sources_say(tmp_path: Path) -> None:
    files = {"english-words.10": "cream the singing", "american-words.10": "color", "british-words.10": "colour"}
    scowl(tmp_path, files | {"english-proper-names.10": "Ada"})
    counts = {"cream": 1.0, "the": 1e6, "color": 100.0, "colour": 100.0, "singing": 1e6, "ada": 10.0}
    nexus = {"CREAM": 90, "ADA": 50, "THE": 50, "COLOUR": 90}
    scored, offensive, delicate = english.constructor_scores(sources(tmp_path, counts, nexus), english.AMERICAN)
    assert scored == {
        "cream": round(10 * (1 + 2.7 + 0.02 * 90 + 0.3 - 1.9)),  # 1 in 10^8 is 1 in the logarithm of 10^9
        "the": english.COMMON_WORD + english.PRINTED[50],  # as any common word
        "color": round(10 * (3 + 0.3 - 1.9)),
        "singing": round(10 * (7 + 0.3 - 1.9)) - english.ENDINGS["ING"],
        "Ada": round(10 * (2 + 2.7 + 0.02 * 50 + 0.3 - 0.4 - 1.9)),
    }
    assert not offensive | delicate
    british = english.constructor_scores(sources(tmp_path, counts, nexus), english.BRITISH)[0]
    assert british.keys() == {*(scored.keys() - {"color"}), "colour"}


def test_a_phrase_scores_by_those_who_know_it() -> None:
    headwords = Headwords()
    headwords.add("grizzly bear", phrases.WIKTIONARY[1])
    headwords.add("Fertile Crescent", phrases.WORDNET_NAME)
    headwords.add("genus Rosa", phrases.WORDNET_SPECIAL)
    headwords.add("lose one's temper", phrases.WIKTIONARY[0])

    def rate(words: str, nexus: int, rarest: float = 4.0, together: float = 0.0) -> int:
        return phrases.rate(words.split(), nexus, rarest, together, headwords)

    known = phrases.BASE + phrases.NEXUS[90]
    assert rate("BLUE BALLOON", 90) == known
    assert rate("BLUE BALLOON", 90, rarest=9) == known + 2
    assert rate("BLUE BALLOON", 90, together=8) == known + 3
    assert rate("BLUE BALLOON", 0) == phrases.BASE + phrases.NEXUS_NONE
    assert rate("GRIZZLY BEAR", 90) == known + phrases.WIKTIONARY[1] + phrases.BOTH
    assert rate("GRIZZLY BEARS", 90) == known + phrases.FORM[phrases.WIKTIONARY[1]] + phrases.BOTH
    assert rate("LOST HIS TEMPER", 55) == phrases.BASE + phrases.NEXUS_OTHER + phrases.FORM[phrases.WIKTIONARY[0]]
    assert rate("FERTILE CRESCENT", 45) == phrases.BASE + phrases.NEXUS[45] + phrases.WORDNET_NAME
    assert rate("GENUS ROSA", 90) == known - 20
    assert rate("AT LEISURE", 90) == known - 10
    assert rate("IN REGARD TO", 90) == known - 16
    assert rate("BE MAD", 90) == known - 20  # short, and no headword


def test_a_phrase_is_spelt_by_a_dictionary_or_clear_words(tmp_path: Path) -> None:
    scowl(tmp_path, {"english-words.10": "ice cream holy to", "english-upper.10": "Maine Coon Satie"})
    counts = dict.fromkeys(["ice", "cream", "holy", "shit", "maine", "coon", "satie", "xyzzy", "enema", "sperm"], 1e4)
    entries = ["ICECREAM", "HOLYSHIT", "MAINECOON", "ICESATIE", "ICEXYZZY", "ICEENEMA", "SPERMICE"]
    given = sources(
        tmp_path, counts, dict.fromkeys(entries, 90), "Maine Coon=14, ice maker=20, creamer=20, ice Cream=8"
    )
    scored, offensive, delicate = english.constructor_scores(given, english.AMERICAN)
    assert scored.keys() - {"ice", "cream", "holy", "to"} == {
        "ice Cream", "HOLYSHIT", "Maine Coon", "ice Satie", "ICEXYZZY", "ICEENEMA", "SPERMICE",
    }  # fmt: skip
    assert offensive == {"HOLYSHIT"}
    assert delicate == {"ICEENEMA"}  # sperm is in the names of innocent things


def test_a_form_inherits_from_its_entry() -> None:
    forms = [
        *(Form(word, "manger") for word in ("manger", "mange", "mangerions")),
        Form("mangeât", "manger", literary=True),
        *(Form(word, "sommer") for word in ("sommer", "sommes", "sommerions")),
        *(Form(word, "être") for word in ("être", "sommes", "étant")),
        Form("abaque", "abaque"),
    ]
    scores = french.french_scores(forms, {"être": 7, "sommes": 6, "manger": 4.5, "sommer": 1.5})
    assert scores["abaque"] == 1
    assert scores["étant"] == round(scores["être"] / 2)
    assert scores["mangerions"] == scores["mange"] == round(scores["manger"] / 2)
    assert scores["mangeât"] == round(scores["manger"] / 4)
    assert scores["sommerions"] == round(scores["sommer"] / 2)  # "sommes" is common because of "être"


def test_a_french_word_as_common_as_its_kind_scores_50() -> None:
    known, infl, name = french.KNOWN, french.KNOWN + french.INFLECTED, french.KNOWN + french.NAME
    kinds = {
        "crabe": (Form("crabe", "crabe"), known),
        "crabes": (Form("crabes", "crabe"), infl),
        "Carthage": (Form("Carthage", "Carthage"), name),
        "Nil": (Form("Nil", "Nil"), name),
        "ers": (Form("ers", "ers"), known - french.SHORT),
    }
    forms = [form for form, _ in kinds.values()]
    rare, at, common = (
        french.french_scores(forms, {word.lower(): least + more for word, (_, least) in kinds.items()})
        for more in (-0.6, 0, 0.6)
    )
    assert set(at.values()) == {50}
    assert all(rare[word] < 40 and common[word] > 60 for word in kinds)
    assert french.french_scores(forms, {"crabe": known}).keys() == {"crabe", "crabes", "ers"}  # no names uncounted


def test_a_compound_scores_as_its_rarest_part() -> None:
    forms = [*(Form(word, word) for word in ("Pierre", "pierre", "sans-abri", "vide-tourie", "pare-feu"))]
    scores = french.french_scores(forms, {"pierre": 5, "sans": 6.5, "abri": 4.5, "vide": 5, "pare": 4, "parefeu": 1.75})
    assert scores.keys() == {"pierre", "sans-abri", "vide-tourie", "pare-feu"}
    assert scores["sans-abri"] == scores["pare-feu"] == 50  # one of them is counted as a word
    assert scores["vide-tourie"] == 1


def test_a_spelling_without_its_accents_is_no_word() -> None:
    forms = [Form(word, word) for word in ("réal", "cœur")]
    assert french.french_scores(forms, {"real": 5, "réal": 1.75, "coeur": 1.75}) == {"cœur": 50, "réal": 50}


def test_an_affix_makes_forms() -> None:
    aff = "SFX a0 Y 3\nSFX a0 er e/n' er po:ipre po:1sg\nSFX a0 er ât er po:simp\nSFX a0 ir it ir po:ipre po:ipsi\n"
    rules = french.read_affixes(aff)
    assert set(french.expand(Form("parler", "parler"), "a0()", rules)) == {
        Form("parle", "parler"),
        Form("parlât", "parler", literary=True),
    }
    assert list(french.expand(Form("finir", "finir"), "a0()", rules)) == [Form("finit", "finir")]


def test_a_part_of_a_phrase_is_no_strong_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LEAST[Band.STRONG] > english.PARTIAL
    monkeypatch.setattr(english, "PARTIAL", 1)
    monkeypatch.setattr(english, "USELESS", 1)
    monkeypatch.setattr(english, "USELESS_LONG", 1)
    scowl(tmp_path, {"english-words.10": "cream in the this kind", "english-upper.80": "Asa"})
    counts = dict.fromkeys(["in", "the", "this", "i", "as", "a", "if", "cream", "kind", "of"], 1e6)
    entries = ["INTHE", "THISI", "THECREAM", "CREAMOF", "ASA", "ASIF", "KINDOF", "ACREAM"]
    given = sources(tmp_path, counts, dict.fromkeys(entries, 90))
    scored = {fold(entry): score for entry, score in english.constructor_scores(given, english.AMERICAN)[0].items()}
    assert {entry for entry in entries if scored[entry] == 1} == {"INTHE", "THISI", "THECREAM", "CREAMOF"}


def test_a_form_of_texts_alone_is_no_strong_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "PARTIAL", 1)
    monkeypatch.setattr(english, "USELESS", 1)
    monkeypatch.setattr(english, "USELESS_LONG", 1)
    scowl(tmp_path, {"english-words.10": "looking rose party", "english-upper.10": "Miranda Rose Yankee Yankees"})
    entries = ["MIRANDAS", "ROSES", "YANKEES", "LOOKIN", "PARTYS", "TODAYS", "MACYS"]
    given = sources(tmp_path, {"a": 1.0}, dict.fromkeys(entries, 90))
    scored = {fold(entry): score for entry, score in english.constructor_scores(given, english.AMERICAN)[0].items()}
    assert {entry for entry in entries if scored[entry] == 1} == {"MIRANDAS", "LOOKIN", "PARTYS", "TODAYS"}


def test_forms_of_an_offensive_entry_alone_are_offensive() -> None:
    forms = [
        *(Form(word, "chier") for word in ("chier", "chie", "chia", "chias")),
        *(Form(word, "chia") for word in ("chia", "chias")),
        *(Form(word, "chien") for word in ("chien", "chienne")),
    ]
    assert french.all_forms(forms, FRENCH) == {"CHIER", "CHIE"}


@pytest.mark.parametrize(
    ("spellings", "own"),
    [(english.AMERICAN, {"color"}), (english.BRITISH, {"colour", "organise", "organize"})],
    ids=["American", "British"],
)
def test_words_are_taken_from_the_files_of_a_spelling(spellings: Any, own: set[str], tmp_path: Path) -> None:
    files = {
        "english-words.10": "cat cat's Paris lm sh",
        "english-contractions.35": "I'm don't it's",
        "american-words.10": "color",
        "british-words.20": "colour organise",
        "british_z-words.20": "organize",
        "english-words.80": "aa",
    }
    assert set(english.scowl_words(scowl(tmp_path, files), spellings)) == {"cat", "sh", "i'm", "don't"} | own


@pytest.mark.parametrize(("good", "bad"), [([3.0], [1.0, 2.0]), ([1.0, 2.0], [2.0, 2.0, 3.0]), ([5.0, 5.0], [5.0])])
def test_an_area_counts_pairs_in_order(good: list[float], bad: list[float]) -> None:
    pairs = list(product(good, bad))
    won = sum(better > worse for better, worse in pairs)
    tied = sum(better == worse for better, worse in pairs)
    assert evaluate_list.area(good, bad) == (won + tied / 2) / len(pairs)


def test_answers_of_odd_years_count() -> None:
    assert evaluate_list.read_answers("1993 OLD\n2001 top ten\n2001 TOPTEN\n2002 EVEN\n") == {"TOPTEN": 2}
