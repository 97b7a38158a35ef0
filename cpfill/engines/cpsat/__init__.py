"""The CP-SAT front end. Besides it only cpfill/generate/model.py imports ortools."""
