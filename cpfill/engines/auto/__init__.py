"""The portfolio: several engines side by side; the first to decide wins."""
