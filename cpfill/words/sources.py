"""Word lists from any source: files, packaged lists, the personal list, values of a program; each is read once.

The scores of the personal list win over those of all other lists; a score of 0 bans a word.

Large lists are cached in packed form in the user's cache directory, because loading one is many times faster than
parsing it. The name of a cache file is a checksum. The file stores the whole text of the list, and everything else on
which the parse depends; both are compared, so a cached list is never out of date. The words of a length are loaded on
demand, because most grids need few lengths. A file is saved atomically, with checksums. If the file or the directory is
damaged or unusable, the list is parsed again: the cache itself raises no errors.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from numbers import Number
from typing import TYPE_CHECKING, Any, BinaryIO, TypeGuard
from zlib import crc32

from cpfill.base import alphabet
from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
    MAX_LINE_BYTES,
    MAX_LIST_BYTES,
    MAX_SIDE,
    SCORE,
    EmptyListError,
    LexiconError,
    expected,
    tell_reason,
    wrong_type,
)
from cpfill.base.files import STDIN, is_gzip, locked, open_handle, read_bytes, read_text, save, unpacked, user_directory
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.words.lexicon import Lexicon
from cpfill.words.packing import KERNELS, LineReader, PackedWords, WordColumn, encode_word
from cpfill.words.packing import columns as packing_columns
from cpfill.words.packing import lines as packing_lines
from cpfill.words.wordlist import (
    DEFAULT_SCORE,
    PACKAGED,
    ListFile,
    ListSource,
    Taste,
    WordList,
    flatten_table,
    format_decimal,
    parse_word_file,
    parse_word_list,
    read_word_list,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_FILE_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,3}$", re.ASCII)
"""The end of a file name such as `banned.lst`; initials and abbreviations do not match."""

WordsLike = (
    WordList
    | str
    | os.PathLike[str]
    | Mapping[str, float]
    | Iterable[str | tuple[str, float]]
    | Iterable[str | os.PathLike[str] | WordList]
)
"""A list (a file, a packaged list by name, words, a mapping or pairs of words and scores, a text of several lines), or
several lists."""


def list_sources(
    given: WordsLike | None, alphabet: Alphabet, default_score: float = DEFAULT_SCORE
) -> tuple[ListSource, ...]:
    """Return the lists in `given`: none for `None`, one for a list or words, several for several lists."""
    if given is None or given == {}:
        return ()
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        return (list_source(given, alphabet, default_score),)
    parts: list[Any] = list(given)
    if all(map(_names_a_list, parts)):
        return tuple(list_source(part, alphabet, default_score) for part in parts)
    _check_no_list_among(parts)
    return (list_source(parts, alphabet, default_score),)


def _check_no_list_among(parts: Iterable[Any]) -> None:
    """Refuse words that have the name of a list."""
    for part in parts:
        if isinstance(part, str) and not is_path(part) and _names_a_list(part):
            got = say(
                ("'{part}', which is a list, among words; with scores, as a mapping or pairs, it is a word"), part=part
            )
            raise expected("words, or lists", got)


def list_source(given: WordsLike, alphabet: Alphabet, default_score: float = DEFAULT_SCORE) -> ListSource:
    """Return the list in `given`; files are not read yet."""
    if isinstance(given, WordList):
        return given
    if isinstance(given, str) and "\n" in given:
        return parse_word_list(given, alphabet=alphabet, default_score=default_score)
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    if not isinstance(given, Iterable):
        raise wrong_type("words, a file, or lists of words", given)
    lines = _list_lines(given.items() if isinstance(given, Mapping) else given, default_score)
    return parse_word_list("\n".join(lines), alphabet=alphabet)


def _list_lines(parts: Iterable[Any], default_score: float) -> list[str]:
    """Return the lines of a list of words, or of pairs of words and scores."""
    scored = [part if _is_pair(part) else (part, default_score) for part in parts]
    for word, score in scored:
        if not isinstance(word, str) or is_path(word):
            raise TypeError(f"expected words, a file, or lists of words; got {word!r:.60} among them")
        if not isinstance(score, Number):
            raise TypeError(f"expected a number for the score of {word!r:.60}; got {score!r:.60}")
    return [f"{_on_a_line(word)}\t{_score(word, score)!r}" for word, score in scored]


def is_path(name: str) -> bool:
    """Return whether a text must be a path and cannot be a word, whether or not the file exists."""
    return os.sep in name or name.lower().endswith((".txt", ".tsv", ".csv", ".dict", ".gz"))


def is_word(source: object) -> TypeGuard[str]:
    """Return whether a source, which may be a list or a word, is a word: not the name of a list or of any file."""
    if not isinstance(source, str) or source == STDIN or _names_a_list(source):
        return False
    return _FILE_SUFFIX.search(source) is None


def _names_a_list(part: object) -> bool:
    """Return whether a part is a list or the name of one, and so cannot be a word."""
    if isinstance(part, str):
        return part in PACKAGED or is_path(part) or os.path.isfile(part)  # noqa: PTH113 - no error of any name
    return isinstance(part, WordList | os.PathLike)


def _is_pair(part: Any) -> bool:
    return isinstance(part, tuple | list) and len(part) == 2


def _score(word: str, given: Any) -> float:
    try:
        score = float(given)
    except (OverflowError, TypeError, ValueError):
        score = given
    SCORE.check(score, word)
    return score


def _on_a_line(word: str) -> str:
    """Return a word without the signs that have a meaning in word lists; folding would drop them anyway."""
    return " ".join(word.translate({ord(";"): " ", ord("#"): " "}).split())


class ListFinder:
    """Finds word lists for other processes to read, and computes the digest of each file once."""

    def __init__(self) -> None:
        self._known: dict[Path, ListFile] = {}

    def find(self, name: str, base: Path) -> ListFile:
        """Return the list with a name: a packaged list, or a file relative to the directory `base`."""
        path = (base / name).absolute()
        if name in PACKAGED:
            return ListFile(name)
        if name in {"", STDIN}:
            raise expected(
                "a word list that every process can read, a file or a packaged one", f"'{name}'", error=LexiconError
            )
        if path not in self._known:
            self._known[path] = ListFile(str(path), _digest(read_text(path, LexiconError, MAX_LIST_BYTES)))
        return self._known[path]


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


class Shelf:
    """Reads each list once and makes each union of lists once; it keeps the most recently used of each.

    `on_read` is called with each list that was read. A file that `cache` has is not parsed again. `taste` says what
    packaged lists leave out.
    """

    calibrating = False
    """Whether unions bring their lists to one scale."""
    lists_kept = 32
    """The most lists in memory; one of 300,000 words takes about 13 MB."""
    lexicons_kept = 8
    """The most lexicons in memory; one of 300,000 words takes about 25 MB."""

    def __init__(self, on_read: Callable[[WordList], None] = lambda _: None, cache: ListCache | None = None) -> None:
        self._on_read = on_read
        self._cache = cache
        self._read = lru_cache(self.lists_kept)(self._read_list)
        self.lexicon = lru_cache(self.lexicons_kept)(self._make_lexicon)

    def __reduce__(self) -> tuple[type[Shelf], tuple[()]]:
        return Shelf, ()  # the lists stay in their process

    def word_list(
        self,
        source: ListSource,
        alphabet: Alphabet,
        default_score: float = DEFAULT_SCORE,
        *,
        taste: Taste = Taste.BREAKFAST,
    ) -> WordList:
        """Return a list; a word without a score gets `default_score`."""
        if isinstance(source, WordList):
            return source
        return self._read(source, alphabet, default_score, taste)

    def words(
        self, sources: Iterable[ListSource], alphabet: Alphabet, *, taste: Taste = Taste.BREAKFAST
    ) -> frozenset[str]:
        """Return the folded words of lists, which may be empty; a source may also be a word itself."""
        found = set[str]()
        for one in sources:
            if is_word(one):
                found.add(alphabet.word(one))
                continue
            with suppress(EmptyListError):
                found.update(self.word_list(one, alphabet, taste=taste).words)
        return frozenset(found)

    def _make_lexicon(
        self,
        lists: tuple[ListSource, ...],
        weighted: ListSource | None,
        exclude: tuple[ListSource, ...],
        alphabet: Alphabet,
        taste: Taste = Taste.BREAKFAST,
    ) -> Lexicon:
        read = [self.word_list(source, alphabet, taste=taste) for source in lists]
        if self.calibrating:
            from cpfill.words.curate import calibrate

            read = calibrate(read)
        scored = None if weighted is None else self.word_list(weighted, alphabet, taste=taste)
        excluded = self.words(exclude, alphabet, taste=taste)
        return Lexicon.of_lists(read, scored, alphabet, exclude=excluded)

    def _read_list(self, source: str | ListFile, alphabet: Alphabet, default_score: float, taste: Taste) -> WordList:
        if isinstance(source, str) and source in PACKAGED and self._cache is None:
            words = _read_packaged(source, alphabet, default_score, taste)
        elif isinstance(source, str):
            words = read_word_list(source, alphabet, default_score=default_score, taste=taste, cache=self._cache)
        elif not source.digest:
            words = read_word_list(source.name, alphabet, default_score=default_score, taste=taste)
        else:
            text = read_text(source.name, LexiconError, MAX_LIST_BYTES)
            # With a different list, this process, perhaps on a different machine, would answer a different question.
            if _digest(text) != source.digest:
                raise expected(
                    "the list as it was when the job was made", say("a different text"), source.name, error=LexiconError
                )
            words = parse_word_file(text, source.name, alphabet, default_score=default_score)
        self._on_read(words)
        return words


@lru_cache(2)
def _read_packaged(name: str, alphabet: Alphabet, default_score: float, taste: Taste) -> WordList:
    """Return a packaged list, which cannot change; a process keeps the latest two."""
    return read_word_list(name, alphabet, default_score=default_score, taste=taste)


def personal_path() -> Path:
    """Return the path of the personal list: `$XDG_CONFIG_HOME/cpfill/words.txt`, by default in `~/.config`."""
    return user_directory("XDG_CONFIG_HOME", ".config") / "words.txt"


def find_personal() -> Path | None:
    """Return the path of the personal list if it exists; `None` also if this user may not read the directory."""
    path = personal_path()
    if not os.path.exists(path):  # noqa: PTH110 - no error of any place
        return None
    return path


def read_personal() -> bytes | None:
    """Return the content of the personal list, whatever it is; `None` if there is none."""
    path = find_personal()
    if path is None:
        return None
    return read_bytes(path, LexiconError, MAX_LIST_BYTES)


def delete_personal() -> None:
    path = personal_path()
    try:
        path.unlink(missing_ok=True)
    except OSError as exc:
        raise expected("a file that can be deleted", tell_reason(exc), str(path), error=LexiconError) from None


def set_score(word: str, score: float, path: Path | None = None, alphabet: Alphabet | None = None) -> Path:
    """Set the score of a word in the list (0 bans it), keep all other lines, and return the path of the list.

    Concurrent calls wait for one another.
    """
    path = path or personal_path()
    reader = LineReader(str(path), alphabet or Alphabet(), DEFAULT_SCORE, lenient=True)
    codes, line = _write_line(word, score, alphabet or Alphabet(), reader)
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            text = ""
            if path.exists():
                text = read_text(path, LexiconError, MAX_LIST_BYTES)
            if flatten_table(text, str(path))[1]:
                raise expected("a list to add lines to", say("column heads"), str(path), 1, error=LexiconError)
            lines = [*_drop_word(text, codes, reader), line]
            save(target, "".join(f"{each}\n" for each in lines).encode())
    except (OSError, RuntimeError) as exc:  # a loop of links is a RuntimeError
        raise expected("a file that can be written", tell_reason(exc), str(path), error=LexiconError) from None
    return path


def _write_line(word: str, score: float, alphabet: Alphabet, reader: LineReader) -> tuple[bytes, str]:
    """Return the letter codes of a word, and the line of a list that gives it a score."""
    if len(word) > MAX_LINE_BYTES:
        raise expected("a word of at most {most} letters", say("{word} characters", word=len(word)), most=MAX_SIDE)
    codes = encode_word(alphabet.word(word), alphabet)
    SCORE.check(score, word)
    line = f"{_on_a_line(word)};{format_decimal(score)}"
    read = reader.read(line.encode("utf-8", "surrogatepass"), 1)
    if codes is None or len(codes) > MAX_SIDE or read is None or read[:2] != (codes, score):
        raise expected("a word of at most {most} letters that a list can hold", f"'{word:.60}'", most=MAX_SIDE)
    return codes, line


def _drop_word(text: str, codes: bytes, reader: LineReader) -> list[str]:
    """Return the lines of a list without those of a word."""
    if not text:
        return []
    kept = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        read = reader.read(line.encode("utf-8", "surrogatepass"), number)
        if read is None or read[0] != codes:
            kept.append(line)
    return kept


_FORMAT = 3
"""The version of the file format. A file holds one list: a line with a head in JSON, preceded by its checksum; the text
of the list; its columns."""

LEAST_BYTES = 1 << 20
"""Smaller lists, of up to about 80,000 words, are not cached, because they are parsed just as fast."""

MOST_BYTES = 1 << 28
"""The size of the whole cache, about 20 lists of 300,000 words. The least recently used lists are removed first."""

_LONGEST_HEAD = 1 << 16

_PIECE = 1 << 16
"""Texts are compared in pieces of this size: allocating memory for a whole text takes longer than reading it."""


def cache_directory() -> Path:
    """Return the directory of the cache: `$XDG_CACHE_HOME/cpfill/lists`, by default in `~/.cache`."""
    return user_directory("XDG_CACHE_HOME", ".cache") / "lists"


def _stamp_parser() -> list[object]:
    """Return the sizes and times of the parser's files, which distinguish parsers of the same version."""
    modules = (load_kernel(*KERNELS), alphabet, packing_columns, packing_lines)
    files = [str(module.__file__) for module in modules]
    return [[status.st_size, status.st_mtime_ns] for status in map(os.stat, files)]


