"""The question what a grid is like, and the words that stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.errors import SLOT_LENGTH
from cpfill.base.reading import Field, asked, asked_number, name_reader
from cpfill.base.texts import later
from cpfill.problem.fill import Fill
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.generate.demands import STYLES
from cpfill.questions.question import Question
from cpfill.questions.stats import LANGUAGES, SHORTEST_RUN, describe_fill, find_words, guess_language, take_answers
from cpfill.questions.stats.grid import describe_grid, find_faults

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import Done, FiguresRecord, FillFiguresRecord, GridFiguresRecord, LinkRecord
    from cpfill.questions.stats import FillFigures, Link
    from cpfill.questions.stats.grid import GridFigures, StyleFault


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Stats(Question):
    """What a grid is like, and the words that stand in it."""

    style: str | None = asked(
        Field(name_reader(later("a style"), STYLES), f"Tell faults of this style: {', '.join(STYLES)}.", "NAME")
    )
    shared: int = asked_number(
        SLOT_LENGTH, SHORTEST_RUN, metavar="LEN", help="Tell runs of LEN letters or more that words share."
    )
    language: str | None = asked(
        Field(
            name_reader(later("a language"), LANGUAGES),
            f"{', '.join(LANGUAGES)}; that of a packaged list, or en.",
            "NAME",
        )
    )

    @property
    def fill(self) -> Fill:
        """The letters that stand in the grid."""
        if isinstance(self.request.grid, Puzzle):
            return take_answers(self.request.grid, self.request.alphabet, self.request.min_slot_length)
        (template,) = self.request.templates()
        return Fill.of_grid(template.grid)

    def records(self, desk: Desk) -> Generator[FiguresRecord | Done]:
        """Yield the figures."""
        yield self.describe(self.fill, desk)
        yield {"done": True}

    def describe(self, fill: Fill, desk: Desk) -> FiguresRecord:
        """Return the figures of a grid and of the words in it.

        Raises:
            LexiconError: a list cannot be read.
        """
        words = None
        styles = STYLES if self.style is None else {self.style: STYLES[self.style]}
        faults = {name: find_faults(fill.grid, rules) for name, rules in styles.items()}
        if find_words(fill):
            spoken = LANGUAGES[self.language or guess_language(self.request)]
            lexicon = desk.lexicon_of(self.request)
            words = describe_fill(fill, lexicon, language=spoken, shortest_run=self.shared)
        record = grid_figures_record(fill.grid, describe_grid(fill.grid), faults)
        return {**record, "fill": fill_figures_record(words) if words else None}


def grid_figures_record(
    grid: Grid, figures: GridFigures, faults: Mapping[str, Sequence[StyleFault]]
) -> GridFiguresRecord:
    """Return the figures of a grid, and its faults in each style, as JSON."""
    return {
        "height": figures.height,
        "width": figures.width,
        "words": figures.words,
        "average_length": figures.average_length,
        "lengths": {str(length): count for length, count in figures.lengths.items()},
        "blocks": figures.blocks,
        "block_share": figures.block_share,
        "open": figures.open_cells,
        "clear": figures.clear_cells,
        "checked": figures.checked_cells,
        "checked_share": figures.checked_share,
        "cheaters": list(map(grid.name_cell, figures.cheaters)),
        "symmetries": list(figures.symmetries),
        "parts": list(figures.parts),
        "faults": {style: [{"fault": each.kind, "at": each.at} for each in found] for style, found in faults.items()},
    }


def fill_figures_record(figures: FillFigures) -> FillFiguresRecord:
    """Return the figures of the words in a grid as JSON."""
    return {
        "words": {slot.name: word for slot, word in figures.words.items()},
        "scores": {slot.name: score for slot, score in figures.scores.items()},
        "mean_score": figures.mean_score,
        "median_score": figures.median_score,
        "bands": {str(band): count for band, count in figures.bands.items()},
        "worst": [
            {"slot": slot.name, "word": figures.words[slot], "score": figures.scores[slot]}
            for slot in figures.find_worst()
        ],
        "histogram": [{"low": each.low, "high": each.high, "words": each.words} for each in figures.histogram],
        "unlisted": _names(figures.unlisted),
        "letters": dict(figures.letters),
        "pangram": figures.pangram,
        "scrabble": figures.scrabble,
        "repeats": list(map(_link_record, figures.links["repeats"])),
        "shared_runs": list(map(_link_record, figures.links["shared_runs"])),
        "shared_stems": list(map(_link_record, figures.links["shared_stems"])),
    }


def _link_record(link: Link) -> LinkRecord:
    return {"text": link.text, "slots": _names(link.slots)}


def _names(slots: Iterable[Slot]) -> list[str]:
    return [slot.name for slot in slots]
