"""What is drawn in a browser that is light and in one that is dark: on each ground each text can be read."""

from __future__ import annotations

import re
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.web.browser import choose, needs_browser, open_tab, unfold, visiting

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Literal

    from playwright.sync_api import Browser, Page

    Scheme = Literal["light", "dark"]
    Colour = tuple[float, float, float, float]

pytestmark = needs_browser

SCHEMES: tuple[Scheme, ...] = ("light", "dark")

LEAST = 4.5
"""The least contrast of a text, by the web guidelines (WCAG, 1.4.3)."""
WHITE = 1.0, 1.0, 1.0, 1.0
PUZZLE = Puzzle(
    4,
    4,
    ("S", "T", "A", "R", "L", "I", "N", "E", "O", "N", None, "D", "WIN", "Y", "E", "S"),
    {(Direction.ACROSS, 1): "It shines", (Direction.DOWN, 1): "Not soon"},
    circles=frozenset({0, 4}),
    givens=frozenset({15}),
    shades={1: "#2020a0", 2: "#fff2a0", 4: "#d3d3d3", 5: "#000000", 6: "#ff0000", 7: "#00ff00", 9: "#0000ff"},
    bars=frozenset({(4, 5)}),
    metadata={PuzzlePart.TITLE: "Night", PuzzlePart.AUTHOR: "Day"},
)
TEXTS = ":is(h1, h2, p, dt, dd, td, caption, button, label, text, .clock, .group, .number, .letter, .clue)"
LOOKS = """(selector) => {
    const chain = (node) => node ? [...chain(node.parentElement), node] : [];
    return [...document.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility() && each.textContent.trim())
        .map((each) => ({
            text: `${each.parentElement.className} ${each.className} ${each.textContent}`,
            ink: getComputedStyle(each).color,
            opacity: chain(each).reduce((whole, node) => whole * getComputedStyle(node).opacity, 1),
            grounds: chain(each).map((node) => [getComputedStyle(node).backgroundColor,
                getComputedStyle(node).backgroundImage]),
        }));
}"""


def find_colours(style: str) -> list[Colour]:
    """Return the colours that are named in a computed style: red, green and blue of sRGB, and how opaque they are."""
    return [read_colour(kind, parts) for kind, parts in re.findall(r"\b(rgba?|color|oklch)\(([^()]*)\)", style)]


def read_colour(kind: str, text: str) -> Colour:
    parts = [0.0 if part == "none" else float(part) for part in re.findall(r"none|-?[\d.]+(?:e-?\d+)?", text)]
    alpha = parts[3] if len(parts) > 3 else 1.0
    red, green, blue = parts[:3]
    if kind == "oklch":
        return (*mix_oklch(red, green, blue), alpha)
    scale = 255 if kind.startswith("rgb") else 1
    return red / scale, green / scale, blue / scale, alpha


