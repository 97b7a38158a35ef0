"""What can be asked.

request, request_fields   Request: what is asked, said once and checked once; the table of its fields
api                       solve, events, enumerate_fills, count_fills: what the library asks
candidates                Candidates: what could stand in a slot or a cell, proved
diverse                   several fills that differ; another fill
compare                   every engine on one problem
estimate, sampling        how many fills to expect
explain/                  why there is no fill
proof/                    proofs that others check
stats/                    how good a fill is, and a grid
generate/                 grids
as_json/                  answers as JSON has them, for the command line and the page
"""
