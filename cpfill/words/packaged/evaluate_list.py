"""Compares the scores of a packaged list with the answers that puzzles printed: `evaluate_list.py en ANSWERS`.

ANSWERS is a text file with a line `year answer` for each answer of each puzzle. Only odd years since 1995 count: the
weights of `english.py` and `phrases.py` come from even ones. Prints, for each length, the area under the ROC curve of
all entries (printed three times or more, or never), and of the phrases of the list (printed or not), with the share
printed among the best 300, 1,000 and 3,000 phrases.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from phrases import split_spelling

from cpfill.base.alphabet import Alphabet
from cpfill.words.wordlist import read_word_list

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

FIRST_YEAR = 1995
OFTEN = 3
LENGTHS = range(3, 16)
BEST = (300, 1000, 3000)


def read_answers(text: str) -> Counter[str]:
    """Return how often each answer was printed in odd years."""
    fold = Alphabet().fold
    found: Counter[str] = Counter()
    for line in text.splitlines():
        year, _, answer = line.partition(" ")
        if int(year) >= FIRST_YEAR and int(year) % 2:
            found[fold(answer)] += 1
    return found


def area(good: Sequence[float], bad: Collection[float]) -> float:
    """Return the area under the ROC curve: the chance that a good one scores more than a bad one, ties by half."""
    ranked = sorted(bad)
    wins = sum(bisect_left(ranked, score) + bisect_right(ranked, score) for score in good)
    return wins / (2 * len(good) * len(ranked))


def compare(length: int, scores: Mapping[str, float], several: Collection[str], printed: Counter[str]) -> str:
    """Return the line of figures of a length."""
    entries = [word for word in {*scores, *printed} if len(word) == length]
    often = [scores.get(word, 0) for word in entries if printed[word] >= OFTEN]
    never = [scores.get(word, 0) for word in entries if not printed[word]]
    figures = [f"{length:2} all {area(often, never):.3f}"]
    phrases = sorted((word for word in several if len(word) == length), key=scores.__getitem__, reverse=True)
    known = [scores[word] for word in phrases if printed[word]]
    if known and len(known) < len(phrases):
        unknown = [scores[word] for word in phrases if not printed[word]]
        figures.append(f"phrases {area(known, unknown):.3f}")
    for count in BEST:
        best = phrases[:count]
        if best:
            share = sum(printed[word] > 0 for word in best) / len(best)
            figures.append(f"best {count}: {share:.0%}")
    return "  ".join(figures)


def main() -> None:
    """Print the figures of the list named on the command line."""
    name, answers = sys.argv[1:]
    listed = read_word_list(name)
    printed = read_answers(Path(answers).read_text("utf-8"))
    spellings = {word: spelling for word, (_, spelling) in listed.words.items()}
    several = {word for word, spelling in spellings.items() if len(split_spelling(spelling)) > 1}
    for length in LENGTHS:
        print(compare(length, listed.weights, several, printed))


if __name__ == "__main__":
    main()
