"""The page without a server: offline, reloaded, shared by hostile links, and typed on fast."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import cpfill
from cpfill.base.errors import InputError, UnsupportedError
from cpfill.puzzle.clues.definitions import GRAMMARS
from cpfill.puzzle.clues.dictionaries import find_definitions
from cpfill.web.site import write_site
from cpfill.words.wordlist import PACKAGED
from tests.web.browser import (
    FIRST_OPEN,
    barriers,
    choose,
    list_puzzles,
    needs_browser,
    open_puzzle,
    puzzle_open,
    rows,
    unfold,
    wait_for,
    write_into,
)
from tests.web.site import STARTED_MS, TEA, await_start, depart, link, visit, visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = needs_browser


@pytest.fixture
def address(hosted: str) -> str:
    return hosted


def unlink(address: str) -> bytes:
    text = address.partition("=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -15)


def test_each_file_of_the_site_is_named_by_its_content_and_has_a_licence(site: Path, tmp_path: Path) -> None:
    write_site(tmp_path / "again")
    named = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    again = {path.relative_to(tmp_path / "again").as_posix() for path in (tmp_path / "again").rglob("*")}
    assert named.keys() <= again
    folders = {name.partition("/")[0] for name in named if "/" in name}
    manifest = json.loads(named["manifest.webmanifest"].read_text())
    assert f"--accent: light-dark({manifest['theme_color']}," in next(site.glob("page-*/style.css")).read_text()
    for icon in manifest["icons"]:
        with Image.open(named[icon["src"]]) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
    assert all(re.fullmatch(r"(page|cpfill|pyodide)-[0-9a-f]{12}", folder) for folder in folders)
    kept = json.loads(re.search(r"FILES = (\[.*?\]);", named["service.js"].read_text(), re.DOTALL)[1])  # type: ignore[index]
    on_demand = {name for name in named if re.search(r"/([\w.-]+\.gz|pdf\.pack)$", name)}  # engine.js keeps them
    defined = [language for language in GRAMMARS if find_definitions(language)]
    assert len(on_demand) == len(PACKAGED) + len(["pdf.pack"]) + len(defined)
    assert {name for name in kept if name != "./"} == named.keys() - {"service.js"} - on_demand
    sizes, _, files = gzip.decompress(next(site.glob("cpfill-*/app.pack")).read_bytes()).partition(b"\n")
    names = json.loads(sizes)
    assert sum(names.values()) == len(files)
    dictionaries = {name.rpartition("/")[2] for name in names if name.startswith("pyphen/dictionaries/")}
    assert dictionaries == {"hyph_en_US.dic", "README_hyph_en_US.txt", "hyph_fr.dic", "README_hyph_fr.txt"}
    notices = {name.rpartition("/")[2] for name in names if name.startswith("cpfill/puzzle/clues/packed/")}
    assert notices == {f"{language}.LICENSE.txt" for language in defined}
    assert any(re.fullmatch(r"pyphen-[^/]+/licenses/LICENSE", name) for name in names)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.web.site.MODULE", Path(__file__))


def test_without_kernels_for_the_tab_no_site_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.web.site.MODULE", tmp_path / "kernel.wasm")
    (tmp_path / "old").mkdir()
    for name in ("manifest.webmanifest", "page-1"):
        (tmp_path / "old" / name).touch()
    with pytest.raises(UnsupportedError, match=r"kernel\.wasm"):
        write_site(tmp_path / "old")
    assert (tmp_path / "old" / "page-1").exists()


@pytest.mark.usefixtures("built")
def test_a_directory_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(InputError, match="an earlier site"):
        write_site(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "all of it"


@pytest.mark.usefixtures("built")
def test_another_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyodide.tgz").write_bytes(b"another")
    with pytest.raises(InputError, match="another file"):
        write_site(tmp_path / "out", tmp_path / "pyodide.tgz")


@pytest.mark.usefixtures("built")
def test_without_npm_the_package_is_to_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnsupportedError, match="--pyodide"):
        write_site(tmp_path / "out")


def test_keys_before_a_puzzle_is_there(browser: Browser, address: str, site: Path) -> None:
    with visitor(browser, address) as (stranger, elsewhere):
        type_before_the_puzzle_is_there(stranger, address)
        type_while_a_link_opens(stranger, address)
        assert elsewhere == []
    with visitor(browser, address) as (stranger, elsewhere):
        design_and_fill_without_suspension(stranger, address, site)
        assert elsewhere == []


def test_links_folders_and_pictures(context: BrowserContext, address: str, browser: Browser) -> None:
    share_a_link(context, address, browser)
    draw_png(context, address)
    depart(context, address)
    open_a_folder_in_two_tabs(context, address)
    depart(context, address)
    choose_a_folder_again(context, address)
    depart(context, address)
    read_of_all_that_does_not_run_there(context, address)


def type_before_the_puzzle_is_there(stranger: BrowserContext, address: str) -> None:
    page = stranger.new_page()
    page.goto(address)
    page.wait_for_selector("#message:not(:empty)")
    assert page.locator(".hint:visible:not(.foot *)").count() == 0  # it would lie over the message
    opacities = page.locator(".foot > *").evaluate_all("(all) => all.map((each) => getComputedStyle(each).opacity)")
    assert {*opacities} == {"0"}
    cell = page.locator("[data-cell='0']").bounding_box()
    assert cell
    page.mouse.click(cell["x"] + 9, cell["y"] + 9)
    page.keyboard.type("tea")
    shown = rows(page)[0].strip(".")
    page.wait_for_selector("#puzzles[data-name]")
    await_start(page)
    page.wait_for_selector("#hint-tab")
    assert rows(page)[0].strip(".") == shown
    page.keyboard.type("tea")
    wait_for(page, lambda: rows(page)[0].startswith("TEA"))


def type_while_a_link_opens(stranger: BrowserContext, address: str) -> None:
    page = visit(stranger, address)
    page.keyboard.type("tea")
    wait_for(page, lambda: page.inner_text("#saving") == "saved")
    before = rows(page)
    page.goto("about:blank")
    page.goto(link(address, cpfill.write_puzzle(TEA, "ipuz")[0]))
    while len(rows(page)) != TEA.height:
        page.keyboard.type("x")
    await_start(page)
    open_puzzle(page, "puzzle.ipuz")
    wait_for(page, lambda: len(rows(page)) == len(before))
    assert rows(page) == before


def share_a_link(context: BrowserContext, address: str, browser: Browser) -> None:
    page = visit(context, link(address, cpfill.write_puzzle(TEA, "ipuz")[0]))
    wait_for(page, lambda: rows(page) == ["TEA", "O#R", "PIN"])
    assert "#" not in page.url
    assert page.title().startswith("Tea </title>")
    page.click("#tab-export")
    page.click("#share-solve")
    wait_for(page, lambda: page.locator("#link input").count() == 1)
    shared = page.input_value("#link input")
    assert cpfill.read_puzzle(unlink(shared)).cells == TEA.cells
    with visitor(browser, address) as (other, elsewhere):
        solving = visit_solving(other, shared)
        assert "".join(solving.locator(".player .letter").all_inner_texts()) == ""
        assert barriers(solving) == []
        assert elsewhere == []


def visit_solving(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#panel-solve [data-cell]", timeout=STARTED_MS)
    return page


def design_and_fill_without_suspension(stranger: BrowserContext, address: str, site: Path) -> None:
    (engine,) = site.glob("page-*/tab/engine.js")
    lacking = "delete WebAssembly.Suspending; delete WebAssembly.promising;\n"
    without = lacking + engine.read_text()
    stranger.route("**/engine.js", lambda route: route.fulfill(body=without, content_type="text/javascript"))
    stranger.add_init_script(lacking)
    page = visit(stranger, address)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=STARTED_MS)
    page.click("#tab-design")
    for side in ("rows", "columns"):
        write_into(page, f"#{side}", "9")
    page.click("#resize")
    page.click("#generate-filled")
    wait_for(page, lambda: "." not in "".join(rows(page)), 90)
    page.click("#tab-fill")
    page.click("#best")
    page.click("#stop")
    page.wait_for_selector("#autofill")
    page.click(FIRST_OPEN)
    page.wait_for_selector("#words[aria-busy=false] [data-word].yes", timeout=STARTED_MS)
    page.keyboard.type("x")
    wait_for(page, lambda: rows(page)[0].strip("#").startswith("X"))
    wait_for(page, lambda: page.inner_text("#saving") == "saved")


FOLDER = """window.showDirectoryPicker = async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("mine", {create: true});
    const file = await (await folder.getFileHandle("NAME.txt", {create: true})).createWritable();
    await file.write("NAME\\n.....\\n.....\\n");
    await file.close();
    return folder;
};"""
"""The dialog is the browser's own; what it would give is a folder like any other, to which another program writes."""
READ_BACK = """async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("mine");
    return (await (await folder.getFileHandle("first.ipuz")).getFile()).text();
}"""


