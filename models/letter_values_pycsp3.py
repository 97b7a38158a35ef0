"""The fill whose letters are worth most (V6), in PyCSP3: `letter_values_pycsp3.py -data=DATA.json`.

The rules are those of `words.mzn`, and `README.md` defines the data. Numbers count from 1, as they do there.
"""

import sys
from collections.abc import Iterator
from itertools import combinations, product

from pycsp3 import (
    OPTIMUM,
    SAT,
    UNSAT,
    AllDifferent,
    AllEqual,
    Count,
    Sum,
    VarArray,
    cp_array,
    data,
    maximize,
    satisfy,
    solve,
    values,
)


def numbers(given: object) -> list[int]:
    """Return the numbers of a set of MiniZinc's JSON, which has numbers and ranges."""
    found = []
    for part in given.set:
        low, high = part if isinstance(part, list) else (part, part)
        found += range(low, high + 1)
    return found


allowed = [numbers(given) for given in data.allowed]
slots = [numbers(given) for given in data.slot]
words = range(1, data.n_words + 1)
spelling = {number: data.spelling[number - 1][: data.length[number - 1]] for number in words}
marks = {number: numbers(data.marks[number - 1]) for number in words}
obscure = set(numbers(data.obscure))
fitting = [[number for number in words if len(spelling[number]) == len(slot)] for slot in slots]

if not all(fitting):  # PyCSP3 refuses empty tables
    print(UNSAT)
    sys.exit()


def choose_letters(cell: int) -> set[int]:
    """Return the letters that a cell may hold (C4); in no slot, and tied to none, it holds the first."""
    letters = allowed[cell]
    alone = not any(cell + 1 in cells for cells in (*slots, *map(numbers, data.ties)))
    return set(letters[:1] if alone else letters)


# C1: each cell holds one letter.
letter = VarArray(size=data.n_cells, dom=choose_letters)
word = VarArray(size=data.n_slots, dom=lambda slot: set(fitting[slot]))


def count(wanted: set[int]) -> object:
    """Return how many slots have a word of a set."""
    return Count(word, values=sorted(wanted))


def list_naticks() -> Iterator[tuple[int, int, list[int], list[int]]]:
    """Yield two slots that cross, and their words that become other fair entries by the same letter there."""
    letters = range(1, data.n_letters + 1) if data.others else ()
    for one, other in combinations(range(len(slots)), 2):
        for cell, code in product(set(slots[one]) & set(slots[other]), letters):
            ones = list_open(one, cell, code)
            others = list_open(other, cell, code)
            if ones and others:
                yield one, other, ones, others


def list_open(slot: int, cell: int, code: int) -> list[int]:
    """Return the words of a slot that become other fair entries by a letter in a cell."""
    place = slots[slot].index(cell)
    return [number for number in fitting[slot] if code in numbers(data.others[(number - 1) * data.max_length + place])]


satisfy(
    # C4: tied cells hold the same letter.
    [AllEqual([letter[cell - 1] for cell in numbers(tied)]) for tied in data.ties],
    # C8: letters stand in cells as often as they may.
    [
        Count([letter[cell - 1] for cell in numbers(cells)], value=counted) in range(least, most + 1)
        for cells, counted, least, most in zip(
            data.counted, data.counted_letter, data.at_least, data.at_most, strict=True
        )
    ],
    # C2: each slot spells a word.
    [
        (its_word, [letter[cell - 1] for cell in slot]) in {(number, *spelling[number]) for number in fits}
        for slot, its_word, fits in zip(slots, word, fitting, strict=True)
    ],
    # C3: no word stands twice; theme words never do.
    AllDifferent(word) if not data.repeats and len(slots) > 1 else None,
    [count({number}) <= 1 for number in numbers(data.theme)],
    # C5: no two words share a mark.
    [
        count({number for number in words if mark in marks[number]}) <= 1
        for mark in {mark for its_marks in marks.values() for mark in its_marks}
    ],
    # C6: few words are obscure.
    count(obscure) <= data.max_obscure if obscure and data.max_obscure < len(slots) else None,
    # C7: required words stand.
    [count({number}) >= 1 for number in numbers(data.required)],
    # C9: no two names cross where one letter makes other fair entries of both.
    [(word[one], word[other]) not in set(product(ones, others)) for one, other, ones, others in list_naticks()],
)

# V6: the sum of the values of the letters. The blocks are added below: a constant changes no optimum.
worth = cp_array([0, *data.worth])
maximize(Sum(worth[its_letter] for its_letter in letter))

status = solve()
if status in {SAT, OPTIMUM}:
    found = values(letter)
    print("value =", data.blocks + sum(data.worth[number - 1] for number in found))
    print("letter =", found)
print(status)
