"""Answers as JSON, for the command line and the page; `cli/JSON.md` documents the keys.

searches      events, fills and results of searches
candidates    words and letters with their verdicts
explanations  why there is no fill
figures       figures of grids and fills

Import each module only where it is needed: most verbs need one.
"""