def open_a_folder_in_two_tabs(context: BrowserContext, address: str) -> None:
    first, second = context.new_page(), context.new_page()
    for page, name in ((first, "first"), (second, "later")):
        page.add_init_script(FOLDER.replace("NAME", name))
        page.goto(address)
        await_start(page)
        page.click("#tab-fill")
    write_at(second, 1, "x")
    open_folder(first, "FIRST")
    write_at(first, 5, "x")
    assert cpfill.read_puzzle(first.evaluate(READ_BACK).encode()).cells[4:6] == ("T", "X")
    write_at(second, 2, "y")  # of a file that the folder has not
    assert list_puzzles(second) == ["puzzle.ipuz"]
    open_folder(second, "LATER")
    write_at(first, 6, "y")  # which leaves what another program wrote
    assert "later.txt" in list_puzzles(first)
    open_puzzle(second, "first.ipuz")
    wait_for(second, lambda: rows(second)[0] == "FIRST" and rows(second)[1].startswith("XY"))
    first.close()
    write_at(second, 7, "z")
    assert cpfill.read_puzzle(second.evaluate(READ_BACK).encode()).cells[4:8] == ("T", "X", "Y", "Z")
    second.reload()
    await_start(second)
    wait_for(second, lambda: rows(second)[0].startswith(".XY."))


