"""What knows no crossword.

errors               what went wrong, and where: InputError, Fault and the others
ranges, reading      what a number may be; plain data read strictly, and the fields that can be asked for
input_limits         how much any reader takes in
alphabet             letters, and how words are written in them
sources              texts of files, of standard input, and of what comes with cpfill
atomic_files         files saved as a whole, and where a user's own stand
record_files         files of records that grow, one process at a time
record_lines         lines of JSON, and records that say whether they are whole
optional_packages    packages that only some uses need; plots
compiled             kernels, or their twins where nothing was compiled
stop                 tokens that stop a search from another thread
"""
