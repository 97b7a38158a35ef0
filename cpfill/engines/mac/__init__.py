"""The fast kernel: arc consistency maintained at every node, compiled, with a pure-Python twin."""

from __future__ import annotations

from cpfill.engines.option import TRACE, EngineOption, choose_kernel

KERNELS = {"compiled": "cpfill.engines.mac._kernel", "python": "cpfill.engines.mac.twin"}

KERNEL = choose_kernel(KERNELS)
RESTARTS = EngineOption(
    "restarts", "restart the search for one fill from time to time", default=True, on_command_line=False
)
OPTIONS = (KERNEL, RESTARTS, TRACE)
