"""A puzzle of our own making that has everything; the files beside it say the same in each format.

#ICE_
OTHER      [ART] is one cell, in a circle as C is; H is given; bars under the T of STEAM and under its A;
ST[ART]ED  both R are shaded, one in a colour of its own.
STEAM
#ERA#
"""

from __future__ import annotations

from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import SHADE, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN

_ROWS: list[list[str | None]] = [
    [None, "I", "C", "E", None],
    ["O", "T", "H", "E", "R"],
    ["S", "T", "ART", "E", "D"],
    ["S", "T", "E", "A", "M"],
    [None, "E", "R", "A", None],
]

MINI = Puzzle(
    5,
    5,
    tuple(answer for row in _ROWS for answer in row),
    {
        (ACROSS, 1): "Frozen water",
        (ACROSS, 4): "Not this & not <that>",
        (ACROSS, 6): 'Begun, as an "œuvre" (7)',
        (ACROSS, 7): "Été's hot vapour: 100 % # wet",
        (ACROSS, 8): "Age",
        (DOWN, 1): "No word",
        (DOWN, 2): "Document (it is 5 cells high)",
        (DOWN, 3): "Two vowels",
        (DOWN, 4): "Unit's head; unit's tail",
        (DOWN, 5): "Abbr.",
    },
    {
        PuzzlePart.TITLE: "Golden mini",
        PuzzlePart.AUTHOR: "A. Setter",
        PuzzlePart.EDITOR: "An Editor",
        PuzzlePart.DATE: "2026-01-31",
        PuzzlePart.COPYRIGHT: "2026 The makers of cpfill",
        PuzzlePart.NOTES: "One cell has several letters.\nTwo have circles.",
    },
    frozenset({(16, 21), (18, 23)}),
    frozenset({2, 12}),
    frozenset({4}),
    givens=frozenset({7}),
    shades={9: SHADE, 22: "#ffd966"},
    drafts={(ACROSS, 8): ("Time & tide", "Ages"), (DOWN, 1): ("<Nothing>",)},
)
