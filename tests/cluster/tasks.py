"""What workers of the cluster are asked in the tests; it stands alone, for they import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpfill.engines.cluster import Stopped


def halve(common: int, item: int, stopped: Stopped) -> int:
    assert not stopped()
    return common // item
