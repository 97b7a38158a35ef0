"""Word lists in memory: columns of letter codes, scores and spellings, packed by a compiled reader or its twin."""

KERNELS = {"compiled": "cpfill.words.packing._packing", "python": "cpfill.words.packing.twin"}
