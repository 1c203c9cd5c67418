"""A worker process: the RQ worker and the sweeper side by side."""

import logging
import threading

from redis.exceptions import RedisError

from services.service import Service
from workers.jobs import Seal, connect
from workers.sweeper import Sweeper
from workers.worker import DEQUEUE_SECONDS, HintWorker

log = logging.getLogger("ledgertop.worker")

AGAIN_SECONDS = 1.0
STOP_SECONDS = 1.0


def run_worker(service: Service, queue_url: str, stop: threading.Event, seal: Seal) -> None:
    """Perform due effects until `stop` is set; Redis may be away, at the start or at any time (P15)."""
    sweeping = connect(queue_url, timeout=1.0)
    working = connect(queue_url, timeout=DEQUEUE_SECONDS + 2.0)
    sweeper = Sweeper(service.effects, sweeping, seal)

    def work() -> None:
        away = False
        while not stop.is_set():
            try:
                HintWorker(working, service.effects.perform, seal).serve(stop)
                away = False
            except RedisError as error:
                if not away:
                    log.warning("the queue is out of reach (%s)", type(error).__name__)
                away = True
                stop.wait(AGAIN_SECONDS)
            except Exception as error:  # noqa: BLE001 - what lies in Redis must not end the worker
                log.warning("the worker begins anew (%s)", type(error).__name__)
                stop.wait(AGAIN_SECONDS)

    threads = [
        threading.Thread(target=work, name="worker", daemon=True),
        threading.Thread(target=sweeper.run, args=(stop,), name="sweeper", daemon=True),
    ]
    for thread in threads:
        thread.start()
    stop.wait()
    for thread in threads:
        thread.join(STOP_SECONDS)
    for client in (sweeping, working):
        client.close()
