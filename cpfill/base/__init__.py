"""Modules that know nothing of crosswords.

errors               exceptions: InputError, Fault and the others
ranges, reading      the range of each number; strict readers of plain data, and fields of requests
input_limits         the most that any reader accepts
alphabet             letters, and how words are folded onto them
sources              text from files and from standard input
system               functions that differ between operating systems
atomic_files         files saved whole or not at all; the directories of a user's own files
record_files         files of records that grow, written by one process at a time
record_lines         lines of JSON, and records with a checksum
optional_packages    packages that only some features need
plots                figures drawn with matplotlib
compiled             compiled kernels, or their Python twins
stop                 tokens that stop a search from another thread
"""
