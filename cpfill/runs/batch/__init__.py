"""Many jobs at once: a job is a grid, a list and a seed; its record is a line of JSON.

`plan` makes jobs from the command line, `job.answer_job` answers one, `executors` answers many in parallel, `results`
keeps the records.
"""
