"""Why a problem has no fill: a minimal conflict, the rules it depends on, and repairs of the grid, in sentences.

A conflict is a set of slots, givens and required words that cannot be satisfied together, any part of which can.
"""

from __future__ import annotations

from cpfill.questions.explain.explanation import Explanation, Repair, explain, explain_in_steps
from cpfill.questions.explain.question import tell

__all__ = ["Explanation", "Repair", "explain", "explain_in_steps", "tell"]
