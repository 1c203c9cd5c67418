"""`ledgertop doctor`: whether everything a service needs is there, and what to do where it is not."""

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import click
from msgspec import Struct

from ledgertop.cli.output import json_option, print_json
from ledgertop.cli.settings import settings
from ledgertop.config import Config

if TYPE_CHECKING:
    from services.service import Service

BATCH = 1_000
LITTLE_SPACE, TOO_LITTLE_SPACE = 1 << 30, 200 << 20  # bytes
MUCH_LAG = 1_000  # positions
WAIT_SECONDS = 2.0

Level = Literal["ok", "warning", "fault"]


class Check(Struct, frozen=True):
    """One thing looked at. `detail` explains and says what to do; it holds no secret (P23)."""

    check: str
    level: Level
    detail: str


@click.command()
@json_option
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say whether everything is well, and if not, what to do.

    Looks at Python, data folder, disk, database, Valkey, projections and seeds. Exits with 1 on a fault.
    """
    checks = list(_checks(ctx))
    ok = all(check.level != "fault" for check in checks)
    if as_json:
        print_json({"ok": ok, "checks": checks})
    else:
        for check in checks:
            click.echo(f"{check.level:<8} {check.check}: {check.detail}")
        click.echo("All is well." if ok else "Something is wrong; see above.")
    if not ok:
        ctx.exit(1)


def _checks(ctx: click.Context) -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= (3, 11)
    yield Check(
        "python", "ok" if good else "fault", version if good else f"{version}; 3.11 or newer is needed"
    )
    try:
        config = settings(ctx)
    except click.ClickException as error:
        yield Check("settings", "fault", error.message)
        return
    yield from (_data_folder(config), _disk(config), _valkey(config))
    from ledgertop.cli.settings import opened

    try:
        with opened(config) as service:
            durable = "fsync and synchronous_commit on" if config.database_url else "WAL, synchronous=FULL"
            kind = "PostgreSQL" if config.database_url else "SQLite"
            yield Check("database", "ok", f"{kind}, {durable}, {service.store.head()} is the last position")
            for check in (_projections, _quarantine, _log):
                yield _guarded(check, service)
    except Exception as error:  # noqa: BLE001 - whatever it is, that is what the doctor is asked for
        advice = (
            "check LEDGERTOP_DATABASE_URL and that the server runs"
            if config.database_url
            else "check the files"
        )
        told = str(error) if isinstance(error, RuntimeError) else type(error).__name__
        yield Check("database", "fault", f"{told}; {advice}")


def _guarded(check: Callable[["Service"], Check], service: "Service") -> Check:
    try:
        return check(service)
    except Exception as error:  # noqa: BLE001 - as above
        name = check.__name__.strip("_")
        return Check(
            name, "fault", f"can't be looked at ({type(error).__name__}); `ledgertop migrate` makes tables"
        )


def _data_folder(config: Config) -> Check:
    folder = config.data
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Check("data folder", "fault", f"{folder} can't be written by this user")
    if mode & 0o077:
        return Check("data folder", "warning", f"{folder} is open to other users; chmod 700 closes it")
    key = folder / "server.key"
    if key.exists() and stat.S_IMODE(key.stat().st_mode) & 0o077:
        return Check("data folder", "fault", f"{key} is open to other users; chmod 600 closes it")
    return Check("data folder", "ok", f"{folder} can be written, by its owner only")


def _disk(config: Config) -> Check:
    free = shutil.disk_usage(config.data).free
    level: Level = "fault" if free < TOO_LITTLE_SPACE else "warning" if free < LITTLE_SPACE else "ok"
    return Check("disk space", level, f"{free >> 20:,} MiB free")


def _valkey(config: Config) -> Check:
    import redis

    name = "REDIS_URL" if config.redis_url else "embedded"
    if not config.redis_url and not config.valkey_socket.exists():
        return Check("valkey", "ok", "none configured; `ledgertop serve` starts an embedded one")
    client = redis.Redis.from_url(
        config.queue_url, socket_connect_timeout=WAIT_SECONDS, socket_timeout=WAIT_SECONDS
    )
    try:
        client.ping()
    except redis.RedisError as error:
        if not config.redis_url:
            return Check("valkey", "ok", "the embedded one is not running; `ledgertop serve` starts it")
        told = type(error).__name__
        return Check(
            "valkey",
            "fault",
            f"{name}: no answer ({told}); timed effects wait for the sweeper until it is back",
        )
    finally:
        client.close()
    return Check("valkey", "ok", f"{name} answers")


def _projections(service: "Service") -> Check:
    lag = service.progress.lag()
    told = ", ".join(f"{name} {behind} behind" for name, behind in lag.items())
    if max(lag.values(), default=0) > MUCH_LAG:
        return Check(
            "projections", "warning", f"{told}; is `ledgertop serve` or `ledgertop projector` running?"
        )
    return Check("projections", "ok", told)


def _quarantine(service: "Service") -> Check:
    rows = service.progress.quarantined()
    if not rows:
        return Check("quarantine", "ok", "empty")
    told = "; ".join(f"{row['projection']} leaves out {row['match']} ({row['error']})" for row in rows[:5])
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    return Check("quarantine", "fault", f"{told}{more}; `ledgertop verify MATCH` tells more")


def _log(service: "Service") -> Check:
    """Whether the log can be read, and each running sealed match has the seed it was sealed with."""
    from domain.chance import commitment
    from domain.match import MatchCreated, MatchEnded, begin
    from services.codec import Unreadable
    from services.errors import UnknownGame
    from services.ledger import game_of
    from services.store.port import Damaged, Entry

    sealed: dict[str, Entry] = {}
    damaged = position = 0
    while found := service.store.scan(position, BATCH):
        position = found[-1].position
        for one in found:
            if isinstance(one, Damaged):
                damaged += 1
            elif isinstance(one.entry.event, MatchCreated) and one.entry.event.commitment:
                sealed[one.entry.stream] = one.entry
            elif isinstance(one.entry.event, MatchEnded):
                sealed.pop(one.entry.stream, None)
    bad = []
    for match, first in sealed.items():
        created = first.event
        assert isinstance(created, MatchCreated)
        try:
            seed = service.seeds.of(begin(match, created, game_of(first)))
        except (LookupError, Unreadable, UnknownGame):
            bad.append(match)
        else:
            if commitment(seed) != created.commitment:
                bad.append(match)
    if damaged:
        return Check(
            "log", "fault", f"{damaged} events can't be read; `ledgertop verify --all` names the matches"
        )
    if bad:
        return Check(
            "log", "fault", f"{len(bad)} running matches lack the seed they were sealed with: {bad[0]} …"
        )
    return Check("log", "ok", f"can be read; seeds of running sealed matches: {len(sealed)} of {len(sealed)}")
