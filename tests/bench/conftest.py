from __future__ import annotations

import pytest

from cpfill.base.errors import CpfillError
from cpfill.cli.bench import bench
from cpfill.cli.verbs import complain
from cpfill.runs.bench import run as running
from tests.bench.support import in_process


class Program:
    """`cpfill bench` in this process, each engine too."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: object) -> int:
        try:
            code = bench([str(word) for word in words], standalone_mode=False)
        except SystemExit as exc:
            code = exc.code
        except CpfillError as exc:
            code = complain(exc)
        captured = self._capsys.readouterr()
        self.out, self.err = captured.out, captured.err
        return int(code or 0)

    @property
    def lines(self) -> list[str]:
        return self.err.splitlines()


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(running.execute, "__defaults__", (in_process,))
    return Program(capsys)
