"""Heat maps: the positions that each letter prefers, and the letters that each position prefers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.imports import draw_plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.words.curate.position import Positions

_CELL_INCHES = 0.2
_MARGIN_INCHES = 1.2


def plot_heatmaps(found: Sequence[Positions], path: str) -> None:
    """Draw two rows of heat maps with one column per length: shares of each letter above, of each position below.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    letters = list(found[0].counts)
    width = sum(each.length + 1 for each in found) * _CELL_INCHES + _MARGIN_INCHES
    height = 2 * (len(letters) * _CELL_INCHES + _MARGIN_INCHES)
    with draw_plot(path, max(width, 3.0), height) as figure:
        grid = figure.subplots(2, len(found), squeeze=False, width_ratios=[each.length for each in found])
        for column, each in enumerate(found):
            for row, share in enumerate((each.share_of_letter, each.share_of_position)):
                axes = grid[row][column]
                cells = [[share(letter, pos) for pos in range(each.length)] for letter in letters]
                axes.imshow(cells, aspect="equal", cmap="viridis", vmin=0.0, interpolation="nearest")
                axes.set_xticks(range(each.length), [str(pos + 1) for pos in range(each.length)], fontsize=6)
                axes.set_yticks(range(len(letters)), letters if column == 0 else [], fontsize=6)
                axes.tick_params(length=0)
                if row == 0:
                    axes.set_title(str(each.length), fontsize=8)
        grid[0][0].set_ylabel("positions of each letter")
        grid[1][0].set_ylabel("letters at each position")
        figure.supxlabel("position, by length of word")