def to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def mix_oklch(light: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """Return a colour of OKLCH in sRGB, by the matrices of its author, Björn Ottosson."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return from_linear(red), from_linear(green), from_linear(blue)


def from_linear(part: float) -> float:
    """Return a part as sRGB has it; screens show no more than there is."""
    part = min(1.0, max(0.0, part))
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def lay(upper: Colour, lower: Colour, opacity: float = 1.0) -> Colour:
    """Return what is seen of a colour over another."""
    alpha = upper[3] * opacity
    red, green, blue = (alpha * up + (1 - alpha) * low for up, low in zip(upper[:3], lower[:3], strict=True))
    return red, green, blue, 1.0


def brightness(colour: Colour) -> float:
    return 0.2126 * to_linear(colour[0]) + 0.7152 * to_linear(colour[1]) + 0.0722 * to_linear(colour[2])


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def measure(look: dict[str, Any]) -> float:
    """Return the least contrast of a text with what may be beneath it."""
    grounds = [WHITE]
    for colour, image in look["grounds"]:
        (ground,) = find_colours(colour)
        patches = [patch for patch in find_colours(image) if patch[3] == 1]
        grounds = [lay(ground, each) for each in grounds] + patches
    (ink,) = find_colours(look["ink"])
    return min(contrast(lay(ink, ground, look["opacity"]), ground) for ground in grounds)


def list_faint(page: Page, where: str = "body") -> list[str]:
    """Return the texts in sight that cannot be read, each with its contrast."""
    looks = page.evaluate(LOOKS, f"{where} {TEXTS}")
    assert looks
    found = [(measure(look), look["text"]) for look in looks]
    return [f"{text}: {value:.2f}" for value, text in found if value < LEAST]


def see_all_that_is_marked(page: Page) -> None:
    """Have cells of all kinds in sight, and see that the letters of each can be read, with the cursor there and not."""
    for key in "xtzr" + "lxne":
        page.keyboard.type(key)
    page.click(".player [data-do='check-all']")
    for cell in (5, 9, 12):
        page.click(f".player [data-cell='{cell}']")
        page.click(".player [data-do='reveal-letter']")
    for selector in (".wrong.shaded", ".revealed.shaded", ".long.revealed", ".clue.done:not(.current)"):
        assert page.locator(f".player {selector}").count(), selector
    for cell in (0, 2, 5, 9, 12, 6):
        page.click(f".player [data-cell='{cell}']")
        assert page.locator(f".player .cursor[data-cell='{cell}']").count()
        assert list_faint(page, ".player") == []
    page.keyboard.press(" ")
    assert list_faint(page, ".player") == []


def test_files_can_be_read_in_either_scheme(browser: Browser, tmp_path: Path) -> None:
    for scheme in SCHEMES:
        read_files(browser, tmp_path, scheme)


def read_files(browser: Browser, tmp_path: Path, scheme: Scheme) -> None:
    """The file to solve on follows the scheme; printed pages and pictures are paper, which is light."""
    printed = [PageStyle(layout=layout) for layout in (PageLayout.NEWSPAPER, PageLayout.SUBMISSION)]
    with open_tab(browser) as page:
        page.emulate_media(color_scheme=scheme)
        show(page, tmp_path / "night.html", PageStyle(layout=PageLayout.INTERACTIVE))
        assert list_faint(page, ".player") == []
        see_all_that_is_marked(page)
        for style in printed:
            page.emulate_media(color_scheme=scheme)
            show(page, tmp_path / f"{style.layout}.html", style)
            assert list_faint(page) == []
            compare_schemes(page)
        page.emulate_media(color_scheme=scheme)
        show(page, tmp_path / "picture.svg", PageStyle(letters=True))
        compare_schemes(page)


def test_the_page_can_be_read_in_either_scheme(browser: Browser, puzzles: Path, address: str) -> None:
    for scheme in SCHEMES:
        read_the_page(browser, puzzles, address, scheme)


def read_the_page(browser: Browser, puzzles: Path, address: str, scheme: Scheme) -> None:
    """In the scheme of the browser, or in that which is chosen on the page."""
    (puzzles / "a.ipuz").write_bytes(cpfill.write_puzzle(PUZZLE, "ipuz")[0])
    with open_tab(browser) as opened, visiting(opened, address) as page:
        page.emulate_media(color_scheme=scheme)
        for theme in ("system", "light", "dark"):
            unfold(page, "#settings")
            choose(page, "#theme", f"Colours: {theme}")
            page.click("#settings > summary")
            page.click("#tab-solve")
            page.click(".player [data-cell='0']")
            see_all_that_is_marked(page)
            page.click(".player [data-do='again']")


def show(page: Page, path: Path, style: PageStyle) -> None:
    """Write a file of the puzzle, of the kind that its name says, and open it."""
    path.write_bytes(write_puzzle(PUZZLE, path.suffix[1:], style)[0])
    page.goto(path.as_uri())


def compare_schemes(page: Page) -> None:
    """See that a page, which is paper, looks the same in the dark."""
    shown = page.screenshot()
    page.emulate_media(color_scheme="light")
    assert page.screenshot() == shown
