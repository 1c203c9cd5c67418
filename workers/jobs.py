"""What may be in the queue: hints to look at an effect, and nothing else.

Whoever can write to Redis can put anything there (trap 6). So a job is JSON, names the one function there is
and carries one effect's id under a seal made with the server's key; nothing in it is imported, called or sent
anywhere (P25), and what it hints at is looked up in the table of due effects.
"""

import hmac
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DeserializationError, DuplicateJobError, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import BaseDeathPenalty

QUEUE = "ledgertop-effects"
PERFORM = "perform_effect"  # the one name a job may have; it is compared, never imported
EFFECT_ID = re.compile(r"[a-z_]{1,32}-[A-Za-z0-9_]{1,64}-[0-9]{1,19}")
KEPT = (
    b"data",
    b"origin",
    b"status",
    b"created_at",
    b"enqueued_at",
    b"timeout",
    b"result_ttl",
    b"failure_ttl",
)
FORGOTTEN_AFTER = 60  # seconds a job that failed is kept


class Refused(Exception):
    """A job that is no hint. The message says why and nothing of what was in it."""


class Seal:
    """Tells hints that the service gave from forged ones: an HMAC over the effect's id. An old hint given again is
    no harm: a hint does nothing that isn't due.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, effect_id: str) -> str:
        return hmac.new(self._key, effect_id.encode(), "sha256").hexdigest()

    def holds(self, effect_id: str, seal: str) -> bool:
        return seal.isascii() and hmac.compare_digest(self.of(effect_id), seal)


class Hint(Job):
    """A job that asks to look at one effect. Callbacks, webhooks, retries, dependencies are not honoured."""

    success_callback = None
    failure_callback = None
    stopped_callback = None

    perform_effect: Callable[[], object] | None = None

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Read of the stored job what a hint needs, and nothing else it may hold."""
        kept = {name: value for name, value in raw_data.items() if name in KEPT}
        try:
            super().restore(kept)
        except NoSuchJobError:
            raise
        except Exception:  # noqa: BLE001 - it is refused when it is to be done
            super().restore({b"data": b""})

    def effect_id(self, seal: Seal) -> str:
        """The effect it hints at, if it bears the service's seal. Raises Refused."""
        try:
            name, instance, args, kwargs = self.func_name, self.instance, self.args, self.kwargs
        except DeserializationError:
            raise Refused("its data are not JSON") from None
        if name != PERFORM or instance is not None:
            raise Refused("it names another function")
        if not isinstance(args, list | tuple) or len(args) != 2 or kwargs:
            raise Refused("it has other arguments than one effect and its seal")
        effect_id, sealed = args
        if not isinstance(effect_id, str) or not EFFECT_ID.fullmatch(effect_id):
            raise Refused("its argument is no effect's id")
        if not isinstance(sealed, str) or not seal.holds(effect_id, sealed):
            raise Refused("it does not bear this service's seal")
        return effect_id

    @property
    def func(self) -> None:
        """RQ would import it by name; there is nothing to import."""
        raise Refused("functions are not looked up by name")

    def _execute(self) -> None:
        assert self.perform_effect is not None, "the worker says how"
        self.perform_effect()


class NoPenalty(BaseDeathPenalty):
    """No alarm interrupts an effect: what it waits for is bounded by the store's own limits."""

    def setup_death_penalty(self) -> None: ...

    def cancel_death_penalty(self) -> None: ...


class Hints(Queue):
    """The queue of hints. Who puts some in needs the seal."""

    job_class = Hint

    def __init__(self, name: str = QUEUE, *, seal: Seal | None = None, **settings: Any) -> None:
        self._seal = seal
        settings |= {"serializer": JSONSerializer, "job_class": Hint, "death_penalty_class": NoPenalty}
        super().__init__(name, **settings)

    def put(self, effect_id: str) -> None:
        """Hint at an effect; one that is hinted at already is not queued twice.

        RQ refuses a known id for as long as it keeps the job. A lost job would block its id for long; the
        sweeper doesn't wait for that (see `workers.sweeper`).
        """
        assert self._seal is not None, "hints are sealed"
        with suppress(DuplicateJobError):
            self.enqueue_call(
                PERFORM,
                args=(effect_id, self._seal.of(effect_id)),
                job_id=effect_id,
                unique=True,
                result_ttl=0,
                failure_ttl=FORGOTTEN_AFTER,
                description=effect_id,
            )

    def take(self, seconds: float) -> Job | None:
        """The next job, whatever it is. Raises DequeueTimeout after `seconds` without one."""
        found = self.dequeue_any(
            [self],
            seconds,  # type: ignore[arg-type]  # the server takes fractions
            connection=self.connection,
            job_class=Hint,
            serializer=JSONSerializer,
            death_penalty_class=NoPenalty,
        )
        return found[0] if found else None


def connect(url: str, *, timeout: float) -> Redis:
    """A client that gives up after `timeout` seconds and never retries by itself."""
    client: Redis = Redis.from_url(
        url, socket_timeout=timeout, socket_connect_timeout=1.0, retry=Retry(NoBackoff(), 0)
    )
    return client
