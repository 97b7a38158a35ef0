"""Grids drawn on any canvas, and what a notebook shows of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.puzzle.drawing.paint import Drawn


class Pictured:
    """Base class of objects that a notebook shows as a picture."""

    __slots__ = ()

    @abstractmethod
    def diagram(self) -> Drawn | None:
        """Return the drawing, if there is one."""

    def _repr_svg_(self) -> str | None:
        from cpfill.puzzle.drawing.paint import draw_svg  # noqa: PLC0415 - only notebooks need it

        drawn = self.diagram()
        return None if drawn is None else draw_svg(drawn, letters=True, background="white")
