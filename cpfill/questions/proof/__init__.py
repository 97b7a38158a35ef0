"""Proofs that someone else can check: see `README.md`."""
