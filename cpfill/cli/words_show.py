"""What `cpfill words` shows of a list: its figures, and where its letters stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.cli.output import emit
from cpfill.cli.tables import table
from cpfill.words.wordlist import describe_skipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.words.curate.description import Figures, Positions


def show_figures(figures: Figures, skipped: Mapping[str, Mapping[str, int]], left_out: Mapping[str, int]) -> None:
    """Show the figures of a list, what was skipped of which file, and how many offensive words packaged ones lack."""
    bounds = say(
        "{min_score:g} to {max_score:g}, median {median_score:g}",
        min_score=figures.min_score,
        max_score=figures.max_score,
        median_score=figures.median_score,
    )
    emit(say("{words} words; scores {bounds}\n", words=figures.words, bounds=bounds))
    for name, reasons in skipped.items():
        emit(f"{name}: {describe_skipped(reasons)}\n")
    for name, count in left_out.items():
        emit(say("{name}: {count} offensive words left out (--uncensored has them)\n", name=name, count=count))
    emit(say("two words agree where they cross: {agreement:.1%}\n", agreement=figures.agreement))
    common = sorted(figures.letters.items(), key=lambda item: -item[1])
    emit(say("letters: ") + ", ".join(f"{letter} {share:.1%}" for letter, share in common) + "\n")
    emit(say("scores: ") + ", ".join(f"{each.low:g}-{each.high:g}: {each.words}" for each in figures.scores) + "\n")
    rows = [
        (
            *(str(each.length), str(each.words), f"{each.best_score:g}", f"{each.median_score:g}"),
            *(f"{each.letters:.1%}", "-" if each.pairs is None else f"{each.pairs:.1%}"),
            *(_expected(each.fitting_one), "-" if each.fitting_two is None else _expected(each.fitting_two)),
        )
        for each in figures.lengths
    ]
    emit(table(("length", "words", "best score", "median", "letters", "pairs", "fit 1", "fit 2"), rows))


def _expected(count: float) -> str:
    return f"{count:.0f}" if count >= 100 else f"{count:.2g}"


def show_preferences(found: Sequence[Positions]) -> None:
    """Show for each length where each letter stands most often, and which letter each position has most often."""
    lengths = [str(each.length) for each in found]
    rows = []
    for letter in found[0].counts:
        preferred = [each.preferred_position(letter) for each in found]
        rows.append([letter, *("-" if pos is None else str(pos + 1) for pos in preferred)])
    emit(say("Where each letter stands most often, by length of word\n") + table(("letter", *lengths), rows))
    width = found[-1].length
    rows = []
    for each in found:
        letters = [each.preferred_letters(pos)[0] for pos in range(each.length)]
        rows.append([str(each.length), *letters, *([""] * (width - each.length))])
    head = ("length", *map(str, range(1, width + 1)))
    emit(say("\nWhich letter each position has most often\n") + table(head, rows))


def show_shares(found: Positions) -> None:
    """Show of one length the share of each letter that stands at each position, and of each position that it has."""
    head = ("letter", *map(str, range(1, found.length + 1)))
    for title, share in (
        (say("Where each letter stands, in % of the letter ({words} words)", words=found.words), found.share_of_letter),
        (say("\nWhich letter stands there, in % of the position"), found.share_of_position),
    ):
        rows = [
            [letter, *(f"{100 * share(letter, pos):.1f}" for pos in range(found.length))] for letter in found.counts
        ]
        emit(f"{title}\n{table(head, rows)}")
