"""The CP-SAT front end: the only room that imports ortools."""
