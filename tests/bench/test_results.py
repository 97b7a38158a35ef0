from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import MAX_RECORD_BYTES, InputError
from cpfill.base.records import seal
from cpfill.runs.bench.results import BenchResults, encode_record, read_results
from cpfill.runs.bench.run import execute, plan_runs
from tests.bench.support import in_process, record, suite_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
def test_resuming_after_a_cut_anywhere_in_the_last_line_loses_and_repeats_nothing(tmp_path: Path) -> None:
    runs = plan_runs(suite_of(tmp_path))
    records = {run.key: one for run, one in execute(runs, in_process)}
    whole = b"".join(encode_record(one) for one in records.values())
    start = whole.rindex(b"\n", 0, -1) + 1
    keys = [run.key for run in runs]
    path = tmp_path / "results.jsonl"
    for end in range(start, len(whole) + 1):
        path.write_bytes(whole[:end])
        with BenchResults(str(path)) as results:
            missing = [key for key in keys if key not in results.done]
            assert missing == (keys[-1:] if end < len(whole) - 1 else [])
            for key in missing:
                results.append(records[key])
        assert path.read_bytes() == whole


def test_a_record_is_on_the_disk_before_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "results.jsonl", []
    monkeypatch.setattr("os.fsync", lambda _handle: synced.append(path.read_bytes().count(b"\n")))
    with BenchResults(str(path)) as results:
        for grid in ("g1", "g2"):
            results.append(record("a", grid, 1.0))
    assert synced == [1, 2]


FOREIGN = {
    "text": b"hello\n",
    "text without a line end": b"hello",
    "other JSON": b'{"event": "started"}\n',
    "a number": b"3",
    "binary": b"\x80\xff\x00",
    "garbage after results": encode_record(record("a", "g", 1.0)) + b"garbage\n",
    "garbage before results": b"garbage\n" + encode_record(record("a", "g", 1.0)),
    "a cut line before results": encode_record(record("a", "g", 1.0))[:50]
    + b"\n"
    + encode_record(record("a", "g", 1.0)),
    "another version": seal({"bench": 1, **record("a", "g", 1.0)}),
    "no checksum": json.dumps({"bench": 1, **record("a", "g", 1.0)}).encode() + b"\n",
    "a key renamed": encode_record(record("a", "g", 1.0)).replace(b"peak_mb", b"peak_MB"),
    "a key that is not there": seal({"bench": 6, **{k: v for k, v in record("a", "g", 1.0).items() if k != "wall_s"}}),
    "a value of another type": encode_record(record("a", "g", 1.0, peak_mb="40")),
    "brackets": b'{"bench": 6, "key": ' + b"[" * 990 + b"\n",
    "a number of 5000 digits": b'{"bench": 6, "key": ' + b"9" * 5000 + b"}\n",
    "a line without end": b'{"bench": 6, "key": "' + b" " * (MAX_RECORD_BYTES + 1),
}


@pytest.mark.parametrize("data", FOREIGN.values(), ids=FOREIGN)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(data)
    for read in (lambda: BenchResults(str(path)), lambda: read_results([str(path)])):
        with pytest.raises(InputError, match=r"notes:(\d: expected a line of results| expected lines of)") as caught:
            read()
        assert str(caught.value).isprintable()
    assert path.read_bytes() == data


def test_nothing_is_read_from_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing there"):
        read_results([str(tmp_path / "no")])
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="an empty file"):
        read_results([str(tmp_path / "empty")])
    with pytest.raises(InputError, match="a directory"):
        read_results([str(tmp_path)])
    with pytest.raises(InputError, match="a file that can be written"):
        BenchResults(str(tmp_path / "no" / "file"))
    with pytest.raises(InputError, match="not a regular file"):
        BenchResults("/dev/null")
    with pytest.raises(InputError, match="expected a file"):
        BenchResults("a\0b")


def test_what_has_no_end_takes_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sparse = tmp_path / "sparse"
    with sparse.open("wb") as file:
        file.truncate(10 << 30)
    for endless in ("/dev/zero", str(sparse)):
        with pytest.raises(InputError, match="expected lines of at most 4 MB each, found a longer one"):
            read_results([endless])
    with pytest.raises(InputError, match="found a longer one"):
        BenchResults(str(sparse))
    with pytest.raises(InputError, match="a file to keep results in"):
        BenchResults("/dev/zero")
    path = tmp_path / "many"
    path.write_bytes(encode_record(record("a", "g", 1.0)) * 3)
    monkeypatch.setattr("cpfill.runs.bench.results.MAX_BENCH_BYTES", 2 * len(encode_record(record("a", "g", 1.0))))
    with pytest.raises(InputError, match="expected results of at most 1 kB, found more"):
        read_results([str(path)])


def test_a_report_leaves_out_a_line_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(encode_record(record("a", "g", 1.0)) + encode_record(record("a", "h", 1.0))[:30])
    ((_, records),) = read_results([str(path)])
    assert [one["grid"] for one in records] == ["g"]


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "results")
    with BenchResults(path), pytest.raises(InputError, match="no other process is writing"):
        BenchResults(path)
    with BenchResults(path):
        pass
