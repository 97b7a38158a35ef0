"""Derives the word lists of the challenge's grids, and their licence, from Debian's package `scowl`.

Run it with no argument, on a machine that has `apt-get` and `dpkg-deb`; it rewrites the files beside it.

A list has the words of SCOWL up to its size that consist of the letters a to z, without capitals: no names, no
apostrophes, no accents. It keeps the lengths that its grids have slots of. README.md says where it differs from the
challenge's.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
GRIDS = HERE.parent / "classic"
PACKAGE, VERSION = "scowl", "2020.12.07-2"


class Recipe(NamedTuple):
    """The categories of SCOWL in a list, and the grids that it is for."""

    categories: tuple[str, ...]
    grids: tuple[str, ...]


RECIPES = {
    35: Recipe(("english-words", "american-words"), ("05.01", "23.10")),
    55: Recipe(("english-words",), ("05.02", "puzzle06")),
    80: Recipe(("english-words",), ("05.04", "19.05")),
}
"""By SCOWL's size."""


def list_words(root: Path, size: int) -> list[str]:
    """Return the words of a list, the shortest first, from the files of the package below `root`."""
    recipe = RECIPES[size]
    lengths = set[int]().union(*map(find_lengths, recipe.grids))
    words = set[str]()
    for category in recipe.categories:
        for path in (root / "usr/share/dict/scowl").glob(f"{category}.*"):
            if int(path.suffix[1:]) <= size:
                words.update(re.findall("^[a-z]+$", path.read_text("utf-8"), re.MULTILINE))
    return sorted((word for word in words if len(word) in lengths), key=lambda word: (len(word), word))


def find_lengths(grid: str) -> set[int]:
    """Return the lengths of the slots of a grid."""
    rows = (GRIDS / f"{grid}.txt").read_text().split()
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return {len(run) for line in rows + columns for run in line.split("#") if len(run) > 1}


def main() -> None:
    """Write the lists and the licence."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        subprocess.run(["apt-get", "--quiet", "download", f"{PACKAGE}={VERSION}"], cwd=place, check=True)
        subprocess.run(["dpkg-deb", "--extract", next(place.glob("*.deb")), "."], cwd=place, check=True)
        for size in RECIPES:
            text = "".join(f"{word}\n" for word in list_words(place, size))
            (HERE / f"scowl-{size}.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        terms = (place / f"usr/share/doc/{PACKAGE}/copyright").read_text("utf-8")
        head = f"The word lists are a selection of the words of SCOWL, from Debian's package {PACKAGE} {VERSION}.\n\n"
        (HERE / "LICENSE.txt").write_text(head + terms, "utf-8")


if __name__ == "__main__":
    main()
