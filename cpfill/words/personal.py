"""The personal list, whose scores win over those of all other lists; a score of 0 bans a word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_LINE_BYTES, MAX_LIST_BYTES, MAX_SIDE, SCORE, Fault, InputError, LexiconError
from cpfill.base.files import locked, read_bytes, read_text, save, user_directory
from cpfill.base.texts import say
from cpfill.words.decimals import format_decimal
from cpfill.words.packing.codes import encode_word
from cpfill.words.packing.lines import LineReader
from cpfill.words.wordlist import DEFAULT_SCORE

if TYPE_CHECKING:
    from pathlib import Path


def personal_path() -> Path:
    """Return the path of the personal list: `$XDG_CONFIG_HOME/cpfill/words.txt`, by default in `~/.config`."""
    return user_directory("XDG_CONFIG_HOME", ".config") / "words.txt"


def find_personal() -> Path | None:
    """Return the path of the personal list if it exists; `None` also if this user may not read the directory."""
    path = personal_path()
    return path if os.path.exists(path) else None  # noqa: PTH110 - no error of any place


def read_personal() -> bytes | None:
    """Return the content of the personal list, whatever it is; `None` if there is none.

    Raises:
        LexiconError: it cannot be read.
    """
    path = find_personal()
    return None if path is None else read_bytes(path, LexiconError, MAX_LIST_BYTES)


def delete_personal() -> None:
    """Delete the personal list, if there is one.

    Raises:
        LexiconError: it cannot be deleted.
    """
    path = personal_path()
    try:
        path.unlink(missing_ok=True)
    except OSError as exc:
        got = (exc.strerror or str(exc)).lower()
        raise LexiconError(Fault(say("a file that can be deleted"), got, str(path))) from None


def set_score(word: str, score: float, path: Path | None = None, alphabet: Alphabet | None = None) -> Path:
    """Set the score of a word in the list (0 bans it), keep all other lines, and return the path of the list.

    Concurrent calls wait for one another.

    Raises:
        InputError: the word has letters outside the alphabet, is too long for a list or a grid, or the score is out
            of its range.
        LexiconError: the list cannot be read or written.
    """
    alphabet, path = alphabet or Alphabet(), path or personal_path()
    if len(word) > MAX_LINE_BYTES:
        raise InputError(
            Fault(say("a word of at most {most} letters", most=MAX_SIDE), say("{word} characters", word=len(word)))
        )
    codes = encode_word(alphabet.word(word), alphabet)
    SCORE.check(score, word)
    reader = LineReader(str(path), alphabet, DEFAULT_SCORE)
    spelling = " ".join(word.translate({ord(sign): " " for sign in ";#"}).split())
    line = f"{spelling};{format_decimal(score)}"
    read = reader.read(line.encode("utf-8", "surrogatepass"), 1)
    if codes is None or len(codes) > MAX_SIDE or read is None or read[:2] != (codes, score):
        raise InputError(
            Fault(say("a word of at most {most} letters that a list can hold", most=MAX_SIDE), f"'{word:.60}'")
        )
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            text = read_text(path, LexiconError, MAX_LIST_BYTES) if path.exists() else ""
            lines = [*_drop_word(text, codes, reader), line]
            save(target, "".join(f"{each}\n" for each in lines).encode())
    except (OSError, RuntimeError) as exc:  # a loop of links is a RuntimeError
        got = (getattr(exc, "strerror", None) or str(exc)).lower()
        raise LexiconError(Fault(say("a file that can be written"), got, str(path))) from None
    return path


def _drop_word(text: str, codes: bytes, reader: LineReader) -> list[str]:
    """Return the lines of a text without those of one word."""
    return [
        line
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1)
        if (read := reader.read(line.encode("utf-8", "surrogatepass"), number)) is None or read[0] != codes
    ]
