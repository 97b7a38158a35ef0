"""The packaged word lists, their licences, and how each was derived."""
