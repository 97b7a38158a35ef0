"""Damage to a file: bytes flipped, pieces cut and moved, numbers at the edge, a sign a million times, other formats."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

MOST_BYTES = 1 << 20
"""Bytes of an input. What is linear is read in a moment, and what is not takes hours."""

NUMBERS = (
    *("0", "-0", "-1", "1", "2", "64", "127", "128", "255", "256", "65535", "65536", "99999", "1000000"),
    *("2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775808", "18446744073709551616"),
    *("9" * 20, "9" * 24, "1" + "0" * 400, "9" * 5000, "-" + "9" * 400),
    *("nan", "inf", "-inf", "1e9", "1e308", "1e400", "1e-400", "5e-324", "0.1", ".5", "1.", "1e", "0x10", "1_000"),
    *("\u0663", "\uff11", "\u00b2", "+1", "--1", "1,5", "null", "true", "[]", "{}", '""', '"1"', ""),
)
"""Where a number is expected: at the edges of what machines count with, past them, and what only looks like one."""

_NUMBER = re.compile(rb"[-+]?[0-9]+(?:\.[0-9]+)?")
_TOKEN = re.compile(rb"\w+|[^\w\s]|\s+")
_PIECE = 10_000
_BRACKETS = (b"[]", b"{}", b"()", b"<>", b'""', b"''")
_FILLERS = (
    *(b" ", b"\t", b"\n", b"\r", b"a", b"A", b"0", b"9", b'"', b"\\", b"#", b"&amp;", b"<b>", b"1,", b". ", b"\xff"),
    *("\u00e9".encode(), "\u0301".encode(), "\u200b".encode(), "\ufdfa".encode(), b"[A]", b"-", b"e", b"%", b"_"),
)
_ZIPPED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def mutated(seeds: Sequence[bytes], foreign: Sequence[bytes], rng: Random) -> bytes:
    """Return one of the seeds with some damage, now and then by a file of another kind."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        other = rng.choice(foreign if rng.random() < 0.1 else seeds)
        data = rng.choice(_WAYS)(data, other, rng)[:MOST_BYTES]
    return data


def _often(rng: Random) -> int:
    """Return how often something is repeated: most often a few times, now and then up to a million."""
    return int(10 ** (rng.uniform(0, 2) if rng.random() < 0.8 else rng.uniform(2, 6)))


def _span(data: bytes, rng: Random) -> tuple[int, int]:
    """Return the ends of a piece: any two places, or near ones."""
    start, end = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    return start, end if rng.random() < 0.3 else min(end, start + rng.randint(1, 20))


def _chosen(kind: re.Pattern[bytes], data: bytes, rng: Random) -> re.Match[bytes] | None:
    """Return one of the tokens or numbers of some data, of much data one of a piece: to list them all takes long."""
    start = rng.randrange(len(data) - _PIECE) if len(data) > _PIECE else 0
    found = list(kind.finditer(data, start, start + _PIECE))
    return rng.choice(found) if found else None


def _inserted(data: bytes, piece: bytes, times: int, rng: Random) -> bytes:
    place = rng.randint(0, len(data))
    return data[:place] + piece * min(times, MOST_BYTES // max(1, len(piece))) + data[place:]


def _flipped(data: bytes, _other: bytes, rng: Random) -> bytes:
    changed = bytearray(data or b"?")
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        place = rng.randrange(len(changed))
        changed[place] = rng.choice((changed[place] ^ 1 << rng.randrange(8), rng.randrange(256), 0, 255, 128))
    return bytes(changed)


def _cut(data: bytes, _other: bytes, rng: Random) -> bytes:
    place = rng.randint(0, len(data))
    return data[:place] if rng.random() < 0.8 else data[place:]


def _dropped(data: bytes, _other: bytes, rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _copied(data: bytes, other: bytes, rng: Random) -> bytes:
    start, end = _span(other, rng)
    return _inserted(data, other[start:end], _often(rng), rng)


def _spliced(data: bytes, other: bytes, rng: Random) -> bytes:
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _replaced(_data: bytes, other: bytes, _rng: Random) -> bytes:
    return other


def _renumbered(data: bytes, _other: bytes, rng: Random) -> bytes:
    chosen = _chosen(_NUMBER, data, rng)
    if not chosen:
        return data
    number = rng.choice(NUMBERS).encode()
    if rng.random() < 0.1:
        return data.replace(chosen[0], number)
    return data[: chosen.start()] + number + data[chosen.end() :]


def _retold(data: bytes, other: bytes, rng: Random) -> bytes:
    """Put one token in the place of another, once or wherever it stands."""
    old, new = (_chosen(_TOKEN, each, rng) for each in (data, other))
    if not (old and new):
        return other
    if rng.random() < 0.1:
        return data.replace(old[0], new[0])
    return data[: old.start()] + new[0] + data[old.end() :]


def _stuttered(data: bytes, _other: bytes, rng: Random) -> bytes:
    chosen = _chosen(_TOKEN, data, rng)
    if not chosen:
        return data
    times = _often(rng)
    return data[: chosen.start()] + chosen[0] * min(times, MOST_BYTES) + data[chosen.end() :]


def _filled(data: bytes, _other: bytes, rng: Random) -> bytes:
    return _inserted(data, rng.choice(_FILLERS), _often(rng), rng)


def _nested(data: bytes, _other: bytes, rng: Random) -> bytes:
    """Put a piece in many brackets, or elements, that are closed or not."""
    start, end = _span(data, rng)
    pair, times = rng.choice(_BRACKETS), _often(rng)
    opened, closed = pair[:1], pair[1:]
    if rng.random() < 0.3 and (words := re.findall(rb"[a-z]{2,20}", data)):
        word = rng.choice(words)
        opened, closed = rng.choice(
            ((b"<%s>" % word, b"</%s>" % word), (b'{"%s":' % word, b"}"), (b'["%s",' % word, b"]"))
        )
    shut = closed * times if rng.random() < 0.7 else b""
    return data[:start] + opened * times + data[start:end] + shut + data[end:]


def _multiplied(data: bytes, _other: bytes, rng: Random) -> bytes:
    """Repeat a line, or what stands between two like signs."""
    sign = b"\n" if rng.random() < 0.5 else bytes([rng.choice(data or b"\n")])
    pieces = data.split(sign)
    place = rng.randrange(len(pieces))
    times = min(_often(rng), MOST_BYTES // (len(pieces[place]) + 1))
    return sign.join([*pieces[:place], *[pieces[place]] * times, *pieces[place + 1 :]])


def _shuffled(data: bytes, _other: bytes, rng: Random) -> bytes:
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def _encoded(data: bytes, _other: bytes, rng: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return rng.choice(
        (
            b"\xef\xbb\xbf" + data,
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\n", b"\r"),
            data.replace(b"\n", "\u2028".encode()),
            text.encode("latin-1", "replace"),
            text.encode("utf-16"),
            text.swapcase().encode(),
        )
    )


def _packed(data: bytes, _other: bytes, rng: Random) -> bytes:
    if rng.random() < 0.5:
        return gzip.compress(data, 1)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice(_ZIPPED_AS)) as archive:
        archive.writestr("puzzle.xml", data)
    return packed.getvalue()


_WAYS: tuple[Callable[[bytes, bytes, Random], bytes], ...] = (
    *(_flipped, _flipped, _cut, _dropped, _copied, _spliced, _replaced, _renumbered, _renumbered, _retold, _retold),
    *(_stuttered, _filled, _nested, _multiplied, _shuffled, _encoded, _packed),
)
