"""The questions that independent solvers are asked as well."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from cpfill.testing.brute_force import TooManyError, words_in
from tests.support import INSTANCES, REBUS, Question, question

REBUS_CELLS = question(
    ".1.",
    "2..",
    "..#",
    words="AABC AB ABAB ABBC ABCAA ABCAB ABCB AC BABB BABC BBCAC BC BCAAA BCAAC BCABC BCACA BCACB CA CABA CB CBCAB",
    alphabet="ABC",
    rebus=REBUS,
)

REMY = "PLUS TARD SOIR MOIS MARS"


def instance(path: str, words: str, *, repeats: bool = False) -> Question:
    """Return a grid in the native dialect of the instances, with words in upper case."""
    rows = (INSTANCES / path).read_text(encoding="utf-8").split()
    return question(*rows, words=words, repeats=repeats)


def words_of(path: str, limit: int) -> str:
    """Return the first words of a list of plain words."""
    return " ".join((INSTANCES / path).read_text(encoding="utf-8").upper().split()[:limit])


FAMILIES = {
    "remy": question("....", ".##.", ".##.", "....", words=REMY, repeats=True),
    "remy without repeats": question("....", ".##.", ".##.", "....", words=REMY),
    "tiny/mirror": instance("tiny/mirror.txt", words_of("tiny/mirror.words.txt", 9)),
    "tiny/ring": instance("tiny/ring.txt", words_of("tiny/three.words.txt", 25)),
    "tiny/letter-sets": instance("tiny/letter-sets.txt", words_of("tiny/three.words.txt", 40), repeats=True),
    "tiny/crossing": instance("tiny/crossing.txt", words_of("tiny/crossing.words.txt", 22), repeats=True),
    "tiny/lonely": instance("tiny/lonely.txt", words_of("tiny/three.words.txt", 8)),
    "assignment/A": instance("assignment/A.txt", words_of("assignment/A.words.txt", 26)),
    "assignment/A with repeats": instance("assignment/A.txt", words_of("assignment/A.words.txt", 26), repeats=True),
}


def random_question(seed: int) -> Question:
    """Return a random question that has a slot and at most 200 fills."""
    rng = random.Random(seed)
    while True:
        alphabet = "ABCDE"[: rng.randint(3, 5)]
        height, width = rng.randint(2, 4), rng.randint(2, 4)
        text = ["".join(rng.choice(alphabet + "#" * rng.randint(0, 2)) for _ in range(width)) for _ in range(height)]
        shown = [alphabet] * 8 + ["", "given"]
        cells = tuple(
            tuple(
                "" if letter == "#" else {"given": letter, "": "".join(sorted({letter, alphabet[0]}))}.get(kind, kind)
                for letter in row
                for kind in [rng.choice(shown)]
            )
            for row in text
        )
        minimum = rng.choice([1, 2, 2, 3])
        words = set(words_in(text, minimum)) if rng.random() < 0.8 else set()
        for _ in range(rng.randint(2, 25)):
            words.add("".join(rng.choice(alphabet) for _ in range(rng.choice([len(w) for w in words] or [2]))))
        scores = {word: rng.choice([0.0, 0.1, 0.3, 0.30000000000000004, 5.0, 50.0]) for word in sorted(words)}
        asked = Question(
            cells, scores, alphabet, minimum, rng.random() < 0.5, rng.choice([0.0, 0.0, 0.1]), max_fills=200
        )
        try:
            if asked.has_slot and asked.answer is not None:
                return asked
        except TooManyError:
            continue


def ruled_question(seed: int, rules: str) -> Question:
    """Return a random question where each of these rules, of C5 to C7, leaves fewer fills; every other one has some."""
    rng = random.Random(seed)
    while True:
        base = random_question(rng.randrange(10**6))
        scores = {word: rng.choice([0.0, 0.1, 0.25, 0.3, 5.0, 9.5]) for word in base.words}
        base = replace(base, words=scores, min_score=0.0)
        try:
            before = base.answer.fills
        except TooManyError:
            continue
        if len(before) < 3:
            continue
        used = sorted(words_in(rng.choice(sorted(before)), base.min_slot_length))
        sides: dict[str, dict[str, Any]] = {
            "C5": {"no_shared": True},
            "C6": {"max_obscure": rng.randint(0, len(used) - 1), "below": rng.choice([0.25, 5.0, 6.0])},
            "C7": {"required": frozenset(rng.sample(used, k=1))},
        }
        chosen = {name: value for rule in rules.split() for name, value in sides[rule].items()}
        asked = replace(base, **chosen)
        alone = [replace(base, **sides[rule]) for rule in rules.split()]
        if any(one.answer.fills == before for one in alone) or (seed % 2 and not asked.answer.fills):
            continue
        theme = {word: rng.choice([0.5, 1.0, 1.0]) for word in sorted(set(used))[::2]}
        return replace(asked, theme=theme)


RULED = {
    f"{rules}, {seed}": ruled_question(seed, rules)
    for seed, rules in enumerate(["C5", "C5", "C6", "C6", "C7", "C7", "C5 C6", "C5 C6", "C6 C7", "C6 C7"])
}
# A rule that no word breaks, and one that none can meet.
RULED["C6, no word"] = question("..", "..", words="AB CD AC BD", max_obscure=1, below=15.0, theme={"AB": 1.0})
RULED["C7, no slot"] = question("..", "..", words="AB CD AC BD XY", required=frozenset({"XY"}), theme={"AB": 1.0})
RANDOM = {f"random {seed}": random_question(seed) for seed in range(16)}
QUESTIONS = {**FAMILIES, **RANDOM}
