"""The fill whose letters are worth most (V6), in CPMpy: `letter_values_cpmpy.py DATA.json [SOLVER] [SECONDS]`.

The rules are those of `words.mzn`, and `README.md` defines the data. Numbers count from 1, as they do there.
"""

import json
import sys
from itertools import combinations
from pathlib import Path

import cpmpy as cp


def numbers(given: dict[str, list]) -> list[int]:
    """Return the numbers of a set of MiniZinc's JSON, which has numbers and ranges."""
    found = []
    for part in given["set"]:
        low, high = part if isinstance(part, list) else (part, part)
        found += range(low, high + 1)
    return found


data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
solver = sys.argv[2] if len(sys.argv) > 2 else "ortools"
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else None

allowed = [numbers(given) for given in data["allowed"]]
slots = [numbers(given) for given in data["slot"]]
words = range(1, data["n_words"] + 1)
spelling = {word: data["spelling"][word - 1][: data["length"][word - 1]] for word in words}
marks = {word: numbers(data["marks"][word - 1]) for word in words}
obscure = set(numbers(data["obscure"]))
fitting = [[word for word in words if len(spelling[word]) == len(slot)] for slot in slots]

letter = cp.intvar(1, data["n_letters"], shape=(data["n_cells"],), name="letter")
word = cp.intvar(0, data["n_words"], shape=(data["n_slots"],), name="word")  # no word is number 0
model = cp.Model()

# C1 and C4: each cell holds a letter that it may hold. A cell in no slot, and tied to none, holds the first.
for cell, letters in enumerate(allowed, start=1):
    alone = not any(cell in cells for cells in (*slots, *map(numbers, data["ties"])))
    model += cp.InDomain(letter[cell - 1], letters[:1] if alone else letters)

# C4: tied cells hold the same letter.
for tied in map(numbers, data["ties"]):
    model += cp.AllEqual([letter[cell - 1] for cell in tied])

# C8: letters stand in cells as often as they may.
limits = zip(data["counted"], data["counted_letter"], data["at_least"], data["at_most"], strict=True)
for cells, counted, least, most in limits:
    found = cp.sum(letter[cell - 1] == counted for cell in numbers(cells))
    model += (found >= least) & (found <= most)

# C2: each slot spells a word.
for slot, its_word, fits in zip(slots, word, fitting, strict=True):
    rows = [[number, *spelling[number]] for number in fits]
    cells = [letter[cell - 1] for cell in slot]
    model += cp.Table([its_word, *cells], rows) if rows else cp.BoolVal(False)

# C3: no word stands twice; theme words never do.
if not data["repeats"]:
    model += cp.AllDifferent(word)
for number in numbers(data["theme"]):
    model += cp.sum(its_word == number for its_word in word) <= 1


def count(wanted: set[int]) -> cp.expressions.core.Expression:
    """Return how many slots have a word of a set."""
    standing = []
    for its_word, fits in zip(word, fitting, strict=True):
        standing += [its_word == number for number in fits if number in wanted]
    return cp.sum(standing)


def list_open(slot: int, cell: int, code: int) -> list[cp.expressions.core.Expression]:
    """Return that a slot has a word that becomes another fair entry by a letter in a cell, for each such word."""
    if not data["others"]:
        return []
    place = slots[slot].index(cell)
    others = {number: numbers(data["others"][(number - 1) * data["max_length"] + place]) for number in fitting[slot]}
    return [word[slot] == number for number in fitting[slot] if code in others[number]]


# C5: no two words share a mark.
for mark in {mark for its_marks in marks.values() for mark in its_marks}:
    model += count({number for number in words if mark in marks[number]}) <= 1

# C6: few words are obscure.
if obscure and data["max_obscure"] < data["n_slots"]:
    model += count(obscure) <= data["max_obscure"]

# C7: required words stand.
for number in numbers(data["required"]):
    model += count({number}) >= 1

# C9: no two names cross where one letter makes other fair entries of both.
for one, other in combinations(range(len(slots)), 2):
    for cell in set(slots[one]).intersection(slots[other]):
        for code in range(1, data["n_letters"] + 1):
            sides = [list_open(slot, cell, code) for slot in (one, other)]
            if all(sides):
                model += cp.sum([cp.any(holds) for holds in sides]) <= 1

# V6: the sum of the values of the letters, and of the blocks.
worth = cp.cpm_array([0, *data["worth"]])
model.maximize(data["blocks"] + cp.sum(worth[letter[cell]] for cell in range(data["n_cells"])))

if model.solve(solver=solver, time_limit=seconds):
    print("value =", model.objective_value())
    print("letter =", [int(value) for value in letter.value()])
print(model.status())
