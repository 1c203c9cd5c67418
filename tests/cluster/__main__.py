"""`python -m tests.cluster`: two HTTP processes, two workers, two projectors on one PostgreSQL and one Valkey.

They are wired and watched as those of `ledgertop serve`. The HTTP processes take free ports; for each a line says
where it listens. PostgreSQL is that of LEDGERTOP_DATABASE_URL, else one from the wheel whose data go when it ends;
Valkey is that of REDIS_URL, else an embedded one. Ctrl-C or SIGTERM stops it all.
"""

import argparse
import os
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import click

from ledgertop import processes
from ledgertop.config import BadSetting, load
from tests.postgres import new_database, running_postgres

HOST = "127.0.0.1"
COPIES = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder for the server's key and Valkey's data")
    given = parser.parse_args()
    stopping = processes.stopped_by_signals()
    failed = threading.Event()
    with ExitStack() as stack:
        url = os.environ.get("LEDGERTOP_DATABASE_URL")
        if not url:
            url = stack.enter_context(new_database(stack.enter_context(running_postgres())))
        folder = given.data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ledgertop-")))
        try:
            config = load(folder, os.environ | {"LEDGERTOP_DATABASE_URL": url})
        except BadSetting as wrong:
            parser.error(str(wrong))
        listeners = [processes.listen(HOST, 0) for _ in range(COPIES)]
        ports = [listener.getsockname()[1] for listener in listeners]

        def announce() -> None:
            silent = [port for port in ports if not processes.answers(HOST, port, stopping)]
            if silent and not stopping.is_set():
                failed.set()
                stopping.set()
            for port in () if silent else ports:
                click.echo(f"Ledgertop is listening on http://{HOST}:{port}")

        def report(line: str) -> None:
            click.echo(line, err=True)

        processes.run_all(
            config, listeners, copies=COPIES, started=announce, report=report, stopping=stopping
        )
    if failed.is_set():
        click.echo("The cluster did not answer in time; see the log above.", err=True)
    return int(failed.is_set())


if __name__ == "__main__":
    sys.exit(main())
