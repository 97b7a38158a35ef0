"""Benchmarks: suites of instances, runs in separate processes, reports on their records."""
