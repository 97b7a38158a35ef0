"""Why there is no fill: a minimal set of slots, givens and required words that cannot be satisfied together.

oracle       whether a subset of the constraints of a problem has a fill
conflict     the minimal set
explanation  what it rests on, what would help, and how good a fill could be
wording      all that in sentences, and drawn on the grid; phrases in each language are in `phrases`
"""

from __future__ import annotations

from cpfill.questions.explain.explanation import Explanation, Repair, explain, explain_in_steps
from cpfill.questions.explain.wording import tell

__all__ = ["Explanation", "Repair", "explain", "explain_in_steps", "tell"]
