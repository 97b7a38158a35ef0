"""Compiles the kernel to WebAssembly, for Pyodide. It needs the package `ziglang`.

python cpfill/engines/mac/kernel/wasm/build.py [OUT]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent.parent / "kernel.wasm"
"""Where `wasm_in_pyodide.py` looks for it."""

FLAGS = [
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-msimd128"),
    *("-std=c++20", "-O3", "-DNDEBUG", "-fno-exceptions", "-fno-rtti", "-s", "-Wall", "-Wextra"),
    *("-Wl,--export=__stack_pointer", "-Wl,-z,stack-size=1048576"),
]


def build(out: Path = OUT) -> None:
    """Compile the kernel, and write its module.

    Raises:
        subprocess.CalledProcessError: it does not compile.
    """
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *FLAGS, "-o", out, HERE / "module.cpp"], check=True)
    out.chmod(0o644)


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
