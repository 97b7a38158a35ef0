"""The hand-written baseline: forward checking and conflict-directed backjumping over big-integer bitsets."""

from __future__ import annotations

from typing import Literal, get_args

from cpfill.engines.option import TRACE, EngineOption

SlotOrder = Literal["mrv", "degree", "bound-degree", "static", "random"]
"""How the next slot is chosen; see `ordering`."""

ORDER = EngineOption(
    "order",
    "how the next slot is chosen",
    noun="an order",
    type=str,
    default="mrv",
    choices=get_args(SlotOrder),
    metavar="NAME",
)
AC3 = EngineOption("ac3", "make the domains arc consistent before the search", default=True)
SHUFFLE = EngineOption("shuffle", "try words in random order", default=False)
OPTIONS = (ORDER, AC3, SHUFFLE, TRACE)
