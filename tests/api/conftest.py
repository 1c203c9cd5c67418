from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.api.houses import House, Make, house


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes houses, each in a folder of its own."""
    with ExitStack() as stack:
        count = 0

        def another(**settings: Any) -> House:
            nonlocal count
            count += 1
            return stack.enter_context(house(tmp_path / str(count), **settings))

        yield another


@pytest.fixture
def home(make: Make) -> House:
    return make()
