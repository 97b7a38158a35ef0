"""Why there is no fill: a minimal set of slots, givens and required words that cannot be satisfied together.

oracle    decides whether a subset of the constraints has a fill
conflict  finds the minimal set
explanation  its rules, what would help, and how good a fill could be
wording   the explanation in sentences, and drawn on the grid
"""

from __future__ import annotations

from cpfill.questions.explain.explanation import Explanation, Repair, explain, explain_in_steps
from cpfill.questions.explain.question import tell

__all__ = ["Explanation", "Repair", "explain", "explain_in_steps", "tell"]
