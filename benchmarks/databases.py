"""Empty databases to measure on: SQLite files in a temporary folder, and a PostgreSQL from the wheel."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ledgertop.config import Config
from tests.postgres import new_database, running_postgres

KINDS = ("SQLite", "PostgreSQL")


@contextmanager
def configured(kind: str) -> Iterator[Config]:
    """The configuration of a service on a database of this kind with nothing in it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = None
        if kind == "PostgreSQL":
            url = stack.enter_context(new_database(stack.enter_context(running_postgres())))
        yield Config(data=folder, database_url=url, redis_url=None, idle_limit=3600, server_key=b"k" * 32)
