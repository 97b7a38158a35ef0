from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.questions.request import Request
from cpfill.runs.batch.job import answer_job
from cpfill.runs.bench.suite import read_suite
from cpfill.words.packaged import derive, english, french
from cpfill.words.packaged.french import Form
from cpfill.words.packaged.offensive import ENGLISH, ENTRIES, FRENCH
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import PACKAGED, read_offensive, read_word_list
from tests.docs.pages import quoted, rows, text_of
from tests.support import PACKAGED_LISTS
from tests.unit.runs.test_batch import job_of

if TYPE_CHECKING:
    from pathlib import Path

# What hunspell's American dictionary never suggests.
NEVER_SUGGESTED = """
asshole bullshit bullshitted bullshitter bullshitting chickenshit cocksucker coon cunt fuck fucker fuckhead horseshit
kraut motherfucker motherfucking nigga niggaz nigger shit shitfaced shithead shitload shitted shitting shitty wop
""".upper().split()
ORDINARY = {
    "en": "ASS COCK TIT TITS SPICY SPICE BASS CLASS ASSESS COCKTAIL RACCOON SWANK ARSENAL NIGHT NIGGLE SNIGGERER SCRAP",
    "fr": "CHIA CHIEN CONCOURS NIQUE FOUS SOMMES REPUTE DISPUTE CUL FACULTE NEGOCE TERRE",
}

fold = Alphabet().fold


def packaged(name: str) -> dict[str, int]:
    lines = gzip.decompress((PACKAGED_LISTS / f"{name}.txt.gz").read_bytes()).decode().splitlines()
    return {word: int(score) for word, score in (line.split(";") for line in lines)}


# Offensive words


@pytest.mark.parametrize("name", PACKAGED)
def test_offensive_words_are_left_out_until_asked_for(name: str) -> None:
    usual = frozenset(read_word_list(name).words)  # of two whole lists the memory of a worker keeps both
    whole = read_word_list(name, uncensored=True).words
    offensive = read_offensive(name).words
    assert usual.isdisjoint(offensive)
    assert whole.keys() == usual | offensive.keys()
    assert all(whole[word] == entry for word, entry in offensive.items())
    banned = ENGLISH if name == "en-words" else ENGLISH | ENTRIES
    kept = FRENCH if name == "fr" else {*banned, *(f"{word}s" for word in banned)}
    assert usual.isdisjoint(map(fold, kept))
    assert len(offensive) > 190


def test_slurs_and_obscenities_are_left_out_and_nothing_that_is_spelt_like_them() -> None:
    for name in ("en", "en-gb"):
        usual, offensive = read_word_list(name).words, read_offensive(name).words
        assert set(NEVER_SUGGESTED) - offensive.keys() <= {"ASSHOLE"} - usual.keys()  # British ones have ARSEHOLE
        assert {"NIGGERS", "FAGGOTS", "WOPS", "SPICS", "FUCKED", "WHORES"} <= offensive.keys()
        assert not [word for word in usual if "FUCK" in word or "NIGGER" in word.replace("SNIGGER", "")]
    french = read_offensive("fr").words
    assert {"NEGRES", "NEGRESSES", "BOUGNOULES", "ENCULES", "ENCULASSIONS", "PEDES", "YOUPINE"} <= french.keys()
    for name, words in ORDINARY.items():
        assert set(words.split()) <= read_word_list(name).words.keys()


def test_a_request_a_job_and_a_suite_ask_for_them_by_one_name(tmp_path: Path) -> None:
    for uncensored in (False, True):
        asked = Request.of(["...."], ["en", "fr"], weighted="en-gb", uncensored=uncensored)
        lexicon = asked.lexicon(Shelf())
        assert (lexicon.find("NIGGERS") is not None) is uncensored
        assert (lexicon.find("NEGRESSES") is not None) is uncensored
        listed = Request.of(["...."], {"shit": 3.0}, exclude="en", uncensored=uncensored).lexicon(Shelf())
        assert (listed.find("SHIT") is None) is uncensored
        job = job_of(tmp_path, grid=["SHIT"], words="en", strict=True, uncensored=uncensored)
        assert answer_job(job)["status"] == ("SATISFIED" if uncensored else "UNSATISFIABLE")
        (tmp_path / "grid.txt").write_text("....")
        text = '[[families]]\nname = "f"\ngrids = "grid.txt"\nlists = ["en"]\n[[engines]]\nengine = "fc"\n'
        (tmp_path / "suite.toml").write_text(f"uncensored = {json.dumps(uncensored)}\n{text}")
        (question,) = read_suite(str(tmp_path / "suite.toml")).questions
        assert question.request.uncensored is uncensored


