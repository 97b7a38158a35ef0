"""cpfill fills crossword grids by constraint programming, and says what it proved.

```python
import cpfill

print(cpfill.solve(["...##", "....#", ".....", "#....", "##..."], words="en"))
```

`solve`, `events`, `enumerate_fills` and `count_fills` take a grid and what `make_problem` makes a `Problem` of, or a
`Problem`. A `SolveResult` has a `Fill` and what was proved; notebooks draw it.
"""

from __future__ import annotations

import importlib
import sys
import types

TYPE_CHECKING = False  # importing it from `typing` takes longer than all that is done here
if TYPE_CHECKING:
    from cpfill.public import *  # noqa: F403
    from cpfill.public import __all__ as __all__

__version__ = "0.1.0"
__docformat__ = "google"


class _Package(types.ModuleType):
    """This package: its names (`cpfill.public`) are imported when the first of them is asked for.

    The command line asks for none. So it begins sooner, and hears an interrupt from its first milliseconds.
    """

    def __getattr__(self, name: str) -> object:
        if name == "__all__" or not name.startswith("_"):
            public = importlib.import_module("cpfill.public")
            vars(self).update({each: getattr(public, each) for each in ("__all__", *public.__all__)})
            if name in vars(self):
                return vars(self)[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)

    def __dir__(self) -> list[str]:
        """Return the names of the library, those that are not imported yet too, and no room or tool of this module."""
        special = [name for name in vars(self) if name.startswith("__")]
        return special + list(importlib.import_module("cpfill.public").__all__)


sys.modules[__name__].__class__ = _Package
