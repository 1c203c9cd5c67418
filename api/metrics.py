"""What is measured. Labels are route templates, methods and statuses, never ids, names or tokens (P23)."""

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from services.service import Service

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The measurements of one process; with PROMETHEUS_MULTIPROC_DIR those of all processes are shown."""

    def __init__(self, service: Service | None) -> None:
        own = CollectorRegistry()
        self._seconds = Histogram(
            "ledgertop_request_seconds",
            "Time until an answer was ready; for streams, until they began.",
            ["method", "route", "status"],
            buckets=SECONDS,
            registry=own,
        )
        self._streams = Gauge(
            "ledgertop_open_streams", "Streams that are open.", registry=own, multiprocess_mode="livesum"
        )
        self._observers: dict[tuple[str, str, int], Histogram] = {}
        self._shown = own
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            self._shown = CollectorRegistry()
            MultiProcessCollector(self._shown)  # type: ignore[no-untyped-call]
        if service is not None:
            self._shown.register(LogMetrics(service))

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        key = (method, route, status)
        observer = self._observers.get(key)
        if observer is None:
            observer = self._observers[key] = self._seconds.labels(method, route, str(status))
        observer.observe(seconds)

    def streams(self, count: int) -> None:
        self._streams.set(count)

    def text(self) -> bytes:
        """All measurements in the text format of Prometheus."""
        return generate_latest(self._shown)


class LogMetrics(Collector):
    """The log and its readers, asked when somebody looks."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        yield CounterMetricFamily(
            "ledgertop_events_appended", "Events in the log.", value=self._service.store.head()
        )
        lag = GaugeMetricFamily(
            "ledgertop_projection_lag", "Positions behind the log's head.", labels=["projection"]
        )
        for name, behind in sorted(self._service.progress.lag().items()):
            lag.add_metric([name], behind)
        yield lag

    def describe(self) -> Iterable[Metric]:
        return ()
