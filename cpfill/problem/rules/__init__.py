"""The rules, numbered once, here as in the MiniZinc models, the script of proofs, `check.py` and the tests.

    C1  every open cell holds one letter of the alphabet, a rebus cell the letters that are given there
    C2  every slot spells a word of the lexicon
    C3  no word is used twice (`repeats` lifts it, save for theme words)
    C4  given letters stay; a cell's letter set is respected
    C5  no two words share a run of `no_shared` letters
    C6  at most `max_obscure` words score under `below`
    C7  each required word stands in some slot

A module has all of a rule that can be set: the fields to ask for it by, with their ranges and options, the words for
it, and the constraints (`cpfill.problem.constraints`) into which it is lowered. A new one is a module here, a name in
`RuleFields` and one in `RULES`. The audit, the models and the script of proofs do not use any of that: they state each
rule anew, for who lowers a rule wrongly misleads all engines alike.
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
    from cpfill.words.table import WordTable

RULES: tuple[Rule[Any], ...] = (MIN_SCORE, REPEATS, SHARED_RUNS, OBSCURE_WORDS, REQUIRED_WORDS)


@dataclass(frozen=True, kw_only=True)
class RuleFields(ObscureWords, SharedRuns, MinScore, Repeats):
    """What can be asked for of the rules, as requests have it too; the modules of the rules say what each means.

    Raises:
        InputError: a value is of another type, or out of its range, or makes no sense beside another.
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
        """Return the rules that `fill_to_cnf.py` was given.

        Raises:
            InputError: they are none that a search can have.
        """
        return cls(**{name: value for rule in RULES for name, value in rule.read_arguments(given).items()})

    @property
    def arguments(self) -> list[str]:
        """What `fill_to_cnf.py` is given for the rules."""
        return [argument for rule in RULES for argument in rule.list_arguments(self)]

    @property
    def each_lifted(self) -> dict[str, Rules]:
        """For each rule that is set, by its number, the rules without it (C2: without the minimum score)."""
        without: dict[str, Rules] = {rule.number: replace(self, **rule.lifted) for rule in RULES if rule.lifted}
        return {number: rules for number, rules in without.items() if rules != self}

    def say(self, numbers: frozenset[str]) -> list[tuple[str, str]]:
        """Return what some of the rules say, by their numbers, in English and in French."""
        said = [rule.say(self) for rule in RULES if rule.number in numbers]
        return [each for each in said if each is not None]

    def lower(self, tables: Mapping[int, WordTable]) -> Constraints:
        """Return the constraints that the rules come to, over the words of the lengths that slots have."""
        return Constraints.unite((each for rule in RULES for each in rule.lower(self, tables)), tables)
