"""The page in HTML: its elements, and the rules by which it is printed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.golden.mini import ACROSS, MINI

LETTERS = {answer for answer in MINI.cells if answer}


class Page:
    """A document, all of whose elements are closed, and its style, on the screen and on paper alone."""

    def __init__(self, puzzle: Puzzle = MINI, style: PageStyle | None = None) -> None:
        self.source = write_puzzle(puzzle, "html", style)[0].decode()
        self.root = ET.fromstring(re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", self.source))  # noqa: S314 - our own
        (css,) = texts(self.root, "style")
        self.printed = declarations("".join(re.findall(r"@media print \{(.*?)\n\}", css, re.DOTALL)))
        self.shown = declarations(re.sub(r"@media print \{.*?\n\}", "", css, flags=re.DOTALL))


def find(element: ET.Element, tag: str) -> list[ET.Element]:
    return element.findall(f".//{{*}}{tag}")


def texts(element: ET.Element, tag: str) -> list[str]:
    return ["".join(each.itertext()) for each in find(element, tag)]


def declarations(css: str) -> dict[str, dict[str, str]]:
    """Return the declarations for each selector."""
    rules: dict[str, dict[str, str]] = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        rules.setdefault(selector.strip(), {}).update(re.findall(r"([\w-]+)\s*:\s*([^;]*[^;\s])", body))
    return rules


@pytest.mark.parametrize("paper", [None, *Paper])
def test_a_page_has_its_paper(paper: Paper | None) -> None:
    assert Page(style=PageStyle(paper=paper)).printed["@page"]["size"] == (paper or "a4")


def test_a_page_loads_nothing() -> None:
    page = Page()
    assert not [tag for tag in ("link", "script", "img", "iframe") if find(page.root, tag)]
    assert not re.search(r"url\(|@import|@font-face|https?://(?!www\.w3\.org/2000/svg)", page.source)
    assert re.search(r"(?<!sans-)serif$", page.shown["body"]["font-family"])


def test_more_clues_are_smaller_on_paper() -> None:
    puzzle = Puzzle(15, 15, ("A",) * 225)
    sizes = []
    for length in (20, 300, 500):
        page = Page(replace(puzzle, clues=dict.fromkeys(puzzle.slot_of, "word " * (length // 5))))
        sizes.append(float(page.printed["body"]["font-size"].removesuffix("pt")))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] >= 7


def test_a_french_page_is_in_french() -> None:
    page = Page(Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): "Mot ?"}), PageStyle(french=True))
    assert page.root.attrib["lang"] == "fr"
    assert texts(page.root, "title") == ["Mots croisés"]
    assert texts(page.root, "h1") + texts(page.root, "h2") == ["Solution", "Horizontalement"]


def test_a_manuscript_has_two_parts() -> None:
    page = Page(style=PageStyle(layout=PageLayout.SUBMISSION))
    first, lists = find(page.root, "section")
    assert texts(first, "p") == ["5 x 5", "10 words", "3 blocks", MINI.metadata[PuzzlePart.AUTHOR], *[""] * 4]
    assert {*texts(first, "text")} >= LETTERS
    assert texts(lists, "caption") == ["ACROSS", "DOWN"]
    rows = [texts(row, "td") for row in find(lists, "tr")]
    assert ["6", "Begun, as an “œuvre”\u00a0(7)", "STARTED"] in rows
    assert [(number, answer) for number, _, answer in rows] == [
        (str(slot.number), MINI.answer(slot)) for slot in MINI.slots
    ]
    assert (page.shown["table"]["line-height"], page.shown["tr"]["break-inside"]) == ("2", "avoid")
    assert page.printed["section + section"]["break-before"] == "page"
