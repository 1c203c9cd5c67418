"""`ledgertop serve`, `api`, `worker`, `projector` and `migrate`: the processes of the service."""

import http.client
import os
import signal
import socket
import threading
import time
from types import FrameType

import click

from ledgertop import lifeline
from ledgertop.cli.output import json_accepted, json_option, print_json
from ledgertop.config import Config

READY_SECONDS = 30.0


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@json_option
@click.pass_obj
def serve(config: Config, host: str, port: int, as_json: bool) -> None:
    """Run the whole service.

    That is HTTP, projections, a worker and, without REDIS_URL, an embedded Valkey. Ctrl-C or SIGTERM stops it.
    """
    from ledgertop.cli.failures import Unavailable
    from ledgertop.supervisor import Child, Supervisor
    from ledgertop.wiring import build
    from workers.embedded import EmbeddedValkey

    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    listener = _listen(host, port)
    build(config, migrate=True).close()
    valkey = None if config.redis_url else EmbeddedValkey.start(config.data / "valkey")
    environment = {
        **os.environ,
        "LEDGERTOP_DATA": str(config.data.absolute()),
        "REDIS_URL": config.redis_url or (valkey.url if valkey else ""),
    }
    supervisor = Supervisor(
        [
            Child("api", ["http", "--fd", str(listener.fileno())], (listener.fileno(),)),
            Child("projector", ["projector"]),
            Child("worker", ["worker"]),
        ],
        environment,
        report=lambda line: click.echo(line, err=True),
        stopping=stopping,
    )

    def tend() -> None:
        try:
            if valkey and valkey.tend():
                click.echo("the embedded Valkey server was gone; starting it again", err=True)
        except OSError as error:
            click.echo(f"the embedded Valkey server can't be started: {error.strerror or error}", err=True)

    silent = threading.Event()

    def announce() -> None:
        if not _announce(host, listener.getsockname()[1], stopping, as_json):
            silent.set()
            stopping.set()

    try:
        supervisor.start()
        threading.Thread(target=announce, name="announce", daemon=True).start()
        supervisor.watch(tend)
    finally:
        supervisor.stop()
        listener.close()
        if valkey:
            valkey.stop()
    if silent.is_set():
        raise Unavailable(f"The service did not answer within {READY_SECONDS:.0f} s; see the log above.")


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
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    lifeline.hold()
    return stopping


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = f"can't listen on {host}:{port}: {error.strerror or error}; `--port 0` takes a free port"
        raise click.ClickException(reason) from None
    listener.set_inheritable(True)
    return listener


def _announce(host: str, port: int, stopping: threading.Event, as_json: bool) -> bool:
    """Say where the service listens, once it answers; False if it does not within READY_SECONDS, nor is stopped."""
    deadline = time.monotonic() + READY_SECONDS
    while not stopping.is_set() and time.monotonic() < deadline:
        connection = http.client.HTTPConnection(_reachable(host), port, timeout=2)
        try:
            connection.request("GET", "/health/ready")
            if connection.getresponse().status == 200:
                _say_where(host, port, as_json)
                return True
        except OSError:
            pass
        finally:
            connection.close()
        stopping.wait(0.05)
    return stopping.is_set()


def _reachable(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def _say_where(host: str, port: int, as_json: bool) -> None:
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if as_json:
        print_json({"listening": url})
    else:
        click.echo(f"Ledgertop is listening on {url}")
