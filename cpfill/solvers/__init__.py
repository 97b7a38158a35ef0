"""The question itself, for other solvers."""
