from pathlib import Path

import pytest

from tests.cli.running import Ledgertop


@pytest.fixture
def ledgertop(tmp_path: Path) -> Ledgertop:
    return Ledgertop(tmp_path / "data")
