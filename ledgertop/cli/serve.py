"""`ledgertop serve`, `api`, `worker`, `projector` and `migrate`: the processes of the service."""

import socket
import threading

import click

from ledgertop import lifeline, processes
from ledgertop.cli.output import json_accepted, json_option, print_json
from ledgertop.config import Config


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@click.option(
    "--processes",
    "number",
    default=1,
    show_default=True,
    type=click.IntRange(1, 16),
    help="HTTP processes on that port.",
)
@json_option
@click.pass_obj
def serve(config: Config, host: str, port: int, number: int, as_json: bool) -> None:
    """Run the whole service.

    That is HTTP, projections, a worker and, without REDIS_URL, an embedded Valkey. Ctrl-C or SIGTERM stops it.

    A second HTTP process carries out more commands a second where there are processors for both; one alone
    answers each sooner.
    """
    from ledgertop.cli.failures import Unavailable

    stopping = processes.stopped_by_signals()
    listener = _listen(host, port)
    silent = threading.Event()

    def announce() -> None:
        port = listener.getsockname()[1]
        if processes.answers(host, port, stopping):
            _say_where(host, port, as_json)
        elif not stopping.is_set():
            silent.set()
            stopping.set()

    def report(line: str) -> None:
        click.echo(line, err=True)

    processes.run_all(
        config, [listener] * number, copies=1, started=announce, report=report, stopping=stopping
    )
    if silent.is_set():
        raise Unavailable(
            f"The service did not answer within {processes.READY_SECONDS:.0f} s; see the log above."
        )


@click.command()
@json_accepted
@click.pass_obj
def worker(config: Config) -> None:
    """Run one worker of the job queue.

    The sweeper, which finds what is due though its job was lost, runs beside it.
    """
    from ledgertop.wiring import build, queue_seal
    from workers.nudge import Nudger
    from workers.run import run_worker

    seal = queue_seal(config)
    service = build(config, nudge=Nudger(config.queue_url, seal))
    try:
        run_worker(service, config.queue_url, _stopped_by_signal(), seal)
    finally:
        service.close()


@click.command()
@json_accepted
@click.pass_obj
def projector(config: Config) -> None:
    """Run the projections alone: read models fed from the log."""
    from ledgertop.wiring import open_read_side, open_store

    stopping = _stopped_by_signal()
    store = open_store(config)
    try:
        open_read_side(config, store).run(stopping)
    finally:
        store.close()


@click.command(hidden=True)
@click.option("--fd", required=True, type=int, help="Descriptor of the listening socket.")
@click.pass_obj
def http_(config: Config, fd: int) -> None:
    """Run the HTTP server on an inherited socket."""
    from ledgertop.server import Server

    lifeline.hold()
    Server(config, fd).run()


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@json_option
@click.pass_obj
def api(config: Config, host: str, port: int, as_json: bool) -> None:
    """Run the HTTP server alone."""
    from ledgertop.server import Server

    listener = _listen(host, port)
    _say_where(host, listener.getsockname()[1], as_json)
    Server(config, listener.fileno()).run()


@click.command()
@json_option
@click.pass_obj
def migrate(config: Config, as_json: bool) -> None:
    """Create the tables or bring them up to date.

    Run it once before the processes of a new version start.
    """
    from ledgertop.wiring import build

    build(config, migrate=True).close()
    if as_json:
        print_json({"migrated": True})
    else:
        click.echo("The tables are up to date.")


def _stopped_by_signal() -> threading.Event:
    stopping = processes.stopped_by_signals()
    lifeline.hold()
    return stopping


def _listen(host: str, port: int) -> socket.socket:
    try:
        return processes.listen(host, port)
    except OSError as error:
        reason = f"can't listen on {host}:{port}: {error.strerror or error}; `--port 0` takes a free port"
        raise click.ClickException(reason) from None


def _say_where(host: str, port: int, as_json: bool) -> None:
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if as_json:
        print_json({"listening": url})
    else:
        click.echo(f"Ledgertop is listening on {url}")
