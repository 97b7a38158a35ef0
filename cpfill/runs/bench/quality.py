"""Rates fills by the scores of the list that they were filled from, or by a different list that judges them.

Entries that are given completely, such as theme entries, are ignored, because no engine filled them.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

from cpfill.runs.bench.suite import Ask
from cpfill.words.wordlist import Band, count_bands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.runs.bench.report import Results
    from cpfill.words.wordlist import WordList

ALL = "all"
"""The name that stands for all grids of a family."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The fill of one grid by one contender, or all its fills of a family.

    Attributes:
        family: the family.
        label: the contender.
        grid: the grid, or `ALL`.
        entries: the number of judged entries.
        minimum: the least score; an entry that the list lacks counts 0.
        tenth: the tenth percentile: a tenth of the entries score this or less.
        mean: the mean score.
        strong: the share of entries that a constructor would print.
        weak: the share that a constructor would use only in need.
        unlisted: the share that the list lacks.
    """

    family: str
    label: str
    grid: str
    entries: int
    minimum: float
    tenth: float
    mean: float
    strong: float
    weak: float
    unlisted: float

    HEADINGS: ClassVar[tuple[str, ...]] = (
        *("family", "grid", "engine", "entries", "minimum", "tenth", "mean", "strong", "weak", "unlisted"),
    )

    @property
    def cells(self) -> list[str]:
        """The figures as a table shows them."""
        numbers = (f"{number:.1f}".removesuffix(".0") for number in (self.minimum, self.tenth, self.mean))
        shares = (f"{share:.1%}" for share in (self.strong, self.weak, self.unlisted))
        return [self.family, self.grid, self.label, str(self.entries), *numbers, *shares]


def qualities(results: Results, judge: WordList | None = None) -> list[Quality]:
    """Return the quality of each requested fill, and of each family; by the scores of `judge`, if given.

    Runs of several seeds or repetitions count together.
    """
    found: dict[tuple[str, str, str], list[float | None]] = {}
    for label in results.labels:
        for record in results.by_label[label].values():
            if record["ask"] == Ask.FILL and record["entries"]:
                scores = _judge(record["entries"], judge.words if judge else None)
                for grid in (record["grid"], ALL):
                    found.setdefault((record["family"], label, grid), []).extend(scores)
    ranked = sorted(found, key=lambda key: (key[0], key[2] == ALL, key[2]))
    return [_describe(*key, found[key]) for key in ranked]


def _judge(
    entries: Sequence[tuple[str, float | None]], words: Mapping[str, tuple[float, str]] | None
) -> list[float | None]:
    if words is None:
        return [score for _, score in entries]
    return [words[word][0] if word in words else None for word, _ in entries]


def _describe(family: str, label: str, grid: str, judged: Sequence[float | None]) -> Quality:
    scores = sorted(score or 0.0 for score in judged)
    bands, count = count_bands(score for score in judged if score is not None), len(scores)
    return Quality(
        family,
        label,
        grid,
        count,
        scores[0],
        scores[(count - 1) // 10],
        fmean(scores),
        bands[Band.STRONG] / count,
        bands[Band.WEAK] / count,
        sum(score is None for score in judged) / count,
    )
