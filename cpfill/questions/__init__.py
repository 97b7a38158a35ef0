"""What can be asked: a request, and solve, count, candidates, compare, explain, generate, prove and the like."""
