"""Many questions at once: batches of grids, and benches of engines."""
