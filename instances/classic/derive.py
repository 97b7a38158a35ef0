"""Derives the classic grids and their licence from the crossword example in Debian's package `libgecode-doc`.

Run it with no argument, on a machine that has `apt-get` and `dpkg-deb`; it rewrites the files beside it.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = "usr/share/doc/libgecode-doc/examples/crossword.cpp.gz"
GRIDS = 72

# A grid is drawn in a comment: `* Name: 05.02, 5 x 5`, then rows such as `* (_ _ _ _ *)`.
_DRAWING = re.compile(r"\* Name: (?P<name>\S+), (?P<width>\d+) x (?P<height>\d+)\n(?P<rows>(?:\s*\*\s+\([_* ]+\)\n)+)")
_COPYRIGHT = re.compile(r"\*  Copyright:\n \*\s+(?P<holder>.*)\n")
_PERMISSION = re.compile(r" \*  Permission is hereby granted.*?(?=\n \*\n \*/)", re.DOTALL)
_NATIVE = str.maketrans({"_": ".", "*": "#", " ": None})


def read_source() -> str:
    """Return the source text of the example, from a freshly downloaded package."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        subprocess.run(["apt-get", "--quiet", "download", "libgecode-doc"], cwd=place, check=True)
        subprocess.run(["dpkg-deb", "--extract", next(place.glob("*.deb")), "."], cwd=place, check=True)
        return gzip.decompress((place / SOURCE).read_bytes()).decode()


def grids(source: str) -> dict[str, str]:
    """Return the grids by name, in the native dialect.

    Raises:
        ValueError: a grid has another size than its caption says, or there are not 72 of them.
    """
    result = {}
    for match in _DRAWING.finditer(source):
        rows = [row.translate(_NATIVE) for row in re.findall(r"\((.*)\)", match["rows"])]
        if len(rows) != int(match["height"]) or {len(row) for row in rows} != {int(match["width"])}:
            raise ValueError(f"{match['name']} is not {match['width']} x {match['height']}")
        result[match["name"]] = "\n".join(rows) + "\n"
    if len(result) != GRIDS:
        raise ValueError(f"{len(result)} grids, not {GRIDS}")
    return result


def licence(source: str) -> str:
    """Return the licence of the example.

    Raises:
        ValueError: it is not where it was.
    """
    holder, permission = _COPYRIGHT.search(source), _PERMISSION.search(source)
    if not holder or not permission:
        raise ValueError("no licence at the head of the source")
    text = re.sub(r"^ \* *", "", permission[0], flags=re.MULTILINE)
    return f"The grids are from Gecode's crossword example.\n\nCopyright {holder['holder']}\n\n{text}\n"


def main() -> None:
    """Write the grids and the licence."""
    source = read_source()
    for name, text in grids(source).items():
        (HERE / f"{name}.txt").write_text(text)
    (HERE / "LICENSE.txt").write_text(licence(source))


if __name__ == "__main__":
    main()
