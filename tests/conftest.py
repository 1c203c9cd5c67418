import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from ledgertop.wiring import build
from services.service import Service
from tests.canary import Canary
from tests.cluster.running import Cluster, clustered
from tests.house import House, open_house
from tests.postgres import new_database, running_postgres
from workers.embedded import embedded_valkey
from workers.jobs import connect


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Canary())


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server: TEST_POSTGRES_DSN, or one from the wheel for this run."""
    given = os.environ.get("TEST_POSTGRES_DSN")
    if given:
        yield given
        return
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """A database of this run."""
    with new_database(postgres_server) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """The database with nothing in it, and nobody else connected."""
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_database


@pytest.fixture(scope="session")
def cluster(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two of each process of the service on one database, for all tests of this run that end none of them."""
    with new_database(postgres_server) as url, clustered(tmp_path_factory.mktemp("cluster"), url) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def beside_cluster(cluster: Cluster) -> Iterator[Service]:
    """A service of the tests' own process on the cluster's database: it sees what all others did."""
    with closing(build(cluster.config)) as service:
        yield service


class Lies(logging.Handler):
    """What was logged of snapshots that tell something else than their events, or that could not be made."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage())


@pytest.fixture(autouse=True)
def lies(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every history that rests on a snapshot is held against its whole stream; a test that finds a lie fails."""
    monkeypatch.setattr("services.ledger.CHECK_EACH", 1)
    handler = Lies()
    logger = logging.getLogger("ledgertop.snapshots")
    logger.addHandler(handler)
    yield handler.told
    logger.removeHandler(handler)
    assert not handler.told


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """The database under test: None for SQLite."""
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


@pytest.fixture
def house(tmp_path: Path, database_url: str | None) -> Iterator[House]:
    """A whole service on either database, with a clock that stands still."""
    with ExitStack() as stack:
        yield open_house(stack, tmp_path, database_url)


@pytest.fixture
def sqlite_house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        yield open_house(stack, tmp_path, None)


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="ledgertop-valkey-"))
    with embedded_valkey(folder) as url:
        yield url
    shutil.rmtree(folder)


@pytest.fixture
def valkey(valkey_server: str) -> str:
    """The URL of a Valkey server with nothing in it."""
    client = connect(valkey_server, timeout=5)
    client.flushall()
    client.close()
    return valkey_server
