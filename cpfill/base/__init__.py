"""What knows no crossword: errors, budgets, ranges, letters, files and records, stopping."""
