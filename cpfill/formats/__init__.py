"""Files of grids and puzzles: text dialects, formats of exchange, pages."""
