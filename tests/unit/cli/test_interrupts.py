"""Interrupts: at once, or at the end of what must not be done by half."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.interrupts import HOLD

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TOUCHED = (*SIGNALS, signal.SIGALRM)


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    before = [signal.getsignal(number) for number in TOUCHED]
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    HOLD.listen()
    yield
    for number, handler in zip(TOUCHED, before, strict=True):
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


@pytest.mark.parametrize("number", SIGNALS)
def test_a_write_that_never_ends_is_not_waited_for(number: signal.Signals) -> None:
    nobody_reads, pipe = os.pipe()
    os.set_blocking(pipe, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(pipe, bytes(1 << 12))
    os.set_blocking(pipe, True)

    def write() -> None:
        with HOLD:
            strike(number)
            os.write(pipe, b"one more")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    os.close(nobody_reads)
    os.close(pipe)


def test_what_runs_under_nohup_goes_on() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    HOLD.listen()
    strike(signal.SIGHUP)


def test_an_error_is_told_before_an_interrupt() -> None:
    def write() -> None:
        with HOLD:
            strike()
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write()
    with HOLD:
        pass
