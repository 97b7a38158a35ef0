"""Many jobs at once: a job is a grid, a list and a seed; its record is a line of JSON."""
