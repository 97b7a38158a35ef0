"""`python -m cpfill` is the command line."""

from cpfill.cli import main

main()
