"""The page: a server that answers on the user's own machine, and what it serves."""