class ListCache:
    """The lists cached by one version of cpfill; a different version may parse them differently."""

    def __init__(self, version: str) -> None:
        self._version = version

    def read(
        self, data: bytes, name: str, letters: Alphabet, default_score: float, parse: Callable[[], WordList]
    ) -> WordList:
        """Return the list in a file with the content `data` and the given name, from the cache or else from `parse`.

        A parsed list is cached only if its text is the content of the file (unpacked if it is gzip), so that nothing
        was repaired or dropped.
        """
        if len(data) < LEAST_BYTES:
            return parse()
        machine = [unicodedata.unidata_version, sys.byteorder]
        reader = [_FORMAT, self._version, _stamp_parser(), *machine, letters.letters, default_score]
        path = cache_directory() / f"{crc32(data, crc32(repr(reader).encode())):08x}"

        def renew() -> WordList:
            words = parse()
            if words.packed.text == _unpack(data):
                with suppress(OSError):
                    _keep(path, words, data, reader)
            return words

        try:
            head, start = _find(path, data, reader)
        except (OSError, ValueError):
            return renew()
        with suppress(OSError):
            os.utime(path)
        columns = _KeptColumns(path, start, head["columns"], renew)
        text = partial(_unpack, data) if is_gzip(data) else data
        marks = _MarksFile(path, head)
        return WordList(name, PackedWords(text, columns, letters, head["words"], marks), head["skipped"], letters)


