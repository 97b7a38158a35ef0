"""The portfolio: engines side by side, the first to decide."""
