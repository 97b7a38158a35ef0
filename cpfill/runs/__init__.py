"""Many questions at once.

batch/    grids filled side by side, and gone on with where that was stopped
bench/    engines and other programs on suites of questions
"""
