"""An explanation in sentences, and its conflict as a drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say
from cpfill.problem.lack import Lack, find_lack
from cpfill.problem.result import Status
from cpfill.problem.value import format_value
from cpfill.puzzle.grid import Direction, split_rows
from cpfill.questions.explain.conflict import Constraint, Kind, collect_letters, relax

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot
    from cpfill.questions.explain.conflict import Conflict, Subset
    from cpfill.questions.explain.explanation import Ceiling, Explanation, Repair

_AND = later("and")
_OR = later("or")

LISTED = 12
"""The most constraints that a sentence lists; beyond that it gives their number, and the drawing marks them."""


def word_reason(explanation: Explanation) -> str:
    """Return a sentence that says why there is no fill, or that there is one; empty if neither is known."""
    if explanation.status is Status.SATISFIED:
        return say("There is a fill: nothing to explain.")
    if explanation.conflict is None:
        return ""
    return _Wording(explanation.problem).tell_reason(explanation.conflict.subset, explanation.lifted)


def tell(explanation: Explanation) -> list[str]:
    """Return all sentences: the reason, the repairs, the undecided questions."""
    words = _Wording(explanation.problem)
    said = [word_reason(explanation)]
    if explanation.conflict is not None:
        said += words.tell_doubts(explanation.conflict)
        said += words.tell_repairs(explanation, explanation.conflict)
        if explanation.ceiling is not None:
            said += words.tell_ceiling(explanation.ceiling)
    return [sentence for sentence in said if sentence]


def tell_repair(problem: Problem, repair: Repair) -> str:
    """Return a sentence that says what helps, and how."""
    return _Wording(problem).tell_repair(repair)


def name_constraint(problem: Problem, constraint: Constraint) -> str:
    """Return the name of a constraint: `17-Across`, `R4C7 (Q)` or a required word."""
    kind, id_ = constraint
    if kind is Kind.SLOT:
        return problem.slots[id_].name
    if kind is Kind.REQUIRED:
        return sorted(problem.rules.required)[id_]
    members = problem.grid.alphabet.members(problem.grid.cells[id_])
    if len(members) != 1:
        members = f"[{members}]"
    return f"{problem.grid.name_cell(id_)} ({members})"


@dataclass(frozen=True, slots=True)
class _Wording:
    """Sentences about a problem."""

    problem: Problem

    def tell_reason(self, subset: Subset, lifted: frozenset[str]) -> str:
        """Return why the constraints of a subset have no common fill."""
        here = relax(self.problem, subset)
        slots = [here.slots[id_] for kind, id_ in sorted(subset) if kind is Kind.SLOT]
        if any(each.kind is Kind.REQUIRED for each in subset):
            return self._tell_required(subset, slots, lifted)
        if len(slots) == 1 and not here.domains[slots[0].id]:
            return self._tell_empty_domain(here, slots[0])
        if len(slots) == 2:
            return self._tell_pair(here, slots, lifted)
        told = later("{patterns} cannot all be words{scored}{because}.")
        if len(slots) == 1:
            told = later("{patterns} cannot be a word{scored}{because}.")
        return say(told, **self._describe_slots(here, slots, lifted))

    def _describe_slots(self, here: Problem, slots: Sequence[Slot], lifted: frozenset[str]) -> dict[str, str]:
        """Return the parts of a sentence about slots: their patterns, the least score, the rules to blame."""
        scored = ""
        if "C2" in lifted:
            scored = say(" that score {score} or more", score=_format_score(self.problem.rules.min_score))
        return {
            "patterns": self._list_patterns(here, slots),
            "scored": scored,
            "because": self._tell_rules(lifted),
        }

    def _tell_pair(self, here: Problem, slots: Sequence[Slot], lifted: frozenset[str]) -> str:
        """Return why two slots have no words together."""
        said = self._describe_slots(here, slots, lifted)
        crossing = self._find_crossing(here, *slots)
        if crossing:
            return say(
                "{patterns} cannot both be words{scored}: at {cell} {one} can have {letters}, {other} {others}.",
                **said,
                **crossing,
            )
        if _same_word(here, slots):
            id_ = slots[0].id
            word = here.tables[id_].words[here.domains[id_].bit_length() - 1]
            return say("{patterns} can both only be {word}{because}.", **said, word=word)
        return say("{patterns} cannot both be words{scored}{because}.", **said)

    def _tell_empty_domain(self, here: Problem, slot: Slot) -> str:
        """Return why no word fits a slot."""
        name = self._name_slot(slot)
        lack = find_lack(here, slot)
        if lack in {Lack.LONG, Lack.LENGTH}:
            told = later("{slot} has {size}, a length no word has.")
            if lack is Lack.LONG:
                told = later("{slot} has {size}, longer than any word ({longest}).")
            counted = later("{count} letters")
            if slot.length == len(slot.cells):
                counted = later("{count} cells")
            size = say(counted, count=slot.length)
            return say(told, slot=name, size=size, longest=max(here.lexicon.lengths, default=0))
        pattern = here.grid.pattern(slot)
        fitting = replace(here, rules=replace(here.rules, min_score=0.0)).domains[slot.id]
        if not fitting:
            told = later("No word of {length} letters fits {slot} `{pattern}`.")
            if (slot.direction, slot.cells[0]) in here.narrowed:
                told = later("No allowed word fits {slot} `{pattern}`.")
            return say(told, slot=name, pattern=pattern, length=slot.length)
        best = (fitting & -fitting).bit_length() - 1  # words are sorted by score, best first
        table = here.tables[slot.id]
        return say(
            "No word that fits {slot} `{pattern}` scores {asked} or more: the best is {word} with {score}.",
            slot=name,
            pattern=pattern,
            asked=_format_score(here.rules.min_score),
            word=table.words[best],
            score=_format_score(table.scores[best]),
        )

    def _find_crossing(self, here: Problem, across: Slot, down: Slot) -> dict[str, str]:
        """Return the letters that two slots can have where they cross, if they share no letter; else nothing."""
        for pos, other, other_pos in here.grid.neighbours[across.id]:
            if other != down.id:
                continue
            first = collect_letters(here, across.id, pos)
            second = collect_letters(here, other, other_pos)
            if first & second == 0:
                return {
                    "cell": here.grid.name_cell(across.places[pos][0]),
                    "one": self._name_slot(across),
                    "letters": self._list_letters(first),
                    "other": self._name_slot(down),
                    "others": self._list_letters(second),
                }
        return {}

    def _tell_required(self, subset: Subset, slots: Sequence[Slot], lifted: frozenset[str]) -> str:
        """Return why required words have no place in the grid."""
        words = [self._name(each) for each in sorted(subset) if each.kind is Kind.REQUIRED]
        if not slots:
            return self._tell_misfits(subset, words)
        required = later("The required words {words} cannot")
        if len(words) == 1:
            required = later("The required word {words} cannot")
        told = later("{required} stand in the grid if {patterns} are words{because}.")
        if len(slots) == 1:
            told = later("{required} stand in the grid if {patterns} is a word{because}.")
        return say(
            told,
            required=say(required, words=self._join(words)),
            patterns=self._list_patterns(relax(self.problem, subset), slots),
            because=self._tell_rules(lifted),
        )

    def _tell_misfits(self, subset: Subset, words: Sequence[str]) -> str:
        """Return why required words fit no slots, whatever the other slots hold."""
        givens = self._join([self._name(each) for each in sorted(subset) if each.kind is Kind.GIVEN])
        if len(words) == 1:
            told = later("The required word {words} fits no slot.")
            if givens:
                told = later("The required word {words} fits no slot, because the givens {givens} are in the way.")
        else:
            told = later("The required words {words} do not all fit in the grid.")
            if givens:
                told = later("The required words {words} do not all fit in the grid with the givens {givens}.")
        return say(told, words=self._join(words), givens=givens)

    def _tell_rules(self, lifted: frozenset[str]) -> str:
        causes = self.problem.rules.say(lifted)
        if not causes:
            return ""
        return say(", because {causes}", causes=self._join(causes))

    def tell_doubts(self, conflict: Conflict) -> list[str]:
        """Return which constraints of a conflict may not be needed."""
        if not conflict.undecided:
            return []
        listed = self._list_names(sorted(conflict.undecided))
        return [say("Not proved minimal: this reason may not need {listed}.", listed=listed)]

    def tell_repairs(self, explanation: Explanation, conflict: Conflict) -> list[str]:
        """Return the single changes that give the grid a fill."""
        repairs = explanation.repairs
        said: list[str] = []
        for kind in (Kind.GIVEN, Kind.REQUIRED):
            said += [self.tell_repair(each) for each in repairs if each.constraint.kind is kind]
        said += self._tell_slot_repairs([each for each in repairs if each.constraint.kind is Kind.SLOT])
        tried = explanation.useless | explanation.openable | {repair.constraint for repair in repairs}
        untried = sorted(conflict.subset - tried)
        if untried:
            said.append(say("Undecided: it may be enough to change {listed}.", listed=self._list_names(untried)))
        if not said:
            said.append(say("No single one of these changes is enough: there are other reasons as well."))
        return said

    def _tell_slot_repairs(self, repairs: Sequence[Repair]) -> list[str]:
        """Return which words to allow in a slot, and which slots to leave open."""
        said = []
        words = sorted((each for each in repairs if each.reads), key=self._score, reverse=True)
        if words:
            named = self._join([self._name_word(each) for each in words[:LISTED]], _OR)
            said.append(say("Allowing one word helps: {words}.", words=named))
        opened = [self._name(each.constraint) for each in repairs if not each.reads]
        if opened:
            told = later("Leaving one slot open helps: {slots}. It is then no listed word, so try other blocks there.")
            said.append(say(told, slots=self._join(opened[:LISTED], _OR)))
        return said

    def _name_word(self, repair: Repair) -> str:
        """Return the word that a repair allows, with its score and its slot."""
        score = _format_score(self._score(repair))
        return say("{word} ({score}) in {slot}", word=repair.reads, score=score, slot=self._name(repair.constraint))

    def tell_repair(self, repair: Repair) -> str:
        """Return a sentence that says what helps, and how."""
        named = self._name(repair.constraint)
        match repair.constraint.kind:
            case Kind.GIVEN:
                return self._tell_freed(repair, named)
            case Kind.REQUIRED:
                return say("Leaving out the required word {word} helps.", word=named)
            case Kind.SLOT if repair.reads:
                score = _format_score(self._score(repair))
                return say("Allowing {word} ({score}) in {slot} helps.", word=repair.reads, score=score, slot=named)
            case Kind.SLOT:
                return say("Leaving {slot} open helps, but it is then no listed word.", slot=named)

    def _tell_freed(self, repair: Repair, named: str) -> str:
        """Return which letters work in a cell without its given."""
        told = later("Freeing {cell} helps: {letters} work there{doubtful}.")
        if repair.letters.bit_count() == 1:
            told = later("Freeing {cell} helps: {letters} works there{doubtful}.")
        doubtful = ""
        if repair.doubtful:
            doubtful = say(" (undecided: {letters})", letters=self._list_letters(repair.doubtful, _AND))
        return say(told, cell=named, letters=self._list_letters(repair.letters, _AND), doubtful=doubtful)

    def tell_ceiling(self, ceiling: Ceiling) -> list[str]:
        """Return how good a fill can be, and why no better one exists."""
        told = later("The best minimum score of a fill is {best}.")
        if ceiling.bound > ceiling.best:
            told = later("A fill with a minimum score of {best} was found; no fill has more than {bound}.")
        said = [say(told, best=_format_score(ceiling.best), bound=_format_score(ceiling.bound))]
        rules = self.problem.rules
        if ceiling.conflict and ceiling.level < rules.min_score and len(ceiling.conflict.subset) <= LISTED:
            above = _Wording(replace(self.problem, rules=replace(rules, min_score=ceiling.level)))
            reason = above.tell_reason(ceiling.conflict.subset, frozenset({"C2"}))
            told = later("At {level}: {reason}")
            if ceiling.conflict.undecided:
                told = later("At {level} (not proved minimal): {reason}")
            said.append(say(told, level=_format_score(ceiling.level), reason=reason))
        return said

    def _score(self, repair: Repair) -> float:
        """Return the score of the word that a repair allows in a slot."""
        table = self.problem.tables[repair.constraint.id]
        return table.scores[table.ids[repair.reads]]

    def _name(self, constraint: Constraint) -> str:
        if constraint.kind is Kind.SLOT:
            return self._name_slot(self.problem.slots[constraint.id])
        return name_constraint(self.problem, constraint)

    def _name_slot(self, slot: Slot) -> str:
        if slot.direction is Direction.ACROSS:
            return say("{number}-Across", number=slot.number)
        return say("{number}-Down", number=slot.number)

    def _list_patterns(self, here: Problem, slots: Sequence[Slot]) -> str:
        if len(slots) > LISTED:
            return say("{count} slots", count=len(slots))
        return self._join([f"{self._name_slot(slot)} `{here.grid.pattern(slot)}`" for slot in slots])

    def _list_names(self, constraints: Sequence[Constraint]) -> str:
        if len(constraints) > LISTED:
            return say("{count} of them", count=len(constraints))
        return self._join([self._name(constraint) for constraint in constraints], _OR)

    def _list_letters(self, letters: int, last: str = _OR) -> str:
        """Return a letter set in words."""
        alphabet = self.problem.grid.alphabet
        missing = alphabet.members(alphabet.full & ~letters)
        if not missing:
            return say("any letter")
        if len(missing) < len(alphabet.letters) // 2:
            return say("any letter but {letters}", letters=self._join(missing))
        members = alphabet.members(letters)
        if last == _OR and len(members) == 1:
            return say("only {letters}", letters=members)
        return self._join(members, last)

    def _join(self, texts: Sequence[str], last: str = _AND) -> str:
        if not texts:
            return ""
        *others, end = texts
        if not others:
            return end
        return f"{', '.join(others)} {say(last)} {end}"


def _same_word(problem: Problem, slots: Iterable[Slot]) -> bool:
    """Return whether a single word fits the slots, the same for all."""
    domains = {(slot.length, problem.domains[slot.id]) for slot in slots}
    return len(domains) == 1 and all(domain.bit_count() == 1 for _, domain in domains)


def _format_score(score: float) -> str:
    return format_value((float(score),))


def draw_conflict(problem: Problem, subset: Subset) -> list[list[tuple[str, bool]]]:
    """Return for each row its cells as (sign, whether it is in the conflict).

    `#` is a block, `.` a cell outside the conflict, `?` a free cell in it. A given of the conflict appears as its
    letter (in a rebus cell, its first letter), a letter set as `*`.
    """
    grid = relax(problem, subset).grid
    marked = {id_ for kind, id_ in subset if kind is Kind.GIVEN}
    for kind, id_ in subset:
        if kind is Kind.SLOT:
            marked.update(problem.slots[id_].cells)

    def sign(cell: int) -> str:
        letters = grid.cells[cell]
        if not letters:
            return "#"
        if cell not in marked:
            return "."
        if grid.givens[cell]:
            return grid.givens[cell][0]
        return "?" if letters == grid.alphabet.full else "*"

    signs = [(sign(cell), cell in marked) for cell in range(len(grid.cells))]
    return [[*row] for row in split_rows(signs, grid.width)]