def _unpack(data: bytes) -> bytes:
    """Return the text of a list; of a cached list, only spellings need it."""
    return unpacked(data, "a list", LexiconError)


class _KeptColumns(Mapping[int, WordColumn]):
    """The columns of a cached list, each loaded on demand; if one is damaged, `renew` parses the list again.

    `start` is the offset of the columns in the file. `columns` has for each column the length of its words, the sizes
    of its parts, and its checksum.
    """

    def __init__(
        self, path: Path, start: int, columns: Sequence[tuple[int, Sequence[int], int]], renew: Callable[[], WordList]
    ) -> None:
        self._path = path
        self._renew = renew
        self._places: dict[int, tuple[int, Sequence[int], int]] = {}
        self._loaded: dict[int, WordColumn] = {}
        for length, sizes, check in columns:
            self._places[length] = start, sizes, check
            start += sum(sizes)

    def __getitem__(self, length: int) -> WordColumn:
        if length not in self._loaded:
            try:
                self._loaded[length] = self._load(*self._places[length])
            except (OSError, ValueError):
                self._loaded |= self._renew().packed.columns
        return self._loaded[length]

    def _load(self, start: int, sizes: Sequence[int], check: int) -> WordColumn:
        with _open(self._path) as file:
            file.seek(start)
            column = WordColumn(*map(file.read, sizes))
        if _check(column) != check:
            raise ValueError
        return column

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class _MarksFile:
    """The marks of the words of a cached list, in a file beside it: a head, and the marks by length.

    `words` is the head of the list, which distinguishes it from others.
    """

    def __init__(self, path: Path, words: dict[str, Any]) -> None:
        self._path = path
        self._words = words

    def read(self, language: str, lengths: Iterable[int]) -> list[bytes]:
        path = self._path.with_suffix(f".{language}")
        try:
            with _open(path) as file:
                head = _read_head(file)
                if head["of"] != self._identify():
                    return []
                start = file.tell()
                parts = {length: (start + at, size, check) for length, at, size, check in head["marks"]}
                marks = [_read_part(file, *parts.get(length, (start, 0, 0))) for length in lengths]
        except (OSError, ValueError):
            return []
        with suppress(OSError):
            os.utime(path)
        return marks

    def keep(self, language: str, marks: Mapping[int, bytes]) -> None:
        places = []
        at = 0
        for length, packed in marks.items():
            places.append([length, at, len(packed), crc32(packed)])
            at += len(packed)
        head = _pack_head({"of": self._identify(), "marks": places})
        with suppress(OSError):
            _save(self._path.with_suffix(f".{language}"), [*head, *marks.values()])

    def _identify(self) -> list[Any]:
        from cpfill.words.marking import find_version

        return [self._words["reader"], self._words["columns"], find_version()]