GONE = """const whole = window.showDirectoryPicker;
window.showDirectoryPicker = async () => {
    window.showDirectoryPicker = whole;
    const folder = await whole();
    await (await navigator.storage.getDirectory()).removeEntry(folder.name, {recursive: true});
    return folder;
};"""
"""The first time the folder goes as soon as it is chosen."""


def choose_a_folder_again(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.add_init_script(FOLDER.replace("NAME", "first") + GONE)
    page.goto(address)
    await_start(page)
    page.click("#tab-fill")
    page.click("#manage")
    page.click("#open-folder")
    wait_for(page, lambda: "could not be found" in page.inner_text("#message"))
    write_at(page, 1, "x")
    assert puzzle_open(page) == "puzzle.ipuz"
    open_folder(page, "FIRST")


def open_folder(page: Page, row: str) -> None:
    page.click("#manage")
    page.click("#open-folder")
    wait_for(page, lambda: rows(page)[0] == row)


def write_at(page: Page, cell: int, letter: str) -> None:
    page.click(f"[data-cell='{cell}']")
    page.keyboard.type(letter)
    wait_for(page, lambda: page.locator(f"[data-cell='{cell}'] .letter").inner_text() == letter.upper())
    wait_for(page, lambda: page.inner_text("#saving") == "saved")


def read_of_all_that_does_not_run_there(context: BrowserContext, address: str) -> None:
    page = visit(context, address)
    assert "no barred grids" in page.inner_text("#hint-tab")
    page.click("#tab-design")
    choose(page, "#style", "barred")
    page.click("#generate-filled")
    page.wait_for_selector("#message:has-text('draw the bars yourself')")
    assert barriers(page) == []


def draw_png(context: BrowserContext, address: str) -> None:
    page = visit(context, link(address, cpfill.write_puzzle(TEA, "ipuz")[0]))
    wait_for(page, lambda: rows(page) == ["TEA", "O#R", "PIN"])
    page.click("#tab-export")
    page.wait_for_selector("#format option:text-is('pdf')", state="attached")
    unfold(page, "#other-formats")
    choose(page, "#format", "png")
    losses = page.locator("#losses")
    wait_for(page, lambda: losses.inner_text().startswith("Nothing that solvers see"))
    assert barriers(page) == []
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename.endswith(".png")
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG"
        grey, side = picture.convert("L"), picture.width
        middles = [side * at // 6 for at in (1, 3, 5)]
        seen = ["".join("#" if grey.getpixel((x, y)) == 0 else "." for x in middles) for y in middles]
    assert seen == ["...", ".#.", "..."]
