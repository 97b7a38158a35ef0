"""A list of one's own, which has the last word on scores; a word that scores 0 there is not used."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cpfill.alphabet import Alphabet
from cpfill.budgets import MAX_LIST_BYTES
from cpfill.errors import Fault, LexiconError
from cpfill.lexicon.decimals import format_decimal
from cpfill.lexicon.packing.codes import encode_word
from cpfill.lexicon.packing.lines import LineReader
from cpfill.lexicon.wordlist import DEFAULT_SCORE
from cpfill.ranges import SCORE
from cpfill.saving import save, user_directory
from cpfill.sources import read_text

if TYPE_CHECKING:
    from pathlib import Path


def personal_path() -> Path:
    """Return where the list stands: `$XDG_CONFIG_HOME/cpfill/words.txt`, by default in `~/.config`."""
    return user_directory("XDG_CONFIG_HOME", ".config") / "words.txt"


def find_personal() -> Path | None:
    """Return where the list stands if it is there; in a home that is closed to this user is none."""
    path = personal_path()
    return path if os.path.exists(path) else None  # noqa: PTH110 - no error of any place


def set_score(word: str, score: float, path: Path | None = None, alphabet: Alphabet | None = None) -> Path:
    """Give a word a score in the list, 0 to ban it; all other lines stay. Return where the list stands.

    Raises:
        InputError: the word is over another alphabet, or the score out of its range.
        LexiconError: the list cannot be read or written.
    """
    alphabet, path = alphabet or Alphabet(), path or personal_path()
    codes = encode_word(alphabet.word(word), alphabet)
    SCORE.check(score, word)
    text = read_text(path, LexiconError, MAX_LIST_BYTES) if path.exists() else ""
    reader = LineReader(str(path), alphabet, DEFAULT_SCORE)
    kept = [
        line
        for number, line in enumerate(text.splitlines(), start=1)
        if (read := reader.read(line.encode("utf-8", "surrogatepass"), number)) is None or read[0] != codes
    ]
    spelling = " ".join(word.translate({ord(sign): " " for sign in ";#"}).split())
    _replace(path, "".join(f"{line}\n" for line in [*kept, f"{spelling};{format_decimal(score)}"]))
    return path


def _replace(path: Path, text: str) -> None:
    """Write the list as a whole."""
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        save(target, text.encode())
    except (OSError, RuntimeError) as exc:  # a loop of links is a RuntimeError
        got = (getattr(exc, "strerror", None) or str(exc)).lower()
        raise LexiconError(Fault("a file that can be written", got, str(path))) from None
