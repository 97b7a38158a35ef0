"""Many jobs at once: a job is a grid, a list and a seed; its record is a line of JSON.

`plan` makes jobs of what the command line names, `job.answer_job` answers one, `executors` has many answered side by
side, `results` keeps the records.
"""
