"""An HTTP server process: gunicorn with one worker and many threads, on a socket its parent bound."""

import errno
import gc
import os
import signal
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.util import write_nonblock
from gunicorn.workers.gthread import ThreadWorker
from prometheus_client.multiprocess import mark_process_dead

from ledgertop.config import Config

THREADS = 512
STREAMS = THREADS - 64  # what is left answers commands while all streams are taken (trap 14)
CONNECTIONS = 2_048
READ_SECONDS = 5.0  # for a whole request to arrive
LINGER_SECONDS = 0.2  # a thread waits for the connection's next request
STAYING = 32  # threads that do so at once; more would leave gunicorn's own thread no turn (P21)
PIECE = 8_192  # bytes read at once
WRITE_SECONDS = 15.0  # for a piece of an answer to be taken
GRACE_SECONDS = 2


class Impatient(socket.socket):
    """A connection that holds a thread for a bounded time only (P21): until `deadline` for a whole request to come,
    for WRITE_SECONDS while its other side takes nothing.

    The kernel watches the time of each call, and a timeout that somebody sets takes effect with the next call: setting
    it at once, as gunicorn does several times a request, would give the interpreter away each time.
    """

    deadline = 0.0
    _timeout: float | None = None

    def watch(self) -> "Impatient":
        self.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        )  # head and body of an answer are sent one by one
        super().setblocking(True)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(LINGER_SECONDS))
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(WRITE_SECONDS))
        return self

    def gettimeout(self) -> float | None:
        return self._timeout

    def settimeout(self, value: float | None) -> None:
        self._timeout = value

    def setblocking(self, flag: bool) -> None:
        self._timeout = None if flag else 0.0

    def recv(self, size: int, flags: int = 0) -> bytes:
        if self._limited():
            return super().recv(size, flags)
        while monotonic() < self.deadline:
            with suppress(BlockingIOError):
                return super().recv(size, flags)
        raise ConnectionResetError(errno.ECONNRESET, "the request did not come in time")

    def sendall(self, data: Any, flags: int = 0) -> None:
        if self._limited():
            return super().sendall(data, flags)
        try:
            return super().sendall(data, flags)
        except BlockingIOError:
            raise ConnectionResetError(errno.ECONNRESET, "the answer was not taken in time") from None

    def lingering(self) -> bytes | None:
        """What comes within LINGER_SECONDS: nothing where the other side has hung up, None if it is silent."""
        self._limited()
        try:
            return super().recv(PIECE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _limited(self) -> bool:
        """Whether somebody has set a timeout, and so looks after the time; it takes effect now."""
        if super().gettimeout() != self._timeout:
            super().settimeout(self._timeout)
        return self._timeout is not None


def _timeval(seconds: float) -> bytes:
    """A `struct timeval`, as the kernel takes it."""
    return struct.pack("@ll", int(seconds), round(seconds % 1 * 1_000_000))


class Worker(ThreadWorker):
    """gunicorn's threads. What gunicorn itself refuses is answered as a problem, like every error.

    Nothing of what the caller sent is echoed or logged: a token may be in a line that can't be read (P23).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._staying = threading.Semaphore(STAYING)

    def run(self) -> None:
        """Until it is told to end, or its parent is gone: then streams end too, which would keep it for hours."""
        try:
            super().run()
        finally:
            self.wsgi.extensions["ledgertop"].feed.close()

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:  # noqa: ARG002
        from api.problems import refused_unread

        if isinstance(exc, LimitRequestLine):
            slug = "uri-too-long"
        elif isinstance(exc, LimitRequestHeaders):
            slug = "headers-too-large"
        else:
            slug = "bad-request" if isinstance(exc, ParseException) else "internal-error"
        self.log.warning("a request was not read (%s)", type(exc).__name__)
        with suppress(OSError):  # whoever asked is gone
            write_nonblock(client, refused_unread(slug))

    def handle(self, conn: Any) -> Any:
        """Answer what comes on a connection for as long as it comes quickly; then it waits without a thread.

        A request that is handed to another thread makes three of them change places.
        """
        if not isinstance(conn.sock, Impatient):
            conn.sock = Impatient(fileno=conn.sock.detach()).watch()
        kept = self._answer(conn)
        if not self._stays(conn, kept) or not self._staying.acquire(blocking=False):
            return kept
        try:
            while self._stays(conn, kept):
                if not conn.parser.unreader.buf.getvalue():  # else the next request has come with this one
                    following = conn.sock.lingering()
                    if not following:
                        return following is None
                    conn.parser.unreader.unread(following)
                kept = self._answer(conn)
            return kept
        finally:
            self._staying.release()

    def _answer(self, conn: Any) -> Any:
        """Answer one request; whether the connection is kept."""
        conn.sock.deadline = monotonic() + READ_SECONDS
        return super().handle(conn)

    def _stays(self, conn: Any, kept: Any) -> bool:
        """Whether a thread may stay with a connection: not where another one waits for a thread (P21)."""
        return kept is True and self.alive and not conn.is_http2 and not self.tpool._work_queue.qsize()


class Server(BaseApplication):
    """gunicorn, started from code. The service is built after the fork (trap 3)."""

    def __init__(self, config: Config, descriptor: int) -> None:
        self._config = config
        self._descriptor = descriptor
        super().__init__()

    def load_config(self) -> None:
        settings: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "worker_class": Worker,
            "workers": 1,  # docs/decisions/0009: SQLite has one writer, one process one warm memory
            "threads": THREADS,
            "worker_connections": CONNECTIONS,
            "keepalive": 75,
            "sendfile": False,  # it would wait for ever for one who takes nothing, whatever time we set
            "timeout": 60,
            "graceful_timeout": GRACE_SECONDS,
            "control_socket_disable": True,  # it lies in the home folder, shared by all instances (trap 16)
            "loglevel": "warning",
            "post_fork": _collect_less_often,
            "post_worker_init": _end_streams_on_sigterm,
            "on_starting": _forget_the_dead,
            "child_exit": lambda server, _worker: _forget_the_dead(server),
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from api import create_app
        from api.problems import unread
        from api.settings import Settings
        from ledgertop.wiring import build, queue_seal
        from workers.nudge import Nudger

        service = build(self._config, nudge=Nudger(self._config.queue_url, queue_seal(self._config)))
        app = create_app(
            service, Settings(max_streams=STREAMS, page=page_folder(), access_log=self._config.access_log)
        )
        app.register_error_handler(ParseException, lambda _: unread())  # a body in chunks that are none
        return app


def page_folder() -> Path:
    """Where the browser's files are: beside the packages in a checkout, inside `api` when installed."""
    checkout = Path(__file__).parent.parent / "web"
    return checkout if checkout.is_dir() else Path(__file__).parent.parent / "api" / "page"


def _end_streams_on_sigterm(worker: Any) -> None:
    """One open stream would hold a stopping worker until it is killed: tell them to end first (trap 14)."""
    service = worker.wsgi.extensions["ledgertop"]
    graceful = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=service.feed.close, daemon=True).start()
        if callable(graceful):
            graceful(number, frame)

    signal.signal(signal.SIGTERM, stop)


def _forget_the_dead(_server: Any) -> None:
    """The streams of a process that is gone are no longer open: where several tell their metrics together."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    for file in Path(folder).glob("gauge_live*_*.db") if folder else ():
        number = int(file.stem.rsplit("_", 1)[1])
        if not _runs(number):
            mark_process_dead(number)  # type: ignore[no-untyped-call]


def _runs(process: int) -> bool:
    """Whether a process runs; one that has ended does not, though nobody may have asked for its status."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:
        return True  # as far as can be told here


def _collect_less_often(_server: Any, _worker: Any) -> None:
    """Histories and events are values without cycles: looking for garbage among them finds nothing and takes time.

    Everybody waits for a look among the young, so it is short: half a millisecond for 2,000 (docs/decisions/0062).
    """
    gc.freeze()
    gc.set_threshold(2_000, 25, 1_000)
