"""Settings, from the environment. README.md lists them."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DAY = 86_400


@dataclass(frozen=True)
class Config:
    """Where data lie and how long things take.

    `database_url` is a PostgreSQL URL, or None for SQLite files in `data`; `redis_url` is a Redis or Valkey URL, or
    None for an embedded server that `ledgertop serve` starts; `idle_limit` is seconds until a match is abandoned;
    `access_log` asks for a log line for every request, not only for those refused or failed.
    """

    data: Path
    database_url: str | None
    redis_url: str | None
    idle_limit: int
    server_key: bytes
    access_log: bool = False

    @property
    def valkey_socket(self) -> Path:
        return self.data / "valkey" / "valkey.sock"

    @property
    def queue_url(self) -> str:
        """Where jobs are queued: the configured server, or the embedded one's private socket."""
        return self.redis_url or f"unix://{self.valkey_socket.absolute()}"


class BadSetting(Exception):
    """A setting with a value that can't be used; the message names it."""


def load(data: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """The settings of this process; makes the data folder and the server's key when they are missing."""
    folder = data or Path(environ.get("LEDGERTOP_DATA") or "ledgertop-data")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database_url = environ.get("LEDGERTOP_DATABASE_URL") or None
    if database_url and not database_url.startswith(("postgresql://", "postgres://")):
        raise BadSetting("LEDGERTOP_DATABASE_URL must be a postgresql:// URL, or unset for SQLite.")
    idle = environ.get("LEDGERTOP_IDLE_SECONDS") or str(14 * DAY)
    if not idle.isascii() or not idle.isdigit() or int(idle) < 1:
        raise BadSetting("LEDGERTOP_IDLE_SECONDS must be a whole number of seconds, 1 or more.")
    return Config(
        data=folder,
        database_url=database_url,
        redis_url=environ.get("REDIS_URL") or None,
        idle_limit=int(idle),
        server_key=_server_key(folder, environ.get("LEDGERTOP_SERVER_KEY")),
        access_log=environ.get("LEDGERTOP_ACCESS_LOG") == "1",
    )


def _server_key(folder: Path, given: str | None) -> bytes:
    if given:
        try:
            key = bytes.fromhex(given)
        except ValueError:
            key = b""
        if len(key) < 32:
            raise BadSetting("LEDGERTOP_SERVER_KEY must be at least 32 bytes in hex.")
        return key
    path = folder / "server.key"
    if not path.exists():
        fresh = folder / f"server.key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_hex(32))
        try:
            os.link(fresh, path)  # the first of several processes wins
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return bytes.fromhex(path.read_text().strip())
