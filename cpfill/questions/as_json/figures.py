"""The figures of grids, fills and lists, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.questions.stats import FillFigures, GridFigures, StyleFault
    from cpfill.words.curate.position import Positions


def grid_figures_record(grid: Grid, figures: GridFigures, faults: Mapping[str, Sequence[StyleFault]]) -> dict[str, Any]:
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


def fill_figures_record(figures: FillFigures) -> dict[str, Any]:
    """Return the figures of the words in a grid as JSON."""
    return {
        "words": {slot.name: word for slot, word in figures.words.items()},
        "scores": {slot.name: score for slot, score in figures.scores.items()},
        "mean_score": figures.mean_score,
        "median_score": figures.median_score,
        "bands": dict(figures.bands),
        "worst": [
            {"slot": slot.name, "word": figures.words[slot], "score": figures.scores[slot]}
            for slot in figures.find_worst()
        ],
        "histogram": list(map(asdict, figures.histogram)),
        "unlisted": _names(figures.unlisted),
        "letters": dict(figures.letters),
        "pangram": figures.pangram,
        "scrabble": figures.scrabble,
        **{
            kind: [{"text": link.text, "slots": _names(link.slots)} for link in links]
            for kind, links in figures.links.items()
        },
    }


def positions_record(found: Positions) -> dict[str, Any]:
    """Return the counts of one length, and the preferences, as JSON; positions count from 1."""
    preferred = {letter: found.preferred_position(letter) for letter in found.counts}
    return {
        **asdict(found),
        "preferred_position": {letter: None if pos is None else pos + 1 for letter, pos in preferred.items()},
        "preferred_letters": ["".join(found.preferred_letters(pos)) for pos in range(found.length)],
    }


def _names(slots: Iterable[Slot]) -> list[str]:
    return [slot.name for slot in slots]
