"""Problems and answers.

problem       Problem, Objective: a grid, a lexicon, rules and an objective, complete and validated
rules/        Rules: one module per rule, which lowers it to constraints
constraints   the constraints, which are all that engines know of the rules
criteria      Criterion, Value: what is maximised, and how values are written
gains         the whole numbers that words add to an additive criterion
limits        Limits, Deadline: when to stop
event         Event: the reports of a search; trace has its single steps
fill          Fill: the letters of a grid
check         the audit of a fill, which shares no code with the engines
result        SolveResult, Status: the summary of all events
identity      digests that distinguish one problem from another
"""
