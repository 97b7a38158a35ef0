"""Many questions at once: batches of grids, series of puzzles, benches of engines."""