# Spellings


def test_british_and_american_spellings() -> None:
    american, british = ({fold(word): score for word, score in packaged(name).items()} for name in ("en", "en-gb"))
    for one, other in (("COLOR", "COLOUR"), ("CENTER", "CENTRE"), ("GRAY", "GREY"), ("TRAVELED", "TRAVELLED")):
        assert one in american
        assert other in british
        assert one not in british
    assert {"COLOUR", "CENTRE", "ORGANISE"}.isdisjoint(american)
    assert {"ORGANISE", "ORGANIZE", "ANALYSE"} <= british.keys()
    assert abs(american["COLOR"] - british["COLOUR"]) < 15
    shared = american.keys() & british.keys()
    assert len(shared) > 0.9 * len(american)
    assert all(american[word] == british[word] for word in shared)


# Derivation


def test_the_page_has_the_figures_of_the_files() -> None:
    table = [row for row in rows(text_of("cpfill/words/packaged/README.md")) if len(row) == 6]
    told = {quoted(name)[0].removesuffix(".txt.gz"): figures for name, *figures in table if quoted(name)}
    assert set(told) == set(PACKAGED)
    for name, (words, size, left_out, *_) in told.items():
        scored = packaged(name)
        path = PACKAGED_LISTS / f"{name}.txt.gz"
        found = (len(scored), path.stat().st_size, len(packaged(f"{name}.offensive")))
        assert found == tuple(int(text.replace(",", "")) for text in (words, size, left_out))


@pytest.mark.parametrize("name", [*PACKAGED, *(f"{name}.offensive" for name in PACKAGED)])
def test_a_list_is_written_as_it_is_derived(name: str, tmp_path: Path) -> None:
    scored = packaged(name)
    assert list(scored) == sorted(scored, key=lambda word: (-scored[word], len(fold(word)), fold(word)))
    assert len(set(map(fold, scored))) == len(scored)
    assert set(scored.values()) <= set(range(1, 101))
    text, shipped = "".join(f"{word};{score}\n" for word, score in scored.items()), PACKAGED_LISTS / f"{name}.txt.gz"
    assert gzip.decompress(shipped.read_bytes()).decode() == text
    if name not in PACKAGED:  # to pack the others, which are packed alike, takes seconds
        derive.write_gzip(tmp_path / "again.gz", text)
        assert (tmp_path / "again.gz").read_bytes() == shipped.read_bytes()


def test_an_entry_scores_what_its_sources_say_of_it(tmp_path: Path) -> None:
    place = tmp_path / "usr/share/dict/scowl"
    place.mkdir(parents=True)
    files = {"english-words.10": "cream", "american-words.10": "color", "british-words.10": "colour"}
    for name, text in {**files, "english-proper-names.10": "Ada"}.items():
        (place / name).write_text(text, encoding="utf-8")
    counts = {"cream": 1000.0, "ice": 10_000.0, "color": 100.0, "holy": 1000.0, "maine": 1000.0, "coon": 100.0}
    nexus = {"CREAM": 90, "ICECREAM": 90, "ADA": 50, "COLOUR": 90, "HOLYSHIT": 50, "MAINECOON": 50, "ICEOVER": 75}
    scored, offensive = english.constructor_scores(tmp_path, english.AMERICAN, counts, nexus)
    assert offensive == {"HOLYSHIT"}
    expected = {
        "cream": 2.7 + 0.02 * 90 + 4 + 0.3,  # 1,000 in 10^8 is 4 in the logarithm of 10^9
        "ICECREAM": 2.7 + 0.02 * 90 + 0.2 * 4 + 0.2,
        "HOLYSHIT": 2.7 + 0.02 * 50 + 0.2 * 3.5 + 0.2,  # an offensive word counts as if it were common
        "MAINECOON": 2.7 + 0.02 * 50 + 0.2 * 3 + 0.2,
        "color": 3 + 0.3,
    }
    assert scored == {word: round(10 * (x - 1.9)) for word, x in expected.items()}
    assert english.constructor_scores(tmp_path, english.BRITISH, counts, nexus)[0].keys() == {
        *(expected.keys() - {"color"}),
        "colour",
    }


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


