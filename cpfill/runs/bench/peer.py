r"""An outside program as a contender: its command, its process, the fill in its output.

A command is a template, split as a shell would split it, and run without a shell. Its placeholders:

    {grid}         a file with the grid in the native dialect: `#` block, `.` empty, letters given
    {dict}         a file with the words, one a line, in upper case; only those that score at least `min_score`
    {lower_dict}   the same in lower case
    {scored_dict}  a file of lines `WORD;SCORE`: all of them if {min_score} stands in the command too
    {dzn} {minizinc-json} {wcsp} {xcsp3} {opb} {cnf}   a file with the whole question in a format of `cpfill convert`
    {min_score} {threads} {seed}
    {limit} {limit_ms}   the time limit; a program without it is killed at the limit
    {index}        the number of the grid in its family, from 0; {name} the name of its file

Templates for three kinds of programs:

    a program that takes GRID DICT MIN_SCORE THREADS
        --peer 'fast=./fast {grid} {scored_dict} {min_score} {threads}' --peer-infeasible 'unsat|no solution'
    Gecode's crossword example, compiled from Debian's `libgecode-doc`: its grids are compiled in, in the order of
    instances/classic, so a suite must have those 72 as one family; it accepts only lower-case words
        --peer 'gecode=./crossword -file {lower_dict} -time {limit_ms} -threads {threads} -restart geometric {index}'
        --peer-infeasible '(?s)\A(?!.*stopped).*solutions: +0' --peer-search 'runtime: .*\((?P<ms>[\d.]+) ms\)'
    a program that counts, whose number is accepted unchecked if a suite asks for every fill
        --peer 'every=./every {grid} {dict}' --peer-count 'fills: (\d+)'
    a solver that maximises the objective of a suite, here with a model of models/
        --peer 'gecode=minizinc -i --solver gecode --time-limit {limit_ms} models/letter_values.mzn {dzn}'
        --peer-infeasible UNSATISFIABLE --peer-best '={10}'

cpfill looks for the fill in standard output as H consecutive lines of W cells: letters in either case, blocks as `#`,
`.`, `*`, `_` or `-`, with or without spaces between or before cells. The last fill with the grid's blocks counts. A
line `letter = [16, 12, …]`, as the models print it, is a fill too, and counts before any other.

`launch` times, measures and, if it takes too long, kills a process: it is our end of `launcher.py`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.errors import CpfillError, InputError, expected, tell_reason, unknown_name
from cpfill.base.texts import hear, say
from cpfill.problem.fill import Fill
from cpfill.runs.bench.suite import Peer
from cpfill.solvers.data import DATA_FORMATS, list_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.puzzle.grid import Grid

DICTIONARIES = ("dict", "lower_dict", "scored_dict")
PLACEHOLDERS = (
    "grid",
    *DICTIONARIES,
    *DATA_FORMATS,
    "min_score",
    "threads",
    "seed",
    "limit",
    "limit_ms",
    "index",
    "name",
)
_BLOCKS = "#.*_-"
_NUMBERED = re.compile(r"^letter = \[([\d, ]+)\]", re.MULTILINE)


def parse_peer(text: str, infeasible: str = "", search: str = "", count: str = "", best: str = "") -> Peer:
    """Return the peer in `NAME=COMMAND`."""
    label, sign, template = text.partition("=")
    label = label.strip()
    check_patterns(infeasible, search, count, best)
    peer = Peer(label, template.strip(), infeasible, search, count, best)
    if not (label and sign and peer.template):
        raise expected("a peer as NAME=COMMAND", f"'{text}'")
    try:
        words = shlex.split(peer.template)
        placeholders = peer.placeholders
    except ValueError as exc:
        raise expected("a command for peer {label}", f"'{template}' ({tell_reason(exc)})", label=label) from None
    for name in sorted(placeholders):
        if name not in PLACEHOLDERS:
            wanted = say("a placeholder in the command of peer {label}", label=label)
            raise InputError(unknown_name(wanted, name, PLACEHOLDERS))
    if "{" not in words[0] and shutil.which(words[0]) is None:
        raise expected("a program for peer {label}", say("'{words}', which is not there", words=words[0]), label=label)
    return peer


def check_patterns(infeasible: str, search: str, count: str, best: str) -> None:
    """Check the expressions of peers."""
    grouped = {"--peer-search": search, "--peer-count": count}
    patterns = {"--peer-infeasible": infeasible, "--peer-best": best, **grouped}
    for option, pattern in patterns.items():
        try:
            groups = re.compile(pattern).groups
        except re.error as exc:
            raise expected("a regular expression for {option}", f"'{pattern}' ({exc})", option=option) from None
        if option in grouped and pattern and groups != 1:
            found = say("'{pattern}' with {groups}", pattern=pattern, groups=groups)
            raise expected("an expression with one group for {option}", found, option=option)


def find_fill(text: str, grid: Grid) -> Fill | None:
    """Return the last fill in a text that has the grid's blocks, or else the last one of the grid's size, if any.

    A grid with letters in fewer than half of its open cells is the template, not a fill.
    """
    numbered = _NUMBERED.findall(text)
    if numbered:
        return _spell_numbers(numbered[-1], grid)
    lines = [_readings(line, grid) for line in text.splitlines()]
    enough = sum(map(bool, grid.cells)) / 2
    last: Fill | None = None
    for start in range(len(lines) - grid.height, -1, -1):
        window = lines[start : start + grid.height]
        if not all(window):
            continue
        rows = [_best(readings, row, grid) for row, readings in enumerate(window)]
        fill = Fill(tuple(chain.from_iterable(rows)), grid)
        if _has_blocks_of(fill.letters, grid.cells):
            return fill
        if last is None and sum(map(bool, fill.letters)) >= enough:
            last = fill
    return last


def _spell_numbers(listed: str, grid: Grid) -> Fill | None:
    """Return the fill of the numbers of letters, from 1, in the open cells; none if they do not fit the grid."""
    numbers = [int(number) for number in listed.split(",") if number.strip()]
    places = list_places(grid)
    alphabet = grid.alphabet.letters
    if len(numbers) != len(places) or not all(1 <= number <= len(alphabet) for number in numbers):
        return None
    letters = [""] * len(grid.cells)
    for (cell, _), number in zip(places, numbers, strict=True):
        letters[cell] += alphabet[number - 1]
    return Fill(tuple(letters), grid)


def _readings(line: str, grid: Grid) -> list[tuple[str, ...]]:
    """Return all readings of a line as a row of letters, with an empty string for a block; empty if it is not a row."""
    bare = line.strip()
    trimmed = line.lstrip("\t").rstrip()
    # One character per cell; cells separated by spaces; a space for a block.
    texts = (list(bare), bare.split(), list(line.ljust(grid.width)), list(trimmed.ljust(grid.width)))
    readings = []
    for blank, cells in enumerate(texts):
        row = tuple(_cell(cell, grid, blank_is_block=blank >= 2) for cell in cells)
        if bare and len(row) == grid.width and "?" not in row:
            readings.append(row)
    return readings


def _cell(text: str, grid: Grid, *, blank_is_block: bool) -> str:
    if len(text) != 1:
        return "?"
    if text in _BLOCKS or (blank_is_block and text == " "):
        return ""
    letter = grid.alphabet.fold(text)
    if letter not in grid.alphabet.codes:
        return "?"
    return letter


def _best(readings: list[tuple[str, ...]], row: int, grid: Grid) -> tuple[str, ...]:
    start = row * grid.width
    cells = grid.cells[start : start + grid.width]
    for reading in readings:
        if _has_blocks_of(reading, cells):
            return reading
    return readings[0]


def _has_blocks_of(letters: Iterable[str], cells: Iterable[int]) -> bool:
    return all(bool(letter) == bool(cell) for letter, cell in zip(letters, cells, strict=True))


_LAUNCHER = Path(__file__).with_name("launcher.py")
_READ_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a process: its exit code, resources and output.

    Attributes:
        exit_code: negative for a signal.
        wall_s: seconds from its start to its end.
        cpu_s: processor time of the process and of the processes that it waited for.
        peak_mb: peak memory of the process, or of the largest process that it waited for.
    """

    exit_code: int
    timed_out: bool
    wall_s: float
    cpu_s: float
    peak_mb: float
    stdout: str
    stderr: str


