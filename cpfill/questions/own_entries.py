"""A constructor's own entries: neither lists nor least scores count for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cpfill.words.wordlist import DEFAULT_SCORE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cpfill.problem.rules import RuleFields
    from cpfill.words.lexicon import Lexicon


class Admission(NamedTuple):
    """Own entries let in: a lexicon that has them all, and for whose sake it differs from the lists.

    Attributes:
        lexicon: the lists, with own entries at the least score that the rules ask for, or more.
        accepted: those that no list has, in alphabetical order.
        exempt: those that score too low, in alphabetical order, each with what its list says.
    """

    lexicon: Lexicon
    accepted: tuple[str, ...]
    exempt: Mapping[str, float]


def admit(lexicon: Lexicon, own: Collection[str], rules: RuleFields) -> Admission:
    """Let some folded words in as a constructor's own entries: neither lists nor least scores count for them.

    Words that are excluded or banned stay out.
    """
    least = max(rules.min_score, rules.below or 0.0)
    accepted = lexicon.unlisted(own)
    scores = {word: entry[0] for word in sorted(own) if (entry := lexicon.find(word)) is not None}
    exempt = {word: score for word, score in scores.items() if score < least}
    lexicon = lexicon.including(accepted, max(DEFAULT_SCORE, least)).lifting(exempt, least)
    return Admission(lexicon, accepted, exempt)
