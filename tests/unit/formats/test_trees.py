"""Pictures of trees, read back: each text once a node, no two on one place, all inside the picture."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from cpfill.base.errors import InputError
from cpfill.base.trees import Branch
from cpfill.formats.pages.trees import Picture, check_suffix, draw_trees

TREE = Branch("", [Branch("AB", [Branch("C", note="×"), Branch("D")], ringed=True), Branch("E", note="+ 3")])  # noqa: RUF001
SVG = "{http://www.w3.org/2000/svg}"


def picture(*, shared: bool) -> Picture:
    return Picture("two & three", TREE, ["first", "second"], shared=shared)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_svg_has_each_node_once_a_tree(*, shared: bool, number: int) -> None:
    root = ET.fromstring(draw_trees([picture(shared=shared)] * number, "x.svg"))  # noqa: S314 - our own
    texts = list(root.iter(f"{SVG}text"))
    once = sorted(["two & three", "first", "second", "AB", "C", "D", "E", "×", "+ 3"])  # noqa: RUF001
    assert sorted(text.text or "" for text in texts) == sorted(once * number)
    places = {(text.get("x"), text.get("y")) for text in texts}
    assert len(places) == len(texts)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    assert all(0 < float(x or 0) < width and 0 < float(y or 0) < height for x, y in places)
    assert len(list(root.iter(f"{SVG}circle"))) == number


def test_first_node_below_another_stands_beside_it() -> None:
    """As in the figure of a dictionary: AB and C are on one row, D is under C, E under AB."""
    svg = draw_trees([picture(shared=True)], "x.svg").decode()
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="15">(AB|C|D|E)<', svg)
    at = {text: (x, y) for x, y, text in found}
    assert at["AB"][1] == at["C"][1]
    assert at["C"][0] == at["D"][0]
    assert at["AB"][0] == at["E"][0]
    assert len({at["C"][1], at["D"][1], at["E"][1]}) == 3


def test_png_has_the_size_of_the_svg() -> None:
    svg = ET.fromstring(draw_trees([picture(shared=False)], "x.svg"))  # noqa: S314 - our own
    image = Image.open(io.BytesIO(draw_trees([picture(shared=False)], "x.PNG")))
    assert abs(image.width - float(svg.get("width", "0"))) < 20
    assert image.tobytes().count(0) > 100


def test_other_suffixes_are_refused() -> None:
    with pytest.raises(InputError, match=r"picture that ends in.*'\.pdf'"):
        check_suffix("tree.pdf")
