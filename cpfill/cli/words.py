"""`cpfill words`: make, join, filter, search and describe word lists; change your personal list, word by word.

Modules that only one verb needs are imported when it runs, so that the other verbs start fast.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import COUNT, LETTERS, MAX_LIST_BYTES, SCORE, SEED
from cpfill.base.files import read_text
from cpfill.base.imports import check_picture
from cpfill.base.reading import choice_reader, name_reader
from cpfill.base.texts import later, say
from cpfill.cli import options as o
from cpfill.cli.output import Output, emit, json_line
from cpfill.cli.problems import share_stdin
from cpfill.cli.verbs import Exit, Verbs, usage_error, warn
from cpfill.cli.word_tables import draw_tree, show_figures, show_preferences, show_prefix_means, show_shares, show_tree
from cpfill.formats.registry import guess_format
from cpfill.words import curate
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import set_score
from cpfill.words.wordlist import (
    DEFAULT_LIST,
    PACKAGED,
    Drop,
    Taste,
    WordList,
    describe_skipped,
    format_decimal,
    read_offensive,
    read_word_list,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cpfill.words.curate import Entry

_LIST = "Files, - for standard input, or packaged lists (en, en-gb, fr)."
Lists = Annotated[list[str] | None, typer.Argument(metavar="[LIST]...", help=f"{_LIST} en by default.")]
OutputName = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the list to this file, all or nothing; .gz packs it."),
]
FormatName = Annotated[
    str, typer.Option("--to", "-f", metavar="FORMAT", help="scored: WORD;SCORE, tsv: with a tab, plain: only words.")
]
OrderName = Annotated[
    str, typer.Option("--sort", metavar="NAME", help="score: best score first; word: in alphabetical order.")
]
LengthRange = Annotated[
    str | None, typer.Option("--length", "-l", metavar="N", help="Words of N letters: 5, 3-8, 3-, -8.")
]
Word = Annotated[str, typer.Argument(metavar="WORD", help="As written in lists.")]
PersonalFile = Annotated[
    str | None, typer.Option("--personal", metavar="FILE", help="By default ~/.config/cpfill/words.txt.")
]


words = Verbs(
    help="Make, join, narrow, search and describe word lists. Verbs read each other's output, as - in a pipe."
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
    taste: o.TasteName = Taste.BREAKFAST,
    prefixes: Annotated[
        bool, typer.Option("--prefixes", help="Print M(S, i) alone: the mean number of words of S letters by first i.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="With --prefixes: draw M(S, i): .png, .svg or .pdf."),
    ] = None,
    as_json: o.Json = False,
) -> int:
    """Describe lists, all as one: words by length, scores, letters, skipped lines, and how easily the words cross.

    letters: the share of the (position, letter) pairs that some word has. pairs: the same of two positions and their
    letters. fit 1, fit 2: the words to expect in a slot once crossing words have settled one, or two, of its letters.
    """
    from cpfill.words.curate.description import describe

    if output is not None:
        if not prefixes:
            raise usage_error(say("{option} with {needed}", option="-o", needed="--prefixes"), say("-o alone"))
        check_picture(output)
    read = _read_lists(lists, alphabet, taste=taste, tell=False)
    lexicon = Lexicon(read, Alphabet.named(alphabet))
    if prefixes:
        show_prefix_means(lexicon, output, as_json=as_json)
        return Exit.ANSWERED
    figures = describe(lexicon)
    skipped = {one.name: dict(one.skipped) for one in read if one.skipped}
    left_out: dict[str, int] = {}
    if taste != Taste.UNCENSORED:
        left_out = _count_offensive(lists, alphabet)
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
    taste: o.TasteName = Taste.BREAKFAST,
    as_json: o.Json = False,
) -> int:
    """Say at which position each letter prefers to stand, and which letters each position prefers, by word length.

    For one length every share is shown. Drawing needs matplotlib: pip install matplotlib.
    """
    from cpfill.questions.lists import positions_record
    from cpfill.words.curate.description import (
        plot_heatmaps,
        positions,
    )

    if output is not None:
        check_picture(output)
    least, most = _parse_lengths(length)
    read = _read_lists(lists, alphabet, taste=taste)
    lexicon = Lexicon(read, Alphabet.named(alphabet))
    found = [positions(lexicon, each) for each in lexicon.lengths if least <= each <= most]
    if not found:
        return _say_nothing()
    if output is not None:
        plot_heatmaps(found, output)
    if as_json:
        emit("".join(json_line(positions_record(each)) for each in found))
    elif len(found) == 1:
        show_shares(found[0])
    else:
        show_preferences(found)
    return Exit.ANSWERED


@words.command(short_help="Draw a list as a tree with shared prefixes.")
def tree(
    lists: Lists = None,
    *,
    length: LengthRange = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Draw the tree: .svg or .png.")
    ] = None,
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
    as_json: o.Json = False,
) -> int:
    """Count the nodes of a list as a tree that shares prefixes, and the memory that sharing saves; draw it with -o.

    A large tree is drawn as far down as it has 500 nodes. A ring marks a word that is the prefix of another.
    """
    from cpfill.words.curate.prefixes import count_prefixes

    if output is not None:
        from cpfill.formats.pages.trees import check_suffix

        check_suffix(output)
    least, most = _parse_lengths(length)
    lexicon = Lexicon(_read_lists(lists, alphabet, taste=taste), Alphabet.named(alphabet))
    found: list[str] = []
    for each in lexicon.lengths:
        if least <= each <= most:
            found += lexicon.table(each).words
    found.sort()
    if not found:
        return _say_nothing()
    counted = count_prefixes(found)
    if output is not None:
        with Output(output) as out:
            draw_tree(counted, found, output, out)
    if as_json:
        emit(json_line({**asdict(counted), "nodes": counted.nodes, "drawn": counted.drawn}))
    else:
        show_tree(counted)
    return Exit.ANSWERED


@words.command(short_help="Join lists into one.")
def merge(
    lists: Lists = None,
    *,
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="NAME", help="The score of a word in several lists: best, or first (list)."),
    ] = "best",
    as_is: Annotated[bool, typer.Option("--as-is", help="Keep scores of other scales as they are.")] = False,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Join lists into one; with --keep first a list of your own before the others corrects their scores.

    Scores of another scale, such as 0 to 50, are moved onto that of the longest list, by the words in both.
    """
    read_kept = name_reader(later("which score to keep"), ("best", "first"))
    first_wins = read_kept("--keep", keep) == "first"
    read = _read_lists(lists, alphabet, taste=taste)
    if not as_is:
        read = curate.calibrate(read)
        for one in read:
            if one.calibrated:
                warn(f"{one.name}: {one.calibrated}")
    return _write_list(curate.merge_lists(read, first_wins=first_wins), output, form, order)


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
    letters: Annotated[str | None, typer.Option(metavar="ABC", help="Only words of these letters.")] = None,
    drop: Annotated[
        str | None, typer.Option("--drop", metavar="NAME,NAME", help="Leave out possessives, names or both.")
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out lines with a bad score.")] = False,
    sample: Annotated[int | None, o.number(COUNT, help="Then N of them at random.")] = None,
    seed: Annotated[int, o.number(SEED, help="The same seed, the same sample; more words hold fewer.")] = 0,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Keep the words that pass every filter given. Exit code 20: no word passes.

    A word with a capital counts as a name if the list also has lower-case words. Every verb leaves names and
    possessives out of a system dictionary (in /usr/share/dict, or hunspell's .dic), and says how many.
    """
    known = Alphabet.named(alphabet)
    folded = _fold_letters(letters, known)
    least, most = _parse_lengths(length)
    dropped = [] if drop is None else _parse_drop(drop)
    read = _read_lists(lists, alphabet, taste=taste, drop=dropped, lenient=lenient)
    chosen = curate.Filter(
        min_length=least,
        max_length=most,
        min_score=min_score,
        max_score=SCORE.high if max_score is None else max_score,
        letters=folded,
        pattern=None if pattern is None else curate.Pattern.parse(pattern, known),
    )
    kept = chosen.keep(curate.entries(Lexicon(read, known)))
    if sample is not None:
        kept = curate.sample_words(kept, sample, seed)
    return _write_list(kept, output, form, order)


def _fold_letters(letters: str | None, known: Alphabet) -> str:
    """Return the letters of `--letters`, folded; an empty text if the option is not given."""
    folded = known.fold(letters or "")
    foreign = known.foreign(folded)
    if foreign or (letters is not None and not folded):
        raise usage_error(
            say("letters of the alphabet {letters} for --letters", letters=known.letters), f"'{foreign or letters}'"
        )
    return folded


@words.command(short_help="Hold two lists against each other.")
def diff(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=_LIST)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help=_LIST)],
    *,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="NAME", help="Only words of first, second or both, as a list."),
    ] = None,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Compare two lists: lines -WORD;SCORE (first alone), +WORD;SCORE (second alone), ~WORD;OLD;NEW.

    With --only a list as the other verbs write it; --only both has the scores of the second.
    """
    known = Alphabet.named(alphabet)
    one, other = (Lexicon([each], known) for each in _read_lists([first, second], alphabet, taste=taste))
    found = curate.difference(one, other)
    if only is not None:
        lacking = {entry.word for entry in found.only_second}
        lists: dict[str, list[Entry]] = {
            "first": found.only_first,
            "second": found.only_second,
            "both": [entry for entry in curate.entries(other) if entry.word not in lacking],
        }
        name_reader(later("which words"), lists)("--only", only)
        return _write_list(lists[only], output, form, order)
    _write_text("".join(_list_changes(found)), output)
    told = later(
        "{first} words in the first alone, {second} in the second alone, {rescored} with another score, {same} the same"
    )
    counts = {
        "first": len(found.only_first),
        "second": len(found.only_second),
        "rescored": len(found.rescored),
        "same": found.same,
    }
    warn(say(told, **counts))
    return Exit.ANSWERED


def _list_changes(found: curate.ListDifference) -> list[str]:
    """Return the line of each change between two lists, in alphabetical order of the words."""
    changes = [(each.word, f"-{_scored(each)}\n") for each in found.only_first]
    changes += [(each.word, f"+{_scored(each)}\n") for each in found.only_second]
    for old, new in found.rescored:
        line = f"~{new.spelling};{format_decimal(old.score)};{format_decimal(new.score)}\n"
        changes.append((old.word, line))
    return [line for _, line in sorted(changes)]


def _scored(entry: Entry) -> str:
    return f"{entry.spelling};{format_decimal(entry.score)}"


@words.command(short_help="Find the words of a shape.")
def lookup(
    pattern: Annotated[
        str, typer.Argument(metavar="PATTERN", help="Letters, ? for any letter, * for any run, [ABC] for a letter set.")
    ],
    lists: Lists = None,
    *,
    number: Annotated[int | None, o.number(COUNT, "--number", "-n", help="Only the first N.")] = None,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Find the words of a shape, such as '?A??E' or 'QU*[ZX]' (quoted, or the shell takes it). Exit code 20: none."""
    known = Alphabet.named(alphabet)
    shape = curate.Pattern.parse(pattern, known)
    read = _read_lists(lists, alphabet, taste=taste)
    found = shape.lookup(Lexicon(read, known))
    return _write_list(found, output, form, order, number)


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
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Give words scores of 1 to 100 by frequency, on the scale of the packaged lists.

    score = 2 + round(98 log(count / least count) / log(greatest count / least count)): 2 for the rarest word that was
    counted, 100 for the commonest of the list, 1 for a word that was not counted. The commonest line of a word counts
    if the counts are sorted, the first otherwise.
    """
    chosen = lists or [DEFAULT_LIST]
    *read, counted = _read_lists([*chosen, frequencies], alphabet, taste=taste)
    lexicon = Lexicon([counted], Alphabet.named(alphabet))
    counts = {each.word: each.score for each in curate.entries(lexicon)}
    return _write_list(curate.rescored(curate.merge_lists(read), counts), output, form, order)


@words.command("from-text", short_help="Make a list of the words of a text.")
def from_text(
    text: Annotated[list[str], typer.Argument(metavar="FILE...", help="Texts; - for standard input.")],
    *,
    min_length: Annotated[int, o.number(LETTERS, help="Leave out shorter words.")] = 4,
    min_count: Annotated[int, o.number(COUNT, help="Leave out rarer words.")] = 1,
    output: OutputName = None,
    form: FormatName = "scored",
    order: OrderName = "score",
    alphabet: o.AlphabetName = "latin",
) -> int:
    """Make a list of the words of texts, scored 1 to 100 by how often they stand there (as score has it).

    Elided articles (l', d', qu') and the possessive 's are no part of a word.
    """
    known = Alphabet.named(alphabet)
    share_stdin(text)
    whole = "\n".join(read_text(path, most=MAX_LIST_BYTES) for path in text)
    found = curate.words_of_text(whole, known, min_length=min_length, min_count=min_count)
    foreign = ""
    if found.foreign:
        foreign = say(", {foreign} with a character outside the alphabet", foreign=found.foreign)
    told = later("{running} words of running text{foreign}; {entries} different ones are kept")
    warn(say(told, running=found.running, foreign=foreign, entries=len(found.entries)))
    return _write_list(found.entries, output, form, order)


@words.command(short_help="Look clues of words up in the installed dictionaries.")
def clues(
    wanted: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", help="Words.")] = None,
    *,
    lists: o.Words = None,
    language: Annotated[
        str, typer.Option(metavar="NAME", help="en, fr: definitions, if cpfill[clues] is installed; any: Debian's.")
    ] = "en",
    wordnet: Annotated[
        str | None, typer.Option(metavar="DIR", help="This WordNet database (index.noun, data.noun, ...).")
    ] = None,
    thesaurus: Annotated[str | None, typer.Option(metavar="FILE", help="This MyThes thesaurus (.dat).")] = None,
    number: Annotated[
        int | None, o.number(COUNT, "--number", "-n", help="Only the first N clues of each word.")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the clues there.")] = None,
    alphabet: o.AlphabetName = "latin",
    taste: o.TasteName = Taste.BREAKFAST,
) -> int:
    """Look words up, and print a file of clues: WORD, a tab, a clue; definitions and synonyms.

    pip install 'cpfill[clues]' brings definitions: Open English WordNet (CC BY 4.0), the French Wiktionnaire (CC BY-SA
    4.0). These are cut to the length of a clue, and an inflected word has clues in the same form. Debian has others in
    its packages wordnet-base, mythes-en-us, mythes-fr and the like, for words as they stand. Clues that give their word
    away are left out. Exit code 20: no clue is found.
    """
    from cpfill.puzzle.clues import write_clues
    from cpfill.puzzle.clues.dictionaries import find_installed, list_dictionaries, look_up

    known = Alphabet.named(alphabet)
    if not (wanted or lists):
        raise usage_error(say("a word, or a list with -w"), say("neither"))
    asked = dict.fromkeys(known.word(word) for word in wanted or ())
    thesauri = _list_given(thesaurus)
    share_stdin([*(lists or ()), *thesauri])
    own = list_dictionaries([Path(name) for name in _list_given(wordnet)], [Path(name) for name in thesauri])
    dictionaries = own or find_installed(language)
    if lists:
        for one in _read_lists(lists, alphabet, taste=taste):
            asked |= dict.fromkeys(one.words)
    found = look_up(asked, [each.read(known) for each in dictionaries], known, number)
    missing = len(asked) - len(found.words)
    if missing:
        warn(say("{missing} of {asked} words have no clue", missing=missing, asked=len(asked)))
    if not found.words:
        return Exit.NO_FILL
    _write_text(write_clues(found), output)
    return Exit.ANSWERED


def _list_given(name: str | None) -> list[str]:
    return [] if name is None else [name]


@words.command(short_help="Ban a word in the list of your own.")
def ban(word: Word, *, personal: PersonalFile = None, alphabet: o.AlphabetName = "latin") -> int:
    """Ban a word: it scores 0 in the list of your own, which `solve` and others read after all others."""
    path = set_score(word, 0.0, _path(personal), Alphabet.named(alphabet))
    warn(say("{path}: {word} is banned", path=path, word=word))
    return Exit.ANSWERED


@words.command(short_help="Score a word in the list of your own.")
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
    """Return the file of the personal list; refuse the name of a packaged list, `none`, and a file of puzzles."""
    if name in {"none", *PACKAGED} or (name and guess_format(name)):
        raise usage_error(say("a file of your own words for --personal"), f"'{name}'")
    return None if name is None else Path(name)


def _read_lists(
    names: Sequence[str] | None,
    alphabet: str,
    *,
    taste: str,
    drop: Collection[Drop] = (),
    lenient: bool = False,
    tell: bool = True,
) -> list[WordList]:
    """Return the lists of these names, or the default list; with `tell`, count skipped lines on standard error."""
    chosen = names or [DEFAULT_LIST]
    share_stdin(chosen)
    asked = choice_reader(later("a taste"), Taste)("--taste", taste)
    known = Alphabet.named(alphabet)
    read = [read_word_list(name, known, taste=asked, drop=drop, lenient=lenient) for name in chosen]
    for one in read:
        if tell and one.skipped:
            warn(f"{one.name}: {describe_skipped(one.skipped)}")
    return read


def _count_offensive(names: Sequence[str] | None, alphabet: str) -> dict[str, int]:
    """Return how many offensive words each packaged list of these names leaves out."""
    packaged = [name for name in names or [DEFAULT_LIST] if name in PACKAGED]
    return {name: len(read_offensive(name, Alphabet.named(alphabet)).words) for name in packaged}


def _parse_drop(text: str) -> list[Drop]:
    """Return the kinds of lines to drop in `possessives,names`."""
    read = choice_reader(later("what to drop"), Drop)
    return [read("--drop", name.strip()) for name in text.split(",")]


def _parse_lengths(text: str | None) -> tuple[int, int]:
    """Return the least and the greatest length in `5`, `3-8`, `3-` or `-8`."""
    if text is None:
        return LETTERS.low, LETTERS.high
    first, dash, last = (part.strip() for part in text.partition("-"))
    if not dash:
        last = first
    least = _read_length(first, LETTERS.low)
    most = _read_length(last, LETTERS.high)
    given = first or last
    if not given or least is None or most is None or least > most:
        raise usage_error(say("a length such as 5, 3-8, 3- or -8"), f"'{text:.40}'")
    return least, most


def _read_length(text: str, usual: int) -> int | None:
    return LETTERS.read(text) if text else usual


def _write_list(entries: Iterable[Entry], output: str | None, form: str, order: str, number: int | None = None) -> Exit:
    """Write entries, or the first `number` of them, as a list that can be read again."""
    chosen = choice_reader(later("a format"), curate.Format)("--to", form)
    by = choice_reader(later("an order"), curate.Order)("--sort", order)
    text = curate.write_entries(entries, chosen, by)
    lines = text.splitlines(keepends=True)[:number]
    if not lines:
        return _say_nothing()
    _write_text("".join(lines), output)
    return Exit.ANSWERED


def _write_text(text: str, output: str | None) -> None:
    """Write a text, compressed if the file name ends in `.gz`; readers unpack a file of any name."""
    with Output(output) as out:
        if output is None or not output.lower().endswith(".gz"):
            out.write(text)
            return
        import gzip

        out.write_bytes(gzip.compress(text.encode(), mtime=0))


def _say_nothing() -> Exit:
    """Say that no word is left, and return the exit code for it."""
    warn(say("no word is left"))
    return Exit.NO_FILL
