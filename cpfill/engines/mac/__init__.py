"""The fast kernel: arc consistency maintained at every node, compiled, with a pure-Python twin."""

from __future__ import annotations

from cpfill.engines.option import EngineOption

KERNELS = {"compiled": "cpfill.engines.mac._kernel", "python": "cpfill.engines.mac.twin"}

KERNEL = EngineOption(
    "kernel",
    "by default the compiled one where it was built",
    noun="a kernel",
    type=str,
    choices=tuple(KERNELS),
    on_command_line=False,
)
RESTARTS = EngineOption(
    "restarts", "the search for one fill begins anew now and then", default=True, on_command_line=False
)
OPTIONS = (KERNEL, RESTARTS)
