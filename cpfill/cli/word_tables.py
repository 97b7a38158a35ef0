"""Tables about word lists: figures by length, and the letters of each position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.cli.output import emit
from cpfill.cli.tables import table
from cpfill.words.wordlist import describe_skipped, format_decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.words.curate.description import LengthFigures, ListFigures, Positions


def show_figures(figures: ListFigures, skipped: Mapping[str, Mapping[str, int]], left_out: Mapping[str, int]) -> None:
    """Show the figures of a list, the lines skipped in each file, and the number of offensive words left out."""
    bounds = say(
        "{min_score} to {max_score}, median {median_score}",
        min_score=format_decimal(figures.min_score),
        max_score=format_decimal(figures.max_score),
        median_score=format_decimal(figures.median_score),
    )
    emit(say("{words} words; scores {bounds}\n", words=figures.words, bounds=bounds))
    for name, reasons in skipped.items():
        emit(f"{name}: {describe_skipped(reasons)}\n")
    for name, count in left_out.items():
        emit(say("{name}: {count} offensive words left out (--taste uncensored has them)\n", name=name, count=count))
    emit(say("two words agree where they cross: {agreement:.1%}\n", agreement=figures.agreement))
    common = sorted(figures.letters.items(), key=lambda item: -item[1])
    letters = [f"{letter} {share:.1%}" for letter, share in common]
    scores = [f"{each.low:g}-{each.high:g}: {each.words}" for each in figures.scores]
    emit(say("letters: ") + ", ".join(letters) + "\n")
    emit(say("scores: ") + ", ".join(scores) + "\n")
    rows = list(map(_row_of, figures.lengths))
    emit(table(("length", "words", "best score", "median", "letters", "pairs", "fit 1", "fit 2"), rows))


def _row_of(each: LengthFigures) -> tuple[str, ...]:
    return (
        str(each.length),
        str(each.words),
        format_decimal(each.best_score),
        format_decimal(each.median_score),
        _percent(each.letters),
        _percent(each.pairs),
        _expected(each.fitting_one),
        _expected(each.fitting_two),
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _expected(count: float | None) -> str:
    if count is None:
        return "-"
    if count >= 100:
        return f"{count:.0f}"
    return f"{count:.2g}"


def show_preferences(found: Sequence[Positions]) -> None:
    """Show for each length where each letter stands most often, and which letter each position has most often."""
    lengths = [str(each.length) for each in found]
    rows = []
    for letter in found[0].counts:
        preferred = [_tell_position(each.preferred_position(letter)) for each in found]
        rows.append([letter, *preferred])
    emit(say("Where each letter stands most often, by length of word\n") + table(("letter", *lengths), rows))
    width = found[-1].length
    rows = []
    for each in found:
        letters = [each.preferred_letters(pos)[0] for pos in range(each.length)]
        blanks = [""] * (width - each.length)
        rows.append([str(each.length), *letters, *blanks])
    emit(say("\nWhich letter each position has most often\n") + table(_list_positions("length", width), rows))


def _tell_position(pos: int | None) -> str:
    return "-" if pos is None else str(pos + 1)


def _list_positions(first: str, width: int) -> list[str]:
    """Return the headings of a table with a column for each position."""
    return [first, *map(str, range(1, width + 1))]


def show_shares(found: Positions) -> None:
    """Show for one length, by letter and position, the share of the letter, and the share of the position."""
    title = say("Where each letter stands, in % of the letter ({words} words)", words=found.words)
    emit(f"{title}\n{_tabulate(found, found.share_of_letter)}")
    title = say("\nWhich letter stands there, in % of the position")
    emit(f"{title}\n{_tabulate(found, found.share_of_position)}")


def _tabulate(found: Positions, share: Callable[[str, int], float]) -> str:
    """Return a table of percentages: a row for each letter, a column for each position."""
    rows = []
    for letter in found.counts:
        shares = [f"{100 * share(letter, pos):.1f}" for pos in range(found.length)]
        rows.append([letter, *shares])
    return table(_list_positions("letter", found.length), rows)
