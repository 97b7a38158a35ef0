"""The lists that the verbs of `cpfill words` read and write, and the options for them.

What `cpfill words` shows of a list: its figures, and where its letters stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import LETTERS, InputError, unknown_name
from cpfill.base.texts import say
from cpfill.cli.output import Output, emit
from cpfill.cli.problems import share_stdin
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.words.wordlist import (
    DEFAULT_LIST,
    PACKAGED,
    Drop,
    WordList,
    describe_skipped,
    read_offensive,
    read_word_list,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cpfill.words.curate import Entry
    from cpfill.words.curate.description import Figures, Positions

LIST = "Files, - for standard input, or packaged lists (en, en-gb, fr)."
Lists = Annotated[list[str] | None, typer.Argument(metavar="[LIST]...", help=f"{LIST} en by default.")]
OutputName = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the list to this file, all or nothing; .gz packs it."),
]
FormatName = Annotated[
    str, typer.Option("--to", "-f", metavar="FORMAT", help="scored: WORD;SCORE, tsv: with a tab, plain: words alone.")
]
OrderName = Annotated[
    str, typer.Option("--sort", metavar="NAME", help="score: best score first; word: in alphabetical order.")
]
LengthRange = Annotated[
    str | None, typer.Option("--length", "-l", metavar="N", help="Words of N letters: 5, 3-8, 3-, -8.")
]


def read_lists(
    names: Sequence[str] | None,
    alphabet: str,
    *,
    uncensored: bool,
    drop: Collection[Drop] = (),
    tell: bool = True,
) -> list[WordList]:
    """Return the lists of these names, or the default one; `tell` counts what was skipped on standard error."""
    chosen = names or [DEFAULT_LIST]
    share_stdin(chosen)
    read = [read_word_list(name, Alphabet.named(alphabet), uncensored=uncensored, drop=drop) for name in chosen]
    for one in read:
        if tell and one.skipped:
            warn(f"{one.name}: {describe_skipped(one.skipped)}")
    return read


def count_offensive(names: Sequence[str] | None, alphabet: str) -> dict[str, int]:
    """Return how many offensive words each packaged list of these names leaves out."""
    packaged = [name for name in names or [DEFAULT_LIST] if name in PACKAGED]
    return {name: len(read_offensive(name, Alphabet.named(alphabet)).words) for name in packaged}


def parse_drop(text: str | None) -> list[Drop]:
    """Return the kinds of lines to drop in `possessives,names`."""
    named = [] if text is None else [name.strip() for name in text.split(",")]
    for name in named:
        if name not in set(Drop):
            raise InputError(unknown_name(say("what to drop"), name, Drop))
    return [Drop(name) for name in named]


def parse_lengths(text: str | None) -> tuple[int, int]:
    """Return the least and the greatest length in `5`, `3-8`, `3-` or `-8`."""
    if text is None:
        return LETTERS.low, LETTERS.high
    first, dash, last = (part.strip() for part in text.partition("-"))
    least = LETTERS.read(first) if first else LETTERS.low
    most = (LETTERS.read(last) if last else LETTERS.high) if dash else least
    if not (first or last) or least is None or most is None or least > most:
        raise usage_error(say("a length such as 5, 3-8, 3- or -8"), f"'{text:.40}'")
    return least, most


def write_list(entries: Iterable[Entry], output: str | None, form: str, order: str, number: int | None = None) -> Exit:
    """Write entries, or the first `number` of them, as a list that can be read again."""
    from cpfill.words.curate import Format, Order, write_entries  # noqa: PLC0415

    if form not in set(Format):
        raise InputError(unknown_name(say("a format"), form, Format))
    if order not in set(Order):
        raise InputError(unknown_name(say("an order"), order, Order))
    lines = write_entries(entries, Format(form), Order(order)).splitlines(keepends=True)[:number]
    if not lines:
        return say_nothing()
    write_text("".join(lines), output)
    return Exit.ANSWERED


def write_text(text: str, output: str | None) -> None:
    """Write a text, packed where the name of the file ends in `.gz`: readers unpack it, whatever its name."""
    with Output(output) as out:
        if output is None or not output.lower().endswith(".gz"):
            out.write(text)
            return
        import gzip  # noqa: PLC0415 - slow to import, and seldom asked for

        out.write_bytes(gzip.compress(text.encode(), mtime=0))


def say_nothing() -> Exit:
    """Say that no word is left, and return the exit code for it."""
    warn(say("no word is left"))
    return Exit.NO_FILL


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
