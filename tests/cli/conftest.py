from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from cpfill.cli import main
from tests.cli.program import Outcome

if TYPE_CHECKING:
    from tests.cli.program import Run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program in this process: much faster, and engines can be replaced."""

    def run_here(*args: object, stdin: str | bytes = b"") -> Outcome:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["cpfill", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        printed = capsys.readouterr()
        code = stopped.value.code
        assert isinstance(code, int)
        return Outcome(code, printed.out, printed.err)

    return run_here
