"""An explanation as a person would say it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.explain.conflict import collect_letters
from cpfill.explain.oracle import Constraint, Kind
from cpfill.result import Status
from cpfill.value import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.explain.explanation import Ceiling, Explanation, Repair
    from cpfill.explain.oracle import Subset
    from cpfill.grid import Slot, SlotId
    from cpfill.problem import Problem

LISTED = 12
"""How many constraints are listed at most; of more only the number is said, and they are marked in the drawing."""


def tell_reason(explanation: Explanation) -> str:
    """Return in a sentence why there is no fill, or that there is one; empty if neither is known."""
    if explanation.status is Status.SATISFIED:
        return "There is a fill: nothing to explain."
    if explanation.conflict is None:
        return ""
    return _word_reason(explanation.problem, explanation.conflict.subset, explanation.lifted)


def tell(explanation: Explanation) -> list[str]:
    """Return all that there is to say: the reason, what would repair the grid, what was not decided."""
    said = [tell_reason(explanation)]
    if explanation.conflict is not None:
        said += _tell_doubts(explanation)
        said += _tell_repairs(explanation)
        if explanation.ceiling is not None:
            said += _tell_ceiling(explanation.problem, explanation.ceiling)
    return [sentence for sentence in said if sentence]


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
    """Return the problem with the givens of a subset alone: its patterns and domains are those of the subset."""
    grid = problem.grid
    free = [
        cell if Constraint(Kind.GIVEN, at) in subset else cell and grid.alphabet.full
        for at, cell in enumerate(grid.cells)
    ]
    return replace(problem, grid=replace(grid, cells=tuple(free)))


def _word_reason(problem: Problem, subset: Subset, lifted: frozenset[str]) -> str:
    here = relax(problem, subset)
    slots = [here.slots[id_] for kind, id_ in sorted(subset) if kind is Kind.SLOT]
    words = [name_constraint(problem, constraint) for constraint in sorted(subset) if constraint.kind is Kind.REQUIRED]
    if words:
        return _word_required(problem, subset, slots, words, lifted)
    if len(slots) == 1 and not here.domains[slots[0].id]:
        return _word_empty_domain(here, slots[0])
    patterns = _list_patterns(here, slots)
    scored = f" that score {_format_score(problem.rules.min_score)} or more" if "C2" in lifted else ""
    because = _word_rules(problem, lifted)
    if len(slots) == 1:
        return f"{patterns} cannot be a word{scored}{because}."
    if len(slots) == 2:
        crossing = _word_crossing(here, slots[0], slots[1])
        if crossing:
            return f"{patterns} cannot both be words{scored}: {crossing}."
        if _same_word(here, slots):
            word = here.tables[slots[0].id].words[here.domains[slots[0].id].bit_length() - 1]
            return f"{patterns} can only be {word} both{because}."
    return f"{patterns} cannot {'both' if len(slots) == 2 else 'all'} be words{scored}{because}."


def _same_word(problem: Problem, slots: Sequence[Slot]) -> bool:
    domains = {(slot.length, problem.domains[slot.id]) for slot in slots}
    return len(domains) == 1 and all(domain.bit_count() == 1 for _, domain in domains)


def _word_empty_domain(problem: Problem, slot: Slot) -> str:
    """Return why no word fits a slot."""
    table, pattern = problem.tables[slot.id], problem.grid.pattern(slot)
    if not len(table):
        longest = max(problem.lexicon.lengths, default=0)
        why = f"longer than any word ({longest})" if slot.length > longest else "a length no word has"
        return f"{slot.name} has {slot.size}, {why}."
    fitting = replace(problem, rules=replace(problem.rules, min_score=0.0)).domains[slot.id]
    if not fitting:
        which = "it may hold" if (slot.direction, slot.cells[0]) in problem.narrowed else f"of {slot.length} letters"
        return f"No word {which} fits {slot.name} `{pattern}`."
    best = (fitting & -fitting).bit_length() - 1  # words stand in the order of their scores
    asked, highest = _format_score(problem.rules.min_score), _format_score(table.scores[best])
    fits = f"No word that fits {slot.name} `{pattern}`"
    return f"{fits} scores {asked} or more: the best is {table.words[best]} with {highest}."


def _word_crossing(problem: Problem, across: Slot, down: Slot) -> str:
    """Return which letters two slots could have where they cross, if they have none in common; else nothing."""
    for pos, other, other_pos in problem.grid.neighbours[across.id]:
        if other == down.id:
            first, second = collect_letters(problem, across.id, pos), collect_letters(problem, other, other_pos)
            if first & second == 0:
                cell = problem.grid.name_cell(across.places[pos][0])
                one, two = _list_letters(problem, first), _list_letters(problem, second)
                return f"at {cell} {across.name} can have {one}, {down.name} {two}"
    return ""


def _word_required(
    problem: Problem, subset: Subset, slots: Sequence[Slot], words: Sequence[str], lifted: frozenset[str]
) -> str:
    """Return why required words cannot stand in the grid."""
    required = f"The required word {words[0]}" if len(words) == 1 else f"The required words {_join(words)}"
    givens = [name_constraint(problem, constraint) for constraint in sorted(subset) if constraint.kind is Kind.GIVEN]
    if not slots and len(words) == 1:
        why = f", for the givens {_join(givens)} are in the way" if givens else ""
        return f"{required} fits no slot{why}."
    if not slots:
        fixed = f" beside the givens {_join(givens)}" if givens else ""
        return f"{required} do not find room together{fixed}."
    patterns = _list_patterns(relax(problem, subset), slots)
    spelt = "is a word" if len(slots) == 1 else "are words"
    return f"{required} cannot stand in the grid if {patterns} {spelt}{_word_rules(problem, lifted)}."


def _list_patterns(problem: Problem, slots: Sequence[Slot]) -> str:
    if len(slots) > LISTED:
        return f"{len(slots)} slots"
    return _join([f"{slot.name} `{problem.grid.pattern(slot)}`" for slot in slots])


def _word_rules(problem: Problem, lifted: frozenset[str]) -> str:
    rules = problem.rules
    most = f"at most {rules.max_obscure} words" if rules.max_obscure else "no word"
    causes = {
        "C3": "no word may be used twice",
        "C5": f"no two words may share {rules.no_shared} letters in a row",
        "C6": f"{most} may score under {_format_score(rules.below)}",
    }
    asked = [text for rule, text in causes.items() if rule in lifted]
    return f", because {_join(asked)}" if asked else ""


def _tell_doubts(explanation: Explanation) -> list[str]:
    assert explanation.conflict is not None
    undecided = sorted(explanation.conflict.undecided)
    if not undecided:
        return []
    listed = _list_names(explanation.problem, undecided)
    return [f"Not proved minimal: it was not decided whether {listed} could be left out of this reason."]


def _list_names(problem: Problem, constraints: Sequence[Constraint]) -> str:
    if len(constraints) > LISTED:
        return f"{len(constraints)} of them"
    return _join([name_constraint(problem, constraint) for constraint in constraints], "or")


def _tell_repairs(explanation: Explanation) -> list[str]:
    """Return what alone would give the grid a fill."""
    assert explanation.conflict is not None
    problem, subset = explanation.problem, explanation.conflict.subset
    said = [
        tell_repair(problem, each)
        for kind in (Kind.GIVEN, Kind.REQUIRED)
        for each in explanation.repairs
        if each.constraint.kind is kind
    ]
    words = [
        f"{each.reads} in {name_constraint(problem, each.constraint)}"
        for each in explanation.repairs
        if each.constraint.kind is Kind.SLOT
    ]
    if words:
        said.append(f"Letting one slot hold any letters helps: {_join(words, 'or')}.")
    untried = sorted(subset - explanation.useless - {repair.constraint for repair in explanation.repairs})
    if untried:
        said.append(f"Not decided: whether it would be enough to change {_list_names(problem, untried)}.")
    return said or ["No single change among these is enough: there are other reasons as well."]


def tell_repair(problem: Problem, repair: Repair) -> str:
    """Return in a sentence what helps, and how."""
    match repair.constraint.kind:
        case Kind.GIVEN:
            return _word_freeing(problem, repair)
        case Kind.REQUIRED:
            return f"Leaving out the required word {name_constraint(problem, repair.constraint)} helps."
        case Kind.SLOT:
            return f"Letting {name_constraint(problem, repair.constraint)} hold any letters helps: {repair.reads}."


def _word_freeing(problem: Problem, repair: Repair) -> str:
    """Return what freeing a given allows."""
    works = "works" if repair.letters.bit_count() == 1 else "work"
    doubtful = f" (not decided: {_list_letters(problem, repair.doubtful, 'and')})" if repair.doubtful else ""
    letters = _list_letters(problem, repair.letters, "and")
    return f"Freeing {name_constraint(problem, repair.constraint)} helps: {letters} {works} there{doubtful}."


def _tell_ceiling(problem: Problem, ceiling: Ceiling) -> list[str]:
    best, level = _format_score(ceiling.best), _format_score(ceiling.level)
    said = [f"The best minimum score of a fill is {best}."]
    if ceiling.bound > ceiling.best:
        said = [f"A fill with a minimum score of {best} was found; none has more than {_format_score(ceiling.bound)}."]
    if ceiling.conflict and ceiling.level < problem.rules.min_score:
        above = replace(problem, rules=replace(problem.rules, min_score=ceiling.level))
        unproved = " (not proved minimal)" if ceiling.conflict.undecided else ""
        said.append(f"At {level}{unproved}: {_word_reason(above, ceiling.conflict.subset, frozenset({'C2'}))}")
    return said


def _format_score(score: float) -> str:
    return format_value((float(score),))


def _list_letters(problem: Problem, letters: int, last: str = "or") -> str:
    """Return a letter set in words."""
    alphabet = problem.grid.alphabet
    missing = alphabet.members(alphabet.full & ~letters)
    if not missing:
        return "any letter"
    if len(missing) < len(alphabet.letters) // 2:
        return f"any letter but {_join(missing, 'and')}"
    members = alphabet.members(letters)
    return f"only {members}" if last == "or" and len(members) == 1 else _join(members, last)


def _join(texts: Iterable[str], last: str = "and") -> str:
    """Return a list in words."""
    *others, end = texts
    return f"{', '.join(others)} {last} {end}" if others else end


def draw_conflict(problem: Problem, subset: Subset) -> list[list[tuple[str, bool]]]:
    """Return for each row its cells as (sign, whether it is in the conflict).

    `#` is a block, `.` a cell outside the conflict, `?` any letter in it; a given of the conflict is its letter, a
    letter set `*`; of a rebus cell it is the first letter.
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
