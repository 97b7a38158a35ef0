"""Row by row over tries and bitsets: all fills in lexicographic order; compiled, with a pure-Python twin."""

from __future__ import annotations

import os

from cpfill.engines.option import EngineOption, choose_kernel

KERNELS = {"compiled": "cpfill.engines.letters._letters", "python": "cpfill.engines.letters.twin"}

KERNEL = choose_kernel(KERNELS)
REVERSE = EngineOption("reverse", "search from the last cell to the first", default=False)
RESUME = EngineOption(
    "resume",
    "keep a journal; the same command continues from it",
    noun="a file",
    type=str | os.PathLike,
    metavar="FILE",
)
SCHEDULER = EngineOption(
    "scheduler",
    "search on a Dask cluster (package distributed)",
    noun="the address of a Dask scheduler",
    type=str,
    metavar="tcp://HOST:PORT",
)
OPTIONS = (KERNEL, REVERSE, RESUME, SCHEDULER)
