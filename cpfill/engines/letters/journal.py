"""A journal of finished cubes: a search that was killed continues where it stopped.

When a cube is finished, its fills are written to the journal before the first of them is reported. A resumed run
reports all fills again from the first, taking those of finished cubes from the journal. So the output of every run is
the whole answer or a beginning of it, in order; see "Fills of a resumed search" in `cpfill/DECISIONS.md`. A count
stores no fills, only their numbers.

The file consists of JSON lines, each with a checksum: a header that identifies the search, then one line per finished
cube, in the order of finishing. A killed process loses no line that it wrote. A crash of the machine loses at most the
last `SYNC_S`, which are searched again. Either may leave an incomplete line, or zeros in place of data that was not on
the disk yet: the file is truncated there. Any other damage is refused, because a single changed byte could falsify a
count. The file is locked while a run uses it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cpfill.base.errors import MAX_CUBE_BYTES, MAX_RECORD_BYTES, Fault, InputError, megabytes, quote_value
from cpfill.base.files import sync_directory
from cpfill.base.records import LinesFile, bounded_lines, has_seal, has_shape, parse_object, seal, unseal
from cpfill.base.texts import later, say
from cpfill.problem.identity import identify

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem

FORMAT = "cpfill journal of cubes"
VERSION = 4

SYNC_S = 0.25
"""Seconds that a line may wait before it is forced to the disk."""

# The beginning of every journal.
_BEGINNING = f'{{"format": "{FORMAT}", '.encode()


def identify_search(problem: Problem, *, reverse: bool, keep: bool) -> dict[str, Any]:
    """Return the data that two searches must share for one to continue with the other's cubes."""
    order = "reverse" if reverse else "forward"
    holds = "fills" if keep else "counts"
    return identify(problem) | {"order": order, "holds": holds}


