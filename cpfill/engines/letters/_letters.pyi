from collections.abc import Sequence

class Kernel:
    def __init__(
        self,
        letters: int,
        cells: int,
        tables: Sequence[tuple[int, bytes, bytes, bytes, bytes]],
        tries: Sequence[tuple[int, bytes]],
        slots: Sequence[tuple[int, Sequence[int]]],
        no_shared: int,
        max_obscure: int,
    ) -> None: ...
    def start(self, prefix: bytes, depth: int, keep: bool) -> bool: ...
    def step(self, seconds: float, nodes: int, fills: int) -> bool: ...
    def take(self) -> bytes: ...
    def counters(self) -> tuple[int, int]: ...