def launch(argv: Sequence[str], timeout_s: float) -> Ended:
    """Run a command without a shell and return how it ended; it and its group are killed after `timeout_s`."""
    # A process of another group may go on writing there.
    with tempfile.TemporaryDirectory(prefix="cpfill-bench-", ignore_cleanup_errors=True) as name:
        out = Path(name) / "stdout"
        err = Path(name) / "stderr"
        order = {"argv": list(argv), "timeout_s": timeout_s, "stdout": str(out), "stderr": str(err)}
        with subprocess.Popen(  # noqa: S603 - our own interpreter, our own file
            [sys.executable, "-I", "-S", str(_LAUNCHER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": name},  # a killed process leaves temporary files, even a proof of gigabytes
            start_new_session=True,
        ) as launcher:
            assert launcher.stdin
            assert launcher.stdout
            launcher.stdin.write(json.dumps(order).encode() + b"\n")
            launcher.stdin.flush()
            line = launcher.stdout.readline()
        report = json.loads(line or '{"error": "the launcher ended"}')
        if "error" in report:
            raise CpfillError(say("cannot run {argv}: {error}", argv=argv[0], error=hear(report["error"])))
        return Ended(
            exit_code=report["exit_code"],
            timed_out=report["timed_out"],
            wall_s=report["wall_s"],
            cpu_s=report["cpu_s"],
            peak_mb=report["peak_kb"] / 1024,
            stdout=_text(out),
            stderr=_text(err),
        )


def _text(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(_READ_BYTES).decode("utf-8", errors="replace")
