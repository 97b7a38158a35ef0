"""The page, and the server that runs on the user's own machine."""
