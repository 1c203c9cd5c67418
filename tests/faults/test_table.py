"""docs/faults.md names tests that exist."""

import re

from tests.house import ROOT


def test_every_test_in_the_table_of_faults_exists() -> None:
    table = (ROOT / "docs" / "faults.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", table)
    assert len(named) > 30
    for file, name in named:
        assert f"\ndef {name}(" in (ROOT / file).read_text(), f"{file}::{name}"
    for file in (ROOT / "tests" / "faults").glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)\(", file.read_text(), re.MULTILINE):
            told = name in table or f"tests/faults/{file.name}`" in table or file.name == "test_table.py"
            assert told, f"{file.name}::{name} is not in docs/faults.md"
