"""Shared parts of engines: threads and processes that stream events, propagation, side rules, sums, thresholds."""