def test_a_french_word_scores_50_when_it_is_as_common_as_its_kind_must_be() -> None:
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


def test_a_name_gives_way_to_a_word_and_a_compound_is_judged_by_its_rarest_part() -> None:
    forms = [*(Form(word, word) for word in ("Pierre", "pierre", "sans-abri", "vide-tourie", "pare-feu"))]
    scores = french.french_scores(forms, {"pierre": 5, "sans": 6.5, "abri": 4.5, "vide": 5, "pare": 4, "parefeu": 1.75})
    assert scores.keys() == {"pierre", "sans-abri", "vide-tourie", "pare-feu"}
    assert scores["sans-abri"] == scores["pare-feu"] == 50  # one of them is counted as a word
    assert scores["vide-tourie"] == 1


PRINTED = """
adn aiguière cloporte entêté ève nil nouveau-né oriflamme paris sauta tréteau usait
"""
WEAK = """
agenouillasses gallérie mangeassions sympatrique touchât zée
"""


def test_french_words_stand_in_the_bands_of_what_constructors_print() -> None:
    words = read_word_list("fr").words
    assert [word for word in PRINTED.split() if words[fold(word)][0] < 50] == []
    assert [word for word in WEAK.split() if words[fold(word)][0] >= 40] == []


def test_a_spelling_without_its_accents_is_no_word() -> None:
    forms = [Form(word, word) for word in ("réal", "cœur")]
    assert french.french_scores(forms, {"real": 5, "réal": 1.75, "coeur": 1.75}) == {"cœur": 50, "réal": 50}


def test_an_affix_makes_forms_and_says_which_are_literary() -> None:
    aff = "SFX a0 Y 3\nSFX a0 er e/n' er po:ipre po:1sg\nSFX a0 er ât er po:simp\nSFX a0 ir it ir po:ipre po:ipsi\n"
    rules = french.read_affixes(aff)
    assert set(french.expand(Form("parler", "parler"), "a0()", rules)) == {
        Form("parle", "parler"),
        Form("parlât", "parler", literary=True),
    }
    assert list(french.expand(Form("finir", "finir"), "a0()", rules)) == [Form("finit", "finir")]


def test_all_forms_of_an_offensive_entry_are_offensive_but_those_of_another_entry() -> None:
    forms = [
        *(Form(word, "chier") for word in ("chier", "chie", "chia", "chias")),
        *(Form(word, "chia") for word in ("chia", "chias")),
        *(Form(word, "chien") for word in ("chien", "chienne")),
    ]
    assert french.french_offensive(forms) == {"CHIER", "CHIE"}


def test_words_are_taken_from_the_files_of_a_spelling(tmp_path: Path) -> None:
    place = tmp_path / "usr/share/dict/scowl"
    place.mkdir(parents=True)
    for name, text in {
        "english-words.10": "cat cat's Paris lm sh",
        "english-contractions.35": "I'm don't it's",
        "american-words.10": "color",
        "british-words.20": "colour organise",
        "british_z-words.20": "organize",
        "english-words.80": "aa",
    }.items():
        (place / name).write_text(text.replace(" ", "\n"), encoding="utf-8")
    american, british = (
        set(english.scowl_words(tmp_path, spellings)) for spellings in (english.AMERICAN, english.BRITISH)
    )
    assert american == {"cat", "sh", "i'm", "don't", "color"}
    assert british == {"cat", "sh", "i'm", "don't", "colour", "organise", "organize"}
