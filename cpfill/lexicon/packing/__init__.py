"""Word lists in memory: columns of letter codes, scores and spellings, packed by a compiled reader or its twin."""

KERNELS = {"compiled": "cpfill.lexicon.packing._packing", "python": "cpfill.lexicon.packing.twin"}
