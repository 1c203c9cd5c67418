"""The canary over the suite's output sings: a run that tells a secret fails (P23)."""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

RUN = "import sys, pytest; from tests.canary import Canary; sys.exit(pytest.main(sys.argv[1:], plugins=[Canary()]))"
TOKEN = "lt_seat_" + 20 * "a1" + "abc"
SEED = "5eed" * 16
KEY = "4e7" * 22


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that this run's own canary doesn't look into."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (f"print('{TOKEN}')", "a seat's token"),
        (f"import logging; logging.error('{TOKEN}')", "a seat's token"),
        (f"(tmp_path / 'serve.log').write_text('at {TOKEN}')", "a seat's token"),
        (f"print('{SEED}')", "a key or a seed"),
        (f"(tmp_path / 'server.key').write_text('{KEY}'); print('{KEY}')", "a key or a seed"),
        ("print('lt_seat_' + 43 * 'x', 'lt_seat_…')", None),
    ],
    ids=["printed", "logged", "in a service's log", "a seed", "a key", "none"],
)
def test_P23_a_test_that_tells_a_secret_makes_the_run_fail(
    elsewhere: Path, line: str, kind: str | None
) -> None:
    base = elsewhere / "base"
    (elsewhere / "house").mkdir()
    with closing(sqlite3.connect(elsewhere / "house" / "tables.sqlite3")) as tables, tables:
        tables.execute("CREATE TABLE seeds (match_id TEXT, seed TEXT)")
        tables.execute("INSERT INTO seeds VALUES ('m_1', ?)", (SEED,))
    keep = f"import shutil; shutil.copytree({str(elsewhere / 'house')!r}, tmp_path / 'data')"
    (elsewhere / "test_it.py").write_text(f"def test_it(tmp_path):\n    {keep}\n    {line}\n")
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            RUN,
            str(elsewhere / "test_it.py"),
            "-q",
            f"--basetemp={base}",
            f"--rootdir={elsewhere}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in run.stdout, run.stdout + run.stderr
    assert (run.returncode, f" holds {kind}" in run.stdout) == ((1, True) if kind else (0, False)), run.stdout
