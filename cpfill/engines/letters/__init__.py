"""Row by row over tries and bitsets: all fills in lexicographic order; in C++."""

from __future__ import annotations

import os

from cpfill.base.reading import Field, flag, text_reader, wrong
from cpfill.base.texts import later

KERNEL = "cpfill.engines.letters._letters"


def _read_path(name: str, value: object) -> str | os.PathLike[str]:
    if not isinstance(value, str | os.PathLike):
        raise wrong(later("a file"), name, value)
    return value


REVERSE = flag("reverse", "search from the last cell to the first", default=False)
RESUME = Field(_read_path, "keep a journal; the same command continues from it", "FILE", name="resume")
SCHEDULER = Field(
    text_reader(later("the address of a Dask scheduler")),
    "search on a Dask cluster (package distributed)",
    "tcp://HOST:PORT",
    name="scheduler",
)
OPTIONS = (REVERSE, RESUME, SCHEDULER)
