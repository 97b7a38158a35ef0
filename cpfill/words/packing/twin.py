"""The packing in pure Python, for machines where it was not compiled: the same two functions, the same results."""

from __future__ import annotations

from array import array
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ASCII = range(128)
_FOREIGN = 255  # no letter code; stands for a letter that is not one letter of the alphabet


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
    """Return the words of a list, packed by length, and how many comments and duplicates were skipped.

    Args:
        text: lines of UTF-8, parted by line feeds.
        score: what a word without a score counts.
        longest: the bytes a line may have; of one that has more, `read` gets one more than these.
        fold: `Lines.fold`.
        read: `Lines.read`.

    Returns:
        For each word length, shortest first: letter codes, one word after another; a double a word, its score; two
        unsigned ints a word, where its spelling starts and ends in the text. The first of equal words counts.
    """
    table = bytearray([_FOREIGN] * 256)
    for point in _ASCII:
        letters = fold(point) if chr(point).isalpha() else None
        if letters is not None and len(letters) == 1:
            table[point] = letters[0]
    columns: dict[int, _Column] = {}
    seen: set[bytes] = set()
    scores: dict[bytes, float] = {b"": score}
    comments = duplicates = 0
    start = next_start = 0
    for number, ended in enumerate(BytesIO(text), start=1):  # not all lines at once, which take ten times the memory
        start, next_start = next_start, next_start + len(ended)
        line = ended.removesuffix(b"\n")
        spelling, _, score_text = line.partition(b";")
        value = scores.get(score_text) if len(line) <= longest else None
        # The common line, `word` or `word;score` with a score met before, takes no more than this.
        if value is not None and spelling.isalpha() and _FOREIGN not in (codes := spelling.translate(table)):
            begin, end = start, start + len(spelling)
        elif not line or line.startswith(b"#"):
            comments += bool(line)
            continue
        else:
            entry = read(line[: longest + 1], number)
            if entry is None:
                continue
            codes, value, begin, end = entry[0], entry[1], start + entry[2], start + entry[3]
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


def rank(length: int, parts: Sequence[tuple[bytes, bytes]], without: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the union of the words of one length, best score first; ties keep the order of the parts.

    A word of several parts has its best score, and among ties the spelling that came first.

    Args:
        length: letters a word.
        parts: for each list the letter codes and the scores of its words, as `parse` packs them.
        without: the letter codes of words to leave out.

    Returns:
        Letter codes; scores; and for each word an unsigned int, its index among the words of all parts one after
        another: that of the entry which has its score.
    """
    scores = array("d")
    codes = b"".join(part for part, _ in parts)
    for _, packed in parts:
        scores.frombytes(packed)
    rows: list[int] = list(range(len(scores)))
    if len(parts) > 1 or without:
        out = {without[i : i + length] for i in range(0, len(without), length)}
        best: dict[bytes, int] = {}
        for row in rows:
            word = codes[row * length : (row + 1) * length]
            if word not in out and (word not in best or scores[row] > scores[best[word]]):
                best[word] = row
        rows = list(best.values())
    rows.sort(key=scores.__getitem__, reverse=True)
    return (
        b"".join([codes[row * length : (row + 1) * length] for row in rows]),
        array("d", [scores[row] for row in rows]).tobytes(),
        array("I", rows).tobytes(),
    )
