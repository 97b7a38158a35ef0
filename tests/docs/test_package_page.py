"""The README as a package index shows it."""

from __future__ import annotations

import runpy
import tomllib
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.docs.pages import ROOT

if TYPE_CHECKING:
    import pytest


class Images(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if tag == "img" and name == "src"]


def targets(text: str) -> list[str]:
    images = Images()
    images.feed(text)
    return images.sources + [part.partition(")")[0] for part in text.split("](")[1:]]


def test_every_link_of_the_readme_leads_to_the_home_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    made = runpy.run_path(str(ROOT / ".ci" / "package_page.py"))["dynamic_metadata"]("readme")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    home = urlsplit(project["urls"]["Source"])
    before, after = targets((ROOT / "README.md").read_text("utf-8")), targets(made["text"])
    assert len(before) == len(after) > 20
    for old, new in zip(before, after, strict=True):
        if urlsplit(old).scheme or old.startswith("#"):
            assert new == old
            continue
        place = urlsplit(new)
        assert (place.scheme, place.netloc) == (home.scheme, home.netloc)
        kind, tag, path = place.path.removeprefix(home.path + "/").split("/", 2)
        assert kind == ("raw" if path.endswith((".png", ".svg")) else "blob")
        assert tag == f"v{project['version']}"
        assert (ROOT / path).exists()
