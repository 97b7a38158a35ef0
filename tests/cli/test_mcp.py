"""`cpfill mcp`, asked by the client of another package."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cpfill.testing.brute_force import Rules, cells_of, is_fill
from tests.cli.program import COMMAND, HANG_S, ROOT, packaged_words

mcp = pytest.importorskip("mcp")

DEAD = ["QQ...", ".....", "..#..", ".....", "....."]
CORNER = [
    *("X.K.#...#......", "....#...#......", "....#...#......", "###SILVERSCREEN", "......#...#...."),
    *("......##...#...", "....##......###", "GOLDENRETRIEVER", "###......##....", "...#...##......"),
    *("....#...#......", "BRONZEMEDALS###", "......#...#....", "......#...#....", "......#...#...."),
]
"""A themed grid whose first corner has no fill until a block parts its first word."""
WRONG: dict[str, dict[str, Any]] = {
    "solve": {"grid": "3x3", "seed": -1},
    "candidates": {"grid": "3x3"},
    "explain": {"grid": "nowhere.txt"},
    "edits": {"grid": "3x3", "bogus": 1},
    "count": {"grid": "2x2", "words": "-"},
    "generate": {"size": "none"},
    "stats": {"grid": "nowhere.txt"},
    "check": {"grid": "3x3", "min_score": "high"},
}


def ask(*calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def run() -> list[Any]:
        from mcp.client.stdio import StdioServerParameters

        server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"], cwd=ROOT)
        async with mcp.Client(server, read_timeout_seconds=HANG_S) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(run())


def test_a_themed_grid_is_made_and_a_dead_one_explained() -> None:
    themed = {"size": "5x5", "style": "free", "seed_words": ["apple"], "seed": 2}
    made, why, filled = ask(("generate", themed), ("explain", {"grid": DEAD}), ("solve", {"grid": "3x3"}))
    assert made.structured_content["records"][0]["entries"] == ["APPLE"]
    assert why.structured_content["records"][0]["status"] == "UNSATISFIABLE"
    assert filled.structured_content["records"][-1]["done"]


def test_a_puzzle_is_made_of_words_and_clues() -> None:
    clues = [["coat", "It warms"], ["cat", "It purrs"]]
    (made,) = ask(("generate", {"style": "criss-cross", "clues": clues, "time_limit": 1}))
    grid, end = made.structured_content["records"]
    assert {*grid["puzzle"]["clues"].values()} == {"It warms", "It purrs"}
    assert end["done"]


def test_bad_input_is_an_error_of_the_tool() -> None:
    for name, answer in zip(WRONG, ask(*WRONG.items()), strict=True):
        assert answer.is_error, name
        assert "Traceback" not in answer.content[0].text


def test_a_dead_corner_of_a_themed_grid_is_mended() -> None:
    theme = ["GOLDENRETRIEVER", "SILVERSCREEN", "BRONZEMEDALS"]
    made, why, edits = ask(
        ("generate", {"size": "15x15", "seed_words": theme, "seed": 1}),
        ("explain", {"grid": CORNER}),
        ("edits", {"grid": CORNER, "style": "free", "symmetry": "none"}),
    )
    assert {*made.structured_content["records"][0]["entries"]} == {*theme}
    assert "1-Across `X?K?`" in why.structured_content["records"][0]["reason"]
    helpful = [each for each in edits.structured_content["records"] if each.get("verdict") == "yes"]
    assert ["R1C2"] in [each["add"] for each in helpful]
    mended = ["X#" + CORNER[0][2:], *CORNER[1:]]
    (filled,) = ask(("solve", {"grid": mended}))
    found = [each["rows"] for each in filled.structured_content["records"] if each.get("event") == "found"]
    rows = tuple("".join(letter or "#" for letter in row) for row in found[-1])
    assert is_fill(cells_of(*mended), rows, {**packaged_words("en"), **dict.fromkeys(theme, 50.0)}, Rules())
