"""The program in Pythons that lack what Windows lacks; locks by the bytes of a file, as Windows has them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cpfill.runs.bench import launcher
from cpfill.web.files import _NO_NAME_OF_WINDOWS
from tests.bench.support import TINY as SUITE
from tests.cli.program import COMMAND, INSTANCES, ROOT, TINY, Outcome, environment, program
from tests.web.test_serve import ADDRESS

HERE = str(Path(__file__).parent)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="byte ranges are locked as Linux locks them")


def elsewhere(*args: object, cwd: Path | None = None) -> Outcome:
    return program(*args, **({"cwd": cwd} if cwd else {}), PYTHONPATH=HERE)  # type: ignore[arg-type]


def there() -> dict[str, str]:
    """Return the environment of such a Python. Hypothesis loads no plugins: that of trio takes what lacks."""
    return {**environment(), "PYTHONPATH": HERE, "HYPOTHESIS_NO_PLUGINS": "1"}


def run(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, args)]
    done = subprocess.run(command, env=there(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_every_module_is_imported_without_what_windows_lacks() -> None:
    done = run("""
import importlib, os, pkgutil, sys
import cpfill
assert sys.modules["fcntl"] is sys.modules["resource"] is None and not hasattr(os, "killpg")
apart = ("__main__", "launcher")  # programs
names = [found.name for found in pkgutil.walk_packages(cpfill.__path__, "cpfill.")]
for name in names:
    if not name.endswith(apart):
        importlib.import_module(name)
print(len(names))
""")
    assert int(done.stdout) > 100


def test_what_is_tested_on_windows_is_imported_there() -> None:
    tested = re.search(r"run: pytest (.*tests/conformance.*)", (ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert tested
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", *tested[1].split()]
    done = subprocess.run(command, cwd=ROOT, env=there(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_command_line_answers_there(tmp_path: Path) -> None:
    assert elsewhere("--help").code == 0
    square, words = TINY / "square.txt", TINY / "three.words.txt"
    fill = tmp_path / "fill.txt"
    assert elsewhere("solve", square, "-w", words, "-o", fill).code == 0
    assert elsewhere("check", square, fill, "-w", words).code == 0
    assert elsewhere("words", "ban", "ern", "--personal", tmp_path / "mine.txt").code == 0
    assert "ern" in (tmp_path / "mine.txt").read_text("utf-8").lower()


def test_a_batch_goes_on_there(tmp_path: Path) -> None:
    jobs, results = tmp_path / "jobs.jsonl", tmp_path / "results.jsonl"
    lines = [json.dumps({"id": seed, "grid": str(TINY / "square.txt"), "seed": seed}) for seed in range(4)]
    jobs.write_text("\n".join(lines[:2]) + "\n", "utf-8")
    command = ("batch", jobs, "-w", TINY / "three.words.txt", "-j", 2, "-o", results)
    assert elsewhere(*command).code == 0
    before = results.read_bytes()
    jobs.write_text("\n".join(lines) + "\n", "utf-8")
    assert elsewhere(*command).code == 0
    assert results.read_bytes().startswith(before)
    assert len(results.read_bytes().splitlines()) == 4


def test_a_count_resumes_there(tmp_path: Path) -> None:
    command = ("count", INSTANCES / "remy" / "example.txt", "-w", INSTANCES / "remy" / "words.txt", "--repeats")
    counts = [elsewhere(*command, "--resume", tmp_path / "journal").out for _ in range(2)]
    assert counts[0] == counts[1] == program(*command).out


def test_a_bench_runs_there(tmp_path: Path) -> None:
    suite, results = tmp_path / "suite.toml", tmp_path / "results.jsonl"
    suite.write_text(SUITE.partition("[[engines]]\nlabel")[0], "utf-8")
    done = elsewhere("bench", "run", suite, "-o", results)
    assert done.code == 0, done.err
    assert elsewhere("bench", "report", results).code == 0


def test_the_page_is_served_there(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", str(tmp_path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=there()) as process:
        try:
            assert process.stdout
            assert ADDRESS.fullmatch(process.stdout.readline())
        finally:
            process.terminate()


HOLDER = """
import os, sys
from cpfill.base.files import open_handle, try_lock
handle = open_handle(sys.argv[1], os.O_RDWR)
try_lock(handle)
os.write(1, b"locked\\n")
os.read(0, 1)
"""
TRIER = """
import os, sys
from cpfill.base.files import open_handle, try_lock
handle = open_handle(sys.argv[1], os.O_RDWR)
print(os.read(handle, 9).decode())
try:
    try_lock(handle)
except OSError:
    print("held", os.lseek(handle, 0, os.SEEK_CUR))
else:
    print("free")
"""


def test_bytes_are_locked_till_the_process_dies(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(b"readable")
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=there()) as holder:
        try:
            assert holder.stdout
            assert holder.stdout.readline() == b"locked\n"
            assert run(TRIER, path).stdout == "readable\nheld 8\n"
        finally:
            holder.kill()
    assert run(TRIER, path).stdout == "readable\nfree\n"
    assert path.read_bytes() == b"readable"


def test_changes_of_a_file_wait_for_one_another(tmp_path: Path) -> None:
    path = tmp_path / "sum"
    path.write_bytes(b"0")
    code = """
import sys
from pathlib import Path
from cpfill.base.files import locked, save
path = Path(sys.argv[1])
for _ in range(50):
    with locked(path):
        save(path, b"%d" % (int(path.read_bytes()) + 1))
"""
    command = [sys.executable, "-c", code, str(path)]
    adding = [subprocess.Popen(command, env=there()) for _ in range(3)]
    assert [process.wait() for process in adding] == [0, 0, 0]
    assert path.read_bytes() == b"150"


WRONG_NAMES = ["C:day.ipuz", "day.ipuz:more", "day.ipuz.", "day ", "aux", "NUL.ipuz", "com1.x", "a?b"]
NAMES = ["day.ipuz", "auxiliary.ipuz", "nullable", "com.ipuz", "a day.puz", "éa.txt", "1.txt"]


def test_names_that_windows_refuses_are_known() -> None:
    assert list(filter(_NO_NAME_OF_WINDOWS.fullmatch, [*WRONG_NAMES, *NAMES])) == WRONG_NAMES


RUN = "import runpy, sys\nrunpy.run_path(sys.argv[1], None, '__main__')"
BEGIN = "import subprocess, sys, time; subprocess.Popen(['sleep', '60']); sum(range(10**6)); print('begun')"


@pytest.mark.parametrize("code", [RUN, f"import os\ndel os.waitid\n{RUN}"], ids=["waits", "cannot wait"])
@pytest.mark.parametrize(
    ("end", "timeout_s", "exit_code"), [("time.sleep(60)", 2, -9), ("sys.exit(3)", 60, 3)], ids=["hangs", "ends"]
)
def test_a_process_is_measured_and_killed(code: str, end: str, timeout_s: int, exit_code: int, tmp_path: Path) -> None:
    order = {
        "argv": [sys.executable, "-c", f"{BEGIN}; {end}"],
        "timeout_s": timeout_s,
        "stdout": str(tmp_path / "out"),
        "stderr": str(tmp_path / "err"),
    }
    command = [sys.executable, "-c", code, launcher.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.flush()
        report = json.loads(process.stdout.readline())
    assert (tmp_path / "err").read_bytes() == b""
    assert (report["exit_code"], report["timed_out"]) == (exit_code, exit_code == -9)
    assert report["cpu_s"] > 0
    assert report["peak_kb"] > 1000
