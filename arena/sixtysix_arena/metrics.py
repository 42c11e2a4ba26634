"""Metrics for Prometheus, served to this machine by a thread of their own.

Nothing is added up here: a scrape reads what the arena counts anyway, so that
an arena that nobody scrapes pays nothing for it.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from sixtysix.outcome import Fault
from sixtysix_arena import logs
from sixtysix_arena.counts import Histogram
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.ports import reason_of

if TYPE_CHECKING:
    from sixtysix_arena.arena import Arena

__all__ = ["MetricsServer", "registry_of"]

MS_PER_S = 1_000


class _ArenaCollector(Collector):
    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    def collect(self) -> Iterable[Metric]:
        """All metrics as they stand now."""
        yield from self._play()
        yield from self._edge()
        yield from self._health()

    def _play(self) -> Iterator[Metric]:
        arena, counts = self._arena, self._arena.counts
        yield CounterMetricFamily(
            "sixtysix_decisions", "Answers that were judged.", value=arena.decision_count
        )
        yield _histogram(
            "sixtysix_answer_seconds",
            "What bots were charged for their answers.",
            counts.answer_ms,
            1 / MS_PER_S,
        )
        yield _histogram(
            "sixtysix_tick_answers", "Answers that were committed together.", counts.tick_answers
        )
        yield _histogram("sixtysix_commit_seconds", "How long commits took.", counts.commit_s)
        yield GaugeMetricFamily(
            "sixtysix_live_games", "Games that are being played.", value=arena.live_game_count
        )
        yield GaugeMetricFamily(
            "sixtysix_waiting_games",
            "Games of running tournaments that wait to be begun.",
            value=arena.waiting_game_count,
        )
        faults = CounterMetricFamily(
            "sixtysix_faults", "Faults that cost a game, by kind.", labels=("fault",)
        )
        for fault in Fault:
            faults.add_metric((fault,), counts.faults[fault])
        yield faults

    def _edge(self) -> Iterator[Metric]:
        arena, counts = self._arena, self._arena.counts
        yield GaugeMetricFamily(
            "sixtysix_connected_bots", "Bots that are here.", value=arena.sessions.connected_count
        )
        yield CounterMetricFamily("sixtysix_joins", "Bots that joined.", value=counts.joins)
        refused = CounterMetricFamily(
            "sixtysix_refused_joins", "Bots that were not let in, by status.", labels=("status",)
        )
        for status, count in counts.refused_joins.copy().items():
            refused.add_metric((status,), count)
        yield refused
        yield CounterMetricFamily(
            "sixtysix_wrong_tokens",
            "Calls without the token that they need.",
            value=counts.wrong_tokens,
        )
        calls = CounterMetricFamily(
            "sixtysix_calls", "Calls that ended, by method and status.", labels=("method", "status")
        )
        for labels, count in counts.calls.copy().items():
            calls.add_metric(labels, count)
        yield calls
        if (expires_at_s := arena.certificate_expires_at_s) is not None:
            yield GaugeMetricFamily(
                "sixtysix_certificate_expiry_timestamp_seconds",
                "When the certificate that is used expires.",
                value=expires_at_s,
            )

    def _health(self) -> Iterator[Metric]:
        arena = self._arena
        yield GaugeMetricFamily(
            "sixtysix_stalled",
            "1 while play pauses, since nothing can be stored.",
            value=not arena.can_store,
        )
        yield _histogram(
            "sixtysix_loop_lag_seconds", "How late the event loop was.", arena.counts.lag_s
        )
        yield CounterMetricFamily(
            "sixtysix_lost_log_lines",
            "Lines of the log that could not be written.",
            value=logs.lost_line_count(),
        )
        build = GaugeMetricFamily(
            "sixtysix_build_info", "1, for the versions.", labels=("version", "python", "grpc")
        )
        build.add_metric((version("sixtysix"), platform.python_version(), version("grpcio")), 1)
        yield build


def _histogram(name: str, text: str, histogram: Histogram, scale: float = 1.0) -> Metric:
    buckets = [
        ("+Inf" if bound == float("inf") else f"{bound * scale:g}", count)
        for bound, count in histogram.cumulative()
    ]
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.sum * scale)


def registry_of(arena: Arena) -> CollectorRegistry:
    """The metrics of an arena, and those of its process."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_ArenaCollector(arena))
    ProcessCollector(registry=registry)
    return registry


class MetricsServer:
    """Serves the metrics of one arena."""

    def __init__(self, arena: Arena, address: str) -> None:
        """Raises Unavailable if the port cannot be used."""
        host, _, port = address.rpartition(":")
        try:
            self._server, self._thread = start_http_server(
                int(port), host.strip("[]"), registry_of(arena)
            )
        except OSError as error:
            raise Unavailable(
                f"the address {address} cannot be used for metrics: {reason_of(error, int(port))};"
                " choose another one with --metrics HOST:PORT"
            ) from error
        self.address = f"{host}:{self._server.server_port}"
        """HOST:PORT; with port 0 in the wish, the port that was free."""

    def close(self) -> None:
        """Gives the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
