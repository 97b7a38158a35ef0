from collections.abc import Callable, Sequence

CONSTANTS: dict[str, int]
EXACT_DIGITS: int

def parse(
    text: bytes,
    score: float,
    longest: int,
    fold: Callable[[int], bytes | None],
    read: Callable[[bytes, int], tuple[bytes, float, int, int] | None],
) -> tuple[dict[int, tuple[bytes, bytes, bytes]], int, int]: ...
def rank(length: int, parts: Sequence[tuple[bytes, bytes]], without: bytes) -> tuple[bytes, bytes, bytes]: ...
def mark(
    lists: Sequence[tuple[bytes, Sequence[tuple[int, bytes]], tuple[bytes, bytes, Sequence[bytes], int]]],
    tables: Sequence[tuple[int, bytes, bytes, bytes, bool, bool]],
    letters: Sequence[bytes],
    common: Sequence[bytes],
    least: Sequence[float],
    name: int,
    parts: Sequence[bytes],
    stems: Sequence[bytes],
) -> tuple[bool, bytes, list[bytes]]: ...
def spread(pairs: bytes, places: bytes) -> bytes: ...
