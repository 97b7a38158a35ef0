"""Puzzles in the directory: listed, read, saved by one of two savers, and never half."""

from __future__ import annotations

import gzip
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cpfill.base.errors import InputError
from cpfill.base.files import save
from cpfill.puzzle.parts import METADATA, PuzzlePart
from cpfill.questions.records import puzzle_record
from cpfill.web.files import Folder, SavedPuzzle
from cpfill.web.wire import parse_puzzle
from tests.support import INSTANCES
from tests.web.support import Client, puzzle

GOLDEN = Path(__file__).parents[1] / "golden"
WHOLE = puzzle(
    "AB#",
    "C..",
    "#..",
    givens=[0],
    bars=[[4, 5]],
    circles=[1],
    alternatives={"1": ["Q"]},
    shades={"4": "#d3d3d3"},
    labels={"0": "A", "4": "7"},
    clues={"1-Across": "café (2)", "1-Down": "x"},
    drafts={"1-Across": ["thé", "eau"], "2-Down": ["y"]},
    metadata={"title": "One", "notes": "two\nlines"},
    voids=[],
    letter_sets={"5": "AEY", "8": "BC"},
)


def put(client: Client, name: str, record: object, **headers: str) -> tuple[int, dict[str, Any]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.ask("PUT", f"/api/puzzles/{name}", record, named)
    if answer.status == 200:
        assert answer.headers["ETag"] == answer.record["etag"]
    return answer.status, answer.record


def test_a_puzzle_is_saved_as_it_is_and_read_back(client: Client, folder: Path) -> None:
    status, saved = put(client, "é 1.ipuz".replace("é ", "%C3%A9%20"), WHOLE, If_None_Match="*")
    assert status == 200
    assert (folder / "é 1.ipuz").is_file()
    answer = client.ask("GET", "/api/puzzles/%C3%A9%201.ipuz")
    assert answer.headers["ETag"] == saved["etag"]
    assert answer.record == {**WHOLE, "work": {}}
    listed = client.ask("GET", "/api/puzzles").record
    assert listed["puzzles"] == ["é 1.ipuz"]
    assert listed["lists"] == ["mine.txt"]
    assert listed["opened"] is None


def test_every_part_of_a_puzzle_is_saved(tmp_path: Path) -> None:
    every = {part.value: f"the {part}" for part in METADATA}
    whole = parse_puzzle(
        {
            **WHOLE,
            "cells": ["A", "STAR", None, "1", "", "", None, "", ""],
            "voids": [2],
            "clues": {**WHOLE["clues"], "99-Down": "of no slot"},
            "metadata": every,
        }
    )
    assert whole.parts.keys() == frozenset(PuzzlePart)
    folder = Folder(tmp_path)
    tag = folder.save("a.ipuz", whole, None)
    assert folder.read("a.ipuz") == SavedPuzzle(whole, tag)
    assert parse_puzzle(json.loads(json.dumps(puzzle_record(whole)))) == whole


def test_every_golden_puzzle_goes_over_the_wire_and_comes_back() -> None:
    for name in ("mini.ipuz", "mini.puz", "mini.jpz", "mini.exolve", "mini.xd"):
        found = Folder(GOLDEN).read(name)
        assert found is not None
        record = json.loads(json.dumps(puzzle_record(found.puzzle)))
        assert parse_puzzle(record) == found.puzzle


def test_of_two_savers_the_second_is_told_what_stands_there(client: Client, folder: Path) -> None:
    _, first = put(client, "a.ipuz", WHOLE, If_None_Match="*")
    status, found = put(client, "a.ipuz", puzzle("AB"), If_None_Match="*")
    assert (status, found["etag"]) == (412, first["etag"])
    assert found["puzzle"]["cells"] == WHOLE["cells"]
    status, second = put(client, "a.ipuz", puzzle("AB"), If_Match=first["etag"])
    assert status == 200
    status, found = put(client, "a.ipuz", puzzle("XY"), If_Match=first["etag"])
    assert (status, found["etag"], found["puzzle"]["cells"]) == (412, second["etag"], ["A", "B"])
    (folder / "a.ipuz").write_text("another program was here")
    status, found = put(client, "a.ipuz", puzzle("XY"), If_Match=second["etag"])
    assert (status, found["puzzle"]) == (412, None)
    (folder / "a.ipuz").unlink()
    assert put(client, "a.ipuz", puzzle("XY"), If_Match=second["etag"])[0] == 412
    assert put(client, "a.ipuz", puzzle("XY"))[0] == 400


def test_of_many_savers_at_once_one_wins(client: Client, folder: Path) -> None:
    _, first = put(client, "a.ipuz", puzzle("AB"), If_None_Match="*")
    statuses = []

    def save_one(letter: str) -> None:
        statuses.append(put(client, "a.ipuz", puzzle(f"A{letter}"), If_Match=first["etag"])[0])

    threads = [threading.Thread(target=save_one, args=(letter,)) for letter in "CDEFGH"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, *[412] * 5]
    assert sorted(path.name for path in folder.iterdir()) == ["a.ipuz", "mine.txt"]


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_save_that_is_cut_short_leaves_the_old_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.ipuz"
    save(path, b"old")
    path.chmod(0o640)

    def cut(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(step, cut)
        with pytest.raises(OSError, match="No space"):
            save(path, b"new")
        with pytest.raises(InputError, match=r"b\.ipuz: expected a file that can be written, found no space"):
            Folder(tmp_path).save("b.ipuz", parse_puzzle(puzzle("AB")), None)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.ipuz"]
    save(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_directory_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "gone")
    with pytest.raises(InputError, match=r"a\.ipuz: expected a file that can be written"):
        folder.save("a.ipuz", parse_puzzle(puzzle("AB")), None)
    assert (folder.list_puzzles(), folder.list_words()) == ([], [])


@pytest.mark.parametrize(
    "name",
    [
        *("..", ".", ".hidden.ipuz", "..%2Fsecret.ipuz", "%2e%2e%2fsecret.ipuz", "..%5Csecret.ipuz", "a%00.ipuz"),
        *("%2Fetc%2Fpasswd", "link.ipuz", "loop.ipuz", "away%2Fsecret.ipuz", "x" * 300 + ".ipuz", "a%0A.ipuz"),
    ],
)
def test_no_name_leads_out_of_the_directory(client: Client, folder: Path, name: str) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    secret = outside / "secret.ipuz"
    Folder(outside).save("secret.ipuz", parse_puzzle(puzzle("AB")), None)
    before = secret.read_bytes()
    (folder / "link.ipuz").symlink_to(secret)
    (folder / "away").symlink_to(outside)
    (folder / "loop.ipuz").symlink_to(folder / "loop.ipuz")
    (folder / ".hidden.ipuz").write_bytes(before)
    (folder.parent / "secret.ipuz").write_bytes(before)
    assert client.ask("GET", f"/api/puzzles/{name}").status in {400, 404}
    for headers in ({"If-None-Match": "*"}, {"If-Match": "*"}):
        assert client.ask("PUT", f"/api/puzzles/{name}", puzzle("XY"), headers).status in {400, 404, 405}
    assert secret.read_bytes() == before
    assert client.ask("GET", "/api/puzzles").record["puzzles"] == []


def test_a_puzzle_gets_another_name_that_no_file_has(client: Client, folder: Path) -> None:
    _, first = put(client, "a.ipuz", WHOLE, If_None_Match="*")
    put(client, "b.ipuz", puzzle("AB"), If_None_Match="*")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def rename(name: str, to: object, tag: str | None = first["etag"]) -> tuple[int, dict[str, Any]]:
        answer = client.ask("POST", f"/api/puzzles/{name}", {"to": to}, {"If-Match": tag})
        return answer.status, answer.record

    assert rename("a.ipuz", "b.ipuz")[0] == 412
    assert rename("b.ipuz", "c.ipuz")[0] == 412, "another stands there"
    assert rename("z.ipuz", "c.ipuz")[0] == 412, "none stands there"
    for to in ("../c.ipuz", ".c.ipuz", "c.puz", "c", "words/c.ipuz", "", None, 5):
        assert rename("a.ipuz", to)[0] == 400, to
    assert rename("a.ipuz", "c.ipuz", tag=None)[0] == 400
    assert rename("mine.txt", "c.txt", f'"{sha256(before["mine.txt"]).hexdigest()[:32]}"')[0] == 400
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    status, renamed = rename("a.ipuz", "é c.ipuz")
    assert (status, renamed["etag"]) == (200, first["etag"])
    before["é c.ipuz"] = before.pop("a.ipuz")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_puzzle_is_deleted_as_it_was_read(client: Client, folder: Path) -> None:
    _, first = put(client, "a.ipuz", WHOLE, If_None_Match="*")
    _, second = put(client, "a.ipuz", puzzle("AB"), If_Match=first["etag"])

    def delete(name: str, tag: str | None) -> int:
        return client.ask("DELETE", f"/api/puzzles/{name}", None, {"If-Match": tag}).status

    assert delete("a.ipuz", first["etag"]) == 412
    assert delete("a.ipuz", None) == 400
    assert delete("mine.txt", f'"{sha256((folder / "mine.txt").read_bytes()).hexdigest()[:32]}"') == 400
    assert (folder / "a.ipuz").is_file()
    assert delete("a.ipuz", second["etag"]) == 200
    assert delete("a.ipuz", second["etag"]) == 412
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_the_puzzle_to_begin_with_keeps_its_part_under_another_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "a.ipuz")
    tag = folder.save("a.ipuz", parse_puzzle(puzzle("AB")), None)
    folder.rename("a.ipuz", "b.ipuz", tag)
    assert folder.opened == "b.ipuz"
    folder.delete("b.ipuz", tag)
    assert folder.opened is None


def test_a_list_is_added_and_takes_the_place_of_none(client: Client, folder: Path) -> None:
    def add(name: str, text: bytes) -> tuple[int, dict[str, Any]]:
        answer = client.ask("PUT", f"/api/lists/{name}", text)
        return answer.status, answer.record

    before = (folder / "mine.txt").read_bytes()
    assert add("mine.txt", b"AXE;1\n")[0] == 412
    for name, text in (("new.ipuz", b"AXE\n"), (".new.txt", b"AXE\n"), ("..%2Fnew.txt", b"AXE\n")):
        assert add(name, text)[0] in {400, 404, 405}, name
    for text in (b"", b"\x00\xff" * 9, b"AXE;much\n"):
        assert add("new.txt", text)[0] == 400, text
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert (folder / "mine.txt").read_bytes() == before
    assert add("new.txt", b"AXE;9\nADE;8\nA1B;7\n") == (
        200,
        {"name": "new.txt", "words": 2, "told": ["1 line skipped (1 character outside the alphabet)"]},
    )
    asked = {"puzzle": puzzle("A.."), "slot": "1-Across", "request": {"words": ["new.txt", "mine.txt"]}}
    words = client.ask("POST", "/api/candidates", asked).records[0]["words"]
    assert sorted(word for word, *_ in words) == ["ABC", "ADE", "AGE", "AXE"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(
            (text, "words")
            for text in ("CAT\nDOG\n", "# a, b\nCAT;50\n", "CAT\t0.5\n", "CAT\nDOG; 7\n", "####\nCAT\n", "")
        ),
        *((text, "clues") for text in ("CAT;a pet\n", "CAT\t50 pets\n", "answer,clue\nCAT,pet\n")),
        *((text, "puzzle") for text in ("#..\n...\n", "CAT\n#.#\nD..\n", "C A T\n1 0 1\n", "001\n000\n", "*_*\n___\n")),
        ("PK\0\0", "nothing"),
    ],
)
def test_words_clues_and_grids_are_told_apart(text: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    folder = Folder(tmp_path)
    found = {"words": folder.list_words(), "clues": folder.list_clues(), "puzzle": folder.list_puzzles()}
    assert found == {name: ["a.txt"] if name == kind else [] for name in found}


def test_the_texts_of_a_collection_are_puzzles() -> None:
    folder, names = (
        Folder(INSTANCES / "classic"),
        sorted(path.name for path in (INSTANCES / "classic").glob("*[0-9].txt")),
    )
    assert folder.list_puzzles() == names
    assert not set(folder.list_words()).intersection(names)


def test_only_ipuz_is_saved(client: Client, folder: Path) -> None:
    for name in ("a.puz", "a", "a.txt", "a.IPUZ"):
        status, said = put(client, name, puzzle("AB"), If_None_Match="*")
        assert (status, "ends in .ipuz" in said["error"]) == (400, True)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_a_file_that_cannot_be_read_is_listed_and_told(client: Client, folder: Path) -> None:
    (folder / "bad.ipuz").write_text("{")
    os.mkfifo(folder / "fifo.ipuz")
    (folder / "folder.ipuz").mkdir()
    (folder / "words").mkdir()
    (folder / "words" / "more.TSV").write_text("cat\t1\n")
    listed = client.ask("GET", "/api/puzzles").record
    assert listed["puzzles"] == ["bad.ipuz"]
    assert client.ask("GET", "/api/puzzles/bad.ipuz").error.startswith("bad.ipuz:1: expected JSON")
    assert listed["lists"] == ["mine.txt", "words/more.TSV"]
    assert listed["clues"] == []
    for name in ("bad.ipuz", "folder.ipuz", "fifo.ipuz"):
        assert client.ask("GET", f"/api/puzzles/{name}").status in {400, 404}


def test_files_of_every_format_are_read_and_nothing_is_written(client: Client, folder: Path) -> None:
    before = sorted(folder.iterdir())
    for name in ("mini.ipuz", "mini.puz", "mini.jpz", "mini.exolve", "mini.xd"):
        answer = client.ask("POST", f"/api/read?name={name}", (GOLDEN / name).read_bytes())
        assert answer.status == 200
        assert answer.record["puzzle"]["height"] > 2
        unnamed = client.ask("POST", "/api/read", (GOLDEN / name).read_bytes())
        assert unnamed.record["puzzle"]["cells"] == answer.record["puzzle"]["cells"]
    text = client.ask("POST", "/api/read?name=a.txt", b"A.#\n...\n\nAB\n").record
    assert text["puzzle"]["cells"] == ["A", "", None, "", "", ""]
    assert text["told"] == ["the first of 2 grids"]
    packed = client.ask("POST", "/api/read?name=a.txt", gzip.compress(b"A.\n"))
    assert packed.record["puzzle"]["cells"] == ["A", ""]
    for bad in (b"", b"\x00\xff" * 50, b"{}"):
        assert client.ask("POST", "/api/read?name=x.puz", bad).status == 400
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("place", ["name", "title", "notes", "clue", "draft", "cell", "letter_set"])
def test_half_of_a_surrogate_pair_is_written_or_refused(place: str, client: Client) -> None:
    """A text that was cut within an emoji has one; no format has a place for it."""
    half = "é\ud83d"
    record = puzzle("AB", "CD", clues={"1-Across": "one"})
    asked = {"puzzle": record, "name": half if place == "name" else "one"}
    match place:
        case "title" | "notes":
            record["metadata"] = {place: half}
        case "clue":
            record["clues"]["1-Across"] = half
        case "draft":
            record["drafts"] = {"1-Across": [half]}
        case "cell":
            record["cells"][0] = half
        case "letter_set":
            record["letter_sets"] = {"0": half}
    for to in client.ask("GET", "/api/about").record["formats"]:
        answer = client.ask("POST", "/api/convert", json.dumps({**asked, "to": to}).encode())
        assert answer.status in {200, 400}, (to, answer.body)
    saved = client.ask("PUT", "/api/puzzles/one.ipuz", json.dumps(record).encode(), {"If-None-Match": "*"})
    assert saved.status in {200, 400}, saved.body


def test_puzzles_are_converted_and_what_is_dropped_is_told(client: Client) -> None:
    asked = {"puzzle": WHOLE, "to": "puz", "name": "../été 1.x"}
    written = client.ask("POST", "/api/convert", asked)
    assert written.status == 200
    assert written.headers["Content-Disposition"] == "attachment; filename*=UTF-8''%C3%A9t%C3%A9%201.puz"
    assert client.ask("POST", "/api/read", written.body).record["puzzle"]["cells"] == WHOLE["cells"]
    assert "dropped 1 bar" in client.ask("POST", "/api/convert?losses", asked).record["told"]
    about = client.ask("GET", "/api/about").record
    for to in about["formats"]:
        answer = client.ask("POST", "/api/convert", {"puzzle": puzzle("AB", "CD"), "to": to})
        assert answer.status == 200, (to, answer.body)
        assert answer.body
    blank = client.ask("POST", "/api/convert", {**asked, "to": "svg", "options": {"solution": False}})
    assert blank.headers["Content-Type"] == "image/svg+xml"
    for to, drawing in about["drawings"].items():
        for layout in set(drawing["layouts"]) - {"arrows"}:  # which this grid has no blocks for
            paper = drawing["papers"][-1] if drawing["papers"] and layout != "interactive" else None
            options = {"layout": layout, "paper": paper}
            assert client.ask("POST", "/api/convert", {**asked, "to": to, "options": options}).status == 200
    for wrong in (
        {"options": {"paper": "a0"}},
        {"options": {"layout": 1}},
        {"to": "doc"},
        {"to": None},
        {"options": {"solution": 1}},
        {"options": {"size": 1}},
        {"puzzle": 1},
    ):
        assert client.ask("POST", "/api/convert", {**asked, **wrong}).status == 400
    assert client.ask("POST", "/api/convert", {"to": "puz"}).status == 400


def test_words_banned_at_once_are_all_kept(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    words = [f"{one}{other}" for one in "abcdef" for other in "ghijkl"]
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(lambda word: client.ask("POST", "/api/words", {"ban": word}).status, words))
    assert answers == [200] * len(words)
    assert len((tmp_path / "cpfill" / "words.txt").read_text().splitlines()) == len(words)
    assert client.ask("POST", "/api/words", {"ban": "a" * 100_000}).status == 400


def test_the_personal_list_is_written_and_counts(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    asked = {"puzzle": puzzle("A.."), "slot": "1-Across", "request": {"words": ["mine.txt"]}}

    def words(**more: object) -> dict[str, float]:
        first, *_ = client.ask("POST", "/api/candidates", {**asked, **more}).records
        return {word: score for word, score, _ in first["words"]}

    assert words() == {"ABC": 9, "ADE": 8, "AGE": 7}
    said = client.ask("POST", "/api/words", {"ban": "ade"}).record["told"]
    assert said.endswith("words.txt: ade is banned")
    assert words() == {"ABC": 9, "AGE": 7}
    client.ask("POST", "/api/words", {"rescore": "age", "score": 70})
    assert words() == {"AGE": 70, "ABC": 9}
    assert words(request={"words": ["mine.txt"], "personal": None}) == {"ABC": 9, "ADE": 8, "AGE": 7}
    refused: tuple[object, ...] = (
        *({}, {"ban": "a", "rescore": "b", "score": 1}, {"rescore": "a"}, {"ban": 5}, {"ban": "a", "score": 5}),
        *({"ban": "\ud800"}, {"ban": "123"}, {"rescore": "a", "score": "x"}, {"rescore": "a", "score": -1}, []),
    )
    for wrong in refused:
        assert client.ask("POST", "/api/words", wrong).status == 400
