"""`cpfill words`: word lists made, joined, narrowed, searched and described.

`cpfill words ban` and `rescore`: the list of one's own, a word at a time.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import COUNT, LETTERS, MAX_LIST_BYTES, SCORE, SEED, InputError, unknown_name
from cpfill.base.files import read_text
from cpfill.base.texts import say
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import share_stdin
from cpfill.cli.verbs import Exit, Verbs, usage_error, warn
from cpfill.cli.words_lists import (
    LIST,
    FormatName,
    LengthRange,
    Lists,
    OrderName,
    OutputName,
    count_offensive,
    parse_drop,
    parse_lengths,
    read_lists,
    say_nothing,
    show_figures,
    show_preferences,
    show_shares,
    write_list,
    write_text,
)
from cpfill.formats.registry import guess_format
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import set_score
from cpfill.words.wordlist import DEFAULT_LIST, PACKAGED, format_decimal

if TYPE_CHECKING:
    from cpfill.words.curate import Entry

Word = Annotated[str, typer.Argument(metavar="WORD", help="As it is written in lists.")]
PersonalFile = Annotated[
    str | None, typer.Option("--personal", metavar="FILE", help="By default ~/.config/cpfill/words.txt.")
]


def ban(word: Word, *, personal: PersonalFile = None, alphabet: o.AlphabetName = "latin") -> int:
    """Ban a word: it scores 0 in the list of your own, which `solve` and others read after all others."""
    path = set_score(word, 0.0, _path(personal), Alphabet.named(alphabet))
    warn(say("{path}: {word} is banned", path=path, word=word))
    return Exit.ANSWERED


def rescore(
    word: Word,
    score: Annotated[float, typer.Argument(metavar="SCORE", help="Its score from now on, 0 to ban it.")],
    *,
    personal: PersonalFile = None,
    alphabet: o.AlphabetName = "latin",
) -> int:
    """Give a word another score, or add it, in the list of your own, which `solve` and others read after all others."""
    path = set_score(word, score, _path(personal), Alphabet.named(alphabet))
    warn(say("{path}: {word} scores {score}", path=path, word=word, score=format_decimal(score)))
    return Exit.ANSWERED


def _path(name: str | None) -> Path | None:
    """Return the file of one's own list; a name that means another list, or none, or a puzzle is no such file."""
    if name in {"none", *PACKAGED} or (name and guess_format(name)):
        raise usage_error(say("a file of your own words for --personal"), f"'{name}'")
    return None if name is None else Path(name)


# What only one verb needs is imported when it runs: the others are not to wait for it.


words = Verbs(
    help="Make, join, narrow, search and describe word lists. What a verb writes the others read, as - in a pipe."
)

_MAP_LENGTHS = "2-15"


