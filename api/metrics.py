"""What is measured. Labels are route templates, methods and statuses, never ids, names or tokens (P23)."""

import os
from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from services.errors import StoreUnavailable
from services.service import Service

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
GROUP_SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The measurements of one process. With PROMETHEUS_MULTIPROC_DIR requests and streams are those of all that share
    it; what only the process knows that answers bears its number.
    """

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
        labels: dict[str, str] = {}  # of what this process alone knows
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            self._shown = CollectorRegistry()
            MultiProcessCollector(self._shown)  # type: ignore[no-untyped-call]
            labels["process"] = str(os.getpid())
        if service is not None:
            self._shown.register(LogMetrics(service, labels))

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

    def __init__(self, service: Service, labels: dict[str, str]) -> None:
        self._service = service
        self._labels = labels

    def collect(self) -> Iterable[Metric]:
        """What can be told; while the store is away that is little more than that it is."""
        yield self._group_sizes()
        wrong = CounterMetricFamily(
            "ledgertop_snapshots_wrong",
            "Snapshots that told something else than their events, thrown away by this process.",
            labels=[*self._labels],
        )
        wrong.add_metric([*self._labels.values()], self._service.ledger.wrong)
        yield wrong
        try:
            found = list(self._asked())
        except StoreUnavailable:
            found = []
        yield GaugeMetricFamily(
            "ledgertop_store_reachable", "Whether the store answers: 1 or 0.", value=1 if found else 0
        )
        yield from found

    def _asked(self) -> Iterator[Metric]:
        yield CounterMetricFamily(
            "ledgertop_events_appended", "Events in the log.", value=self._service.store.head()
        )
        lag = GaugeMetricFamily(
            "ledgertop_projection_lag", "Positions behind the log's head.", labels=["projection"]
        )
        quarantined = GaugeMetricFamily(
            "ledgertop_projection_quarantined",
            "Matches a projection leaves out because of an event it can't fold.",
            labels=["projection"],
        )
        for name, health in sorted(self._service.progress.health().items()):
            lag.add_metric([name], health["lag"])
            quarantined.add_metric([name], health["quarantined"])
        yield lag
        yield quarantined
        yield GaugeMetricFamily(
            "ledgertop_due_seconds",
            "For how long what is due has not been done: the age of the oldest such effect, 0 if there is none.",
            value=self._service.effects.overdue() / 1_000_000,
        )

    def _group_sizes(self) -> Metric:
        """How many commands were committed together, as a histogram of this process's commits."""
        sizes = self._service.store.group_sizes()
        buckets = [
            (str(bound), float(sum(count for size, count in sizes.items() if size <= bound)))
            for bound in GROUP_SIZES
        ]
        together = sum(size * count for size, count in sizes.items())
        histogram = HistogramMetricFamily(
            "ledgertop_append_group_size", "Commands committed together.", labels=[*self._labels]
        )
        buckets.append(("+Inf", float(sum(sizes.values()))))
        histogram.add_metric([*self._labels.values()], buckets, together)
        return histogram

    def describe(self) -> Iterable[Metric]:
        return ()
