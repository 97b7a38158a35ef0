"""Caches between questions, by content and bounded: lists, clues, propagated states, fills.

A change to a word, a letter or a score makes a new question, which finds nothing of the previous one. The content of a
file is kept until the file changes.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict, deque
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from cpfill.base.errors import Fault, InputError, LexiconError, tell_reason
from cpfill.base.reading import asked_fields
from cpfill.base.texts import say
from cpfill.engines.audited import drop_objective
from cpfill.problem.check import cell_violations
from cpfill.puzzle.clues import ClueCollection, read_clues
from cpfill.questions.candidates import Candidates
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.web.own_clues import OwnClues
from cpfill.words.sources import ListFinder, Shelf, find_personal
from cpfill.words.wordlist import DEFAULT_SCORE, PACKAGED, ListFile, Taste

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
    from pathlib import Path

    from cpfill.base.alphabet import Alphabet
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.clues.dictionaries import Dictionary, Lookup
    from cpfill.web.files import Folder
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import ListSource, WordList

T = TypeVar("T")


class Unchanged(Generic[T]):
    """Caches the last `most` values by key, and checks at each use whether their files changed."""

    def __init__(self, most: int, error: type[InputError] = InputError) -> None:
        self._most = most
        self._error = error
        self._kept: OrderedDict[Hashable, tuple[list[tuple[int, ...]], T]] = OrderedDict()
        self._reading = threading.RLock()

    def get(self, key: Hashable, files: Iterable[Path], read: Callable[[], T]) -> T:
        """Return the cached value; read it first if it is missing or a file changed."""
        with self._reading:  # several that need the same wait for one reading
            states = [self._state(path) for path in files]
            if key not in self._kept or self._kept[key][0] != states:
                self._kept[key] = (states, read())
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return self._kept[key][1]

    def _state(self, path: Path) -> tuple[int, ...]:
        try:
            found = path.stat()
        except OSError as exc:
            raise self._error(Fault(say("a file that can be read"), tell_reason(exc), str(path))) from None
        return found.st_mtime_ns, found.st_size, found.st_ino


_STATES = 2 if sys.platform == "emscripten" else 4
"""The maximum number of propagated states that are kept. Each takes some megabytes, which a tab never gives back."""

_FILLS = 64
"""The maximum number of fills that are kept."""

_OF_LEXICON = [name for name, about in asked_fields(Request).items() if about.decides_lexicon]
"""The fields of a request that decide its lexicon."""

_FILES = 1000
"""The maximum number of word lists whose digests are kept."""

_CLUE_SOURCES = 4
"""The maximum number of dictionaries, and of clue files, that are kept; a large one takes some 100 MB."""


_MAY_TRIM = sys.platform == "linux"


def find_trim() -> Callable[[], object] | None:
    """Return the function that returns free memory to the system; only glibc has it, which keeps much otherwise."""
    if not _MAY_TRIM:
        return None
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim and partial(trim, 0)


class PageLists(Shelf):
    """Reads the lists that the page may name, packaged ones and files of the directory, and the personal list.

    A file whose text changed is a different list, so each use checks the file.
    """

    calibrating = True
    lists_kept = 4
    lexicons_kept = 2

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self._folder = folder
        self._reading = threading.RLock()
        self._found = Unchanged[ListFile](_FILES, LexiconError)
        self._lexicons: OrderedDict[tuple[object, ...], Lexicon] = OrderedDict()

    def find(self, name: str) -> ListSource:
        """Return the list of a name."""
        if name in PACKAGED:
            return name
        return self._look(self._folder.find_list(name))

    def find_personal(self) -> ListFile | None:
        """Return the personal list, if there is one."""
        path = find_personal()
        return self._look(path) if path else None

    def word_list(
        self,
        source: ListSource,
        alphabet: Alphabet,
        default_score: float = DEFAULT_SCORE,
        *,
        taste: Taste = Taste.BREAKFAST,
    ) -> WordList:
        """Return a list; by name only those that `find` finds."""
        with self._reading:  # several questions that need one list wait for one reading
            found = self.find(source) if isinstance(source, str) else source
            return super().word_list(found, alphabet, default_score, taste=taste)

    def lexicon_of(self, request: Request) -> Lexicon:
        """Return the lexicon of a request, with the personal list, the words to require and those of the theme."""
        key = tuple(getattr(request, name) for name in _OF_LEXICON)
        with self._reading:
            if key not in self._lexicons:
                self._lexicons[key] = request.united(self)
                while len(self._lexicons) > self.lexicons_kept:
                    self._lexicons.popitem(last=False)
            self._lexicons.move_to_end(key)
            return self._lexicons[key]

    def _look(self, path: Path) -> ListFile:
        return self._found.get(path, [path], lambda: ListFinder().find(path.name, path.parent))


class Memory(Desk):
    """Makes problems from requests, and lends their propagated states, each to one question at a time."""

    pulse_s = 0.2

    def __init__(self, folder: Folder) -> None:
        self.lists: PageLists = PageLists(folder)
        self._folder = folder
        self._files = Unchanged[ClueCollection](_CLUE_SOURCES)
        self._dictionaries = Unchanged["Lookup"](_CLUE_SOURCES)
        self._own_clues = OwnClues(folder)
        self._idle: OrderedDict[Problem, Candidates] = OrderedDict()
        self._fills: deque[Fill] = deque(maxlen=_FILLS)
        self._lock = threading.Lock()

    def lexicon_of(self, request: Request) -> Lexicon:
        """Return the lexicon of a request, made once."""
        return self.lists.lexicon_of(request)

    def read_clues(self, name: str, alphabet: Alphabet) -> ClueCollection:
        """Return the clues in a file of the directory."""
        path = self._folder.find_clues(name)
        return self._files.get((path, alphabet), [path], lambda: read_clues(path, alphabet))

    def read_dictionary(self, dictionary: Dictionary, alphabet: Alphabet) -> Lookup:
        """Return a dictionary in which to look up words."""
        return self._dictionaries.get((dictionary, alphabet), dictionary.files, lambda: dictionary.read(alphabet))

    def find_own_clues(self, words: Collection[str], alphabet: Alphabet) -> list[tuple[str, str, str]]:
        """Return the clues of some words in the puzzles of the directory."""
        return self._own_clues.find(words, alphabet)

    def teach(self, state: Candidates) -> None:
        """Pass matching cached fills to the candidates; each is audited, in about a millisecond."""
        with self._lock:
            fills = [fill for fill in self._fills if fill not in state.fills and _matches(state.problem, fill)]
        for fill in fills:
            state.learn(fill)

    def keep(self, fill: Fill) -> None:
        """Cache a fill: a changed grid that it still matches has a fill, without a search."""
        with self._lock:
            if fill not in self._fills:
                self._fills.append(fill)

    @contextmanager
    def candidates(self, problem: Problem, limits: Limits) -> Iterator[Candidates]:
        """Lend the candidates of a problem (its objective does not matter): the cached ones, unless they are in use.

        Afterwards their fills are kept.
        """
        problem = drop_objective(problem)
        with self._lock:
            state = self._idle.pop(problem, None)
        if state is None:
            state = Candidates(problem, limits=limits)
        else:
            state.renew(limits)
        try:
            yield state
        finally:
            for fill in list(state.fills)[-_FILLS:]:
                self.keep(fill)
            with self._lock:
                self._idle[problem] = state
                while len(self._idle) > _STATES:
                    self._idle.popitem(last=False)


def _matches(problem: Problem, fill: Fill) -> bool:
    """Return whether each letter of a fill may stand in its cell; the rest of the audit follows."""
    grid = problem.grid
    own = fill.grid
    if (own.height, own.width, own.alphabet) != (grid.height, grid.width, grid.alphabet):
        return False
    return next(cell_violations(problem, fill), None) is None
