"""What the files of results of `batch` and of `bench` have in common and their own tests leave out."""

from __future__ import annotations

import errno
import json
import os
from contextvars import copy_context
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import MAX_DEPTH, MAX_RECORD_BYTES, InputError
from cpfill.base.records import LineFormat, RecordsFile, nests_deeply, parse_object, seal
from cpfill.base.texts import FRENCH, speak

if TYPE_CHECKING:
    from pathlib import Path


LINES = LineFormat("a command", b'{"key": "', {"size": int})
encode = LINES.encode


def opened(path: Path) -> RecordsFile[int]:
    return RecordsFile(str(path), LINES, keep=lambda record: int(record["size"]))


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"key": [], "size": 1}', seal({"key": 1, "size": 1})[:-1]])
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


def test_no_damaged_byte_makes_another_record(tmp_path: Path) -> None:
    records = [{"key": f"k{n}", "size": n, "text": "é\ud800\n"} for n in range(3)]
    path, whole = tmp_path / "records", b"".join(map(encode, records))
    kept = {f"k{n}": n for n in range(3)}
    last = whole.rindex(b"\n", 0, -1) + 1
    random = Random(11)
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        if place == len(whole) - 1:  # the end of the last line: it is as if it were cut
            with opened(path) as file:
                assert file.done == {key: size for key, size in kept.items() if key != "k2"}
            continue
        line = 1 + whole.count(b"\n", 0, place)
        with pytest.raises(InputError, match=rf"records:{line}: expected a line of results of a command, found"):
            opened(path)
        assert path.read_bytes() == damaged
        assert place < last or line == 3


def test_a_record_too_long_to_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "records"
    with opened(path) as file:
        with pytest.raises(InputError, match="records: expected a record of at most 4 MB, found a longer one"):
            file.append({"key": "k", "size": 1, "text": "x" * MAX_RECORD_BYTES})
        file.append({"key": "l", "size": 2})
    with opened(path) as file:
        assert file.done == {"l": 2}


@pytest.mark.parametrize("text", ["", "[[{", "]}", '\\"', "\\", 'é"[\n'])
def test_brackets_are_nested_as_deep_as_they_are(text: str) -> None:
    """Whatever stands in strings, and however many brackets stand beside one another."""
    for opening, closing in ("[]", ('{"a":', "}"), ('[["["],', "]")):
        beside = "[1]," * 100 + json.dumps(text)
        for depth in (MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1):
            within = depth - 1 - opening.startswith("[[")
            whole = "[" + beside + "," + opening * within + '""' + closing * within + "]"
            assert nests_deeply(whole) == (_depth(json.loads(whole)) > MAX_DEPTH)


def _depth(value: object) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(_depth, parts), default=0)


@pytest.mark.parametrize("text", ["[" * 4_000_000, "[" * 60 + '"' + '\\"' * 2_000_000, "[]" * 2_000_000])
def test_a_long_text_is_seen_through_at_once(text: str) -> None:
    assert nests_deeply(text) == text.startswith("[[")
    with pytest.raises(InputError, match=r"found (brackets nested over 50 deep|invalid JSON)"):
        parse_object(text.encode())


@pytest.mark.parametrize("line", [b"[]", b"{", b"[" * 99, b'{"n": ' + b"1" * 5000 + b"}"])
def test_what_is_no_object_is_told_in_the_language_of_the_context(line: bytes) -> None:
    def told() -> str:
        speak(FRENCH)
        with pytest.raises(InputError) as caught:
            parse_object(line)
        return str(caught.value)

    assert copy_context().run(told).startswith("attendu : un objet JSON ; trouvé : ")
