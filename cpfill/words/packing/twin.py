"""The packing in pure Python, for installations without the compiled module: the same results, but those of `mark`."""

from __future__ import annotations

from array import array
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ASCII = range(128)
_FOREIGN = 255  # no letter code; marks characters that do not fold to exactly one letter


class _Column:
    """The words of one length."""

    __slots__ = ("codes", "scores", "spans")

    def __init__(self) -> None:
        self.codes = bytearray()
        self.scores = array("d")
        self.spans = array("I")

    def packed(self) -> tuple[bytes, bytes, bytes]:
        """Return the columns as bytes."""
        return bytes(self.codes), self.scores.tobytes(), self.spans.tobytes()


def parse(
    text: bytes,
    score: float,
    longest: int,
    fold: Callable[[int], bytes | None],
    read: Callable[[bytes, int], tuple[bytes, float, int, int] | None],
) -> tuple[dict[int, tuple[bytes, bytes, bytes]], int, int]:
    """Return the words of a list, packed by length, and the numbers of comments and duplicates that were skipped.

    Args:
        text: lines of UTF-8, separated by line feeds.
        score: the score of a word without one.
        longest: the most bytes of a line; `read` gets the first `longest` + 1 bytes of a longer line.
        fold: `LineReader.fold`.
        read: `LineReader.read`.

    Returns:
        For each word length, shortest first: the letter codes of all words, concatenated; one double per word, its
        score; two unsigned ints per word, the start and the end of its spelling in the text. Only the first of equal
        words is kept.
    """
    table = _make_table(fold)
    columns: dict[int, _Column] = {}
    seen: set[bytes] = set()
    scores: dict[bytes, float] = {b"": score}
    comments = duplicates = 0
    start = next_start = 0
    for number, ended in enumerate(BytesIO(text), start=1):  # a list of all lines takes ten times the memory
        start = next_start
        next_start = next_start + len(ended)
        line = ended.removesuffix(b"\n")
        spelling, _, score_text = line.partition(b";")
        value = scores.get(score_text) if len(line) <= longest else None
        # The fast path for common lines: `word`, or `word;score` with a score seen before.
        if value is not None and spelling.isalpha() and _FOREIGN not in (codes := spelling.translate(table)):
            begin = start
            end = start + len(spelling)
        elif not line or line.startswith(b"#"):
            comments += bool(line)
            continue
        else:
            entry = read(line[: longest + 1], number)
            if entry is None:
                continue
            codes = entry[0]
            value = entry[1]
            begin = start + entry[2]
            end = start + entry[3]
            if spelling.isalpha():
                scores[score_text] = value
        if codes in seen:
            duplicates += 1
            continue
        seen.add(codes)
        try:
            column = columns[len(codes)]
        except KeyError:
            column = columns[len(codes)] = _Column()
        column.codes.extend(codes)
        column.scores.append(value)
        column.spans.append(begin)
        column.spans.append(end)
    return {length: columns[length].packed() for length in sorted(columns)}, comments, duplicates


def _make_table(fold: Callable[[int], bytes | None]) -> bytes:
    """Return the letter code of each ASCII letter, for `bytes.translate`."""
    table = bytearray([_FOREIGN] * 256)
    for point in _ASCII:
        if not chr(point).isalpha():
            continue
        letters = fold(point)
        if letters is not None and len(letters) == 1:
            table[point] = letters[0]
    return bytes(table)


def rank(length: int, parts: Sequence[tuple[bytes, bytes]], without: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the union of the words of one length, best score first; ties keep the order of the parts.

    A word in several parts has its best score, and in a tie the first spelling.

    Args:
        length: letters a word.
        parts: for each list, the letter codes and the scores of its words, as `parse` packs them.
        without: the letter codes of words to leave out.

    Returns:
        Letter codes; scores; and for each word an unsigned int: the index, in the concatenation of all parts, of the
        entry that provides its score.
    """
    scores = array("d")
    codes = b"".join(part for part, _ in parts)
    for _, packed in parts:
        scores.frombytes(packed)
    rows: list[int] = list(range(len(scores)))
    if len(parts) > 1 or without:
        out = {without[i : i + length] for i in range(0, len(without), length)}
        rows = _select_best(codes, scores, length, out)
    rows.sort(key=scores.__getitem__, reverse=True)
    words = [codes[row * length : (row + 1) * length] for row in rows]
    ranked = array("d", map(scores.__getitem__, rows))
    return b"".join(words), ranked.tobytes(), array("I", rows).tobytes()


def _select_best(codes: bytes, scores: Sequence[float], length: int, out: set[bytes]) -> list[int]:
    """Return the row with the best score of each word, the first of equal ones, without the words in `out`."""
    best: dict[bytes, int] = {}
    for row, score in enumerate(scores):
        word = codes[row * length : (row + 1) * length]
        if word in out:
            continue
        if word not in best or score > scores[best[word]]:
            best[word] = row
    return list(best.values())


def mark(*_: object) -> tuple[bool, bytes, list[bytes]]:
    """Return that no spelling is known here: `Lexicon.mark_tables` marks one word after another instead."""
    return False, b"", []


def spread(pairs: bytes, places: bytes) -> bytes:
    """Return pairs of a word and a mark for words at other places: `places` has for each word its old one."""
    marks: dict[int, list[int]] = {}
    numbers = iter(array("I", pairs))
    for word, mark in zip(numbers, numbers, strict=True):
        marks.setdefault(word, []).append(mark)
    placed = array("I")
    for word, place in enumerate(array("I", places)):
        for mark in marks.get(place, ()):
            placed.extend((word, mark))
    return placed.tobytes()
