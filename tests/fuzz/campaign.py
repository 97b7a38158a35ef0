"""One run of the fuzzer: inputs made from a seed, each put to a target, and what fails kept and made small."""

from __future__ import annotations

import shlex
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from cpfill.base.errors import InputError
from tests.fuzz.ceilings import CPU_S, MEMORY_BYTES, ceilings, check_refusal
from tests.fuzz.mutations import mutated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

INPUTS = 40
"""For a target, in a run that is not given seconds."""

_SHRINKING_S = 20.0
"""How long smaller inputs are looked for that fail alike."""


@dataclass(frozen=True)
class Target:
    """What inputs are put to.

    Attributes:
        name: what it is called in the reports.
        file: the name that inputs have; a reader may go by the suffix.
        seeds: sound files, or nearly, to start from.
        read: reads an input at a path and checks what it read; raises InputError where it refuses it.
        make: makes an input, in place of damage to the seeds.
        inputs: how many are made in a run that is not given seconds.
        cpu_s: the seconds that one may take.
        memory_bytes: the memory that one may take.
    """

    name: str
    file: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[Path], object]
    make: Callable[[Random], bytes] | None = None
    inputs: int = INPUTS
    cpu_s: float = CPU_S
    memory_bytes: int = MEMORY_BYTES


@dataclass(frozen=True)
class Campaign:
    """A run over one target.

    Attributes:
        seed: makes the inputs, together with the name of the target and a number from 0.
        seconds: how long it goes on; `None` for `INPUTS` inputs.
        replayed: the one input to put to the target instead.
        foreign: files of any kind.
        directory: where inputs stand while they are read.
        again: the test, as pytest names it.
    """

    seed: int
    seconds: float | None
    replayed: bytes | None
    foreign: Sequence[bytes]
    directory: Path
    again: str

    def run(self, target: Target) -> None:
        """Put the inputs to a target.

        Raises:
            BaseException: what it raised that is no refusal; a note says how to have it again.
        """
        path, number = self.directory / target.file, 0
        for number, data in self._inputs(target):
            try:
                _put(target, path, data)
            except BaseException as error:
                if not isinstance(error, KeyboardInterrupt):
                    error.add_note(self._note(target, number, data, type(error)))
                raise
        print(f"{target.name}: {number + 1} inputs")

    def rounds(self, usual: int) -> Iterator[int]:
        """Yield the numbers of rounds from 0, until the seconds are over; without these, as many as is usual."""
        end_s, number = time.monotonic() + (self.seconds or 0.0), 0
        while number < usual if self.seconds is None else time.monotonic() < end_s:
            yield number
            number += 1

    def _inputs(self, target: Target) -> Iterator[tuple[int, bytes]]:
        """Yield the seeds themselves, then what is made of them."""
        if self.replayed is not None:
            yield 0, self.replayed
            return
        seeds = target.seeds()
        yield from enumerate(seeds)
        make = target.make or partial(mutated, seeds, self.foreign)
        for number in self.rounds(target.inputs):
            yield len(seeds) + number, make(Random(f"{self.seed} {target.name} {number}"))

    def _note(self, target: Target, number: int, data: bytes, kind: type[BaseException]) -> str:
        kept = Path(mkdtemp(prefix="cpfill-fuzz-"))  # the directories of tests are soon taken away
        whole, small = (kept / f"{name}-{target.file}" for name in ("whole", "small"))
        whole.write_bytes(data)
        small.write_bytes(_shrunk(target, self.directory / target.file, data, kind))
        return (
            f"input {number} of {target.name} under --fuzz-seed {self.seed} is in {whole}\n"
            f"a smaller one that fails alike ({small.stat().st_size} bytes of {len(data)}) is in {small}\n"
            f"again: pytest -n0 {shlex.quote(self.again)} --fuzz-input {small}"
        )


def _put(target: Target, path: Path, data: bytes) -> None:
    """Put an input to a target: it ends, within the ceilings, with what it read, or a refusal that can be read."""
    path.write_bytes(data)
    refusal = None
    try:
        with ceilings(target.cpu_s, target.memory_bytes):
            target.read(path)
    except InputError as error:
        refusal = f"{error}"
    if refusal is not None:
        check_refusal(refusal, str(path), str(path.parent))


def _shrunk(target: Target, path: Path, data: bytes, kind: type[BaseException]) -> bytes:
    """Return what is left of an input when pieces are taken out, long ones first, for as long as it fails alike."""
    end_s, size = time.monotonic() + _SHRINKING_S, len(data) // 2
    while size:
        place = 0
        while place < len(data) and time.monotonic() < end_s:
            less = data[:place] + data[place + size :]
            failed: BaseException | None = None
            try:
                _put(target, path, less)
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is looked at
                failed = error
            if type(failed) is kind:
                data = less
            else:
                place += size
        size //= 2
    with suppress(OSError):
        path.unlink()
    return data
