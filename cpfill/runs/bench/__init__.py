"""Benchmarks: suites of instances, runs in separate processes, reports on their records.

suite.py     TOML file -> Suite: questions, contenders, seeds, limit
peer.py      an outside program as a contender: its command, its dictionaries, its fill found and audited
plan.py      Suite -> the runs in order, each with the key by which a resumed bench recognises it
child.py     one run of an engine, in its own process -> its answer
certify.py   writes and checks the proof of the answer
launcher.py  starts, times and if necessary kills one process; process.py is its other end
run.py       carries out a plan and makes a record of each run
results.py   records as JSON lines: appended safely, read back, repaired
report.py    records -> tables, ratios, disagreements; plot.py draws them
experiment.py  a students' study as a suite: growing lists, box plots, compared with published times
"""
