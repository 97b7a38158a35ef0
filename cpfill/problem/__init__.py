"""What is searched, and what an answer is.

problem       Problem, Objective: a grid, a lexicon, rules and an objective, complete and validated
rules/        Rules: a module a rule, each of which lowers it
constraints   what the rules are lowered to, and all that engines know of them
criteria      Criterion, Value: what is maximised, and how it is told
gains         what words add to a criterion that adds up
limits        Limits, Deadline: when to stop
event         Event: what a search tells; trace, its single steps
fill          Fill: the letters of a grid
check         the audit of a fill, which shares nothing with the engines
result        SolveResult, Status: what the events come to
identity      what tells one problem from another
"""
