"""Tables about word lists: figures by length, and the letters of each position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.texts import later, say, say_count
from cpfill.cli.output import emit, json_line
from cpfill.cli.tables import table
from cpfill.cli.verbs import warn
from cpfill.words.curate.prefixes import NODE_BYTES, grow_prefixes, list_prefix_means, plot_prefix_means
from cpfill.words.wordlist import describe_skipped, format_decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.cli.output import Output
    from cpfill.words.curate.description import LengthFigures, ListFigures, Positions
    from cpfill.words.curate.prefixes import PrefixTree
    from cpfill.words.lexicon import Lexicon


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


def tell_tree(tree: PrefixTree) -> str:
    """Return the numbers of a tree of prefixes, in a line."""
    return say(
        "{words}, {letters}, {nodes}",
        words=say_count(tree.words, "word"),
        letters=say_count(tree.letters, "letter"),
        nodes=say_count(tree.nodes, "node"),
    )


def show_tree(tree: PrefixTree) -> None:
    """Show the size of a tree of prefixes, what sharing saves, and the nodes by depth."""
    emit(tell_tree(tree) + "\n")
    saved = tree.letters - tree.nodes
    emit(say("sharing saves {saved:,} nodes ({share:.1%})\n", saved=saved, share=saved / tree.letters))
    told = later(
        "memory at {node} bytes a node: {shared:,} bytes, without sharing {apart:,}; the list as text {text:,}\n"
    )
    text = tree.letters + tree.words
    shared = NODE_BYTES * tree.nodes
    emit(say(told, node=NODE_BYTES, shared=shared, apart=NODE_BYTES * tree.letters, text=text))
    rows = [[str(depth), str(number)] for depth, number in enumerate(tree.levels, 1)]
    emit(table(("letters", "different beginnings"), rows))


def draw_tree(tree: PrefixTree, words: Sequence[str], path: str, out: Output) -> None:
    """Draw the tree of some words in alphabetical order; of a large one the first letters, with a line that says so."""
    from cpfill.formats.pages.trees import Picture, draw_trees

    picture = Picture(tell_tree(tree), grow_prefixes(words, tree.whole_depth), shared=True)
    out.write_bytes(draw_trees([picture], path))
    if tree.drawn < tree.nodes:
        drawn = say("{drawn} are drawn, to depth {depth}", drawn=f"{tree.drawn:,}", depth=tree.whole_depth)
        warn(f"{tell_tree(tree)}; {drawn}")


_USUAL = range(2, 16)
"""The lengths of words that tables and figures show; JSON has them all."""


def show_prefix_means(lexicon: Lexicon, path: str | None, *, as_json: bool) -> None:
    """Show M(S, i), a row for each length S, a column for each number i of letters; draw it if a path is given."""
    means = list_prefix_means(lexicon)
    if as_json:
        for length, numbers in means.items():
            emit(json_line({"length": length, "words": lexicon.lengths[length], "prefix_means": numbers}))
    usual = {length: numbers for length, numbers in means.items() if length in _USUAL} or means
    if path is not None:
        plot_prefix_means(usual, path)
    if as_json:
        return
    emit(say("M(S, i): the mean number of words of S letters with the same first i letters\n"))
    width = max(usual)
    rows = []
    for length, numbers in usual.items():
        blanks = [""] * (width - length)
        rows.append([str(length), *map(_mean, numbers), *blanks])
    emit(table(("S", *map(str, range(width))), rows))


def _mean(number: float) -> str:
    if number >= 100:
        return f"{number:.0f}"
    return f"{number:.2f}"
