"""The build backend: scikit-build-core, and the kernels of the tab as WebAssembly (`kernel_wasm.py`).

A source distribution and an installation for development compile the kernels of the tab, by the package `ziglang`. A
plain installation from a checkout leaves them out: no command but `cpfill site` needs them, and `ziglang` is a download
of 100 MB. A wheel holds the kernels of the tab if its sources bring them, as those of a source distribution do.

`ziglang` also compiles the kernels of Python where a system has no C++20 compiler. So pip installs cpfill with compiled
kernels wherever ortools has wheels, for `ziglang` has them there too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import kernel_wasm
from scikit_build_core import build

if TYPE_CHECKING:
    from collections.abc import Callable

    Settings = dict[str, str | list[str]] | None

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

_TRIED = b"#include <bit>\n#include <concepts>\nint main() { return std::popcount(0u); }\n"


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Return the build requirements of a source distribution."""
    return _require(build.get_requires_for_build_sdist, config_settings, with_wasm=True)


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return the build requirements of a wheel."""
    return _require(build.get_requires_for_build_wheel, config_settings, with_wasm=False)


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return the build requirements of an editable installation."""
    return _require(build.get_requires_for_build_editable, config_settings, with_wasm=True)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build a source distribution, and return its name."""
    _make_wasm()
    return build.build_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel, and return its name."""
    _drop_stale_wasm()
    _take_ziglang()
    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable installation, and return its name."""
    _make_wasm()
    _take_ziglang()
    return build.build_editable(wheel_directory, config_settings, metadata_directory)


def _require(requires: Callable[[Settings], list[str]], settings: Settings, *, with_wasm: bool) -> list[str]:
    compiles = _has_compiler()
    if not compiles:
        os.environ["CMAKE_GENERATOR"] = "Ninja"
    needed = requires(settings)
    if not compiles or (with_wasm and not kernel_wasm.is_current()):
        needed.append("ziglang>=0.15")
    return needed


def _drop_stale_wasm() -> None:
    """Remove the kernels of the tab if their sources changed since."""
    if not kernel_wasm.is_current():
        kernel_wasm.OUT.unlink(missing_ok=True)


def _make_wasm() -> None:
    """Compile the kernels of the tab if their sources changed. If that fails, cpfill installs without them."""
    if kernel_wasm.is_current():
        return
    _drop_stale_wasm()
    try:
        kernel_wasm.compile_kernels()
    except (OSError, subprocess.CalledProcessError) as exc:
        print(f"kernel.wasm was not built, so cpfill site will refuse: {exc}", file=sys.stderr)


def _take_ziglang() -> None:
    """Let CMake compile with ziglang, where that is the only compiler of C++20."""
    spec = find_spec("ziglang")
    if _has_compiler() or spec is None or not spec.submodule_search_locations:
        return
    zig = Path(spec.submodule_search_locations[0]) / ("zig.exe" if sys.platform == "win32" else "zig")
    # The wheel may run on another machine: pip caches wheels, and home directories are shared.
    os.environ |= {"CMAKE_GENERATOR": "Ninja", "CXX": f'"{zig}" c++ -mcpu=baseline'}


def _has_compiler() -> bool:
    if os.environ.get("CXX"):  # the user's own choice is not checked
        return True
    if sys.platform == "win32":
        programs = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)"))
        return (programs / "Microsoft Visual Studio" / "Installer" / "vswhere.exe").is_file()
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        return False
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=_TRIED, capture_output=True, check=False).returncode == 0
