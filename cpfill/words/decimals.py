"""Numbers in as few digits as tell them from any other."""

from __future__ import annotations


def format_decimal(number: float) -> str:
    """Return a number in as few digits as tell it from any other."""
    return str(int(number)) if float(number).is_integer() else repr(number)


def count_decimals(score: float) -> int:
    """Return how many decimals a number has when it is written in as few digits as tell it from any other."""
    from decimal import Decimal  # noqa: PLC0415 - slow to import, and only sums need it

    exponent = Decimal(repr(score)).as_tuple().exponent
    return 0 if score.is_integer() or not isinstance(exponent, int) else -exponent
