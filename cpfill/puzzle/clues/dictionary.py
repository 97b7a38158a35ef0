"""Words looked up in the dictionaries of a language that are installed on the system."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_TEXT, Fault, InputError
from cpfill.base.texts import say
from cpfill.puzzle.clues.clue_file import Clues
from cpfill.puzzle.clues.mythes import read_synonyms
from cpfill.puzzle.clues.wordnet import list_files, read_definitions
from cpfill.puzzle.puzzle import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cpfill.base.alphabet import Alphabet

    Lookup = Callable[[str], list[str]]
    """Returns the texts of a dictionary for a folded word; `look_up` makes clues of them."""

WORDNET_AT = Path("/usr/share/wordnet")
THESAURI_AT = Path("/usr/share/mythes")
"""The directories that Debian's packages use."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_PACKAGES = {"en": "wordnet-base or mythes-en-us", "pt": "mythes-pt-pt or mythes-pt-br"}
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary: a directory (WordNet) or a file (MyThes)."""

    path: Path
    is_wordnet: bool

    @property
    def name(self) -> str:
        """The name of the dictionary in messages."""
        return "WordNet" if self.is_wordnet else self.path.name

    @property
    def files(self) -> list[Path]:
        """The files of the dictionary."""
        return list_files(self.path) if self.is_wordnet else [self.path]

    def read(self, alphabet: Alphabet) -> Lookup:
        """Read the dictionary into memory.

        Raises:
            InputError: the dictionary is missing or damaged.
        """
        return (read_definitions if self.is_wordnet else read_synonyms)(self.path, alphabet)


def list_dictionaries(wordnets: Iterable[Path], thesauri: Iterable[Path]) -> list[Dictionary]:
    """Return the dictionaries in these directories (WordNet) and files (MyThes)."""
    return [*(Dictionary(path, True) for path in wordnets), *(Dictionary(path, False) for path in thesauri)]


def find_installed(language: str) -> list[Dictionary]:
    """Return the installed dictionaries of a language (`en`, `fr`): thesauri, and WordNet for English.

    Raises:
        InputError: no dictionary is installed, or `language` is not a language code.
    """
    if not _LANGUAGE.fullmatch(language):
        raise InputError(Fault(say("a language of two or three letters, such as en or fr"), f"'{language}'"))
    wordnets, thesauri = _find(language)
    if not (wordnets or thesauri):
        package = _PACKAGES.get(language, f"mythes-{language}")
        wanted = say(
            ("a dictionary for '{language}' (install the Debian package {package}), or a dictionary file"),
            language=language,
            package=package,
        )
        raise InputError(Fault(wanted, say("none on this system")))
    return list_dictionaries(wordnets, thesauri)


def is_installed(language: str) -> bool:
    """Return whether a dictionary of a language (`en`, `fr`) is installed."""
    return any(_find(language))


def _find(language: str) -> tuple[list[Path], list[Path]]:
    """Return the directories of WordNet and the thesauri of a language that are there."""
    wordnets = [WORDNET_AT] if language == "en" and WORDNET_AT.is_dir() else []
    # Links may give the same thesaurus the names of several countries.
    return wordnets, sorted({path.resolve() for path in THESAURI_AT.glob(f"th_{language}_*.dat")})


def look_up(words: Iterable[str], lookups: Sequence[Lookup], alphabet: Alphabet, most: int | None = None) -> Clues:
    """Return at most `most` clues for each of some folded words, in their order; words without a clue are left out.

    Definitions and synonyms that give their word away are left out.

    Raises:
        InputError: a dictionary is damaged.
    """
    clues = {}
    for word in dict.fromkeys(words):
        texts = dict.fromkeys(clean(text) for find in lookups for text in find(word))
        kept = [text for text in texts if 0 < len(text) <= MAX_TEXT and not gives_away(text, word, alphabet)]
        if kept:
            clues[word] = tuple(kept[:most])
    return Clues(clues, alphabet)


def gives_away(clue: str, word: str, alphabet: Alphabet) -> bool:
    """Return whether a clue contains a folded word or its plural, in one piece or several (HOTDOG in `hot dog`).

    A word of four letters or more is also given away if a word of the clue begins with it.
    """
    tokens = [folded for token in re.findall(r"[^\W_]+", clue) if (folded := alphabet.fold(token))]
    for start in range(len(tokens)):
        run = ""
        for token in tokens[start : start + len(word)]:
            run += token
            if len(run) >= len(word):
                break
        if run in {word, f"{word}S"} or (len(word) > _SHORT and run.startswith(word)):
            return True
    return False
