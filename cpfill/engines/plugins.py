"""Engines of other packages: entry points of the group `cpfill.engines`, looked up if cpfill has no engine of a name.

A faulty one produces a one-line message, and only when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Container
    from importlib.metadata import EntryPoint

    from cpfill.engines.contract import Engine

GROUP = "cpfill.engines"


class Plugin(NamedTuple):
    """An engine of another package: its entry point, the package with its version, and why it is refused, if so."""

    entry: EntryPoint
    package: str
    refused: Fault | None = None

    def load(self) -> type[Engine]:
        """Return the class of the engine.

        Raises:
            InputError: its name is refused, its module cannot be imported, or the object is not an engine of that name.
        """
        if self.refused:
            raise InputError(self.refused)
        expected = f"an engine {self.entry.name} in {self.entry.value}, which {self.package} declares"
        try:
            found: Any = self.entry.load()
        except Exception as exc:  # noqa: BLE001 - whatever the import of another package raises
            raise InputError(Fault(expected, f"{type(exc).__name__}: {exc}")) from None
        lacking = [name for name in ("name", "features", "search") if not hasattr(found, name)]
        if lacking:
            raise InputError(Fault(expected, say("no class with {lacking}", lacking=", ".join(lacking))))
        if found.name != self.entry.name:
            raise InputError(Fault(expected, say("the name {name!r}", name=found.name)))
        return cast("type[Engine]", found)


def list_plugins(taken: Container[str]) -> dict[str, Plugin]:
    """Return the engines that installed packages declare, by name; refuse a name that is taken or declared twice.

    The key of an engine whose name is taken is that name with its package, so that it does not hide another engine.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and our own engines need none of it

    found: dict[str, Plugin] = {}
    entries = entry_points(group=GROUP)
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        name, package = entry.name, f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package"
        if name in taken:
            refused = Fault(
                say("a name that is free for the engine of {package}", package=package),
                say("{name}, which is cpfill's", name=name),
            )
            found[f"{name} of {package}"] = Plugin(entry, package, refused)
        elif len({each.value for each in entries if each.name == name}) > 1:
            found[name] = Plugin(
                entry, package, Fault(say("one package that has an engine {name}", name=name), say("several"))
            )
        else:
            found[name] = Plugin(entry, package)
    return found


def find_package(engine: type[Engine]) -> str:
    """Return the package of an engine with its version, or the module of a class that no package declares."""
    if engine.__module__.startswith("cpfill."):
        return "cpfill"
    for plugin in list_plugins(()).values():
        if plugin.entry.name == engine.name and _find_top(plugin.entry.module) == _find_top(engine.__module__):
            return plugin.package
    return say("the module {module}", module=engine.__module__)


def _find_top(module: str) -> str:
    return module.partition(".")[0]
