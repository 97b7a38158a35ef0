"""The packaged word lists and their licences."""
