"""The page in HTML, read by a parser: what stands in it, and the rules by which it is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.golden.mini import ACROSS, MINI

if TYPE_CHECKING:
    from collections.abc import Iterator

VOID = {"meta", "rect", "line", "circle", "path"}


@dataclass
class Node:
    """An element."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def find(self, *tags: str) -> list[Node]:
        return [node for node in self.walk() if node.tag in tags]

    def walk(self) -> Iterator[Node]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.walk()

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class Reader(HTMLParser):
    """Makes a tree of a document whose elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(puzzle: Puzzle = MINI, style: PageStyle | None = None) -> Node:
    reader = Reader()
    reader.feed(write_puzzle(puzzle, "html", style)[0].decode())
    assert len(reader.open) == 1  # every element is closed
    return reader.open[0]


Rules = dict[str, dict[str, str]]


def rules_of(page: Node) -> tuple[Rules, Rules]:
    """Return the declarations for each selector, and those that hold in print alone."""
    (style,) = page.find("style")
    printed = "".join(re.findall(r"@media print \{(.*?)\n\}", style.text, re.DOTALL))
    shown = re.sub(r"@media print \{.*?\n\}", "", style.text, flags=re.DOTALL)
    return declarations(shown), declarations(printed)


def declarations(css: str) -> Rules:
    rules: Rules = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        pairs = (one.split(":", 1) for one in body.split(";") if one.strip())
        rules.setdefault(selector.strip(), {}).update((name.strip(), value.strip()) for name, value in pairs)
    return rules


@pytest.mark.parametrize("paper", [None, *Paper])
def test_the_paper(paper: Paper | None) -> None:
    _, printed = rules_of(read(style=PageStyle(paper=paper)))
    assert printed["@page"]["size"] == (paper or "a4")


def test_nothing_is_fetched() -> None:
    page = read()
    assert not page.find("link", "script", "img", "iframe")
    assert not re.search(
        r"url\(|@import|@font-face|https?://(?!www\.w3\.org/2000/svg)", write_puzzle(MINI, "html")[0].decode()
    )
    shown, _ = rules_of(page)
    assert shown["body"]["font-family"].endswith("serif")
    assert not shown["body"]["font-family"].endswith("sans-serif")


def test_a_number_stays_with_its_clue_and_the_clue_together() -> None:
    page = read()
    for listed in page.find("dl"):
        assert all(isinstance(child, Node) and child.tag == "div" for child in listed.children if child != "\n")
        for clue in listed.find("div"):
            assert [child.tag for child in clue.children if isinstance(child, Node)] == ["dt", "dd"]
    shown, printed = rules_of(page)
    assert shown[".clues dl div"]["break-inside"] == "avoid"
    assert shown[".clues h2"]["break-after"] == "avoid"
    # A hanging indent, on the screen and on paper: the label stands in the padding.
    assert shown[".clues dl div"]["padding-left"] == "calc(var(--label) + 0.5em)"
    assert shown[".clues dt"]["margin-left"] == "calc(-0.5em - var(--label))"
    assert not [selector for selector in printed if selector.startswith((".clues dl", ".clues dt", ".clues h2"))]
    for listed in page.find("dl"):
        widest = max(len(label.text) for label in listed.find("dt"))
        assert float(re.fullmatch(r"--label: ([\d.]+)ch", listed.attributes["style"] or "")[1]) >= widest  # type: ignore[index]


def test_the_solution_is_on_a_sheet_of_its_own() -> None:
    page = read()
    blank, solution = page.find("section")
    _, printed = rules_of(page)
    assert printed["section + section"]["break-before"] == "page"
    letters = {answer for answer in MINI.cells if answer}
    assert letters & {text.text for text in blank.find("text")} == {MINI.cells[cell] for cell in MINI.givens}
    assert letters <= {text.text for text in solution.find("text")}
    assert not solution.find("dl")


def test_more_clues_are_smaller_on_paper() -> None:
    side = 15
    puzzle = Puzzle(side, side, ("A",) * side * side)
    sizes = []
    for length in (20, 300, 500):
        clues = dict.fromkeys(puzzle.slot_of, "word " * (length // 5))
        _, printed = rules_of(read(replace(puzzle, clues=clues)))
        sizes.append(float(printed["body"]["font-size"].removesuffix("pt")))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] >= 7


def test_a_french_page_says_so() -> None:
    page = read(Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): "Mot ?"}), PageStyle(french=True))
    (document,) = page.find("html")
    assert document.attributes["lang"] == "fr"
    assert page.find("title")[0].text == "Mots croisés"
    assert [heading.text for heading in page.find("h1", "h2")] == ["Horizontalement", "Solution"]


def test_a_manuscript() -> None:
    page = read(style=PageStyle(layout=PageLayout.SUBMISSION))
    first, lists = page.find("section")
    assert [figure.text for figure in first.find("p")[:3]] == ["5 x 5", "10 words", "3 blocks"]
    assert [text.text for text in first.find("p")[3:]] == [MINI.metadata[PuzzlePart.AUTHOR], *[""] * 4]
    assert {answer for answer in MINI.cells if answer} <= {text.text for text in first.find("text")}
    assert [table.find("caption")[0].text for table in lists.find("table")] == ["ACROSS", "DOWN"]
    rows = [tuple(cell.text for cell in row.find("td")) for row in lists.find("tr")]
    assert ("6", "Begun, as an “œuvre”\u00a0(7)", "STARTED") in rows
    assert [(number, answer) for number, _, answer in rows] == [
        (str(slot.number), MINI.answer(slot)) for slot in MINI.slots
    ]
    shown, printed = rules_of(page)
    assert shown["table"]["line-height"] == "2"
    assert shown["tr"]["break-inside"] == "avoid"
    assert printed["section + section"]["break-before"] == "page"
