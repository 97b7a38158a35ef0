"""Benchmarks: suites of instances, runs each in a process of its own, reports over what they recorded.

suite.py     TOML file -> Suite: questions, contenders, seeds, limit
peer.py      an outside program as a contender: its command, its dictionaries, its fill found and audited
plan.py      Suite -> the runs in their order, each with the key by which a resumed run knows it
child.py     one run of an engine, in a process of its own -> what it answered
certify.py   the proof of that, written and checked
launcher.py  starts, times and if need be kills one process; process.py is its other end
run.py       carries out a plan and makes a record of each run
results.py   records as JSON lines: appended safely, read back, mended
report.py    records -> tables, ratios, disagreements; plot.py draws them
experiment.py  a students' study as a suite: growing lists, box plots, what was published beside it
"""