@words.callback(invoke_without_command=True)
def _words(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")
        raise typer.Exit(Exit.BAD_INPUT)


@words.command(short_help="Describe a list: lengths, scores, letters, how easily its words cross.")
def info(
    lists: Lists = None,
    *,
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
    as_json: o.Json = False,
) -> int:
    """Describe lists, all as one: words by length, scores, letters, skipped lines, and how easily the words cross.

    letters: the share of the (position, letter) pairs that some word has. pairs: the same of two positions and their
    letters. fit 1, fit 2: the words to expect in a slot once crossing words have settled one, or two, of its letters.
    """
    from cpfill.words.curate.description import describe  # noqa: PLC0415

    read = read_lists(lists, alphabet, uncensored=uncensored, tell=False)
    figures = describe(Lexicon(read, Alphabet.named(alphabet)))
    skipped = {one.name: dict(one.skipped) for one in read if one.skipped}
    left_out = {} if uncensored else count_offensive(lists, alphabet)
    if as_json:
        record = {**asdict(figures), "skipped": skipped, "offensive_left_out": left_out}
        emit(json_line(record))
    else:
        show_figures(figures, skipped, left_out)
    return Exit.ANSWERED


@words.command(short_help="Say where each letter stands, and which letters each position has.")
def heatmap(
    lists: Lists = None,
    *,
    length: Annotated[
        str, typer.Option("--length", "-l", metavar="N", help="Words of N letters: 5, 3-8, 3-, -8.")
    ] = _MAP_LENGTHS,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Draw heat maps: .png, .svg or .pdf.")
    ] = None,
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
    as_json: o.Json = False,
) -> int:
    """Say at which position each letter prefers to stand, and which letters each position prefers, by word length.

    For one length every share is shown. Drawing needs matplotlib: pip install matplotlib.
    """
    from cpfill.base.imports import check_picture  # noqa: PLC0415
    from cpfill.questions.lists import positions_record  # noqa: PLC0415
    from cpfill.words.curate.description import (  # noqa: PLC0415
        plot_heatmaps,
        positions,
    )

    if output is not None:
        check_picture(output)
    least, most = parse_lengths(length)
    lexicon = Lexicon(read_lists(lists, alphabet, uncensored=uncensored), Alphabet.named(alphabet))
    found = [positions(lexicon, each) for each in lexicon.lengths if least <= each <= most]
    if not found:
        return say_nothing()
    if output is not None:
        plot_heatmaps(found, output)
    if as_json:
        emit("".join(json_line(positions_record(each)) for each in found))
    elif len(found) == 1:
        show_shares(found[0])
    else:
        show_preferences(found)
    return Exit.ANSWERED


@words.command(short_help="Join lists into one.")
def merge(
    lists: Lists = None,
    *,
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="NAME", help="The score of a word in several lists: best, or first (list)."),
    ] = "best",
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Join lists into one; with --keep first a list of your own before the others corrects their scores."""
    from cpfill.words.curate import merge as union  # noqa: PLC0415

    if keep not in {"best", "first"}:
        raise InputError(unknown_name(say("which score to keep"), keep, ("best", "first")))
    read = read_lists(lists, alphabet, uncensored=uncensored)
    return write_list(union(read, first_wins=keep == "first"), output, form, order)


@words.command("filter", short_help="Keep some words of lists.")
def filter_(
    lists: Lists = None,
    *,
    length: LengthRange = None,
    min_score: o.MinScore = 0.0,
    max_score: Annotated[float | None, o.number(SCORE, metavar="S", help="Leave out words that score more.")] = None,
    pattern: Annotated[
        str | None, typer.Option("--pattern", "-p", metavar="PATTERN", help="Of this shape, as lookup has it.")
    ] = None,
    letters: Annotated[str | None, typer.Option(metavar="ABC", help="Made of these letters alone.")] = None,
    drop: Annotated[
        str | None, typer.Option("--drop", metavar="NAME,NAME", help="Leave out possessives, names or both.")
    ] = None,
    sample: Annotated[int | None, o.number(COUNT, help="Then N of them at random.")] = None,
    seed: Annotated[int, o.number(SEED, help="The same seed, the same sample; more words hold fewer.")] = 0,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Keep the words that pass every filter given. Exit code 20: none does.

    A word with a capital counts as a name if the list also has lower-case words. Every verb leaves names and
    possessives out of a system dictionary (in /usr/share/dict, or hunspell's .dic), and says how many.
    """
    from cpfill.words import curate as choose  # noqa: PLC0415
    from cpfill.words.curate import (  # noqa: PLC0415
        Pattern,
        entries,
    )

    known = Alphabet.named(alphabet)
    folded = known.fold(letters or "")
    foreign = known.foreign(folded)
    if foreign or (letters is not None and not folded):
        raise usage_error(
            say("letters of the alphabet {letters} for --letters", letters=known.letters), f"'{foreign or letters}'"
        )
    least, most = parse_lengths(length)
    read = read_lists(lists, alphabet, uncensored=uncensored, drop=parse_drop(drop))
    chosen = choose.Filter(
        min_length=least,
        max_length=most,
        min_score=min_score,
        max_score=SCORE.high if max_score is None else max_score,
        letters=folded,
        pattern=None if pattern is None else Pattern.parse(pattern, known),
    )
    kept = chosen.keep(entries(Lexicon(read, known)))
    return write_list(kept if sample is None else choose.sample(kept, sample, seed), output, form, order)


