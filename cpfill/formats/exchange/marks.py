"""One character a cell, for formats that explain some characters in a table and mark circles by small letters."""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.formats.exchange.source import fault

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle


@dataclass
class Marks:
    """The characters of a puzzle's cells: `chars`, none for a block, and the `table` of what some of them mean.

    A letter stands for itself, a small one for a letter in a circle. Anything else has a mark: a small letter in a
    circle, one of `signs` elsewhere. `empty` stands for a cell without an answer. `letters` are those that stand for
    themselves, any if it is empty.
    """

    puzzle: Puzzle
    signs: str
    empty: str
    letters: str = ""
    chars: list[str | None] = field(init=False)
    table: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        cells = self.puzzle.cells
        kinds = [(answer or "", cell in self.puzzle.circles) for cell, answer in enumerate(cells)]
        char_of = {kind: char for kind in kinds if (char := self._find_plain_char(*kind))}
        small = iter(sorted(set(string.ascii_lowercase) - set(char_of.values())))
        signs = iter(self.signs)
        for kind in kinds:
            if kind not in char_of:
                mark = next(small if kind[1] else signs, None)
                if mark is None:
                    raise fault(
                        say("at most {signs} different cells of several letters", signs=len(self.signs)), say("more")
                    )
                char_of[kind] = mark
                self.table[mark] = kind[0] or self.empty
        self.chars = [None if answer is None else char_of[kind] for answer, kind in zip(cells, kinds, strict=True)]

    def _find_plain_char(self, answer: str, circled: bool) -> str | None:
        """Return the character that needs no table."""
        if not answer:
            return None if circled else self.empty
        if len(answer) > 1 or not answer.isalpha() or (self.letters and answer not in self.letters):
            return None
        small = answer.lower()
        if not circled:
            return None if small == answer != answer.upper() else answer
        return small if len(small) == 1 and small.islower() and small.upper() == answer else None
