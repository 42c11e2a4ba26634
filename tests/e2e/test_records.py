"""Records of real arenas: whatever bots and crashes do to a tournament, it can be checked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.commands import Workplace, wait_for

from sixtysix.outcome import Fault
from sixtysix.rules import RULESETS
from sixtysix.v1 import play_pb2
from sixtysix.verify import verify

Behaviour = Callable[[RawBot], Coroutine[Any, Any, None]]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def after(count: int, fault: Callable[[RawBot, play_pb2.Decision], Any]) -> Behaviour:
    """Plays so many decisions properly, and then commits a fault in each game."""

    async def behave(raw: RawBot) -> None:
        played = 0
        while True:
            for decision in (await raw.receive()).decisions:
                played += 1
                if played > count:
                    await fault(raw, decision)
                else:
                    await raw.answer(_answer(decision, decision.legal[0]))

    return behave


def _answer(decision: play_pb2.Decision, move: int | None) -> play_pb2.Answer:
    return play_pb2.Answer(game=decision.game, deal=decision.deal, ply=decision.ply, move=move)


async def illegal(raw: RawBot, decision: play_pb2.Decision) -> None:
    await raw.answer(_answer(decision, next(c for c in range(24) if c not in decision.hand)))


async def silent(raw: RawBot, decision: play_pb2.Decision) -> None:
    del raw, decision


async def empty(raw: RawBot, decision: play_pb2.Decision) -> None:
    await raw.answer(_answer(decision, None))


async def resign(raw: RawBot, decision: play_pb2.Decision) -> None:
    leave = play_pb2.Leave(game=decision.game, reason=play_pb2.LEAVE_REASON_RESIGNED)
    await raw.send(play_pb2.BotFrame(leaves=[leave]))


@pytest.mark.parametrize("rules", RULESETS)
def test_a_tournament_full_of_faults_can_be_checked(tmp_path: Path, rules: str) -> None:
    async def main() -> list[str]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "asked", RawBot.play, close_on_opponents_lead=True),
            bot(arena, "illegal", after(40, illegal)),
            bot(arena, "silent", after(60, silent)),
            bot(arena, "empty", after(50, empty)),
            bot(arena, "resigns", after(30, resign)),
        ):
            await arena.submit_bot("absent")
            names = ("absent", "asked", "empty", "good", "illegal", "resigns", "silent")
            await arena.create_tournament(definition(names, rules=rules))
            await arena.start_tournament("cup")
            await until_finished(arena)
            return await asyncio.to_thread(lambda: list(arena.stored.export("cup")))

    lines = asyncio.run(asyncio.wait_for(main(), 100))
    verdict = verify(lines)
    assert verdict.difference is None
    assert verdict.unchecked == ()
    faults = {json.loads(line)["fault"] for line in lines[1:-1]}
    assert faults >= {Fault.ILLEGAL, Fault.MALFORMED, Fault.TIMEOUT, Fault.LEFT, Fault.NO_SHOW}


def test_before_and_after_kill_9(
    tmp_path: Path, late_cup: Callable[..., list[str]], free_port: int
) -> None:
    place = Workplace(tmp_path)
    join = late_cup(place, "house:random", "house:greedy", games_per_pairing=30)
    address = f"127.0.0.1:{free_port}"
    command = place.command("run", "cup.toml", "--grpc", address)

    def over_count() -> int:
        started = (tmp_path / "sixtysix-data" / "address").exists()
        if not (started and place.json("tournament", "list")):
            return 0
        return sum(1 for game in place.json("games", "cup") if game["state"] == "over")

    with place.running(*command) as arena:
        wait_for(lambda: over_count() >= 20, "some games")
        running = place.json("verify", "cup")
        arena.kill()
        arena.wait()
    stopped = place.json("verify", "cup")
    for verdict in (running, stopped):
        assert (verdict["ok"], verdict["state"]) == (True, "running")
        assert verdict["unchecked"] == ["packs unchecked, seed still secret"]
        assert 20 <= verdict["games"] < verdict["games_total"] == 90
    with place.running(*command) as arena, place.running(*join, "--arena", address):
        assert arena.wait(90) == 0
    place.run("tournament", "export", "cup", "-o", "cup.jsonl.gz")
    verdict = place.json("verify", "cup.jsonl.gz")
    assert (verdict["ok"], verdict["games"], verdict["unchecked"]) == (True, 90, [])
    games = place.run("tournament", "export", "cup").splitlines()[1:-1]
    void = [deal["void"] for line in games for deal in json.loads(line)["deals"]]
    assert not any(void)
