"""Previews of puzzles: what they count, and that files are read once."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.puzzle.parts import PuzzlePart
from cpfill.web.files import Folder
from cpfill.web.previews import Previews
from cpfill.web.wire import parse_puzzle
from tests.web.support import puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.support import Client

RECORD = puzzle(
    "AB#",
    "C..",
    "#..",
    bars=[[4, 5]],
    clues={"1-Across": "Sea", "1-Down": ""},
    metadata={"title": "One"},
    work={"pencilled": [1, 2, 99, "x"]},
)
EMPTY = puzzle("...", "...", "...")


@pytest.fixture
def shelf(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    for at, (name, record) in enumerate({"old.ipuz": EMPTY, "new.ipuz": RECORD}.items()):
        folder.save(name, parse_puzzle(record), None)
        os.utime(tmp_path / name, (at + 1, at + 1))
    return folder


def test_preview_counts_own_letters_and_clues(shelf: Folder) -> None:
    found = Previews(shelf).describe(60)
    first, second = found["puzzles"]
    saved = shelf.read("new.ipuz")
    assert saved is not None
    slots = len(saved.puzzle.slots)
    assert first == {
        "name": "new.ipuz",
        "saved": 2000,
        "preview": {
            "title": "One",
            "picture": ["x.#", "x..", "#.."],
            "bars": [(4, 5)],
            "cells": 7,
            "letters": 2,
            "slots": slots,
            "clues": 1,
        },
    }
    assert (second["name"], second["preview"]["letters"], found["unread"]) == ("old.ipuz", 0, 0)


def test_each_request_reads_one_more_file(shelf: Folder) -> None:
    previews = Previews(shelf)
    read = [[each["name"] for each in previews.describe(0)["puzzles"] if each["preview"]] for _ in range(2)]
    assert read == [["new.ipuz"], ["new.ipuz", "old.ipuz"]]
    assert previews.describe(0)["unread"] == 0


def test_changed_file_is_read_again(shelf: Folder) -> None:
    previews = Previews(shelf)
    previews.describe(60)
    saved = shelf.read("new.ipuz")
    assert saved is not None
    shelf.save("new.ipuz", replace(saved.puzzle, metadata={PuzzlePart.TITLE: "Two"}), saved.tag)
    (shelf.directory / "old.ipuz").unlink()
    (listed,) = previews.describe(0)["puzzles"]
    assert listed["preview"]["title"] == "Two"


def test_unreadable_file_is_listed_without_preview(shelf: Folder) -> None:
    (shelf.directory / "bad.ipuz").write_text("{")
    found = Previews(shelf).describe(60)
    assert {each["name"]: each["preview"] is None for each in found["puzzles"]} == {
        "bad.ipuz": True,
        "new.ipuz": False,
        "old.ipuz": False,
    }
    assert found["unread"] == 0


def test_voids_are_drawn_as_nothing(shelf: Folder) -> None:
    shelf.save("heart.ipuz", parse_puzzle(puzzle("..#", "...", "...", voids=[2])), None)
    listed = Previews(shelf).describe(60)["puzzles"][0]
    assert listed["preview"]["picture"] == [".. ", "...", "..."]


def test_route_previews_the_directory(client: Client) -> None:
    client.ask("PUT", "/api/puzzles/a.ipuz", RECORD, {"If-None-Match": "*"})
    found = client.ask("GET", "/api/previews").record
    assert [each["name"] for each in found["puzzles"]] == ["a.ipuz"]
    assert found["puzzles"][0]["preview"]["title"] == "One"
