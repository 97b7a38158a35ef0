from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.questions.request import Request
from cpfill.runs.batch import answer_job
from cpfill.runs.bench.suite import read_suite
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import DELICATE_SCORE, PACKAGED, Taste, read_delicate, read_offensive, read_word_list
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
    whole = read_word_list(name, taste=Taste.UNCENSORED).words
    offensive = read_offensive(name).words
    assert usual.isdisjoint(offensive)
    assert whole.keys() == usual | offensive.keys()
    assert all(whole[word] == entry for word, entry in offensive.items())
    assert len(offensive) > 190


# What an editor would strike out of a fill for the breakfast table, and what looks like it.
DELICATE = {
    "en": "NAZI RAPE ANAL CUM DEEPTHROAT DILDO KKK INCEST MIDGET GYPSY NOOSE HENTAI PENISES SLAVES RAPED FEMINAZI",
    "fr": "NAZIES VIOLEURS PENIS ANALES SPERME COCAINE SUICIDA PEDOPHILES",
}
INNOCENT = {
    "en": "BUM SLOPE PADDY HOBO WILLIE SPERMWHALE POOPDECK GYPSYMOTH TITICACA SUMMACUMLAUDE AUDIOSLAVE SCRAPED ANALOG "
    "PUSS BOOBIES CREAMPIE TWINKIE SHATTUCK ASS COCK TIT",
    "fr": "CAMES CHATTE VIOLE VIOLET GLAND PINE ANALYSE NUE SEIN TERRE",
}


@pytest.mark.parametrize("name", PACKAGED)
def test_delicate_words_score_little_until_asked_for(name: str) -> None:
    delicate = read_delicate(name).words
    usual, frank = (
        dict(read_word_list(name, taste=taste).packed.list_scores()) for taste in (Taste.BREAKFAST, Taste.FRANK)
    )
    assert usual.keys() == frank.keys()
    assert {word for word in usual if usual[word] != frank[word]} <= delicate.keys()
    for word, (score, _) in delicate.items():
        assert frank[word] == score
        assert usual[word] == (score if name == "en-words" else min(score, DELICATE_SCORE))
    kind = "fr" if name == "fr" else "en"
    if name != "en-words":  # which has no phrases
        assert set(DELICATE[kind].split()) <= delicate.keys()
    assert delicate.keys().isdisjoint(INNOCENT[kind].split())
    assert len(delicate) > 500


def test_a_part_of_a_phrase_is_not_strong() -> None:
    words = read_word_list("en").words
    assert {word: words[word][0] for word in ("INTHE", "OFTHE", "THISI", "ONTHE")} == dict.fromkeys(
        ("INTHE", "OFTHE", "THISI", "ONTHE"), 40
    )
    assert min(words[word][0] for word in ("ASIF", "ISIT", "SHEA", "INDO", "ATALL")) > 40


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
    for taste in (Taste.BREAKFAST, Taste.UNCENSORED):
        uncensored = taste is Taste.UNCENSORED
        for word, lists in (("NEGRESSES", ["fr"]), ("NIGGERS", ["en"])):  # one at a time, for each takes its memory
            lexicon = Request.of(["...."], lists, taste=taste).lexicon(Shelf())
            assert (lexicon.find(word) is not None) is uncensored
        del lexicon
        weighed = Request.of(["...."], {"cat": 3.0}, weighted="en-gb", taste=taste).lexicon(Shelf())
        assert (weighed.find("NIGGERS") is not None) is uncensored
        del weighed
        listed = Request.of(["...."], {"shit": 3.0}, exclude="en", taste=taste).lexicon(Shelf())
        assert (listed.find("SHIT") is None) is uncensored
        job = job_of(tmp_path, grid=["SHIT"], words="en", strict=True, taste=taste)
        assert answer_job(job)["status"] == ("SATISFIED" if uncensored else "UNSATISFIABLE")
        (tmp_path / "grid.txt").write_text("....")
        text = '[[families]]\nname = "f"\ngrids = "grid.txt"\nlists = ["en"]\n[[engines]]\nengine = "fc"\n'
        (tmp_path / "suite.toml").write_text(f"taste = {json.dumps(taste)}\n{text}")
        (question,) = read_suite(str(tmp_path / "suite.toml")).questions
        assert question.request.taste is taste


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


def test_the_page_has_the_figures_of_the_files() -> None:
    table = [row for row in rows(text_of("cpfill/words/packaged/README.md")) if len(row) == 7]
    told = {quoted(name)[0].removesuffix(".txt.gz"): figures for name, *figures in table if quoted(name)}
    assert set(told) == set(PACKAGED)
    for name, (words, size, *left_out, _, _) in told.items():
        scored = packaged(name)
        path = PACKAGED_LISTS / f"{name}.txt.gz"
        others = (len(packaged(f"{name}.{kind}")) for kind in ("offensive", "delicate"))
        found = (len(scored), path.stat().st_size, *others)
        assert found == tuple(int(text.replace(",", "")) for text in (words, size, *left_out))


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
