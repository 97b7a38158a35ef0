"""A tree as it is drawn: each node has a text, and may stand for branches that are left out."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_DRAWN = 500
"""The nodes drawn of a tree at most; the picture counts the others."""


@dataclass(slots=True)
class Branch:
    """A node of a drawn tree.

    Attributes:
        text: the text of the node.
        children: the nodes below it that are drawn.
        note: smaller text beside it, such as the number of branches left out.
        ringed: whether a ring marks the node.
    """

    text: str
    children: list[Branch] = field(default_factory=list)
    note: str = ""
    ringed: bool = False
