"""A constructor's own entries: they may be in no list, and minimum scores do not count for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cpfill.words.wordlist import DEFAULT_SCORE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cpfill.problem.rules import RuleFields
    from cpfill.words.lexicon import Lexicon


class Admission(NamedTuple):
    """A lexicon with all own entries, and the entries for which it differs from the lists.

    Attributes:
        lexicon: the lists, with own entries raised to the minimum score of the rules where they score less.
        accepted: own entries that no list has, in alphabetical order.
        exempt: own entries that score too low, in alphabetical order, each with the score of its list.
    """

    lexicon: Lexicon
    accepted: tuple[str, ...]
    exempt: Mapping[str, float]


def admit(lexicon: Lexicon, own: Collection[str], rules: RuleFields) -> Admission:
    """Admit some folded words as a constructor's own entries.

    Excluded and banned words stay out.
    """
    least = max(rules.min_score, rules.below or 0.0)
    accepted = lexicon.unlisted(own)
    scores = {word: entry[0] for word in sorted(own) if (entry := lexicon.find(word)) is not None}
    exempt = {word: score for word, score in scores.items() if score < least}
    lexicon = lexicon.including(accepted, max(DEFAULT_SCORE, least)).lifting(exempt, least)
    return Admission(lexicon, accepted, exempt)
