"""Compiles the kernels to WebAssembly, for the page that runs without a server. It needs the package `ziglang`.

python .ci/kernel_wasm.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENGINES = Path(__file__).resolve().parent.parent / "cpfill" / "engines"

FLAGS = [
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-msimd128"),
    *("-std=c++20", "-O3", "-DNDEBUG", "-fno-exceptions", "-fno-rtti", "-s", "-Wall", "-Wextra"),
    *("-Wl,--export=__stack_pointer", "-Wl,-z,stack-size=1048576"),
]

if __name__ == "__main__":
    out, source = ENGINES / "kernel.wasm", ENGINES / "toolkit" / "kernel" / "wasm" / "module.cpp"
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *FLAGS, "-o", out, source], check=True)
    out.chmod(0o644)
