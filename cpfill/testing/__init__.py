"""Tests for any engine, including those of other packages: the contract, and brute force on random problems.

    CPFILL_ENGINE=myengine pytest --pyargs cpfill.testing

tests only the engine that a package declares by that name; without the variable, all engines of cpfill. Before
the first test, a separate process checks that the engine obeys its limits at all, because an engine that does not would
hang the tests. It has 12 s for this, or `CPFILL_PATIENCE_S`. The tests need pytest and Hypothesis: `pip install
'cpfill[testing]'`.
"""

from __future__ import annotations

from importlib.util import find_spec

for _name in ("pytest", "hypothesis"):
    if find_spec(_name) is None:
        raise ImportError(f"cpfill.testing takes {_name}: pip install 'cpfill[testing]'", name=_name)
