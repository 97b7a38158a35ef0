"""The build backend: scikit-build-core, and before it the kernels of the tab, as WebAssembly (`kernel_wasm.py`).

These are compiled by the package `ziglang`, which also stands in where a system has no C++20 compiler. So pip installs
cpfill with all its kernels wherever ortools has wheels, for `ziglang` has them there too. It is fetched for the build
alone, and only where it is needed: a source distribution brings the kernels of the tab, and wheels bring both.
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
    return _require(build.get_requires_for_build_sdist, config_settings)


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return the build requirements of a wheel."""
    return _require(build.get_requires_for_build_wheel, config_settings)


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return the build requirements of an editable installation."""
    return _require(build.get_requires_for_build_editable, config_settings)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build a source distribution, and return its name."""
    _make_wasm()
    return build.build_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel, and return its name."""
    _make_wasm()
    _take_ziglang()
    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable installation, and return its name."""
    _make_wasm()
    _take_ziglang()
    return build.build_editable(wheel_directory, config_settings, metadata_directory)


def _require(requires: Callable[[Settings], list[str]], settings: Settings) -> list[str]:
    compiles = _has_compiler()
    if not compiles:
        os.environ["CMAKE_GENERATOR"] = "Ninja"
    return requires(settings) + ([] if compiles and kernel_wasm.is_current() else ["ziglang>=0.15"])


def _make_wasm() -> None:
    """Compile the kernels of the tab if they changed. Without them cpfill installs all the same, and says so."""
    if kernel_wasm.is_current():
        return
    kernel_wasm.OUT.unlink(missing_ok=True)  # of other sources
    try:
        kernel_wasm.compile_kernels()
    except (OSError, subprocess.CalledProcessError) as exc:
        print(f"no kernel.wasm, so cpfill site will refuse: {exc}", file=sys.stderr)


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