@words.command(short_help="Hold two lists against each other.")
def diff(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=LIST)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help=LIST)],
    *,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="NAME", help="The words of first or second alone, or of both, as a list."),
    ] = None,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Say what tells two lists apart: lines -WORD;SCORE (first alone), +WORD;SCORE (second alone), ~WORD;OLD;NEW.

    With --only a list as the other verbs write it; --only both has the scores of the second.
    """
    from cpfill.words.curate import (  # noqa: PLC0415
        difference,
        entries,
    )

    known = Alphabet.named(alphabet)
    one, other = (Lexicon([each], known) for each in read_lists([first, second], alphabet, uncensored=uncensored))
    found = difference(one, other)
    if only is not None:
        lacking = {entry.word for entry in found.only_second}
        lists: dict[str, list[Entry]] = {
            "first": found.only_first,
            "second": found.only_second,
            "both": [entry for entry in entries(other) if entry.word not in lacking],
        }
        if only not in lists:
            raise InputError(unknown_name(say("which words"), only, lists))
        return write_list(lists[only], output, form, order)
    changes = [(each.word, f"-{each.spelling};{format_decimal(each.score)}\n") for each in found.only_first]
    changes += [(each.word, f"+{each.spelling};{format_decimal(each.score)}\n") for each in found.only_second]
    changes += [
        (a.word, f"~{b.spelling};{format_decimal(a.score)};{format_decimal(b.score)}\n") for a, b in found.rescored
    ]
    write_text("".join(line for _, line in sorted(changes)), output)
    warn(
        say(
            "{first} words in the first alone, {second} in the second alone, "
            "{rescored} with another score, {same} the same",
            first=len(found.only_first),
            second=len(found.only_second),
            rescored=len(found.rescored),
            same=found.same,
        )
    )
    return Exit.ANSWERED


@words.command(short_help="Find the words of a shape.")
def lookup(
    pattern: Annotated[
        str, typer.Argument(metavar="PATTERN", help="Letters, ? for any letter, * for any run, [ABC] for a letter set.")
    ],
    lists: Lists = None,
    *,
    number: Annotated[int | None, o.number(COUNT, "--number", "-n", help="The first N alone.")] = None,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Find the words of a shape, such as '?A??E' or 'QU*[ZX]' (quoted, or the shell takes it). Exit code 20: none."""
    from cpfill.words.curate import Pattern  # noqa: PLC0415

    known = Alphabet.named(alphabet)
    shape = Pattern.parse(pattern, known)
    found = shape.lookup(Lexicon(read_lists(lists, alphabet, uncensored=uncensored), known))
    return write_list(found, output, form, order, number)


