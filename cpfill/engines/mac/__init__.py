"""The fast kernel: arc consistency maintained at every node, compiled, with a pure-Python twin."""

from __future__ import annotations

import sys
from pathlib import Path

from cpfill.base.reading import flag
from cpfill.engines import TRACE, choose_kernel

MODULE = Path(__file__).with_name("kernel.wasm")
"""The kernel for Pyodide, if it was built."""

COMPILED = "wasm_in_pyodide" if sys.platform == "emscripten" and MODULE.exists() else "_kernel"
KERNELS = {"compiled": f"cpfill.engines.mac.{COMPILED}", "python": "cpfill.engines.mac.twin"}

KERNEL = choose_kernel(*KERNELS)
RESTARTS = flag("restarts", "restart the search for one fill from time to time", default=True, on_command_line=False)
OPTIONS = (KERNEL, RESTARTS, TRACE)
