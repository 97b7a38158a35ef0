"""The command line: parses and renders, decides nothing."""

from __future__ import annotations

from cpfill.cli.app import main

__all__ = ["main"]
