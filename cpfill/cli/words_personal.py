"""`cpfill words ban` and `rescore`: the list of one's own, a word at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cpfill.base.alphabet import Alphabet
from cpfill.base.texts import say
from cpfill.cli import options as o  # noqa: TC001 - the program reads the annotations
from cpfill.cli.exits import Exit, usage_error, warn
from cpfill.formats.registry import guess_format
from cpfill.words.sources import set_score
from cpfill.words.wordlist import PACKAGED, format_decimal

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
