"""Questions about a problem, and their answers."""
