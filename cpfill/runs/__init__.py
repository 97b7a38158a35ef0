"""Many questions at once.

batch/    many grids filled in parallel; a stopped run can be continued
bench/    engines and other programs on suites of questions
"""
