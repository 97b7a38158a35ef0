"""The hand-written baseline: forward checking and conflict-directed backjumping over big-integer bitsets."""

from __future__ import annotations

from typing import Literal, get_args

from cpfill.base.reading import choice, flag
from cpfill.base.texts import later
from cpfill.engines import TRACE

SlotOrder = Literal["mrv", "degree", "bound-degree", "static", "random"]
"""How the next slot is chosen; see `ordering`."""

ORDER = choice(
    "order", "how the next slot is chosen", later("an order"), get_args(SlotOrder), default="mrv", metavar="NAME"
)
AC3 = flag("ac3", "make the domains arc consistent before the search", default=True)
SHUFFLE = flag("shuffle", "try words in random order", default=False)
OPTIONS = (ORDER, AC3, SHUFFLE, TRACE)
