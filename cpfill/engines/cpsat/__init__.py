"""Search by CP-SAT, of OR-Tools, on lexicon cores."""
