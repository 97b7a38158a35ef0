"""An explanation in sentences, in one of the languages of `phrases`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.problem.criteria import format_value
from cpfill.problem.result import Status
from cpfill.puzzle.grid import Direction
from cpfill.questions.explain.conflict import collect_letters
from cpfill.questions.explain.oracle import Constraint, Kind
from cpfill.questions.explain.phrases import LANGUAGES, PHRASES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot, SlotId
    from cpfill.questions.explain.conflict import Conflict
    from cpfill.questions.explain.explanation import Ceiling, Explanation, Repair
    from cpfill.questions.explain.oracle import Subset

LISTED = 12
"""The most constraints that a sentence lists; beyond that it gives their number, and the drawing marks them."""


def tell_reason(explanation: Explanation, language: str = "en") -> str:
    """Return a sentence that says why there is no fill, or that there is one; empty if neither is known."""
    words = _Wording(explanation.problem, language)
    if explanation.status is Status.SATISFIED:
        return words.say("satisfied")
    if explanation.conflict is None:
        return ""
    return words.tell_reason(explanation.conflict.subset, explanation.lifted)


def tell(explanation: Explanation, language: str = "en") -> list[str]:
    """Return all sentences: the reason, the repairs, the undecided questions.

    Raises:
        KeyError: the language is not in `phrases.LANGUAGES`.
    """
    words = _Wording(explanation.problem, language)
    said = [tell_reason(explanation, language)]
    if explanation.conflict is not None:
        said += words.tell_doubts(explanation.conflict)
        said += words.tell_repairs(explanation, explanation.conflict)
        if explanation.ceiling is not None:
            said += words.tell_ceiling(explanation.ceiling)
    return [sentence for sentence in said if sentence]


def tell_repair(problem: Problem, repair: Repair, language: str = "en") -> str:
    """Return a sentence that says what helps, and how."""
    return _Wording(problem, language).tell_repair(repair)


def name_constraint(problem: Problem, constraint: Constraint) -> str:
    """Return the name of a constraint: `17-Across`, `R4C7 (Q)` or a required word."""
    kind, id_ = constraint
    if kind is Kind.SLOT:
        return problem.slots[id_].name
    if kind is Kind.REQUIRED:
        return sorted(problem.rules.required)[id_]
    members = problem.grid.alphabet.members(problem.grid.cells[id_])
    return f"{problem.grid.name_cell(id_)} ({members if len(members) == 1 else f'[{members}]'})"


def relax(problem: Problem, subset: Subset) -> Problem:
    """Return the problem with only the givens of a subset: its patterns and domains are those of the subset."""
    grid = problem.grid
    free = [
        cell if Constraint(Kind.GIVEN, at) in subset else cell and grid.alphabet.full
        for at, cell in enumerate(grid.cells)
    ]
    return replace(problem, grid=replace(grid, cells=tuple(free)))


@dataclass(frozen=True, slots=True)
class _Wording:
    """Sentences about a problem, in a language."""

    problem: Problem
    language: str

    def say(self, phrase: str, **values: object) -> str:
        """Return a phrase with its values filled in."""
        return PHRASES[phrase][LANGUAGES[self.language]].format(**values)

    def tell_reason(self, subset: Subset, lifted: frozenset[str]) -> str:
        """Return why the constraints of a subset have no common fill."""
        here = relax(self.problem, subset)
        slots = [here.slots[id_] for kind, id_ in sorted(subset) if kind is Kind.SLOT]
        words = [each for each in sorted(subset) if each.kind is Kind.REQUIRED]
        if words:
            return self._tell_required(subset, slots, [self._name(word) for word in words], lifted)
        if len(slots) == 1 and not here.domains[slots[0].id]:
            return self._tell_empty_domain(here, slots[0])
        score = _format_score(self.problem.rules.min_score)
        said = {
            "patterns": self._list_patterns(here, slots),
            "scored": self.say("scored", score=score) if "C2" in lifted else "",
            "because": self._tell_rules(lifted),
        }
        if len(slots) != 2:
            return self.say("not_one" if len(slots) == 1 else "not_all", **said)
        if crossing := self._find_crossing(here, *slots):
            return self.say("crossing", **said, **crossing)
        if _same_word(here, slots):
            word = here.tables[slots[0].id].words[here.domains[slots[0].id].bit_length() - 1]
            return self.say("same_word", **said, word=word)
        return self.say("not_both", **said)

    def _tell_empty_domain(self, here: Problem, slot: Slot) -> str:
        """Return why no word fits a slot."""
        table, said = here.tables[slot.id], {"slot": self._name_slot(slot), "pattern": here.grid.pattern(slot)}
        if not len(table):
            longest = max(here.lexicon.lengths, default=0)
            size = self.say("cells" if slot.length == len(slot.cells) else "letters", count=slot.length)
            phrase = "too_long" if slot.length > longest else "no_such_length"
            return self.say(phrase, **said, size=size, longest=longest)
        fitting = replace(here, rules=replace(here.rules, min_score=0.0)).domains[slot.id]
        if not fitting:
            narrowed = (slot.direction, slot.cells[0]) in here.narrowed
            return self.say("none_allowed" if narrowed else "none_of_length", **said, length=slot.length)
        best = (fitting & -fitting).bit_length() - 1  # words are sorted by score, best first
        asked, score = _format_score(here.rules.min_score), _format_score(table.scores[best])
        return self.say("low_scores", **said, asked=asked, word=table.words[best], score=score)

    def _find_crossing(self, here: Problem, across: Slot, down: Slot) -> dict[str, str]:
        """Return the letters that two slots can have where they cross, if they share no letter; else nothing."""
        for pos, other, other_pos in here.grid.neighbours[across.id]:
            if other == down.id:
                first, second = collect_letters(here, across.id, pos), collect_letters(here, other, other_pos)
                if first & second == 0:
                    return {
                        "cell": here.grid.name_cell(across.places[pos][0]),
                        "one": self._name_slot(across),
                        "letters": self._list_letters(first),
                        "other": self._name_slot(down),
                        "others": self._list_letters(second),
                    }
        return {}

    def _tell_required(
        self, subset: Subset, slots: Sequence[Slot], words: Sequence[str], lifted: frozenset[str]
    ) -> str:
        """Return why required words do not fit in the grid."""
        listed = self._join(words)
        givens = self._join([self._name(each) for each in sorted(subset) if each.kind is Kind.GIVEN])
        if not slots:
            if len(words) == 1:
                return self.say("required_givens" if givens else "required_no_slot", words=listed, givens=givens)
            return self.say("required_no_room_givens" if givens else "required_no_room", words=listed, givens=givens)
        return self.say(
            "required_if_word" if len(slots) == 1 else "required_if_words",
            required=self.say("required_one" if len(words) == 1 else "required_several", words=listed),
            patterns=self._list_patterns(relax(self.problem, subset), slots),
            because=self._tell_rules(lifted),
        )

    def _tell_rules(self, lifted: frozenset[str]) -> str:
        causes = [said[LANGUAGES[self.language]] for said in self.problem.rules.say(lifted)]
        return self.say("because", causes=self._join(causes)) if causes else ""

    def tell_doubts(self, conflict: Conflict) -> list[str]:
        """Return which constraints of a conflict may not be needed."""
        undecided = sorted(conflict.undecided)
        return [self.say("doubts", listed=self._list_names(undecided))] if undecided else []

    def tell_repairs(self, explanation: Explanation, conflict: Conflict) -> list[str]:
        """Return the single changes that give the grid a fill."""
        repairs = explanation.repairs
        said = [
            self.tell_repair(each)
            for kind in (Kind.GIVEN, Kind.REQUIRED)
            for each in repairs
            if each.constraint.kind is kind
        ]
        words = [
            self.say("word_in_slot", word=each.reads, slot=self._name(each.constraint))
            for each in repairs
            if each.constraint.kind is Kind.SLOT
        ]
        if words:
            said.append(self.say("letting_slots", words=self._join(words, "or")))
        untried = sorted(conflict.subset - explanation.useless - {repair.constraint for repair in repairs})
        if untried:
            said.append(self.say("untried", listed=self._list_names(untried)))
        return said or [self.say("none_helps")]

    def tell_repair(self, repair: Repair) -> str:
        """Return a sentence that says what helps, and how."""
        named = self._name(repair.constraint)
        match repair.constraint.kind:
            case Kind.GIVEN:
                doubtful = self._list_letters(repair.doubtful, "and") if repair.doubtful else ""
                return self.say(
                    "freeing_one" if repair.letters.bit_count() == 1 else "freeing_several",
                    cell=named,
                    letters=self._list_letters(repair.letters, "and"),
                    doubtful=self.say("doubtful", letters=doubtful) if doubtful else "",
                )
            case Kind.REQUIRED:
                return self.say("leaving_out", word=named)
            case Kind.SLOT:
                return self.say("letting_slot", slot=named, word=repair.reads)

    def tell_ceiling(self, ceiling: Ceiling) -> list[str]:
        """Return how good a fill can be, and why no better one exists."""
        best, bound, level = map(_format_score, (ceiling.best, ceiling.bound, ceiling.level))
        said = [self.say("best_bounded" if ceiling.bound > ceiling.best else "best", best=best, bound=bound)]
        rules = self.problem.rules
        if ceiling.conflict and ceiling.level < rules.min_score:
            above = _Wording(replace(self.problem, rules=replace(rules, min_score=ceiling.level)), self.language)
            reason = above.tell_reason(ceiling.conflict.subset, frozenset({"C2"}))
            phrase = "above_unproved" if ceiling.conflict.undecided else "above"
            said.append(self.say(phrase, level=level, reason=reason))
        return said

    def _name(self, constraint: Constraint) -> str:
        if constraint.kind is Kind.SLOT:
            return self._name_slot(self.problem.slots[constraint.id])
        return name_constraint(self.problem, constraint)

    def _name_slot(self, slot: Slot) -> str:
        across = slot.direction is Direction.ACROSS
        return self.say("slot_across" if across else "slot_down", number=slot.number)

    def _list_patterns(self, here: Problem, slots: Sequence[Slot]) -> str:
        if len(slots) > LISTED:
            return self.say("slots", count=len(slots))
        return self._join([f"{self._name_slot(slot)} `{here.grid.pattern(slot)}`" for slot in slots])

    def _list_names(self, constraints: Sequence[Constraint]) -> str:
        if len(constraints) > LISTED:
            return self.say("of_them", count=len(constraints))
        return self._join([self._name(constraint) for constraint in constraints], "or")

    def _list_letters(self, letters: int, last: str = "or") -> str:
        """Return a letter set in words."""
        alphabet = self.problem.grid.alphabet
        missing = alphabet.members(alphabet.full & ~letters)
        if not missing:
            return self.say("any_letter")
        if len(missing) < len(alphabet.letters) // 2:
            return self.say("any_letter_but", letters=self._join(missing))
        members = alphabet.members(letters)
        if last == "or" and len(members) == 1:
            return self.say("only_letter", letters=members)
        return self._join(members, last)

    def _join(self, texts: Sequence[str], last: str = "and") -> str:
        """Return a list in words; empty if there is nothing."""
        *others, end = texts or [""]
        return f"{', '.join(others)} {self.say(last)} {end}" if others else end


def _same_word(problem: Problem, slots: Sequence[Slot]) -> bool:
    domains = {(slot.length, problem.domains[slot.id]) for slot in slots}
    return len(domains) == 1 and all(domain.bit_count() == 1 for _, domain in domains)


def _format_score(score: float) -> str:
    return format_value((float(score),))


def draw_conflict(problem: Problem, subset: Subset) -> list[list[tuple[str, bool]]]:
    """Return for each row its cells as (sign, whether it is in the conflict).

    `#` is a block, `.` a cell outside the conflict, `?` a free cell in it. A given of the conflict appears as its
    letter (in a rebus cell, its first letter), a letter set as `*`.
    """
    here = relax(problem, subset)
    slots: set[SlotId] = {id_ for kind, id_ in subset if kind is Kind.SLOT}
    marked = {cell for slot in slots for cell in problem.slots[slot].cells}
    marked |= {id_ for kind, id_ in subset if kind is Kind.GIVEN}

    def sign(cell: int) -> str:
        letters = here.grid.cells[cell]
        if not letters or cell not in marked:
            return "." if letters else "#"
        return here.grid.givens[cell][:1] or ("?" if letters == here.grid.alphabet.full else "*")

    width = problem.grid.width
    return [
        [(sign(cell), cell in marked) for cell in range(row * width, (row + 1) * width)]
        for row in range(problem.grid.height)
    ]
