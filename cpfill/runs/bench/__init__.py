"""Benches: suites of questions, engines and outside programs to measure, and reports on the results."""
