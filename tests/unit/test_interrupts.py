"""Interrupts: at once, or at the end of what must not be done by half."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.interrupts import HOLD

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    before = [signal.getsignal(number) for number in SIGNALS]
    HOLD.listen()
    yield
    for number, handler in zip(SIGNALS, before, strict=True):
        signal.signal(number, handler)


def strike(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_comes_at_once_and_no_other(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        strike(number)
    for each in SIGNALS:
        strike(each)


@pytest.mark.parametrize("number", SIGNALS)
def test_what_is_held_is_done_first(number: signal.Signals) -> None:
    done = []

    def count_and_write() -> None:
        with HOLD:
            strike(number)
            strike()
            done.append("counted and written")

    with pytest.raises(KeyboardInterrupt):
        count_and_write()
    assert done
    with HOLD:  # it came once, and comes no more
        strike()


def test_an_error_is_told_before_an_interrupt() -> None:
    def write() -> None:
        with HOLD:
            strike()
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write()
    with HOLD:
        pass
