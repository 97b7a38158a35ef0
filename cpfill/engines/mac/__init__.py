"""The fast kernel: arc consistency maintained at every node, in C++."""

from __future__ import annotations

from cpfill.base.reading import flag
from cpfill.engines import TRACE

KERNEL = "cpfill.engines.mac._kernel"

RESTARTS = flag("restarts", "restart the search for one fill from time to time", default=True, on_command_line=False)
OPTIONS = (RESTARTS, TRACE)
