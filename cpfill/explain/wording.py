"""An explanation as a person would say it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.explain.conflict import letters_at
from cpfill.explain.oracle import Element, Kind
from cpfill.result import Status
from cpfill.value import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.explain.explanation import Ceiling, Explanation, Repair
    from cpfill.explain.oracle import Part
    from cpfill.grid import Slot, SlotId
    from cpfill.problem import Problem

LISTED = 12
"""Up to so many elements are listed; of more only the number is said, and they are marked in the drawing."""


def reason(explanation: Explanation) -> str:
    """Return in a sentence why there is no fill, or that there is one; empty if neither is known."""
    if explanation.status is Status.SATISFIED:
        return "There is a fill: nothing to explain."
    if explanation.conflict is None:
        return ""
    return _reason(explanation.problem, explanation.conflict.part, explanation.lifted)


def sentences(explanation: Explanation) -> list[str]:
    """Return all that there is to say: the reason, what would repair the grid, what was not decided."""
    said = [reason(explanation)]
    if explanation.conflict is not None:
        said += _doubts(explanation)
        said += _repairs(explanation)
        if explanation.ceiling is not None:
            said += _ceiling(explanation.problem, explanation.ceiling)
    return [sentence for sentence in said if sentence]


def named(problem: Problem, element: Element) -> str:
    """Return the name of an element: `17-Across`, `R4C7 (Q)` or a required word."""
    kind, place = element
    if kind is Kind.SLOT:
        return problem.slots[place].name
    if kind is Kind.REQUIRED:
        return sorted(problem.rules.required)[place]
    members = problem.grid.alphabet.members(problem.grid.cells[place])
    return f"{problem.grid.place(place)} ({members if len(members) == 1 else f'[{members}]'})"


def relaxed(problem: Problem, part: Part) -> Problem:
    """Return the problem without the givens that are not in a part: its patterns and domains are those of the part."""
    grid = problem.grid
    free = [
        cell if Element(Kind.GIVEN, at) in part else cell and grid.alphabet.full for at, cell in enumerate(grid.cells)
    ]
    return replace(problem, grid=replace(grid, cells=tuple(free)))


def _reason(problem: Problem, part: Part, lifted: frozenset[str]) -> str:
    here = relaxed(problem, part)
    slots = [here.slots[place] for kind, place in sorted(part) if kind is Kind.SLOT]
    words = [named(problem, element) for element in sorted(part) if element.kind is Kind.REQUIRED]
    if words:
        return _missing(problem, part, slots, words, lifted)
    if len(slots) == 1 and not here.domains[slots[0].id]:
        return _alone(here, slots[0])
    patterns = _patterns(here, slots)
    scored = f" that score {_score(problem.rules.min_score)} or more" if "C2" in lifted else ""
    because = _because(problem, lifted)
    if len(slots) == 1:
        return f"{patterns} cannot be a word{scored}{because}."
    if len(slots) == 2:
        crossing = _crossing(here, slots[0], slots[1])
        if crossing:
            return f"{patterns} cannot both be words{scored}: {crossing}."
        if _same_word(here, slots):
            word = here.tables[slots[0].id].words[here.domains[slots[0].id].bit_length() - 1]
            return f"{patterns} can only be {word} both{because}."
    return f"{patterns} cannot {'both' if len(slots) == 2 else 'all'} be words{scored}{because}."


def _same_word(problem: Problem, slots: Sequence[Slot]) -> bool:
    domains = {(slot.length, problem.domains[slot.id]) for slot in slots}
    return len(domains) == 1 and all(domain.bit_count() == 1 for _, domain in domains)


def _alone(problem: Problem, slot: Slot) -> str:
    """Return why no word fits a slot."""
    table, pattern = problem.tables[slot.id], problem.grid.pattern(slot)
    if not len(table):
        longest = max(problem.lexicon.lengths, default=0)
        why = f"longer than any word ({longest})" if slot.length > longest else "a length no word has"
        return f"{slot.name} has {slot.length} cells, {why}."
    fitting = replace(problem, rules=replace(problem.rules, min_score=0.0)).domains[slot.id]
    if not fitting:
        return f"No word of {slot.length} letters fits {slot.name} `{pattern}`."
    best = (fitting & -fitting).bit_length() - 1  # words stand in the order of their scores
    asked, most = _score(problem.rules.min_score), f"{table.words[best]} with {_score(table.scores[best])}"
    return f"No word that fits {slot.name} `{pattern}` scores {asked} or more: the best is {most}."


def _crossing(problem: Problem, across: Slot, down: Slot) -> str:
    """Return which letters two slots could have where they cross, if they have none in common; else nothing."""
    for pos, other, other_pos in problem.grid.neighbours[across.id]:
        if other == down.id:
            first, second = letters_at(problem, across.id, pos), letters_at(problem, other, other_pos)
            if first & second == 0:
                place = problem.grid.place(across.cells[pos])
                one, two = _letters(problem, first), _letters(problem, second)
                return f"at {place} {across.name} can have {one}, {down.name} {two}"
    return ""


def _missing(problem: Problem, part: Part, slots: Sequence[Slot], words: Sequence[str], lifted: frozenset[str]) -> str:
    """Return why required words cannot stand in the grid."""
    required = f"The required word {words[0]}" if len(words) == 1 else f"The required words {_join(words)}"
    givens = [named(problem, element) for element in sorted(part) if element.kind is Kind.GIVEN]
    if not slots and len(words) == 1:
        return f"{required} fits no slot, for the givens {_join(givens)} are in the way."
    if not slots:
        fixed = f" beside the givens {_join(givens)}" if givens else ""
        return f"{required} do not find room together{fixed}."
    patterns = _patterns(relaxed(problem, part), slots)
    spelt = "is a word" if len(slots) == 1 else "are words"
    return f"{required} cannot stand in the grid if {patterns} {spelt}{_because(problem, lifted)}."


def _patterns(problem: Problem, slots: Sequence[Slot]) -> str:
    if len(slots) > LISTED:
        return f"{len(slots)} slots"
    return _join([f"{slot.name} `{problem.grid.pattern(slot)}`" for slot in slots])


def _because(problem: Problem, lifted: frozenset[str]) -> str:
    rules = problem.rules
    most = f"at most {rules.max_obscure} words" if rules.max_obscure else "no word"
    causes = {
        "C3": "no word may be used twice",
        "C5": f"no two words may share {rules.no_shared} letters in a row",
        "C6": f"{most} may score under {_score(rules.below)}",
    }
    asked = [text for rule, text in causes.items() if rule in lifted]
    return f", because {_join(asked)}" if asked else ""


def _doubts(explanation: Explanation) -> list[str]:
    assert explanation.conflict is not None
    undecided = sorted(explanation.conflict.undecided)
    if not undecided:
        return []
    listed = _listed(explanation.problem, undecided)
    return [f"Not proved minimal: it was not decided whether {listed} could be left out of this reason."]


def _listed(problem: Problem, elements: Sequence[Element]) -> str:
    if len(elements) > LISTED:
        return f"{len(elements)} of them"
    return _join([named(problem, element) for element in elements], "or")


def _repairs(explanation: Explanation) -> list[str]:
    """Return what alone would give the grid a fill."""
    assert explanation.conflict is not None
    problem, part = explanation.problem, explanation.conflict.part
    said = [_freeing(problem, each) for each in explanation.repairs if each.element.kind is Kind.GIVEN]
    said += [
        f"Leaving out the required word {named(problem, each.element)} helps."
        for each in explanation.repairs
        if each.element.kind is Kind.REQUIRED
    ]
    words = [
        f"{each.reads} in {named(problem, each.element)}"
        for each in explanation.repairs
        if each.element.kind is Kind.SLOT
    ]
    if words:
        said.append(f"Letting one slot hold any letters helps: {_join(words, 'or')}.")
    untried = sorted(part - explanation.useless - {repair.element for repair in explanation.repairs})
    if untried:
        said.append(f"Not decided: whether it would be enough to change {_listed(problem, untried)}.")
    return said or ["No single change among these is enough: there are other reasons as well."]


def _freeing(problem: Problem, repair: Repair) -> str:
    """Return what freeing a given allows."""
    works = "works" if repair.letters.bit_count() == 1 else "work"
    doubtful = f" (not decided: {_letters(problem, repair.doubtful, 'and')})" if repair.doubtful else ""
    letters = _letters(problem, repair.letters, "and")
    return f"Freeing {named(problem, repair.element)} helps: {letters} {works} there{doubtful}."


def _ceiling(problem: Problem, ceiling: Ceiling) -> list[str]:
    best, level = _score(ceiling.best), _score(ceiling.level)
    said = [f"The best minimum score of a fill is {best}."]
    if ceiling.bound > ceiling.best:
        said = [f"A fill with a minimum score of {best} was found; none has more than {_score(ceiling.bound)}."]
    if ceiling.conflict and ceiling.level < problem.rules.min_score:
        above = replace(problem, rules=replace(problem.rules, min_score=ceiling.level))
        unproved = " (not proved minimal)" if ceiling.conflict.undecided else ""
        said.append(f"At {level}{unproved}: {_reason(above, ceiling.conflict.part, frozenset({'C2'}))}")
    return said


def _score(score: float) -> str:
    return shown((float(score),))


def _letters(problem: Problem, letters: int, last: str = "or") -> str:
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


def drawing(problem: Problem, part: Part) -> list[list[tuple[str, bool]]]:
    """Return for each row its cells as (sign, whether it is in the conflict).

    `#` is a block, `.` a cell outside the conflict, `?` any letter in it; a given of the conflict is its letter, a
    letter set `*`.
    """
    here = relaxed(problem, part)
    slots: set[SlotId] = {place for kind, place in part if kind is Kind.SLOT}
    marked = {cell for slot in slots for cell in problem.slots[slot].cells}
    marked |= {place for kind, place in part if kind is Kind.GIVEN}
    alphabet = problem.grid.alphabet

    def sign(cell: int) -> str:
        members = alphabet.members(here.grid.cells[cell])
        if not members or cell not in marked:
            return "." if members else "#"
        return "?" if members == alphabet.letters else members if len(members) == 1 else "*"

    width = problem.grid.width
    return [
        [(sign(cell), cell in marked) for cell in range(row * width, (row + 1) * width)]
        for row in range(problem.grid.height)
    ]
