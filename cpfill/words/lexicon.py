"""The union of the word lists of a problem, and its words of one length, indexed by position and letter.

The words of a length are sorted by score, best first, so the words that score at least t are a prefix of the table, and
restricting a domain to them is one AND. Domains are big-integer bitsets: bit i stands for the word with id i in the
table.

Two words are alike if they share a mark: the stem of a word in them, or, from three letters on, the first in the
alphabet of the word and its reversal. Stems are those of the Snowball stemmers (Porter 2001, https://snowballstem.org),
which cut endings and know hardly any irregular words: RUNS and RUNNING have the stem run, RAN has not. The words of an
entry are those of `cpfill.words.spelling`. Letters within a longer word count for nothing: GENERALLY and OVERALL are
not alike.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from operator import itemgetter, neg
from typing import TYPE_CHECKING, Self, overload

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_SIDE, Fault, LexiconError, expected
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.words.packing import KERNELS, WordIndex, decode_words, encode_word
from cpfill.words.spelling import (
    LEAST_LONG,
    LEAST_SHORT,
    NAME,
    EntryKind,
    list_joined,
    list_stemmed,
    may_be_joined,
    read_kind,
    split,
)
from cpfill.words.wordlist import (
    DEFAULT_SCORE,
    DELICATE_SCORE,
    LEAST,
    PACKAGED,
    Band,
    WordList,
    count_decimals,
    has_lower_case,
    parse_word_list,
    read_delicate,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from cpfill.words.marking import PackedTable
    from cpfill.words.packing import PackedWords

WordId = int
"""A word is its index in the table of its length."""
_EXACT = 2**53  # below this every whole number is a float


class _Strings(Sequence[str]):
    def __init__(self, count: int, one: Callable[[int], str], every: Callable[[], Iterable[str]]) -> None:
        self._origins = range(count)
        self._one = one
        self._every = every

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return list(map(self._one, self._origins[at]))
        return self._one(self._origins[at])

    def __len__(self) -> int:
        return len(self._origins)

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class WordTable:
    """The words of one length with their scores, best score first; ties keep the order of the lists.

    Attributes:
        length: the number of letters of each word.
        codes: the letter codes of all words, one after another: word i is `codes[i * length : (i + 1) * length]`.
        scores: the scores by id, in descending order.
    """

    def __init__(self, length: int, lists: Iterable[WordList], alphabet: Alphabet, exclude: Iterable[str] = ()) -> None:
        self.length = length
        self._alphabet = alphabet
        self._lists = [one for one in lists if length in one.packed.columns]
        parts = [one.packed.columns[length] for one in self._lists]
        excluded = [encode_word(word, alphabet) or b"" for word in exclude if len(word) == length]
        packed = [(part.codes, part.scores) for part in parts]
        kernel = load_kernel(*KERNELS)
        codes, scores, origins = kernel.rank(length, packed, b"".join(excluded))
        self.codes: bytes = codes
        self.scores: Sequence[float] = array("d", scores)
        # By id, the index of the word in the concatenation of all lists.
        self._origins: Sequence[int] = array("I", origins)
        self._masks: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"<WordTable: {len(self):,} words of {self.length} letters>"

    def pack(self) -> PackedTable:
        return self.length, self.codes, array("d", self.scores).tobytes(), array("I", self._origins).tobytes()

    def find_places(self, words: PackedWords) -> bytes | None:
        """Return for each word its place in its column of the first list, in 32 bits; `None` if that lacks a word."""
        column = words.columns.get(self.length)
        size = column.size if column else 0
        places = array("I", self._origins)
        if max(places, default=0) >= size:
            for id_, origin in enumerate(places):
                place = origin if origin < size else words.place(self._word(id_))
                if place is None:
                    return None
                places[id_] = place
        return places.tobytes()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words and scores by id, and of the alphabet, in hexadecimal digits."""
        import hashlib

        hashed = hashlib.sha256(f"{self._alphabet.letters}\n".encode())
        hashed.update(self.codes)
        hashed.update(array("d", self.scores).tobytes())
        return hashed.hexdigest()

    @property
    def words(self) -> Sequence[str]:
        """Folded words by id."""
        return _Strings(len(self), self._word, lambda: decode_words(self.codes, self.length, self._alphabet))

    @property
    def spellings(self) -> Sequence[str]:
        """Words as their list wrote them, by id."""
        return _Strings(len(self), self._spelling, self._list_spellings)

    def _word(self, id_: WordId) -> str:
        codes = self.codes[id_ * self.length : (id_ + 1) * self.length]
        return "".join([self._alphabet.letters[code] for code in codes])

    def _spelling(self, id_: WordId) -> str:
        one, index = self._origin(id_)
        return one.packed.spelling(self.length, index)

    def _list_spellings(self) -> Iterable[str]:
        every = list(chain.from_iterable(one.packed.list_spellings(self.length) for one in self._lists))
        return map(every.__getitem__, self._origins)

    def _origin(self, id_: WordId) -> tuple[WordList, int]:
        """Return the list that provides a word's score and spelling, and the word's index there."""
        index = self._origins[id_]
        for one in self._lists:
            size = one.packed.columns[self.length].size
            if index < size:
                break
            index -= size
        return one, index

    @cached_property
    def everything(self) -> int:
        return (1 << len(self)) - 1

    @cached_property
    def ids(self) -> Mapping[str, WordId]:
        return WordIndex(self.codes, self.length, self._alphabet)

    def masks(self, pos: int) -> tuple[int, ...]:
        """Return, for each letter code, the bitset of the words that have that letter at position `pos`."""
        known = self._masks.get(pos)
        if known is None:
            # Bit i is word i, but a number begins with its highest bit: hence the column backwards, as binary digits.
            column = self.codes[pos :: self.length][::-1]
            present = set(column)
            masks = [0] * len(self._alphabet.letters)
            for code in present:
                masks[code] = int(column.translate(_digits(code)), 2)
            known = tuple(masks)
            self._masks[pos] = known
        return known

    def having(self, pos: int, letters: int) -> int:
        """Return the bitset of the words whose letter at `pos` is in the letter set `letters`."""
        masks = self.masks(pos)
        union = 0
        while letters:
            low = letters & -letters
            union |= masks[low.bit_length() - 1]
            letters ^= low
        return union

    def at_least(self, score: float) -> int:
        """Return the bitset of the words that score at least `score`."""
        return (1 << bisect_right(self.scores, -score, key=neg)) - 1

    def above(self, score: float) -> int:
        """Return the bitset of the words that score more than `score`."""
        return (1 << bisect_left(self.scores, -score, key=neg)) - 1

    def units(self, decimals: int) -> Sequence[int]:
        """Return the scores by id, times 10**`decimals`: whole numbers from `Lexicon.decimals` decimals on."""
        from decimal import Decimal

        units = {score: int(Decimal(repr(score)).scaleb(decimals)) for score in set(self.scores)}
        if self.scores and units[self.scores[0]] > _EXACT:
            expected = say(
                ("scores that add up exactly: at most 2**53 in units of 1e-{decimals}, the finest score"),
                decimals=decimals,
            )
            got = say("{scores!r} for {words}", scores=self.scores[0], words=self.words[0])
            raise LexiconError(Fault(path=self._origin(0)[0].name, expected=expected, got=got))
        return array("q", [units[score] for score in self.scores])


