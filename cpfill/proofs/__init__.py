"""Proofs that other programs check: written, claimed, verified."""
