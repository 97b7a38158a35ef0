"""Word lists by source, each read once, and the lexicons made of them, each indexed once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_LIST_BYTES, Fault, LexiconError
from cpfill.base.files import STDIN, read_text
from cpfill.base.texts import say
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
"""The most lists in memory; one of a million words takes about 20 MB."""

_LEXICONS = 8
"""The most lexicons in memory; the index of a large one takes about 100 MB."""


class ListFinder:
    """Finds word lists for other processes to read, and computes the digest of each file once."""

    def __init__(self) -> None:
        self._known: dict[Path, ListFile] = {}

    def find(self, name: str, base: Path) -> ListFile:
        """Return the list with a name: a packaged list, or a file relative to the directory `base`.

        Raises:
            LexiconError: there is no such list, or it cannot be read.
        """
        path = (base / name).absolute()
        if name in PACKAGED:
            return ListFile(name)
        if name in {"", STDIN}:
            raise LexiconError(
                Fault(say("a word list that every process can read, a file or a packaged one"), f"'{name}'")
            )
        if path not in self._known:
            self._known[path] = ListFile(str(path), _digest(read_text(path, LexiconError, MAX_LIST_BYTES)))
        return self._known[path]


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 - slow to import, and only lists for other processes need it

    return hashlib.sha256(text.encode()).hexdigest()


class Shelf:
    """Reads each list once and makes each union of lists once; it keeps the most recently used of each.

    `on_read` is called with each list that was read. A file that `cache` has is not parsed again. `uncensored` includes
    the offensive words of packaged lists.
    """

    def __init__(self, on_read: Callable[[WordList], None] = lambda _: None, cache: ListCache | None = None) -> None:
        self._on_read = on_read
        self._cache = cache
        self._read = lru_cache(_LISTS)(self._read_list)
        self.lexicon = lru_cache(_LEXICONS)(self._make_lexicon)

    def __reduce__(self) -> tuple[type[Shelf], tuple[()]]:
        return Shelf, ()  # the lists stay in their process

    def word_list(
        self,
        source: ListSource,
        alphabet: Alphabet,
        default_score: float = DEFAULT_SCORE,
        *,
        uncensored: bool = False,
    ) -> WordList:
        """Return a list; a word without a score gets `default_score`.

        Raises:
            LexiconError: the list cannot be read, or a file has changed since it was found.
        """
        return source if isinstance(source, WordList) else self._read(source, alphabet, default_score, uncensored)

    def words(self, sources: Iterable[ListSource], alphabet: Alphabet, *, uncensored: bool = False) -> frozenset[str]:
        """Return the folded words of lists; a source may also be a word itself.

        Raises:
            InputError: a list cannot be read, or a word has letters outside the alphabet.
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
        """Return the union of lists without the excluded words, with the scores of the weighted list if there is one.

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
            # With a different list, this process, perhaps on a different machine, would answer a different question.
            if _digest(text) != source.digest:
                raise LexiconError(
                    Fault(say("the list as it was when the job was made"), say("a different text"), source.name)
                )
            words = parse_word_file(text, source.name, alphabet, default_score=default_score)
        self._on_read(words)
        return words
