"""What the API answers is asked twice: of a service in this process, and of a cluster whose two HTTP processes get
the requests in turn. A test that only the first can answer says why (`in_process`); the reasons are printed.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from services.service import Service
from tests.api.houses import House, Make, house, house_of
from tests.cluster.running import Cluster

OWN_SETTINGS = "has settings of its own"
FOLDER = Path(__file__).parent

once: pytest.StashKey[Counter[str]] = pytest.StashKey()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "home" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("in_process")
        metafunc.parametrize("home", ["process"] if marked else ["process", "cluster"], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Nothing is left out silently: what is asked of one process only has a reason."""
    count = config.stash.setdefault(once, Counter())
    for item in items:
        if FOLDER not in item.path.parents:
            continue
        names = getattr(item, "fixturenames", ())
        if marked := item.get_closest_marker("in_process"):
            (reason,) = marked.args
            count[reason] += 1
        elif "home" not in names and "make" in names:
            count[OWN_SETTINGS] += 1
        elif "home" not in names:
            raise pytest.UsageError(f"{item.nodeid} is not asked of a cluster and does not say why")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if count := config.stash.get(once, None):
        terminalreporter.write_line("tests/api: asked of one process and not of a cluster:")
        for reason, tests in count.most_common():
            terminalreporter.write_line(f"  {tests}: {reason}")


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
def home(request: pytest.FixtureRequest) -> House:
    if request.param == "process":
        make: Make = request.getfixturevalue("make")
        return make()
    cluster: Cluster = request.getfixturevalue("cluster")
    beside: Service = request.getfixturevalue("beside_cluster")
    return house_of(cluster, beside)
