from __future__ import annotations

import pytest

from cpfill.base.alphabet import LATIN, NAMED, Alphabet
from cpfill.base.errors import InputError
from tests.tables import read_rows

# The name or letters of an alphabet, a word as it is written, the word folded.
FOLDED = read_rows("""
latin | été           | ETE
latin | Œuvre         | OEUVRE
latin | æther         | AETHER
latin | Straße        | STRASSE
latin | STRAẞE        | STRASSE
latin | Łódź          | LODZ
latin | Ærø           | AERO
latin | garçon        | GARCON
latin | aujourd'hui   | AUJOURDHUI
latin | aujourd\u2019hui | AUJOURDHUI
latin | porte-clés    | PORTECLES
latin | New York      | NEWYORK
latin | New\u00a0York | NEWYORK
latin | e\u0301te\u0301 | ETE
latin | año           | ANO
latin | Ångström      | ANGSTROM
latin | \ufb01n       | FIN
latin | A.B.C.        | ABC
latin |               |
latin | --            |
latin | A\ufe0f       | A
latin | naïve         | NAIVE
es    | año           | AÑO
es    | an\u0303o     | AÑO
es    | pingüino      | PINGUINO
sv    | ångström      | ÅNGSTRÖM
sv    | a\u030angstro\u0308m | ÅNGSTRÖM
sv    | Ñandú på café | NANDUPÅCAFE
fi    | äiti          | ÄITI
de    | Größe         | GRÖSSE
da    | Ærø           | ÆRØ
da    | œuvre         | OEUVRE
nb    | blåbær        | BLÅBÆR
RD12  | r2-d2         | R2D2
""")


@pytest.mark.parametrize(("name", "written", "folded"), FOLDED)
def test_words_fold_onto_letters(name: str, written: str, folded: str) -> None:
    assert Alphabet.named(name).fold(written) == folded


@pytest.mark.parametrize(
    ("letters", "written", "foreign"),
    [
        ("כתב", "כָּתַב", None),  # points
        ("कल", "किला", "\u093f"),  # vowel signs are no accents
        ("कल", "क्ल", "\u094d"),
        ("लड", "ल\u095c", None),  # a dot under a letter, which has no code of its own
        ("คณ", "คุณ", "\u0e38"),
        (LATIN, "2CV", "2"),
        (LATIN, "жук", "Ж"),
        (LATIN, "CV", None),
        ("ABC", "CABD", "D"),
    ],
)
def test_other_signs_are_foreign(letters: str, written: str, foreign: str | None) -> None:
    alphabet = Alphabet(letters)
    assert alphabet.foreign(alphabet.fold(written)) == foreign


def test_an_alphabet_is_named_or_spelt_out() -> None:
    assert Alphabet.named("latin") == Alphabet() == Alphabet(LATIN)
    assert Alphabet.named("ES").letters == NAMED["es"]
    assert Alphabet.named("XYZ").letters == "XYZ"
    assert Alphabet.named(LATIN.lower() + "n\u0303").letters == LATIN + "Ñ"
    with pytest.raises(InputError, match="did you mean 'latin'"):
        Alphabet.named("latn")


@pytest.mark.parametrize("letters", ["", "AA", "abc", "AB²", "A B", "".join(chr(0x4E00 + i) for i in range(65))])
def test_an_alphabet_has_1_to_64_different_upper_case_letters(letters: str) -> None:
    with pytest.raises(InputError, match="1 to 64 different letters or digits"):
        Alphabet(letters)


def test_an_alphabet_may_have_64_letters() -> None:
    assert Alphabet("".join(chr(0x4E00 + i) for i in range(64))).full == 2**64 - 1
    assert Alphabet("Ω").full == 1
    assert Alphabet("RD12").word("r2-d2") == "R2D2"
    assert Alphabet("RD12").including("2D9A").letters == "RD129A"


def test_a_letter_set_has_a_bit_for_each_letter() -> None:
    alphabet = Alphabet(NAMED["es"])
    assert alphabet.codes["Ñ"] == 14
    assert alphabet.letter_set("AÑZ") == 1 | 1 << 14 | 1 << 26
    assert alphabet.members(1 | 1 << 14 | 1 << 26) == "AÑZ"
    assert alphabet.members(0) == ""
    assert alphabet.members(alphabet.full) == NAMED["es"]
