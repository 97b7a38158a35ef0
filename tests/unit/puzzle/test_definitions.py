"""Definitions cut to clues, and clues of inflected words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.puzzle.clues import english, french
from cpfill.puzzle.clues.definitions import GRAMMARS, Definitions, find_overlap
from cpfill.puzzle.clues.wording import MOST, cut, read_wording
from tests.tables import read_rows

if TYPE_CHECKING:
    from pathlib import Path

LATIN = Alphabet()

CUT = {
    "en": read_rows("""
a small boat; it has no sail | Small boat
(nautical) the back of a ship | Back of a ship
to row slowly | Row slowly
see boat |
a boat that goes from one side of a river to the other | Boat that goes from one side of a river to the other
a very flat and very heavy boat that carries goods from one side to the other | Very flat and very heavy boat
synonym of ship | Ship
a "ship |
the ship of the |
"""),
    "fr": read_rows("""
Petit bateau. Il n'a pas de voile. | Petit bateau
Qui va d'un port à l'autre (en mer). | Qui va d'un port à l'autre
Variante de bateau. |
Synonyme de navire. | Navire
Ou , bateau. |
Grand bateau à fond plat qui transporte des marchandises sur les rivières et canaux | Grand bateau à fond plat
Par extension, tout bateau. | Tout bateau
Celui qui navigue le long de la côte et de la |
"""),
}


@pytest.mark.parametrize("language", CUT)
def test_definitions_are_cut_at_a_clause(language: str) -> None:
    wording = read_wording(GRAMMARS[language][1])
    for definition, clue in CUT[language]:
        found = cut(definition, wording).text
        assert found == clue, definition
        assert len(found) <= MOST


def test_apostrophes_are_those_of_the_keyboard() -> None:
    assert cut("D\u2019un port", read_wording("french.toml")).text == "D'un port"


ENGLISH = read_rows("""
BOATS    | BOAT   | Vessel that is rowed             | Vessels that are rowed
BOATS    | BOAT   | Move or carry goods              | Moves or carries goods
ROWED    | ROW    | Make a boat move                 | Made a boat move
ROWING   | ROW    | Put in motion and stop           | Putting in motion and stopping
TOWED    | TOW    | Small rope                       |
RAN      | RUN    | Move fast                        | Moved fast
CITIES   | CITY   | Large town                       | Large towns
CALMER   | CALM   | Not moving                       | Not moving, comparatively
BIGGEST  | BIG    | Very tall                        | Very tall, superlatively
MICE     | MOUSE  | Small rodent with a long tail    | Small rodents with a long tail
WOLVES   | WOLF   | Someone who eats fast            | People who eat fast
BOXES    | BOX    | Fight                            | Fights
""")

FRENCH = read_rows("""
RAMAIT     | RAMER   | Avancer, tirer un bateau   | Avançait, tirait un bateau
MANGEAIENT | MANGER  | Prendre son repas          | Prenaient leur repas
FINIRONT   | FINIR   | Se perdre                  | Se perdront
VINT       | VENIR   | S'approcher                | S'approcha
APPELLE    | APPELER | Jeter un cri               | Jette un cri
EMPLOIERA  | EMPLOYER | Achever et placer         | Achèvera et placera
RAMES      | RAME    | Outil de marin             | Outil de marin, au pluriel
NAVALE     | NAVAL   | Relatif aux bateaux        | Relative aux bateaux
NAVALES    | NAVAL   | Qui va sur l'eau           | Qui va sur l'eau, au féminin pluriel
RAMEES     | RAMER   | Tirer un bateau            | Tirer un bateau, au participe passé, féminin pluriel
RAMANT     | RAMER   | Se hâter                   | Se hâtant
CHEVAUX    | CHEVAL  | Petit bateau               | Petit bateau, au pluriel
PORTE      | PORT    | Abri de bateaux            |
DEVRAIT    | DEVOIR  | Être tenu                  | Serait tenu
""")


def _reword_as(grammar: object, word: str, head: str, clue: str) -> list[str]:
    assert grammar in {english, french}
    module = english if grammar is english else french
    return [module.reword(clue, form) for found, form in module.list_forms(word) if found == head]


@pytest.mark.parametrize(("word", "head", "clue", "reworded"), ENGLISH)
def test_english_clues_have_the_form_of_their_word(word: str, head: str, clue: str, reworded: str) -> None:
    found = _reword_as(english, word, head, clue)
    assert found
    assert next(filter(None, found), "") == reworded


@pytest.mark.parametrize(("word", "head", "clue", "reworded"), FRENCH)
def test_french_clues_have_the_form_of_their_word(word: str, head: str, clue: str, reworded: str) -> None:
    found = _reword_as(french, word, head, clue)
    assert found
    assert next(filter(None, found), "") == reworded


def test_clues_with_all_of_their_word_are_left_out() -> None:
    rows = read_rows("""
    navigation | Relating to a navigator | ALL
    tow boat   | Towing vessel           | NONE
    tow boats  | Boat that tows          | ALL
    row boats  | Boat                    | ALL
    défense    | Action de défendre      | ALL
    ship       | Small vessel            | NONE
    port       | Portrait of a harbour   | NONE
    transport  | Means of transportation | ALL
    steam boat | Boat                    | SOME
    steam boat | Boat driven by steam    | ALL
    """)
    assert [find_overlap(clue, head, LATIN).name for head, clue, _ in rows] == [overlap for _, _, overlap in rows]


def test_forms_of_a_short_word_give_it_away(tmp_path: Path) -> None:
    path = tmp_path / "glosses.txt"
    path.write_text("pin\tjewel that is pinned | jewel of a pinnace\n", encoding="utf-8")
    assert Definitions([path], "en", LATIN).find("PIN") == ["Jewel of a pinnace"]


def test_definitions_of_some_words_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "glosses.txt"
    text = "row\ta line | a quarrel | propel with oars\ntow boat\ta tug\ntug\tto pull\noar\tan oar\n"
    path.write_text(text, encoding="utf-8")
    reduced = Definitions([path], "en", LATIN).reduce({"ROW", "TOWBOAT", "OAR", "NONE"}, 2)
    assert reduced == "row\tLine | Quarrel\ntow boat\tTug\n"
    path.write_text(reduced, encoding="utf-8")
    again = Definitions([path], "en", LATIN)
    assert again.find("ROW") == ["Line", "Quarrel"]
    assert again.find("TOWBOAT") == ["Tug"]


def test_a_word_has_its_own_clues_first(tmp_path: Path) -> None:
    path = tmp_path / "glosses.txt"
    text = "ROW\ta Roman name\nrow\ta line | propel with oars | a ship (1900-1980)\nrows\ta quarrel\ntow boat\ta tug\n"
    path.write_text(text, encoding="utf-8")
    known = Definitions([path], "en", LATIN)
    assert known.find("ROW")[0] == "Line"
    assert known.find("ROWS")[:2] == ["Quarrel", "Lines"]
    assert known.find("TOWBOAT") == ["Tug"]
    assert known.find("OAR") == []


def test_a_damaged_dictionary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "glosses.txt"
    path.write_bytes(b"\x1f\x8bno gzip")
    with pytest.raises(InputError, match="a whole gzip file"):
        Definitions([path], "en", LATIN)
    path.write_text("row\ta line\n\n", encoding="utf-8")
    assert Definitions([path], "en", LATIN).find("ROW") == ["Line"]
    path.write_text("row\ta line\nrow\n", encoding="utf-8")
    with pytest.raises(InputError, match=":2: expected a word, a tab"):
        Definitions([path], "en", LATIN)
