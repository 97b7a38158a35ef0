"""Letter by letter over two tries: every fill in lexicographic order, compiled, with a pure-Python twin."""

from __future__ import annotations

import os

from cpfill.engines.option import EngineOption

KERNELS = {"compiled": "cpfill.engines.letters._letters", "python": "cpfill.engines.letters.twin"}

KERNEL = EngineOption(
    "kernel",
    "by default the compiled one where it was built",
    noun="a kernel",
    type=str,
    choices=tuple(KERNELS),
    on_command_line=False,
)
REVERSE = EngineOption("reverse", "from the last cell to the first", default=False)
RESUME = EngineOption(
    "resume",
    "a journal of the search; the same command again goes on with it",
    noun="a file",
    type=str | os.PathLike,
    metavar="FILE",
)
OPTIONS = (KERNEL, REVERSE, RESUME)
