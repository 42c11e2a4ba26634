"""What an arena counts, and what of it Prometheus gets to see."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc.aio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.authorities import Authority
from support.misbehaving import PATIENT, answer, run

from sixtysix.outcome import Fault
from sixtysix_arena.arena import Arena
from sixtysix_arena.counts import Counts, Histogram
from sixtysix_arena.store import rows

Values = dict[tuple[str, frozenset[str]], float]


def test_a_histogram_counts_values_up_to_each_bound() -> None:
    histogram = Histogram((1, 10))
    for value in (0, 1, 1.5, 10, 11, 1_000):
        histogram.observe(value)
    assert list(histogram.cumulative()) == [(1, 2), (10, 4), (math.inf, 6)]
    assert (histogram.count, histogram.sum) == (6, 1_023.5)


def test_a_commit_is_counted_with_the_answers_and_faults_in_it() -> None:
    counts = Counts()
    fault = rows.FaultEvidence(1, 0, Fault.TIMEOUT, "late", "2026-01-31T12:00:00Z")
    counts.committed([rows.GameOpened(1)], 0.001, 0)
    counts.committed([fault, fault], 0.02, 7)
    counts.committed([], 0.3, 7)
    assert (counts.commit_s.count, round(counts.commit_s.sum, 3)) == (3, 0.321)
    assert (counts.tick_answers.count, counts.tick_answers.sum) == (1, 7)
    assert counts.faults == {"timeout": 2}


async def scrape(arena: Arena) -> Values:
    """Every sample by its name and the values of its labels."""

    def get() -> str:
        with urlopen(f"http://{arena.metrics_address}/metrics") as response:
            return str(response.read().decode())

    return {
        (sample.name, frozenset(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(await asyncio.to_thread(get))
        for sample in family.samples
    }


def of(values: Values, name: str, *labels: str) -> float:
    """A sample; 0 if nothing was counted under these labels."""
    return values.get((name, frozenset(labels)), 0.0)


def test_metrics_of_a_tournament(tmp_path: Path) -> None:
    begin = asyncio.Event()

    async def cheat(raw: RawBot) -> None:
        await begin.wait()
        await raw.answer(answer(await raw.decision(), move=99))
        await raw.play()

    async def fair(raw: RawBot) -> None:
        await begin.wait()
        await raw.play()

    async def main() -> None:
        async with running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena:
            before = await scrape(arena)
            assert of(before, "sixtysix_connected_bots") == 0
            async with bot(arena, "a", cheat), bot(arena, "b", fair):
                await arena.create_tournament(
                    definition(("a", "b"), games_per_pairing=6, games_at_once=1, clock=PATIENT)
                )
                await arena.start_tournament("cup")
                during = await scrape(arena)
                assert of(during, "sixtysix_live_games") + of(
                    during, "sixtysix_waiting_games"
                ) == pytest.approx(6, abs=1)
                begin.set()
                await until_finished(arena)
                after = await scrape(arena)
            decisions = of(after, "sixtysix_decisions_total")
            assert decisions == arena.decision_count > 100
            assert of(after, "sixtysix_answer_seconds_count") == decisions
            assert of(after, "sixtysix_tick_answers_sum") == decisions
            assert 0 < of(after, "sixtysix_answer_seconds_sum") < 60
            assert of(after, "sixtysix_commit_seconds_count") > 20
            assert of(after, "sixtysix_faults_total", "illegal") == 1
            assert of(after, "sixtysix_faults_total", "timeout") == 0
            assert of(after, "sixtysix_live_games") == of(after, "sixtysix_waiting_games") == 0
            assert of(after, "sixtysix_connected_bots") == 2
            assert of(after, "sixtysix_joins_total") == 2
            assert of(after, "sixtysix_stalled") == 0
            assert of(after, "sixtysix_loop_lag_seconds_count") > 10

    run(main())


def test_metrics_of_those_who_are_not_let_in(tmp_path: Path) -> None:
    async def refused(arena: Arena, token: str, **hello: Any) -> None:
        raw = RawBot(arena.address, token)
        with pytest.raises(grpc.aio.AioRpcError):
            await raw.hello(**hello)
        await raw.vanish()

    async def main() -> None:
        async with running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena:
            _, token = await arena.submit_bot("a")
            for _ in range(3):
                await refused(arena, "wrong")
            await refused(arena, token, protocol_major=9)
            await refused(arena, token, games_at_once=0)
            values = await scrape(arena)
            name = "sixtysix_refused_joins_total"
            assert of(values, name, "UNAUTHENTICATED") == 3
            assert of(values, name, "FAILED_PRECONDITION") == 1
            assert of(values, name, "INVALID_ARGUMENT") == 1
            assert of(values, "sixtysix_wrong_tokens_total") == 3
            assert of(values, "sixtysix_joins_total") == 0
            play = "/sixtysix.v1.PlayService/Play"
            assert of(values, "sixtysix_calls_total", play, "UNAUTHENTICATED") == 3

    run(main())


def test_metrics_tell_when_the_certificate_expires(tmp_path: Path) -> None:
    name = "sixtysix_certificate_expiry_timestamp_seconds"

    async def main() -> None:
        async with running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena:
            assert (name, frozenset[str]()) not in await scrape(arena)
        files = Authority(tmp_path).sign()
        async with running_arena(tmp_path / "tls", metrics="127.0.0.1:0", **files) as arena:
            assert of(await scrape(arena), name) == arena.certificate_expires_at_s

    run(main())


def test_without_being_asked_for_metrics_are_not_served(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            assert arena.metrics_address == ""

    run(main())
