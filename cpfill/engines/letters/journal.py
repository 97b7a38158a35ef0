"""A journal of finished cubes: a search that was killed goes on where it was.

The fills of a cube are written to the journal when it is finished, before the first of them is told, and a run that
resumes tells all fills again from the first, those of finished cubes out of the journal. So what every run tells is
the whole answer or a beginning of it, in order. The other way, to tell only what is new, would take what an earlier
run told for what its reader kept. That cannot be known: a fill may have been in a pipe, in a buffer, or in a file that
appears when all is written. Whoever wants the whole answer has it in the output of the run that ended, and to read a
fill again costs microseconds and one byte a cell. A count stores no fills, only their numbers.

The file is JSON lines, each with its checksum: a header that says what was searched, then a line a finished cube, in
the order in which they were finished. A killed process loses no line that it wrote; a crash of the machine loses at
most the last `SYNC_S`, which are searched again. Either may leave a line without its end, or zeros instead of what was
not on the disk yet: from there on the file is dropped. Everything else that is not as it was written is refused, for a
number that a damaged byte has changed would make a count false. The file is locked while a run uses it.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_CUBE_BYTES, MAX_RECORD_BYTES, megabytes
from cpfill.base.ranges import quote_value
from cpfill.base.record_lines import bounded_lines, has_seal, has_shape, parse_object, seal, unseal
from cpfill.base.system import open_handle, sync_directory, try_lock
from cpfill.problem.identity import identify

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from cpfill.problem.problem import Problem

FORMAT = "cpfill journal of cubes"
VERSION = 4

SYNC_S = 0.25
"""How long a line may wait to be forced to the disk."""

# What a journal begins with, whatever it is a journal of.
_BEGINNING = f'{{"format": "{FORMAT}", '.encode()


def identify_search(problem: Problem, *, reverse: bool, keep: bool) -> dict[str, Any]:
    """Return what two searches must share for one to go on with the other's cubes."""
    order, holds = "reverse" if reverse else "forward", "fills" if keep else "counts"
    return {**identify(problem), "order": order, "holds": holds}


