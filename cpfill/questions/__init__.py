"""Questions about a problem, and their answers.

request, request_fields   Request: all options of a problem, checked in one place; the table of its fields
api                       solve, events, enumerate_fills, count_fills: the functions of the library
candidates                Candidates: the words and letters that a slot or cell can take, proved
diverse                   several fills that differ; a different fill
compare                   every engine on one problem
estimate, sampling        how many fills to expect
explain/                  why there is no fill
proof/                    proofs that independent checkers verify
stats/                    how good a fill or a grid is
generate/                 new grids
as_json/                  answers as JSON, for the command line and the page
"""
