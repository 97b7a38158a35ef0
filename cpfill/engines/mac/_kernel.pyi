from collections.abc import Sequence
from enum import Enum

class Answer(Enum):
    RUNNING = 0
    FOUND = 1
    EXHAUSTED = 2

class Kernel:
    def __init__(
        self,
        letters: int,
        tables: Sequence[tuple[int, bytes]],
        slots: Sequence[tuple[int, Sequence[tuple[int, int, int]], Sequence[int]]],
        domains: Sequence[bytes],
        seed: int,
        first_limit: int,
        by_cell: bool,
    ) -> None: ...
    def step(self, seconds: float, nodes: int) -> Answer: ...
    def words(self) -> list[int]: ...
    def wipeout(self) -> int: ...
    def counters(self) -> tuple[int, int, int]: ...
