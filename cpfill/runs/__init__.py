"""Many questions at once: batches of grids, benches of engines."""
