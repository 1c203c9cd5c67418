from pathlib import Path

import pytest

from tests.cli.running import Ledgertop


@pytest.fixture
def ledgertop(tmp_path: Path) -> Ledgertop:
    return Ledgertop(tmp_path / "data")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Ledgertop:
    """A store that the tests of a module only add to."""
    return Ledgertop(tmp_path_factory.mktemp("cli") / "data")
