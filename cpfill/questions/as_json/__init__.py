"""Answers as JSON has them, for the command line and the page alike; the keys stand in `cli/JSON.md`.

searches      events, fills, what a search came to
candidates    words and letters with their verdicts
explanations  why there is no fill
figures       what grids and fills are like

Each is imported by whoever needs it: most verbs need one.
"""
