"""What is searched, and what an answer is: problem, fill, value, audit, events, result, limits."""
