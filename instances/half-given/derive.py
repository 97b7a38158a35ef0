"""Derives the half-given grids from the ten classic 15x15: a fill of each, of whose words across half stay.

Run it with no argument where cpfill is installed; it rewrites the grids beside it.
"""

from __future__ import annotations

import random
from pathlib import Path

import cpfill
from cpfill.puzzle.grid import Direction

HERE = Path(__file__).parent
MIN_SCORE = 20
"""A constructor's list has no worse words, and a fill from better ones leaves more to choose."""


def keep_half(path: Path, seed: int) -> str:
    """Return a grid with the letters of half of the words across of a fill, chosen at random.

    Raises:
        ValueError: no fill was found.
    """
    _, (grid,) = cpfill.read_grids(path)
    fill = cpfill.solve(grid, "en-words", min_score=MIN_SCORE, limits=cpfill.Limits(time_s=60, seed=seed)).fill
    if fill is None:
        raise ValueError(f"no fill of {path.name}")
    across = [slot for slot in grid.slots if slot.direction is Direction.ACROSS]
    chosen = random.Random(seed).sample(across, len(across) // 2)  # noqa: S311 - for variety
    kept = {cell for slot in chosen for cell in slot.cells}
    shown = ["#" if not open_ else fill.letters[cell] if cell in kept else "." for cell, open_ in enumerate(grid.cells)]
    rows = ("".join(shown[start : start + grid.width]) for start in range(0, len(shown), grid.width))
    return "\n".join(rows) + "\n"


def main() -> None:
    """Rewrite the grids."""
    for number in range(1, 11):
        name = f"15.{number:02}.txt"
        (HERE / name).write_text(keep_half(HERE.parent / "classic" / name, number), encoding="utf-8")


if __name__ == "__main__":
    main()
