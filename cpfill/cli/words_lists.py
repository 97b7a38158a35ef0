"""The lists that the verbs of `cpfill words` read and write, and the options for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import LETTERS, InputError, unknown_name
from cpfill.base.texts import say
from cpfill.cli.exits import Exit, usage_error, warn
from cpfill.cli.output import Output
from cpfill.cli.problems import share_stdin
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
    from collections.abc import Collection, Iterable, Sequence

    from cpfill.words.curate import Entry

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
