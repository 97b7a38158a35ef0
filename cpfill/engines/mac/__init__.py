"""The fast kernel: arc consistency maintained at every node, in C++."""

from __future__ import annotations

KERNEL = "cpfill.engines.mac._kernel"
