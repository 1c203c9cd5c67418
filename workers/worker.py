"""The RQ worker: takes hints off one queue and has the effects performed, in this process."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from redis import Redis
from redis.exceptions import RedisError
from rq.exceptions import DequeueTimeout
from rq.job import Job
from rq.queue import Queue
from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker, WorkerStatus

from workers.jobs import Hint, Hints, NoPenalty, Refused, Seal

log = logging.getLogger("ledgertop.worker")

DEQUEUE_SECONDS = 0.5  # how long it blocks for a job, and so how soon it notices that it shall stop


class HintWorker(SimpleWorker):
    """One queue a worker (trap 8), no signal handlers, no scheduler, no commands from Redis."""

    job_class = Hint
    queue_class: type[Queue] = Hints
    death_penalty_class = NoPenalty

    def __init__(self, connection: Redis, perform: Callable[[str], object], seal: Seal) -> None:
        self._seal = seal
        self._queue = Hints(connection=connection)
        self._perform_effect = perform
        super().__init__(
            [self._queue], connection=connection, serializer=JSONSerializer, log_job_description=False
        )

    def serve(self, stop: threading.Event) -> None:
        """Work until `stop` is set. Raises RedisError when Redis is gone."""
        self.register_birth()  # type: ignore[no-untyped-call]
        self.set_state(WorkerStatus.IDLE)
        try:
            while not stop.is_set():
                if self.should_run_maintenance_tasks:
                    self.run_maintenance_tasks()  # type: ignore[no-untyped-call]
                self.heartbeat()
                try:
                    found = self._queue.take(DEQUEUE_SECONDS)
                except DequeueTimeout:
                    continue
                if found:
                    self.execute_job(found, self._queue)
        finally:
            with suppress(RedisError):
                self.register_death()  # type: ignore[no-untyped-call]

    def execute_job(self, job: Job, queue: Queue) -> None:
        assert isinstance(job, Hint)
        try:
            effect_id = job.effect_id(self._seal)
        except Refused as refused:
            log.warning("a forged job was refused: %s", refused)
            self.connection.delete(job.key)
            self.connection.lrem(queue.intermediate_queue_key, 1, job.id)
            return
        job.perform_effect = partial(self._perform_quietly, effect_id)
        super().execute_job(job, queue)

    def _perform_quietly(self, effect_id: str) -> None:
        """A failed effect stays in the table, and the sweeper comes back to it; RQ need not know (P23)."""
        try:
            self._perform_effect(effect_id)
        except Exception as error:  # noqa: BLE001
            log.warning("effect %s failed (%s)", effect_id, type(error).__name__)
