"""What can be set about the HTTP surface. docs/limits.md explains each limit."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True)
class Settings:
    """Rates are per client address, as `limits` reads them; `rate_storage` is a Redis URL or None.

    `page` is the folder of the web page; `log` is where log lines go (stderr if None).
    """

    page: Path | None = None
    rate: str = "600000 per minute"  # an endpoint; never hinders 2,000 commands/s
    creation_rate: str = "60000 per minute"  # POST /matches, seats, forks: each of them
    rate_storage: str | None = None
    max_body: int = 64 * 1024  # bytes
    max_streams: int = (
        448  # open at once in one process: threads − 16, so that commands find a thread (trap 14)
    )
    heartbeat: float = 15.0  # seconds between comments on a silent stream
    stream_seconds: float = 3600.0  # after so long a live stream ends and the client resumes it
    catch_up_seconds: float = 2.0  # how long a query waits for the read models to reach `after_position`
    log: BinaryIO | None = None
    access_log: bool = True  # a line for every request, else for those refused or failed