def walk_members(bits: int) -> Iterator[int]:
    """Yield the members of a bitset, lowest first; for a domain, these are its words, best score first."""
    digits = f"{bits:b}"[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


@cache
def _digits(code: int) -> bytes:
    """Return the table that translates a column of letter codes into binary digits: 1 for this code, 0 for others."""
    return bytes(49 if byte == code else 48 for byte in range(256))


class Lexicon:
    """The union of word lists over one alphabet, without the folded words in `exclude`.

    A word in several lists has its best score. Lexicons with the same lists and the same excluded words are equal.
    Pass one lexicon to several calls to read the lists only once: for a small grid, reading takes most of the time.
    `marks` are known marks of words.

    Raises:
        LexiconError: a list is folded onto a different alphabet.
    """

    def __init__(
        self,
        lists: Iterable[WordList],
        alphabet: Alphabet | None = None,
        *,
        exclude: Collection[str] = frozenset(),
        marks: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.alphabet = alphabet or Alphabet()
        self.lists = tuple(lists)
        for one in self.lists:
            if one.alphabet != self.alphabet:
                expected = say("a list over the alphabet {letters}", letters=self.alphabet.letters)
                raise LexiconError(Fault(path=one.name, expected=expected, got=one.alphabet.letters))
        self._exclude = frozenset(exclude)
        self._tables: dict[int, WordTable] = {}
        self._origin: tuple[Lexicon, frozenset[int]] | None = None
        """The lexicon from which this one was made, and the lengths in which they differ. They share all other tables,
        and the words that may be part of an entry, so that the words of a shared table have the same marks."""
        self._given = marks is not None
        self._marks = dict(marks or {})
        self._kinds: dict[str, EntryKind | None] = {}
        self._lively: dict[int, int] = {}
        self._others: dict[tuple[str, int], frozenset[str]] = {}

    @classmethod
    def of_lists(
        cls,
        lists: Iterable[WordList],
        weighted: WordList | None = None,
        alphabet: Alphabet | None = None,
        *,
        exclude: Collection[str] = frozenset(),
    ) -> Self:
        """Return the union of the lists; if there is a weighted list, words that only the others have score 0."""
        if weighted is not None:
            lists = [weighted, *(one.rescored(0.0) for one in lists)]
        return cls(lists, alphabet, exclude=exclude)

    def unlisted(self, words: Collection[str]) -> tuple[str, ...]:
        """Return, in alphabetical order, the given folded words that are neither in a list nor excluded."""
        unknown = {*words} - self._exclude
        for one in self.lists:
            unknown = {word for word in unknown if not one.packed.get(word)}
        return tuple(sorted(unknown))

    def including(self, words: Iterable[str], score: float = DEFAULT_SCORE) -> Lexicon:
        """Return the lexicon with missing folded words added, all with the same score, unless too long for any slot.

        Raises:
            LexiconError: one of these words is excluded.
        """
        missing = sorted(word for word in words if len(word) <= MAX_SIDE and self.find(word) is None)
        if not missing:
            return self
        self.refuse_excluded(missing)
        added = parse_word_list("\n".join(missing), say("the words asked for"), self.alphabet, default_score=score)
        return self._altered(missing, [*self.lists, added], self._exclude)

    def refuse_excluded(self, words: Iterable[str]) -> None:
        """Check that no folded word that a grid is to hold is excluded.

        Raises:
            LexiconError: a word is excluded.
        """
        for word in sorted(self._exclude.intersection(words)):
            raise expected("required words and theme words that are not excluded", word, error=LexiconError)

    def lifting(self, words: Collection[str], score: float) -> Lexicon:
        """Return the lexicon with the score of some words raised to `score`, which must exceed their own."""
        if not words:
            return self
        lifted = {}
        for word in words:
            entry = self.find(word)
            if entry is not None:
                lifted[word] = (score, entry[1])
        own = WordList(say("own entries"), lifted, {}, self.alphabet)
        return self._altered(words, [*self.lists, own], self._exclude)

    def corrected(self, by: WordList) -> Lexicon:
        """Return the lexicon with one more list, whose scores override those of the others; 0 bans a word."""
        banned = {word for word, score in by.weights.items() if score == 0}
        lists = [*(one.corrected(by) for one in self.lists), by]
        return Lexicon(lists, self.alphabet, exclude=self._exclude.union(banned))

    def widened(self, alphabet: Alphabet) -> Lexicon:
        """Return the lexicon over an alphabet with more letters at its end, or the same if the alphabet has none."""
        if alphabet == self.alphabet or not alphabet.letters.startswith(self.alphabet.letters):
            return self
        lists = [replace(one, alphabet=alphabet) for one in self.lists]
        return Lexicon(lists, alphabet, exclude=self._exclude, marks=self._marks)

    def without(self, words: Collection[str]) -> Lexicon:
        """Return the lexicon with more words excluded."""
        return self._altered(words, self.lists, self._exclude.union(words))

    def _altered(self, words: Iterable[str], lists: Iterable[WordList], exclude: Collection[str]) -> Lexicon:
        """Return a lexicon with other lists and exclusions, which differs in some words alone."""
        altered = Lexicon(lists, self.alphabet, exclude=exclude)
        altered._origin = self, frozenset(map(len, words))
        return altered

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lexicon):
            return NotImplemented
        if self.alphabet != other.alphabet:
            return False
        return self.lists == other.lists and self._exclude == other._exclude

    def __hash__(self) -> int:
        return hash((self.alphabet, self._exclude, *((one.name, len(one.words)) for one in self.lists)))

    def __len__(self) -> int:
        return sum(self.lengths.values())

    def __repr__(self) -> str:
        return f"<Lexicon of {', '.join(map(repr, self.lists)) or 'no list'}>"

    @property
    def lengths(self) -> dict[int, int]:
        """The number of words of each length, shortest first."""
        lengths = set(chain.from_iterable(one.packed.columns for one in self.lists))
        sizes = {length: len(self.table(length)) for length in sorted(lengths)}
        return {length: size for length, size in sizes.items() if size}

    def table(self, length: int) -> WordTable:
        """Return the table of the words of one length, which is built on first use; it may be empty."""
        if self._origin is not None and length not in self._origin[1]:
            return self._origin[0].table(length)
        if length not in self._tables:
            self._tables[length] = WordTable(length, self.lists, self.alphabet, self._exclude)
        return self._tables[length]

    def find(self, word: str) -> tuple[float, str] | None:
        """Return the best score of a folded word and its spelling in the first list with that score, if it is there.

        The lookup uses the lists, not the tables, so that an audit detects errors in the tables.
        """
        if word in self._exclude:
            return None
        entries = [one.packed.get(word) for one in self.lists]
        return max(filter(None, entries), key=itemgetter(0), default=None)

    @cached_property
    def language(self) -> str:
        """The language of the first packaged list, or else English."""
        from cpfill.words.marking import SNOWBALL

        named = (one.name.partition("-")[0] for one in self.lists)
        return next((name for name in named if name in SNOWBALL), "en")

    def marks(self, word: str) -> frozenset[str]:
        """Return the marks of a folded word, which may be in no list: stems in lower case, a reversal in capitals.

        Raises:
            CpfillError: the stemmers are not installed.
        """
        if word not in self._marks:
            entry = self.find(word)
            self._marks[word] = self._mark(word, entry[1] if entry else word, self.rate_part)
        return self._marks[word]

    def mark_tables(self, tables: Sequence[WordTable]) -> list[array[int]]:
        """Return the words of each table, by id, with each of their marks, by number: pairs, in one array a table.

        Raises:
            CpfillError: the stemmers are not installed.
        """
        from cpfill.words.marking import number_singly, read_kept

        root = self._root
        marked: list[array[int]] = []
        if len(root.lists) == 1 and not root._exclude:  # noqa: SLF001 - of its own kind
            words = root.lists[0].packed
            places = {table.length: table.find_places(words) for table in tables if words.marks}
            marked = read_kept(words, places, root.language, root._mark_packed)  # noqa: SLF001
        if not marked:
            marked = self._mark_packed(list(map(WordTable.pack, tables)))
        return marked or number_singly(map(self._mark_all, tables))

    def _mark_packed(self, tables: Sequence[PackedTable]) -> list[array[int]]:
        """Return the same as `mark_tables`; nothing if only Python can mark the words."""
        from cpfill.words.marking import mark_packed

        if self._given or not self.lists:
            return []
        root = self._root
        rating = list(map(WordTable.pack, map(root.table, root.lengths)))
        return mark_packed(self.lists, tables, rating, self.language, telling=bool(self._telling))

    def _mark_all(self, table: WordTable) -> Iterator[frozenset[str]]:
        """Yield the marks of each word of a table by id, one after another: of a long list they take seconds."""
        for word, spelling in zip(table.words, table.spellings, strict=True):
            yield self._marks.get(word) or self._mark(word, spelling, self._parts.get)

    @property
    def _root(self) -> Lexicon:
        """The lexicon whose words may be parts of entries."""
        return self if self._origin is None else self._origin[0]._root  # noqa: SLF001 - of its own kind

    def _mark(self, word: str, spelling: str, rate: Callable[[str], float | None]) -> frozenset[str]:
        from cpfill.words.marking import list_stems

        parts = list_stemmed(spelling)
        if may_be_joined(spelling):
            parts += list_joined(word, rate)
        found = set(list_stems(parts, self.language))
        if len(word) > 2:
            found.add(min(word, word[::-1]))
        return frozenset(found)

    def find_alike(self, words: Iterable[str]) -> dict[str, set[str]]:
        """Return the marks that several different words share, each with these words."""
        sharers: dict[str, set[str]] = {}
        for word in set(words):
            for mark in self.marks(word):
                sharers.setdefault(mark, set()).add(word)
        return {mark: having for mark, having in sharers.items() if len(having) > 1}

    def are_confusable(self, *ends: tuple[str, int]) -> bool:
        """Return whether words cross, each at a position, where another letter would make other fair entries of all."""
        others = [self.list_others(word, pos) for word, pos in ends]
        return bool(frozenset[str].intersection(*others))

    def list_others(self, word: str, pos: int) -> frozenset[str]:
        """Return the letters that make other fair entries of a word at a position."""
        if (word, pos) not in self._others:
            letters = set()
            for one in self.lists:
                for other, score in one.packed.list_variants(word, pos):
                    if score >= LEAST[Band.FAIR] and other not in self._exclude:
                        letters.add(other[pos])
            self._others[word, pos] = frozenset(letters)
        return self._others[word, pos]

    @property
    def tells_kinds(self) -> bool:
        """Whether the spellings of a list tell phrases and names from words."""
        return bool(self._telling)

    def kind(self, word: str) -> EntryKind | None:
        """Return whether a folded word is a phrase or a name, by its best spelling in a list whose capitals tell."""
        if self._origin is not None:
            return self._origin[0].kind(word)
        if word not in self._kinds:
            self._kinds[word] = self._find_kind(word)
        return self._kinds[word]

    def names(self, length: int) -> frozenset[str]:
        """Return the folded words of a length whose `kind` is a name."""
        if self._origin is not None:
            return self._origin[0].names(length)
        best: dict[str, tuple[float, str]] = {}
        for one in self._telling:
            for word, entry in one.packed.list_entries(length):
                if word not in best or best[word][0] < entry[0]:
                    best[word] = entry
        told = ((word, spelling) for word, (_, spelling) in best.items() if not spelling.islower())
        return frozenset(word for word, spelling in told if self._read_kind(word, spelling) is EntryKind.NAME)

    def lively(self, length: int) -> int:
        """Return the bitset of the strong words of a length that are phrases or names."""
        if self._origin is not None and length not in self._origin[1]:
            return self._origin[0].lively(length)
        if length not in self._lively:
            table = self.table(length)
            strong = table.at_least(LEAST[Band.STRONG]).bit_length()
            spelt = enumerate(table.spellings[:strong])
            told = [(id_, text) for id_, text in spelt if not (text.islower() and text.isalpha())]
            self._lively[length] = sum(1 << id_ for id_, text in told if self._is_lively(table.words[id_], text))
        return self._lively[length]

    def _is_lively(self, word: str, spelling: str) -> bool:
        """Return whether a word has a kind; one in capitals has one in each list that tells."""
        if spelling.isupper() and len(self._telling) < len(self.lists):
            return self.kind(word) is not None
        return bool(self._telling) and read_kind(spelling) is not None

    def _find_kind(self, word: str) -> EntryKind | None:
        entries = [one.packed.get(word) for one in self._telling]
        found = max(filter(None, entries), key=itemgetter(0), default=None)
        if found is None:
            return None
        return self._read_kind(word, found[1])

    def _read_kind(self, word: str, spelling: str) -> EntryKind | None:
        if may_be_joined(spelling) and split(word, self.rate_part) is not None:
            return EntryKind.PHRASE
        return read_kind(spelling)

    def rate_part(self, text: str) -> float | None:
        """Return the score of a text as a word within an entry in capitals, if it may be one."""
        if self._origin is not None:
            return self._origin[0].rate_part(text)
        entry = self.find(text)
        if entry is None or not self._may_be_part(text, *entry):
            return None
        return entry[0]

    def _may_be_part(self, word: str, score: float, spelling: str) -> bool:
        known = score >= LEAST_SHORT.get(len(word), LEAST_LONG)
        return known and " " not in spelling and (len(word) >= NAME or not self._telling or not spelling.isupper())

    @cached_property
    def _parts(self) -> dict[str, float]:
        """The score of each word that may be part of an entry in capitals."""
        if self._origin is not None:
            return self._origin[0]._parts  # noqa: SLF001
        parts: dict[str, float] = {}
        for table in map(self.table, self.lengths):
            entries = zip(table.words, table.scores, table.spellings, strict=True)
            parts |= {word: score for word, score, spelling in entries if self._may_be_part(word, score, spelling)}
        return parts

    @cached_property
    def _telling(self) -> tuple[WordList, ...]:
        """The lists whose capitals tell names and phrases from words: a list in capitals throughout tells nothing."""
        if self._origin is not None:
            return self._origin[0]._telling  # noqa: SLF001
        return tuple(filter(has_lower_case, self.lists))

    def is_delicate(self, word: str, score: float) -> bool:
        """Return whether a folded word with this score is delicate by a packaged list, and scores little for that."""
        if score > DELICATE_SCORE:
            return False
        packaged = [one.name for one in self.lists if one.name in PACKAGED]
        return any(word in read_delicate(name, self.alphabet).words for name in packaged)

    def decimals(self, lengths: Iterable[int]) -> int:
        """Return the most decimals of any score of a word of these lengths, the argument of `WordTable.units`."""
        scores: set[float] = set()
        for length in lengths:
            scores.update(self.table(length).scores)
        return max(map(count_decimals, scores), default=0)
