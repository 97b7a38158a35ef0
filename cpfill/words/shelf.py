"""Word lists by where they are from, each read once, and the lexicons made of them, each indexed once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, LexiconError
from cpfill.base.input_limits import MAX_LIST_BYTES
from cpfill.base.sources import STDIN, read_text
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import (
    DEFAULT_SCORE,
    PACKAGED,
    ListFile,
    ListSource,
    WordList,
    parse_word_file,
    read_word_list,
)
from cpfill.words.words_like import is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet
    from cpfill.words.cache import ListCache

_LISTS = 32
"""How many lists are kept; one of a million words takes some 20 MB."""

_LEXICONS = 8
"""How many lexicons are kept; the index of a large one takes some 100 MB."""


class ListFinder:
    """Finds word lists for other processes to read, and takes their digests, each file once."""

    def __init__(self) -> None:
        self._known: dict[Path, ListFile] = {}

    def find(self, name: str, base: Path) -> ListFile:
        """Return the list of that name: a file as seen from the directory `base`, or a packaged one.

        Raises:
            LexiconError: there is none, or it cannot be read.
        """
        path = (base / name).absolute()
        if name in PACKAGED:
            return ListFile(name)
        if name in {"", STDIN}:
            raise LexiconError(Fault("a word list: a file, or a packaged one, for every process to read", f"'{name}'"))
        if path not in self._known:
            self._known[path] = ListFile(str(path), _digest(read_text(path, LexiconError, MAX_LIST_BYTES)))
        return self._known[path]


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 - slow to import, and only lists for other processes need it

    return hashlib.sha256(text.encode()).hexdigest()


class Shelf:
    """Reads each list once and makes each union of lists once; of many, the latest used are kept.

    `on_read` is called with each list that was read; what `cache` has of a file is not read anew. `uncensored` says
    that packaged lists have their offensive words.
    """

    def __init__(self, on_read: Callable[[WordList], None] = lambda _: None, cache: ListCache | None = None) -> None:
        self._on_read = on_read
        self._cache = cache
        self._read = lru_cache(_LISTS)(self._read_list)
        self.lexicon = lru_cache(_LEXICONS)(self._make_lexicon)

    def __reduce__(self) -> tuple[type[Shelf], tuple[()]]:
        return Shelf, ()  # what was read stays in its process

    def word_list(
        self,
        source: ListSource,
        alphabet: Alphabet,
        default_score: float = DEFAULT_SCORE,
        *,
        uncensored: bool = False,
    ) -> WordList:
        """Return a list; a word without a score counts `default_score`.

        Raises:
            LexiconError: it cannot be read, or a file has another text than it had when it was found.
        """
        return source if isinstance(source, WordList) else self._read(source, alphabet, default_score, uncensored)

    def words(self, sources: Iterable[ListSource], alphabet: Alphabet, *, uncensored: bool = False) -> frozenset[str]:
        """Return the folded words of lists, and those that stand there themselves.

        Raises:
            InputError: a list cannot be read, or a word is over another alphabet.
        """
        return frozenset[str]().union(
            *(
                [alphabet.word(one)] if is_word(one) else self.word_list(one, alphabet, uncensored=uncensored).words
                for one in sources
            )
        )

    def _make_lexicon(
        self,
        lists: tuple[ListSource, ...],
        weighted: ListSource | None,
        exclude: tuple[ListSource, ...],
        alphabet: Alphabet,
        uncensored: bool = False,
    ) -> Lexicon:
        """Return the union of lists, by the scores of the weighted one if there is any, less the words to exclude.

        Raises:
            LexiconError: a list cannot be read.
        """
        read = [self.word_list(source, alphabet, uncensored=uncensored) for source in lists]
        scored = None if weighted is None else self.word_list(weighted, alphabet, uncensored=uncensored)
        excluded = self.words(exclude, alphabet, uncensored=uncensored)
        return Lexicon.of_lists(read, scored, alphabet, exclude=excluded)

    def _read_list(
        self, source: str | ListFile, alphabet: Alphabet, default_score: float, uncensored: bool
    ) -> WordList:
        if isinstance(source, str):
            words = read_word_list(
                source, alphabet, default_score=default_score, uncensored=uncensored, cache=self._cache
            )
        elif not source.digest:
            words = read_word_list(source.name, alphabet, default_score=default_score, uncensored=uncensored)
        else:
            text = read_text(source.name, LexiconError, MAX_LIST_BYTES)
            # A process, perhaps on another machine, that has another list would answer another question.
            if _digest(text) != source.digest:
                raise LexiconError(Fault("the list as it was when the job was made", "another text", source.name))
            words = parse_word_file(text, source.name, alphabet, default_score=default_score)
        self._on_read(words)
        return words
