"""The rules, numbered once, here as in the MiniZinc models, the script of proofs, `check.py` and the tests.

    C1  every open cell holds one letter of the alphabet; a rebus cell holds its given letters
    C2  every slot spells a word of the lexicon
    C3  no word is used twice (`repeats` lifts this, except for theme words)
    C4  given letters stay; a cell's letter set is respected
    C5  no two words share a run of `no_shared` letters
    C6  at most `max_obscure` words score under `below`
    C7  each required word stands in some slot

Each rule that users can set has a module: its fields with their ranges and options, its wording, and the constraints
(`cpfill.problem.constraints`) to which it is lowered. A new rule is a module here, a name in `RuleFields` and one in
`RULES`. The audit, the models and the script of proofs use none of this: they state each rule independently, because a
rule that is lowered wrongly misleads all engines alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.reading import check_fields
from cpfill.problem.constraints import Constraints
from cpfill.problem.rules.obscure_words import OBSCURE_WORDS, ObscureWords
from cpfill.problem.rules.repeats import REPEATS, Repeats
from cpfill.problem.rules.required_words import REQUIRED_WORDS, RequiredWords
from cpfill.problem.rules.scores import MIN_SCORE, MinScore
from cpfill.problem.rules.shared_runs import SHARED_RUNS, SharedRuns

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from cpfill.problem.rules.rule import Rule
    from cpfill.words.lexicon import WordTable

RULES: tuple[Rule[Any], ...] = (MIN_SCORE, REPEATS, SHARED_RUNS, OBSCURE_WORDS, REQUIRED_WORDS)


@dataclass(frozen=True, kw_only=True)
class RuleFields(ObscureWords, SharedRuns, MinScore, Repeats):
    """The fields that requests and `Rules` share; the module of each rule documents its fields.

    Raises:
        InputError: a value has the wrong type, is out of its range, or conflicts with another value.
    """

    def __post_init__(self) -> None:
        check_fields(self)
        for rule in RULES:
            rule.check(self)


@dataclass(frozen=True, kw_only=True)
class Rules(RuleFields, RequiredWords):
    """The rules that are set."""

    @classmethod
    def of_arguments(cls, given: Namespace) -> Rules:
        """Return the rules in the arguments of `fill_to_cnf.py`.

        Raises:
            InputError: no search can have these rules.
        """
        return cls(**{name: value for rule in RULES for name, value in rule.read_arguments(given).items()})

    @property
    def arguments(self) -> list[str]:
        """The arguments of `fill_to_cnf.py` for the rules."""
        return [argument for rule in RULES for argument in rule.list_arguments(self)]

    @property
    def each_lifted(self) -> dict[str, Rules]:
        """Maps the number of each rule that is set to the rules without it (C2: without the minimum score)."""
        without: dict[str, Rules] = {rule.number: replace(self, **rule.lifted) for rule in RULES if rule.lifted}
        return {number: rules for number, rules in without.items() if rules != self}

    def say(self, numbers: frozenset[str]) -> list[str]:
        """Return the wording of the rules with these numbers."""
        said = [rule.say(self) for rule in RULES if rule.number in numbers]
        return [each for each in said if each is not None]

    def lower(self, tables: Mapping[int, WordTable]) -> Constraints:
        """Return the constraints to which the rules are lowered, over the words whose length some slot has."""
        return Constraints.unite((each for rule in RULES for each in rule.lower(self, tables)), tables)
