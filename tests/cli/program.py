"""Runs the program, and reads what it printed without any help of cpfill's."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from cpfill.testing.brute_force import Cells, Rows, Rules, cells_of, is_fill
from cpfill.words.wordlist import PACKAGED

ROOT = Path(__file__).parent.parent.parent
INSTANCES = ROOT / "instances"
PACKAGED_LISTS = ROOT / "cpfill" / "words" / "packaged"
MALFORMED = INSTANCES / "malformed"
TINY = INSTANCES / "tiny"
SQUARE = TINY / "square.txt"
THREE = TINY / "three.words.txt"
EMPTY_7X7 = INSTANCES / "squares" / "7x7.txt"
"""No engine is known to settle it with the list `en` within minutes."""

COMMAND = (sys.executable, "-m", "cpfill")
HANG_S = 60.0
"""A run that takes so long hangs."""


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    code: int
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        """The lines on standard error; a traceback is no complaint."""
        assert "Traceback" not in self.err, self.err
        return self.err.splitlines()

    @property
    def fills(self) -> list[Rows]:
        return fills_of(self.out)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON lines on standard output."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def found(self) -> list[dict[str, Any]]:
        """The records of fills."""
        return [record for record in self.records if record.get("event") == "found"]

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The records of answers without their ends."""
        return [record for record in self.records if "done" not in record]

    @property
    def ends(self) -> list[dict[str, Any]]:
        """The records that end answers."""
        return [record for record in self.records if "done" in record]


class Run(Protocol):
    def __call__(self, *args: object, stdin: str | bytes = b"") -> Outcome: ...


def program(*args: object, stdin: str | bytes = b"", cwd: Path = ROOT, **env: str) -> Outcome:
    """Run the program in a process of its own."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*COMMAND, *map(str, args)],
        input=given,
        capture_output=True,
        cwd=cwd,
        env={**environment(), **env},
        timeout=HANG_S,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def at_terminal(*args: object, on: str = "err", **env: str) -> Outcome:
    """Run the program with standard error, or standard output, on a terminal; its line ends become plain ones."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *map(str, args)],
        stdout=theirs if on == "out" else subprocess.PIPE,
        stderr=theirs if on == "err" else subprocess.PIPE,
        env={**environment(), **env},
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
        out, err = process.communicate(timeout=HANG_S)
    shown = seen.replace(b"\r\n", b"\n")
    out, err = (shown, err) if on == "out" else (out, shown)
    return Outcome(process.returncode, out.decode(), err.decode())


def environment() -> dict[str, str]:
    """Return an environment in which the program is found from any directory, and nothing decorates its output."""
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONWARNINGS"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm"}


def words_of(*paths: Path | str) -> dict[str, float]:
    """Return the words of plain lists (`WORD` or `WORD;score`) or of packaged ones: upper case, letters alone."""
    words: dict[str, float] = {}
    for path in paths:
        read = packaged_words(str(path)) if path in PACKAGED else words_in_text(Path(path).read_text("utf-8"))
        for word, score in read.items():
            words[word] = max(words.get(word, 0.0), score)
    return words


@lru_cache(1)
def packaged_words(name: str) -> dict[str, float]:
    """Return the words of a packaged list, `en` or `en.offensive`, without accents."""
    return words_in_text(plain(gzip.decompress((PACKAGED_LISTS / f"{name}.txt.gz").read_bytes()).decode().upper()))


def plain(text: str) -> str:
    """Return capitals without their accents."""
    spelt = text.replace("Œ", "OE").replace("Æ", "AE")
    return re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", spelt))


def words_in_text(text: str) -> dict[str, float]:
    words: dict[str, float] = {}
    for line in text.split("\n"):
        spelling, _, score = line.strip().partition(";")
        word = "".join(filter(str.isalpha, spelling.upper()))
        if word:
            words[word] = max(words.get(word, 0.0), float(score or 50))
    return words


def fills_of(text: str) -> list[Rows]:
    """Return the fills in a text, `#` for a block: blank lines part them."""
    parts = text.strip("\n").split("\n\n") if text.strip("\n") else []
    return [tuple(part.split("\n")) for part in parts]


def cells_in(path: Path) -> Cells:
    """Return the cells of the native grid in a file."""
    return cells_of(*path.read_text(encoding="utf-8").split())


def assert_right(fill: Rows, cells: Cells, words: dict[str, float], *, repeats: bool = False) -> None:
    """Check a fill against every rule, from its text alone."""
    assert [len(row) for row in fill] == [len(row) for row in cells], fill
    assert is_fill(cells, fill, words, Rules(repeats=repeats)), fill
