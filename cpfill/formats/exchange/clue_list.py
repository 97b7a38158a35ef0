"""The clues of a file, as readers collect them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cpfill.base.errors import MAX_CLUES
from cpfill.base.texts import say
from cpfill.formats.exchange.source import fault, list_names, tell_left_out

if TYPE_CHECKING:
    from cpfill.puzzle.grid import Direction
    from cpfill.puzzle.puzzle import ClueId


@dataclass
class ClueList:
    """Clues by direction and number, and the names of those `left`: they lack either, or share both with another."""

    clues: dict[ClueId, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    def add(self, direction: Direction | None, number: str | int, text: str, name: str) -> None:
        """Add the clue of a direction and a number as the file has it; `name` stands for the clue in messages.

        Raises:
            FormatError: there are too many.
        """
        if len(self.clues) + len(self.left) == MAX_CLUES:
            raise fault(say("at most {most} clues", most=MAX_CLUES), say("more"))
        written = str(number)
        known = written.isascii() and written.isdigit() and len(written) < 6
        clue = (direction, int(written)) if direction and known else None
        if clue is None or clue in self.clues:
            self.left.append(name)
        else:
            self.clues[clue] = text

    @property
    def unread(self) -> tuple[str, ...]:
        """Losses: the clues that are left over."""
        return tell_left_out(len(self.left), "clue", list_names(self.left))
