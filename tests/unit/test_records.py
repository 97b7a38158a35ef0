"""What the files of results of `batch` and of `bench` have in common and their own tests leave out."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest

from cpfill.errors import InputError
from cpfill.records import LineFormat, Record, RecordsFile

if TYPE_CHECKING:
    from pathlib import Path


def encode(record: Record) -> bytes:
    return json.dumps(record).encode() + b"\n"


LINES = LineFormat("a command", b'{"key": "', encode, holds=lambda record: "size" in record)


def opened(path: Path) -> RecordsFile[int]:
    return RecordsFile(str(path), LINES, keep=lambda record: int(record["size"]))


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"key": [], "size": 1}', b'{"key": 1, "size": 1}'])
def test_no_line_of_something_else_is_a_record(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "records"
    for end in (b"", b"\n"):
        path.write_bytes(line + end)
        with pytest.raises(InputError, match=r"records:1: expected a line of results of a command, found '"):
            opened(path)
        assert path.read_bytes() == line + end


def test_the_last_of_two_records_with_a_key_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "records"
    for sizes in ([1, 2], [3]):
        with opened(path) as file:
            for size in sizes:
                file.append({"key": "k", "size": size})
            assert file.done == {"k": sizes[-1]}
    with opened(path) as file:
        assert file.done == {"k": 3}
    assert path.read_bytes().count(b"\n") == 3


def test_a_record_that_there_is_no_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real, room = tmp_path / "records", os.write, [10]

    def write(handle: int, data: bytes) -> int:
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[: room.pop()])

    with opened(path) as file:
        file.append({"key": "k", "size": 1})
        whole = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr("os.write", write)
            with pytest.raises(InputError, match="records: expected room to write results, found no space left"):
                file.append({"key": "l", "size": 2})
        assert file.done == {"k": 1}
    assert path.read_bytes() == whole + encode({"key": "l"})[:10]
    with opened(path) as file:
        assert file.done == {"k": 1}
    assert path.read_bytes() == whole