def _read_part(file: BinaryIO, start: int, size: int, check: int) -> bytes:
    file.seek(start)
    part = file.read(size)
    if crc32(part) != check:
        raise ValueError
    return part


def _open(path: Path) -> BinaryIO:
    """Open a cache file; anything may have taken its place, even a pipe, on which a read would block."""
    file: BinaryIO = os.fdopen(open_handle(path, os.O_RDONLY), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError
    return file


def _find(path: Path, data: bytes, reader: list[object]) -> tuple[dict[str, Any], int]:
    """Return the head of a cached list, and the offset of its columns."""
    with _open(path) as file:
        head = _read_head(file)
        pieces = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        if head["reader"] != reader or any(file.read(len(piece)) != piece for piece in pieces):
            raise ValueError
        return head, file.tell()


def _read_head(file: BinaryIO) -> dict[str, Any]:
    check, _, line = file.readline(_LONGEST_HEAD).partition(b" ")
    if int(check, 16) != crc32(line):
        raise ValueError
    head: dict[str, Any] = json.loads(line)
    return head


def _pack_head(head: dict[str, Any]) -> list[bytes]:
    line = json.dumps(head).encode() + b"\n"
    return [b"%08x " % crc32(line), line]


def _check(column: WordColumn) -> int:
    check = 0
    for part in column:
        check = crc32(part, check)
    return check


def _keep(path: Path, words: WordList, data: bytes, reader: list[object]) -> None:
    """Save a list that was parsed from `data`."""
    columns = [(length, [*map(len, column)], _check(column)) for length, column in words.packed.columns.items()]
    head = {"reader": reader, "words": len(words.words), "skipped": {**words.skipped}, "columns": columns}
    parts = [*_pack_head(head), data]
    for column in words.packed.columns.values():
        parts += column
    _save(path, parts)


def _save(path: Path, parts: Iterable[bytes]) -> None:
    """Save a file of the cache, and remove the least recently used files if the cache is too large."""
    whole = b"".join(parts)
    if len(whole) > MOST_BYTES:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    save(path, whole)
    left = MOST_BYTES
    # Temporary files count as well: a save that was killed leaves one.
    files = [(each.stat(), each) for each in path.parent.iterdir()]
    for status, each in sorted(files, key=lambda file: file[0].st_mtime_ns, reverse=True):
        left -= status.st_size
        if left < 0:
            each.unlink()