@words.command(short_help="Score words by how often they are used.")
def score(
    lists: Lists = None,
    *,
    frequencies: Annotated[
        str, typer.Option("--frequencies", metavar="LIST", help="How often each word was counted, as WORD;COUNT.")
    ],
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Give words scores of 1 to 100 by frequency, on the scale of the packaged lists.

    score = 2 + round(98 log(count / least count) / log(greatest count / least count)): 2 for the rarest word that was
    counted, 100 for the commonest of the list, 1 for a word that was not counted. The commonest line of a word counts
    if the counts are sorted, the first otherwise.
    """
    from cpfill.words.curate import (  # noqa: PLC0415
        entries,
        rescored,
    )
    from cpfill.words.curate import merge as union  # noqa: PLC0415

    *read, counted = read_lists([*(lists or [DEFAULT_LIST]), frequencies], alphabet, uncensored=uncensored)
    counts = {each.word: each.score for each in entries(Lexicon([counted], Alphabet.named(alphabet)))}
    return write_list(rescored(union(read), counts), output, form, order)


@words.command("from-text", short_help="Make a list of the words of a text.")
def from_text(
    text: Annotated[list[str], typer.Argument(metavar="FILE...", help="Texts; - for standard input.")],
    *,
    min_length: Annotated[int, o.number(LETTERS, help="Leave out shorter words.")] = 4,
    min_count: Annotated[int, o.number(COUNT, help="Leave out words that stand there less often.")] = 1,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
) -> int:
    """Make a list of the words of texts, scored 1 to 100 by how often they stand there (as score has it).

    Elided articles (l', d', qu') and the possessive 's are no part of a word.
    """
    from cpfill.words.curate import words_of_text  # noqa: PLC0415

    known = Alphabet.named(alphabet)
    share_stdin(text)
    whole = "\n".join(read_text(path, most=MAX_LIST_BYTES) for path in text)
    found = words_of_text(whole, known, min_length=min_length, min_count=min_count)
    foreign = say(", {foreign} with a character outside the alphabet", foreign=found.foreign) if found.foreign else ""
    warn(
        say(
            "{running} words of running text{foreign}; {entries} different ones are kept",
            running=found.running,
            foreign=foreign,
            entries=len(found.entries),
        )
    )
    return write_list(found.entries, output, form, order)


@words.command(short_help="Look clues of words up in the dictionaries of this system.")
def clues(
    wanted: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", help="Words.")] = None,
    *,
    lists: o.Words = None,
    language: Annotated[
        str, typer.Option(metavar="NAME", help="en: WordNet and thesauri; fr, de, ...: thesauri, where installed.")
    ] = "en",
    wordnet: Annotated[
        str | None, typer.Option(metavar="DIR", help="This WordNet database (index.noun, data.noun, ...).")
    ] = None,
    thesaurus: Annotated[str | None, typer.Option(metavar="FILE", help="This MyThes thesaurus (.dat).")] = None,
    number: Annotated[
        int | None, o.number(COUNT, "--number", "-n", help="The first N clues of each word alone.")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the clues there.")] = None,
    alphabet: o.AlphabetName = "latin",
    uncensored: o.Uncensored = False,
) -> int:
    """Look words up, and print a file of clues: WORD, a tab, a clue; definitions of WordNet, synonyms of a thesaurus.

    Words are looked up as they stand, no plural as its singular. What gives its word away is left out. Debian has the
    dictionaries in its packages wordnet-base, mythes-en-us, mythes-fr and the like. Exit code 20: no clue is found.
    """
    from cpfill.puzzle.clues import write_clues  # noqa: PLC0415
    from cpfill.puzzle.clues.dictionaries import find_installed, list_dictionaries, look_up  # noqa: PLC0415

    known = Alphabet.named(alphabet)
    if not (wanted or lists):
        raise usage_error(say("a word, or a list with -w"), say("neither"))
    folded = [known.word(word) for word in wanted or ()]
    share_stdin([*(lists or ()), *([] if thesaurus is None else [thesaurus])])
    own = list_dictionaries([] if wordnet is None else [Path(wordnet)], [] if thesaurus is None else [Path(thesaurus)])
    dictionaries = own or find_installed(language)
    read = read_lists(lists, alphabet, uncensored=uncensored) if lists else []
    asked = dict.fromkeys([*folded, *(word for one in read for word in one.words)])
    found = look_up(asked, [each.read(known) for each in dictionaries], known, number)
    if missing := len(asked) - len(found.words):
        warn(say("{missing} of {asked} words have no clue", missing=missing, asked=len(asked)))
    if not found.words:
        return Exit.NO_FILL
    write_text(write_clues(found), output)
    return Exit.ANSWERED


words.command(short_help="Ban a word in the list of your own.")(ban)
words.command(short_help="Score a word in the list of your own.")(rescore)