class Journal(LinesFile):
    """A journal opened for one run of the search `identity`, whose fills have `cells` letters; an empty file is new.

    Raises:
        InputError: the file cannot be used, is in use, is not a journal, belongs to a different search, or is damaged.
    """

    openable = later("a journal that can be read and written")
    lasting = later("a file to keep a journal in")
    transient = later("something that keeps none")
    alone = later("a journal of no other run")
    room = later("room to write the journal")

    def __init__(self, path: str, identity: dict[str, Any], cells: int) -> None:
        self._identity = identity
        self._cells = cells
        self._places: dict[int, tuple[int, int, int]] = {}  # finished cube -> offset and size of its line, its fills
        self._cubes = 0
        self.depth: int | None = None
        """The depth of the cubes; `None` before `begin`."""
        super().__init__(path, sync_s=SYNC_S)

    def __contains__(self, cube: int) -> bool:
        return cube in self._places

    @property
    def fills(self) -> int:
        """The number of fills in the finished cubes."""
        return sum(fills for *_, fills in self._places.values())

    def begin(self, depth: int, cubes: int) -> None:
        """Start a new journal of `cubes` cubes of a depth, or check that the existing one matches."""
        if self.depth is None:
            self.depth = depth
            self._cubes = cubes
            header = {"format": FORMAT, "version": VERSION, **self._identity, "depth": depth, "cubes": cubes}
            self.write(seal(header))
            sync_directory(Path(self.path).absolute().parent)  # so that the name of a new file survives a crash
        elif cubes != self._cubes:
            raise self.make_fault(
                say("a journal of {cubes} cubes of depth {depth}", cubes=cubes, depth=depth),
                say("one of {cubes}", cubes=self._cubes),
                line=1,
            )

    def record(self, cube: int, fills: int, letters: str | None) -> None:
        """Record a finished cube: the number of its fills, and their letters if the journal holds fills."""
        entry: dict[str, Any] = {"cube": cube, "fills": fills}
        if letters is not None:
            entry["letters"] = letters
        line = seal(entry)
        self.check_room(len(line))
        self._places[cube] = self.write(line), len(line), fills

    def read_letters(self, cube: int) -> str:
        """Return the letters of the fills of a finished cube, one fill after another."""
        offset, size, _ = self._places[cube]
        entry = unseal(self.read(offset, size)) or {}
        letters = entry.get("letters")
        if not isinstance(letters, str):
            raise self.make_fault(
                say("a journal of no other run"), say("cube {cube} changed since it was read", cube=cube)
            )
        return letters

    def check_room(self, size: int) -> None:
        """Check that a line may hold `size` bytes."""
        if size > MAX_CUBE_BYTES:
            raise self.make_fault(
                say("fills of a cube that take {size} in a journal", size=megabytes(MAX_CUBE_BYTES)), say("more")
            )

    def load(self, file: BinaryIO) -> None:
        header = file.readline(MAX_RECORD_BYTES)
        if _is_whole(header):
            self._read_header(header)
        elif file.read(1) or not (header.startswith(_BEGINNING) or _BEGINNING.startswith(header)):
            # The header is on the disk before any other line, so an incomplete header is the whole file.
            raise self.make_fault(say("a cpfill journal of cubes, or a new file"), say("something else"), line=1)
        else:
            self.cut(0)
            return
        offset = len(header)
        for number, line in enumerate(bounded_lines(file, MAX_CUBE_BYTES, self.path), start=2):
            if not _is_whole(line):
                break
            self._read_line(line, number, offset)
            offset += len(line)
        self.cut(offset)

    def _read_header(self, line: bytes) -> None:
        header = self._parse_header(line)
        for name, own in self._identity.items():
            other = header.get(name)
            if own != other:
                raise self.make_fault(*_tell_difference(name, own, other), line=1)
        depth: Any = header.get("depth")
        cubes: Any = header.get("cubes", -1)
        whole = type(depth) is int and type(cubes) is int
        if not (whole and 0 <= depth < self._cells and cubes >= 0):
            raise self.make_fault(
                say("a depth under {cells} and a number of cubes", cells=self._cells), say("something else"), line=1
            )
        self.depth = depth
        self._cubes = cubes

    def _parse_header(self, line: bytes) -> dict[str, Any]:
        """Return the keys of the first line of a journal of this version."""
        try:
            header = parse_object(line)
        except InputError:
            header = {}
        if header.get("format") != FORMAT:
            raise self.make_fault(say("a cpfill journal of cubes, or a new file"), say("something else"), line=1)
        if header.get("version") != VERSION:
            raise self.make_fault(
                say("a journal of version {version}", version=VERSION),
                say("version {value}", value=quote_value(header.get("version"))),
                line=1,
            )
        if unseal(line) is None:
            raise self.make_fault(say("the first line as it was written"), say("a damaged one"), line=1)
        return header

    def _read_line(self, line: bytes, number: int, offset: int) -> None:
        entry = self._parse_line(line, number)
        cube = entry["cube"]
        fills = entry["fills"]
        if not (0 <= cube < self._cubes and fills >= 0):
            raise self.make_fault(
                say("a cube under {cubes} and the number of its fills", cubes=self._cubes),
                say("something else"),
                line=number,
            )
        if cube in self._places:
            raise self.make_fault(say("each cube once"), say("cube {cube} again", cube=cube), line=number)
        if not self._has_letters(entry):
            raise self.make_fault(
                say("the letters of {fills} fills of {cells}", fills=fills, cells=self._cells),
                say("something else"),
                line=number,
            )
        self._places[cube] = offset, len(line), fills

    def _parse_line(self, line: bytes, number: int) -> dict[str, Any]:
        """Return the keys of the line of a cube."""
        entry = unseal(line)
        if entry is not None and has_shape(entry, {"cube": int, "fills": int}):
            return entry
        got = say("something else")
        if has_seal(line) and not entry:
            got = say("a damaged line")
        raise self.make_fault(say("a finished cube"), got, line=number)

    def _has_letters(self, entry: dict[str, Any]) -> bool:
        """Return whether an entry has the letters of its fills; it has none in a journal of counts."""
        letters = entry.get("letters")
        if self._identity["holds"] == "fills":
            return isinstance(letters, str) and len(letters) == entry["fills"] * self._cells
        return not isinstance(letters, str)

    def make_fault(self, expected: str, got: str, *, line: int | None = None) -> InputError:
        return InputError(Fault(expected=expected, got=got, path=self.path, line=line))


def _is_whole(line: bytes) -> bool:
    # A crash leaves blocks of zeros; a single zero is damage.
    return line.endswith(b"\n") and b"\0\0" not in line


def _tell_difference(name: str, own: Any, other: Any) -> tuple[str, str]:
    """Return the expected and the found text for a key in which two headers differ."""
    if name == "grid":
        return say("a journal of this grid"), say("one of a different grid")
    if name == "words":
        return say("a journal of these word lists"), say("one of different words")
    if name == "rules" and isinstance(own, dict) and isinstance(other, dict):
        rule = next((rule for rule in own if own[rule] != other.get(rule)), None)
        if rule is not None:
            name = f"{rule} ="
            own = own[rule]
            other = other.get(rule)
    expected = say("a journal with {name} {own}", name=name, own=own)
    return expected, say("one with {name} {other}", name=name, other=other)
