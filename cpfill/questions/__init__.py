"""Questions about a problem, and their answers.

request, request_fields   Request: all options of a problem, checked in one place; the table of its fields
question                  Question, Desk, and the questions by name: what every face asks
solve, count, verdicts, lists, watch   questions; others stand in the folders below
records                   events, fills and results as JSON
api                       solve, events, enumerate_fills, count_fills: the functions of the library
candidates                Candidates: the words and letters that a slot or cell can take, proved
diverse                   several fills that differ; a different fill
compare                   every engine on one problem
estimate, sampling        how many fills to expect
explain/                  why there is no fill
proof/                    proofs that independent checkers verify
stats/                    how good a fill or a grid is
generate/                 new grids
"""
