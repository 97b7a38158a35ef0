"""Files and their puzzles, as readers make puzzles of files and writers make files of puzzles."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpfill.base.errors import FormatError
from cpfill.formats.registry import read_puzzle, write_puzzle
from tests.support import ROOT
from tests.tables import Case, cases
from tests.unit.formats.puzzles import plain, puz_file, puzzle_of

REPORTS = ROOT / "tests" / "reports"
INPUT = {"name", "kind", "file", "text", "encoding", "puz", "replaced", "end", "again"}


def data_of(case: Case) -> bytes:
    """Return the content of the file of a case, damaged as the case says."""
    if "file" in case:
        data = Path(REPORTS, case["file"]).read_bytes()
    elif "puz" in case:
        data = puz_file(case["puz"])
    else:
        text: str = case["text"]
        data = text.encode(case.get("encoding", "utf-8"))
    old, new = (text.encode("latin-1") for text in case.get("replaced", ("", "")))
    if old:
        assert old in data
        data = data.replace(old, new)
    end: int | None = case.get("end")
    return data[:end]


@cases("unit/formats/readings.toml")
def test_a_file_is_read_as_its_puzzle(case: Case) -> None:
    data = data_of(case)
    kind = case.get("kind")
    if "refused" in case:
        with pytest.raises(FormatError) as caught:
            read_puzzle(data, "file", kind)
        assert [(fault.path, fault.got) for fault in caught.value.faults] == [("file", case["refused"])]
        return
    puzzle = read_puzzle(data, kind=kind)
    assert plain(puzzle) == {name: part for name, part in case.items() if name not in INPUT}
    for again in case.get("again", ()):
        written, told = write_puzzle(puzzle, again)
        assert (read_puzzle(written, kind=again), told) == (puzzle, [])


def checksums_of(data: bytes) -> bytes:
    """Return the checksums that the header of a file is to have, by the description of the format."""

    def total(region: bytes, start: int = 0) -> int:
        for byte in region:
            start = ((start >> 1 | (start & 1) << 15) + byte) & 0xFFFF
        return start

    size = data[0x2C] * data[0x2D]
    texts = data[0x34 + 2 * size :].split(b"\0")
    title, author, rights, *clues, notes = texts[: 4 + int.from_bytes(data[0x2E:0x30], "little")]
    counted = [text + b"\0" for text in (title, author, rights) if text] + clues
    if notes:
        counted.append(notes + b"\0")
    parts = [data[0x2C:0x34], data[0x34 : 0x34 + size], data[0x34 + size : 0x34 + 2 * size], b"".join(counted)]
    masked = [total(part) ^ (high << 8 | low) for part, low, high in zip(parts, b"ICHE", b"ATED", strict=True)]
    low = bytes(one & 0xFF for one in masked)
    high = bytes(one >> 8 for one in masked)
    whole = total(b"".join(parts)).to_bytes(2, "little")
    return whole + data[2:14] + total(parts[0]).to_bytes(2, "little") + low + high


@cases("unit/formats/writings.toml")
def test_a_puzzle_is_written_as_its_file(case: Case) -> None:
    puzzle = puzzle_of(case)
    kind = case["kind"]
    if "refused" in case:
        with pytest.raises(FormatError) as caught:
            write_puzzle(puzzle, kind)
        assert [fault.got for fault in caught.value.faults] == [case["refused"]]
        return
    data, told = write_puzzle(puzzle, kind)
    assert told == case.get("told", [])
    assert plain(read_puzzle(data, kind=kind)) == plain(puzzle) | case.get("read", {})
    assert [text for text in case.get("holds", ()) if text.encode() not in data] == []
    assert [text for text in case.get("lacks", ()) if text.encode() in data] == []
    if kind == "puz":
        assert data[0x18:0x1B].decode() == case.get("version", "1.3")
        assert data[:0x18] == checksums_of(data)
