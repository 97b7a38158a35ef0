"""Numbers written with the fewest digits that identify them."""

from __future__ import annotations


def format_decimal(number: float) -> str:
    """Return a number with the fewest digits that identify it."""
    return str(int(number)) if float(number).is_integer() else repr(number)


def count_decimals(score: float) -> int:
    """Return the number of decimals that `format_decimal` writes for a number."""
    from decimal import Decimal  # noqa: PLC0415 - slow to import, and only sums need it

    exponent = Decimal(repr(score)).as_tuple().exponent
    return 0 if score.is_integer() or not isinstance(exponent, int) else -exponent
