"""Compiles the kernels to WebAssembly, for the page that runs without a server.

pip install ziglang && python .ci/kernel_wasm.py

A source distribution and an installation for development do this themselves (`build_backend.py`). After a plain
installation from a checkout, run this and install again.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENGINES = Path(__file__).resolve().parent.parent / "cpfill" / "engines"
OUT = ENGINES / "kernel.wasm"

FLAGS = [
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-msimd128"),
    *("-std=c++20", "-O3", "-DNDEBUG", "-fno-exceptions", "-fno-rtti", "-s", "-Wall", "-Wextra"),
    *("-Wl,--export=__stack_pointer", "-Wl,-z,stack-size=1048576"),
]


def is_current() -> bool:
    """Return whether the module is as new as its sources; in a source distribution all files have the same age."""
    sources = [Path(__file__), *ENGINES.parent.rglob("*.[ch]pp")]
    return OUT.is_file() and OUT.stat().st_mtime >= max(each.stat().st_mtime for each in sources)


def compile_kernels() -> None:
    source = ENGINES / "toolkit" / "kernel" / "wasm" / "module.cpp"
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *FLAGS, "-o", OUT, source], check=True)
    OUT.chmod(0o644)


if __name__ == "__main__":
    compile_kernels()
