"""Hundreds of bots that come at once."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished
from support.misbehaving import PATIENT, run

from sixtysix.outcome import GameEnd

BOTS = 500
LIMIT_S = 10.0
A_CONNECTION_EACH = (("grpc.use_local_subchannel_pool", 1),)


@pytest.fixture
def _files_for_all() -> Iterator[None]:
    """Both ends of each connection are files of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < 4 * BOTS:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4 * BOTS, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.usefixtures("_files_for_all")
def test_fault_row_66_five_hundred_bots_join_at_once_while_others_play(tmp_path: Path) -> None:
    """They and the arena share a process here, so that it is slower than it is in truth."""

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "ada", RawBot.play),
            bot(arena, "bob", RawBot.play),
        ):
            tokens = [(await arena.submit_bot(f"bot-{number}"))[1] for number in range(BOTS)]
            await arena.create_tournament(
                definition(("ada", "bob"), clock=PATIENT, games_per_pairing=20)
            )
            await arena.start_tournament("cup")
            bots = [RawBot(arena.address, token, A_CONNECTION_EACH) for token in tokens]
            began = time.monotonic()
            frames = await asyncio.gather(*(raw.hello() for raw in bots))
            took_s = time.monotonic() - began
            names = {frame.welcome.bot_name for frame in frames}
            assert names == {f"bot-{number}" for number in range(BOTS)}
            assert all(arena.sessions.is_connected(name) for name in names)
            assert took_s < LIMIT_S
            await until_finished(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 20
            await asyncio.gather(*(raw.vanish() for raw in bots))

    run(main())
