"""The options that several engines have. An engine's options are `OPTIONS` of its package: fields, each with a name.

To declare them, a package does not import its search, so that listing options stays fast.
"""

from __future__ import annotations

from functools import cache

from cpfill.base.reading import Field, choice, flag
from cpfill.base.texts import later

TRACE = flag("trace", "report each step of the search", default=False, on_command_line=False)
"""The option of engines that report their work in the steps of `cpfill.problem.event`."""


@cache
def choose_kernel(*kernels: str) -> Field:
    """Return the option that chooses one of an engine's kernels, which `compiled.load_kernel` takes."""
    what = later("a kernel")
    return choice("kernel", "by default the compiled kernel if it was built", what, kernels, on_command_line=False)