class Journal:
    """A journal that is open for one run, a context manager.

    Args:
        path: the file; a new one, or an empty one, starts a journal.
        identity: what is searched.
        cells: how many letters a fill has.

    Raises:
        InputError: the file cannot be used, is in use, is no journal or one of another search, or is damaged.
    """

    def __init__(self, path: str, identity: dict[str, Any], cells: int) -> None:
        self._path, self._identity, self._cells = path, identity, cells
        self._offsets: dict[int, tuple[int, int]] = {}  # of each finished cube, where its line begins, and its fills
        self._cubes = 0
        self._unsynced, self._next_sync_s = False, 0.0
        self.depth: int | None = None
        """The depth of the cubes; `None` in a journal that is yet to `begin`."""
        try:
            self._file = os.fdopen(open_handle(path, os.O_RDWR | os.O_CREAT), "r+b")
        except OSError as exc:
            raise self.make_fault("a journal that can be read and written", _tell_reason(exc)) from None
        try:
            self._lock()
            self._load()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._next_sync_s = 0.0
        try:
            self.sync()
        except InputError:
            if exc is None:
                raise
        finally:
            with suppress(OSError):  # what could not be written, and was told
                self._file.close()

    def __contains__(self, cube: int) -> bool:
        return cube in self._offsets

    @property
    def fills(self) -> int:
        """How many fills the finished cubes have."""
        return sum(fills for _, fills in self._offsets.values())

    def begin(self, depth: int, cubes: int) -> None:
        """Start a new journal of `cubes` cubes of a depth, or check that this one has as many.

        Raises:
            InputError: it has not, or a line of it is of no cube.
        """
        if self.depth is None:
            self.depth, self._cubes = depth, cubes
            header = {"format": FORMAT, "version": VERSION, **self._identity, "depth": depth, "cubes": cubes}
            self._append(header)
            self.sync()
            sync_directory(Path(self._path).absolute().parent)  # the name of a new file, too, is to survive a crash
        elif cubes != self._cubes:
            raise self.make_fault(f"a journal of {cubes} cubes of depth {depth}", f"one of {self._cubes}", line=1)

    def record(self, cube: int, fills: int, letters: str | None) -> None:
        """Write down a finished cube: the number of its fills, and their letters if the journal holds fills.

        Raises:
            InputError: there is no room, or there are more than a line may hold.
        """
        entry = {"cube": cube, "fills": fills} | ({} if letters is None else {"letters": letters})
        self._offsets[cube] = self._append(entry), fills

    def read_letters(self, cube: int) -> str:
        """Return the letters of the fills of a finished cube, one fill after another."""
        self._file.seek(self._offsets[cube][0])
        entry = unseal(self._file.readline(MAX_CUBE_BYTES)) or {}
        letters = entry.get("letters")
        if not isinstance(letters, str):
            raise self.make_fault("a journal of no other run", f"cube {cube} changed since it was read")
        return letters

    def check_room(self, size: int) -> None:
        """Check that a line may hold `size` bytes.

        Raises:
            InputError: it may not.
        """
        if size > MAX_CUBE_BYTES:
            raise self.make_fault(f"fills of a cube that take {megabytes(MAX_CUBE_BYTES)} in a journal", "more")

    def _append(self, entry: dict[str, Any]) -> int:
        line = seal(entry)
        self.check_room(len(line))
        try:
            offset = self._file.seek(0, os.SEEK_END)
            self._file.write(line)
            self._file.flush()
        except OSError as exc:
            raise self.make_fault("room to write the journal", _tell_reason(exc)) from None
        self._unsynced = True
        return offset

    def sync(self) -> None:
        """Force what was written to the disk, if it is time.

        Raises:
            InputError: there is no room.
        """
        if self._unsynced and time.monotonic() >= self._next_sync_s:
            try:
                os.fsync(self._file.fileno())
            except OSError as exc:
                raise self.make_fault("room to write the journal", _tell_reason(exc)) from None
            self._unsynced, self._next_sync_s = False, time.monotonic() + SYNC_S

    def _lock(self) -> None:
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise self.make_fault("a file to keep a journal in", "something that keeps none")
        try:
            try_lock(self._file.fileno())
        except OSError:
            raise self.make_fault("a journal of no other run", "one in use") from None

    def _load(self) -> None:
        header = self._file.readline(MAX_RECORD_BYTES)
        if _is_whole(header):
            self._read_header(header)
        elif self._file.read(1) or not (header.startswith(_BEGINNING) or _BEGINNING.startswith(header)):
            # The header was on the disk before there was anything else: what a crash leaves of one is all there is.
            raise self.make_fault(f"a {FORMAT}, or a new file", "something else", line=1)
        else:
            self._file.truncate(0)
            return
        offset = self._file.tell()
        for number, line in enumerate(bounded_lines(self._file, MAX_CUBE_BYTES, self._path), start=2):
            if not _is_whole(line):
                break
            self._read_line(line, number, offset)
            offset += len(line)
        self._file.truncate(offset)  # what a crash left of the next lines

    def _read_header(self, line: bytes) -> None:
        try:
            header = parse_object(line)
        except InputError:
            header = {}
        if header.get("format") != FORMAT:
            raise self.make_fault(f"a {FORMAT}, or a new file", "something else", line=1)
        if header.get("version") != VERSION:
            raise self.make_fault(
                f"a journal of version {VERSION}", f"version {quote_value(header.get('version'))}", line=1
            )
        if unseal(line) is None:
            raise self.make_fault("the first line as it was written", "a damaged one", line=1)
        for name, own in self._identity.items():
            other = header.get(name)
            if own != other:
                raise self.make_fault(*_tell_difference(name, own, other), line=1)
        self.depth, self._cubes = header.get("depth"), header.get("cubes", -1)
        whole = all(type(number) is int for number in (self.depth, self._cubes))
        if not (whole and 0 <= (self.depth or 0) < self._cells and self._cubes >= 0):
            raise self.make_fault(f"a depth under {self._cells} and a number of cubes", "something else", line=1)

    def _read_line(self, line: bytes, number: int, offset: int) -> None:
        entry = unseal(line)
        if entry is None or not has_shape(entry, {"cube": int, "fills": int}):
            got = "something else" if entry or not has_seal(line) else "a damaged line"
            raise self.make_fault("a finished cube", got, line=number)
        cube, fills, letters = entry["cube"], entry["fills"], entry.get("letters")
        if not (0 <= cube < self._cubes and fills >= 0):
            raise self.make_fault(
                f"a cube under {self._cubes} and the number of its fills", "something else", line=number
            )
        if cube in self._offsets:
            raise self.make_fault("each cube once", f"cube {cube} again", line=number)
        size = len(letters) if isinstance(letters, str) else None
        if size != (fills * self._cells if self._identity["holds"] == "fills" else None):
            raise self.make_fault(f"the letters of {fills} fills of {self._cells}", "something else", line=number)
        self._offsets[cube] = offset, fills

    def make_fault(self, expected: str, got: str, *, line: int | None = None) -> InputError:
        """Return the error of a file that is not what was expected."""
        return InputError(Fault(expected=expected, got=got, path=self._path, line=line))


def _tell_reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _is_whole(line: bytes) -> bool:
    # A crash leaves blocks of zeros; one alone is damage.
    return line.endswith(b"\n") and b"\0\0" not in line


def _tell_difference(name: str, own: Any, other: Any) -> tuple[str, str]:  # noqa: ANN401 - whatever JSON holds
    """Return what was expected of a header, and what it has, where the two differ."""
    if name == "grid":
        return "a journal of this grid", "one of another grid"
    if name == "words":
        return "a journal of these word lists", "one of other words"
    if name == "rules" and isinstance(own, dict) and isinstance(other, dict):
        rule = next((rule for rule in own if own[rule] != other.get(rule)), None)
        if rule is not None:
            return f"a journal with the rule {rule} = {own[rule]}", f"one with {rule} = {other.get(rule)}"
    return f"a journal with {name} {own}", f"one with {other}"
