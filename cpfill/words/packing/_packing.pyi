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
