"""Why a problem has no fill: a minimal conflict, the rules it depends on, and repairs of the grid, in sentences.

A conflict is a set of slots, givens and required words that cannot be satisfied together, any part of which can.
"""

from cpfill.questions.explain.explanation import Explanation, Repair, explain
from cpfill.questions.explain.question import Explain, Explained, ExplainedSoFar
from cpfill.questions.explain.wording import tell

__all__ = ["Explain", "Explained", "ExplainedSoFar", "Explanation", "Repair", "explain", "tell"]
