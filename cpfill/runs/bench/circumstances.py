"""The circumstances of a run: versions, revision, compiler, machine and load."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from pathlib import Path

import cpfill
from cpfill.base.errors import EngineUnavailableError
from cpfill.base.imports import load_kernel
from cpfill.engines.mac import KERNEL


@cache
def versions() -> dict[str, str]:
    return {"cpfill": cpfill.__version__, "python": platform.python_version()}


@cache
def revision() -> str:
    """Return git's description of the checkout that cpfill runs from, with `+` if it has changes; else the version."""
    package = Path(cpfill.__file__).resolve().parent
    root = _git(package, "rev-parse", "--show-toplevel")
    described = _git(package, "describe", "--always", "--tags", "--abbrev=12")
    if not root or not described or Path(root[0]).resolve() != package.parent:
        return cpfill.__version__
    changed = _git(package, "status", "--porcelain", "--", str(package))
    name = described[0]
    if changed:
        name += "+"
    return name


@cache
def compiler() -> str:
    """Return the compiler of the kernel; `none` if it was not compiled."""
    try:
        return str(load_kernel(KERNEL).COMPILER)
    except EngineUnavailableError:
        return "none"


def _git(directory: Path, *words: str) -> list[str]:
    """Return the lines that a git command that changes nothing prints, none if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            ["git", "--no-optional-locks", "-C", str(directory), *words],  # noqa: S607 - wherever it is installed
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    if done.returncode != 0:
        return []
    return done.stdout.splitlines()


@cache
def machine() -> dict[str, str | int]:
    return {"cpu": _cpu_model(), "cores": _cores(), "system": f"{platform.system()} {platform.machine()}"}


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return next(iter(names), "unknown")


def system_load() -> float | None:
    """Return the system's recent load average, because other work affects a measurement; `None` if unknown."""
    if not hasattr(os, "getloadavg"):
        return None
    try:
        averages: tuple[float, float, float] = os.getloadavg()
    except OSError:
        return None
    return round(averages[0], 2)
