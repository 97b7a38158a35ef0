"""The models of a formula in DIMACS, found by trying; and a question as the files of a proof have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tests.support import Question

Clauses = list[frozenset[int]]


class Dimacs(NamedTuple):
    """A formula: how many variables it has, and its clauses."""

    variables: int
    clauses: Clauses


def read_dimacs(text: str) -> Dimacs:
    header, *lines = text.splitlines()
    p, cnf, variables, clauses = header.split()
    assert (p, cnf, int(clauses)) == ("p", "cnf", len(lines))
    numbers = [list(map(int, line.split())) for line in lines]
    assert all(line[-1] == 0 and 0 not in line[:-1] and 0 < max(map(abs, line)) <= int(variables) for line in numbers)
    return Dimacs(int(variables), [frozenset(line[:-1]) for line in numbers])


def propagate(clauses: Clauses, literals: Collection[int]) -> tuple[Clauses, set[int]] | None:
    """Return the clauses that are left and what is true, or none if a clause has no literal left."""
    true, todo = set[int](), set(literals)
    while todo:
        true |= todo
        clauses = [clause for clause in clauses if not clause & true]
        clauses = [frozenset(literal for literal in clause if -literal not in true) for clause in clauses]
        if not all(clauses):
            return None
        todo = {literal for clause in clauses if len(clause) == 1 for literal in clause}
        if any(-literal in todo for literal in todo):
            return None
    return clauses, true


def models(formula: Dimacs, variables: Sequence[int]) -> Iterator[set[int]]:
    """Yield what is true in a model for each choice of these variables that has one; the others are to follow."""
    units = {literal for clause in formula.clauses if len(clause) == 1 for literal in clause}
    todo = [(formula.clauses, units)] if not any(-unit in units for unit in units) else []
    known: list[tuple[Clauses, set[int], set[int]]] = [(clauses, literals, set()) for clauses, literals in todo]
    while known:
        clauses, literals, before = known.pop()
        left = propagate(clauses, literals)
        if left is None:
            continue
        true = before | left[1]
        free = next((v for v in variables if v not in true and -v not in true), None)
        if free is None:
            rest = {-v for v in range(1, formula.variables + 1) if v not in true}
            assert all(clause & rest for clause in left[0]), "a model once the variables asked for are settled"
            yield true
        else:
            known += [(left[0], {free}, true), (left[0], {-free}, true)]


def grid_text(question: Question) -> str:
    """Return the cells of a question as grid.txt has them."""

    def sign(cell: str) -> str:
        if cell in question.rebus:
            return f"({question.rebus[cell]})"
        return "#" if not cell else "." if cell == question.alphabet else cell if len(cell) == 1 else f"[{cell}]"

    return "".join("".join(map(sign, row)) + "\n" for row in question.cells)


def words_text(question: Question) -> str:
    """Return the words of a question as words.tsv has them."""
    marks = question.marks if question.no_shared else {}
    return "".join(
        "\t".join([word, repr(score), *([" ".join(sorted(marks[word]))] if marks.get(word) else [])]) + "\n"
        for word, score in sorted(question.words.items())
    )


def arguments(question: Question) -> list[str]:
    """Return the arguments of the script for the rules of a question."""
    result = ["--min-length", str(question.min_slot_length), "--min-score", repr(question.min_score)]
    result += ["--repeats"] * question.repeats
    result += ["--no-shared"] * question.no_shared
    if question.max_obscure is not None:
        result += ["--at-most", str(question.max_obscure), "--under", repr(question.below)]
    if question.required:
        result += ["--required", *sorted(question.required)]
    return result


def refute(formula: Dimacs, variables: Sequence[int]) -> Iterator[list[int]]:
    """Yield lemmas that follow one after another by propagation alone, the last of them without a literal.

    Raises:
        AssertionError: the formula has a model.
    """

    def deny(clauses: Clauses, literals: Collection[int], decisions: list[int], true: set[int]) -> Iterator[list[int]]:
        left = propagate(clauses, literals)
        if left is not None:
            known = true | left[1]
            free = next((v for v in variables if v not in known and -v not in known), None)
            assert free is not None, "the formula has a model"
            yield from deny(left[0], {free}, [*decisions, free], known)
            yield from deny(left[0], {-free}, decisions, known)
        yield [-decision for decision in decisions]

    units = {literal for clause in formula.clauses if len(clause) == 1 for literal in clause}
    if any(-unit in units for unit in units):
        yield []
    else:
        yield from deny(formula.clauses, units, [], set())
