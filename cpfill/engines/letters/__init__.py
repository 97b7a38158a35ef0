"""Row by row over tries and bitsets: all fills in lexicographic order; in C++."""

from __future__ import annotations

KERNEL = "cpfill.engines.letters._letters"
