"""What the files of results of `batch` and of `bench` have in common and their own tests leave out."""

from __future__ import annotations

import errno
import json
import os
from contextvars import copy_context
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from cpfill.base.errors import MAX_DEPTH, MAX_RECORD_BYTES, InputError
from cpfill.base.records import LineFormat, RecordsFile, nests_deeply, parse_object, seal
from cpfill.base.texts import FRENCH, speak

if TYPE_CHECKING:
    from pathlib import Path


LINES = LineFormat("a command", b'{"key": "', {"size": int})
encode = LINES.encode


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records"


def opened(path: Path) -> RecordsFile[int]:
    return RecordsFile(str(path), LINES, keep=lambda record: int(record["size"]))


def remembered(path: Path) -> dict[str, int]:
    """Return the sizes that a file remembers by their keys."""
    with opened(path) as file:
        return dict(file.done)


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"key": [], "size": 1}', seal({"key": 1, "size": 1})[:-1]])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_other_lines_are_no_records(path: Path, line: bytes, end: bytes) -> None:
    path.write_bytes(line + end)
    with pytest.raises(InputError, match=r"records:1: expected a line of results of a command, found '"):
        opened(path)
    assert path.read_bytes() == line + end


def test_the_last_record_with_a_key_is_remembered(path: Path) -> None:
    for sizes in ([1, 2], [3]):
        with opened(path) as file:
            for size in sizes:
                file.append({"key": "k", "size": size})
            assert file.done == {"k": sizes[-1]}
    assert remembered(path) == {"k": 3}
    assert path.read_bytes().count(b"\n") == 3


def test_a_record_without_room_is_cut_off(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with opened(path) as file, monkeypatch.context() as patch:
        file.append({"key": "k", "size": 1})
        patch.setattr("os.write", Mock(side_effect=full))
        with pytest.raises(InputError, match="records: expected room to write results, found no space left"):
            file.append({"key": "l", "size": 2})
        assert file.done == {"k": 1}
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": "l')
    assert remembered(path) == {"k": 1}
    assert path.read_bytes() == whole


def test_no_damaged_byte_makes_another_record(path: Path) -> None:
    lines = [encode({"key": f"k{n}", "size": n, "text": "é\ud800\n"}) for n in range(3)]
    whole = b"".join(lines)
    random = Random(11)
    for place in range(len(whole) - 1):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        line = 1 + whole.count(b"\n", 0, place)
        with pytest.raises(InputError, match=rf"records:{line}: expected a line of results of a command, found"):
            opened(path)
        assert path.read_bytes() == damaged
    path.write_bytes(whole[:-1] + b"x")  # as if the last line were cut
    assert remembered(path) == {"k0": 0, "k1": 1}


def test_a_record_too_long_to_be_read_is_not_written(path: Path) -> None:
    with opened(path) as file:
        with pytest.raises(InputError, match="records: expected a record of at most 4 MB, found a longer one"):
            file.append({"key": "k", "size": 1, "text": "x" * MAX_RECORD_BYTES})
        file.append({"key": "l", "size": 2})
    assert remembered(path) == {"l": 2}


@pytest.mark.parametrize("text", ["", "[[{", "]}", '\\"', "\\", 'é"[\n'])
@pytest.mark.parametrize("depth", [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[["["],', "]")])
def test_brackets_nest_as_deep_as_they_are(text: str, depth: int, opening: str, closing: str) -> None:
    """Whatever stands in strings, and however many brackets stand beside one another."""
    deep = opening * (depth - 1) + '""' + closing * (depth - 1)
    whole = "[" + "[1]," * 100 + json.dumps(text) + "," + deep + "]"
    assert nests_deeply(whole) == (measure_depth(json.loads(whole)) > MAX_DEPTH)


def measure_depth(value: object) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return 1 + max(map(measure_depth, value), default=0)


@pytest.mark.parametrize("text", ["[" * 4_000_000, "[" * 60 + '"' + '\\"' * 2_000_000, "[]" * 2_000_000])
def test_a_long_text_is_seen_through_at_once(text: str) -> None:
    assert nests_deeply(text) == text.startswith("[[")
    with pytest.raises(InputError, match=r"found (brackets nested over 50 deep|invalid JSON)"):
        parse_object(text.encode())


@pytest.mark.parametrize("line", [b"[]", b"{", b"[" * 99, b'{"n": ' + b"1" * 5000 + b"}"])
def test_wrong_objects_are_told_in_french(line: bytes) -> None:
    def told() -> str:
        speak(FRENCH)
        with pytest.raises(InputError) as caught:
            parse_object(line)
        return str(caught.value)

    assert copy_context().run(told).startswith("attendu : un objet JSON ; trouvé : ")
