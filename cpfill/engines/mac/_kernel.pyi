from collections.abc import Sequence
from enum import Enum

class Answer(Enum):
    RUNNING = 0
    FOUND = 1
    EXHAUSTED = 2

class Index:
    def __init__(self, letters: int, tables: Sequence[tuple[int, bytes]], run: int) -> None: ...

class Costs:
    def __init__(self, tables: Sequence[bytes]) -> None: ...

class Kernel:
    def __init__(
        self,
        index: Index,
        slots: Sequence[tuple[int, Sequence[tuple[int, int, int]], Sequence[int]]],
        domains: Sequence[bytes],
        singles: Sequence[bytes],
        budgets: Sequence[tuple[Costs, int]],
        required: Sequence[tuple[int, int]],
        weights: Sequence[float],
        seed: int,
        first_limit: int,
        by_cell: bool,
        improving: bool,
        dear: float,
    ) -> None: ...
    def step(self, seconds: float, nodes: int) -> Answer: ...
    def words(self) -> list[int]: ...
    def wipeout(self) -> int: ...
    def lower_limit(self, budget: int, limit: int) -> None: ...
    def weights(self) -> list[float]: ...
    def counters(self) -> tuple[int, int, int]: ...
