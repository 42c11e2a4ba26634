"""Answers that come twice, late, early, or for what is not theirs change nothing at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import (
    PATIENT,
    Behaviour,
    Played,
    answer,
    deals,
    read_on,
    run,
    tournament_of,
)

from sixtysix.clock import Clock
from sixtysix.outcome import GameOutcome
from sixtysix.record import DealRecord
from sixtysix.rules import RULESETS, Deal
from sixtysix.v1 import play_pb2
from sixtysix_arena.referee import GameSpec
from sixtysix_arena.sessions import Answered, Event, Faulted, Presence, Sessions

NUISANCES = 100
"""What has no effect is allowed in small numbers; far more of it is a flood."""

Account = tuple[GameOutcome, tuple[object, ...]]


def account(outcome: GameOutcome, records: tuple[DealRecord, ...]) -> Account:
    """All that is stored of a game but for the times."""
    return outcome, tuple(
        (deal.deal, deal.pack, deal.moves, deal.referee_plies, deal.result, deal.comments)
        for deal in records
    )


def accounts(played: Played) -> list[Account]:
    assert played.evidence == []
    return list(map(account, played.results, played.deals))


@pytest.fixture
def calm(tmp_path: Path) -> list[Account]:
    """What is stored of the games if `bad` answers everything once."""
    return accounts(tournament_of(tmp_path / "calm", RawBot.play, clock=PATIENT))


class Nuisance:
    """A bot that answers as it should, and sends more besides; counts what had no effect."""

    def __init__(self) -> None:
        self.stales: list[play_pb2.StaleNotice] = []
        self.sent = 0
        self._answered: list[play_pb2.Answer] = []

    def around(self, decision: play_pb2.Decision) -> Iterator[play_pb2.Answer]:
        """The answer, with what comes before and after it in the same frame."""
        yield answer(decision)

    async def afterwards(self, raw: RawBot) -> None:
        """What follows in frames of its own."""

    async def __call__(self, raw: RawBot) -> None:
        while True:
            frame = await raw.receive()
            self.stales += frame.stales
            assert not frame.faults
            for decision in frame.decisions:
                await raw.answer(*self.around(decision))
                self._answered.append(answer(decision))
                await self.afterwards(raw)

    def more(self, *answers: play_pb2.Answer) -> Iterator[play_pb2.Answer]:
        """These, as long as there are not too many."""
        for each in answers:
            if self.sent < NUISANCES:
                self.sent += 1
                yield each


def check(tmp_path: Path, nuisance: Nuisance, calm: list[Account]) -> None:
    """It hears of each that it had no effect, and the games are those of a calm bot."""
    behave: Behaviour = nuisance
    played = tournament_of(tmp_path, behave, clock=PATIENT)
    assert accounts(played) == calm
    assert len(nuisance.stales) == nuisance.sent == NUISANCES


class Twice(Nuisance):
    def around(self, decision: play_pb2.Decision) -> Iterator[play_pb2.Answer]:
        yield answer(decision)
        other = decision.legal[-1]
        yield from self.more(answer(decision), answer(decision, move=other))

    async def afterwards(self, raw: RawBot) -> None:
        again = list(self.more(self._answered[-1]))
        if again:
            await raw.answer(*again)


def test_fault_row_26_and_threat_06_the_first_of_several_answers_counts(
    tmp_path: Path, calm: list[Account]
) -> None:
    check(tmp_path, Twice(), calm)


class Older(Nuisance):
    def around(self, decision: play_pb2.Decision) -> Iterator[play_pb2.Answer]:
        yield from self.more(*self._answered[-3:])
        yield answer(decision)


def test_fault_row_27_answers_for_older_decisions_have_no_effect(
    tmp_path: Path, calm: list[Account]
) -> None:
    check(tmp_path, Older(), calm)


class Elsewhere(Nuisance):
    def around(self, decision: play_pb2.Decision) -> Iterator[play_pb2.Answer]:
        other = decision.legal[-1]
        yield from self.more(
            answer(decision, ply=decision.ply + 1, move=other),
            answer(decision, deal=decision.deal + 1, move=other),
            answer(decision, game=999_999, move=other),
            # Without a move it would be malformed, were there anything to answer.
            answer(decision, ply=2**32 - 1, move=None),
        )
        yield answer(decision)


def test_fault_row_27_answers_for_what_is_not_asked_have_no_effect(
    tmp_path: Path, calm: list[Account]
) -> None:
    check(tmp_path, Elsewhere(), calm)


class Early(Nuisance):
    """Answers for the next plies, some of which it will be asked for a moment later."""

    def around(self, decision: play_pb2.Decision) -> Iterator[play_pb2.Answer]:
        yield answer(decision)
        others = [move for move in decision.legal if move != decision.legal[0]]
        for ply in (decision.ply + 1, decision.ply + 2):
            yield from self.more(answer(decision, ply=ply, move=others[-1]))


def test_threat_07_early_answers_have_no_effect(tmp_path: Path, calm: list[Account]) -> None:
    check(tmp_path, Early(), calm)


def test_threat_07_early_and_stale_answers_leave_the_clock_alone() -> None:
    time_ms = 0.0
    events: list[Event] = []
    session = Sessions(lambda: time_ms, events.append).of("ada")
    presence = Presence("1", 64, frozenset(RULESETS), close_on_opponents_lead=False)
    connection = session.attach(presence, lambda: None)

    def say(*answers: play_pb2.Answer) -> None:
        frame = play_pb2.BotFrame(answers=answers)
        session.receive(connection, frame.SerializeToString())

    rules = RULESETS["classic"]
    view = Deal(rules, range(24), dealer=1).view(0, game="cup.1")
    for game in (1, 2):
        session.start(GameSpec(game, f"cup.{game}", ("ada", "bob"), 0, rules, Clock()), 0)
    early = play_pb2.Answer(game=1, move=0)
    say(early)
    session.ask(1, view, charged_ms=0, bank_ms=1_000, per_move_ms=100)
    say(early)
    time_ms = 50
    session.next_frame()
    time_ms = 80
    say(early)
    (event,) = events
    assert isinstance(event, Answered)
    assert event.charged_ms == 30
    # The time for a move is not begun anew by what is stale.
    session.ask(2, view, charged_ms=0, bank_ms=1_000, per_move_ms=100)
    session.next_frame()
    time_ms = 179
    say(early, play_pb2.Answer(game=2, ply=7, move=0))
    time_ms = 181
    session.sweep(time_ms)
    assert isinstance(events[-1], Faulted)
    assert events[-1].game == 2


def test_threat_05_a_replayed_stream_changes_nothing(tmp_path: Path, calm: list[Account]) -> None:
    """All that was sent on one stream is sent again on the next, the hello included."""

    async def main() -> list[Account]:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=PATIENT))
            await arena.start_tournament("cup")
            first = RawBot(arena.address, token)
            await first.hello()
            hello = play_pb2.Hello(protocol_major=1, bot_version="1", games_at_once=1)
            sent = [play_pb2.BotFrame(hello=hello)]
            while len(sent) < 40:
                for decision in (await first.receive()).decisions:
                    sent.append(play_pb2.BotFrame(answers=[answer(decision)]))
                    await first.send(sent[-1])
            second = RawBot(arena.address, token)
            await second.hello()
            stales: list[play_pb2.StaleNotice] = []

            async def play_on() -> None:
                while True:
                    frame = await second.receive()
                    stales.extend(frame.stales)
                    await second.answer(*map(answer, frame.decisions))
                    if sent:
                        await second.send(sent.pop(0))

            playing = asyncio.create_task(play_on())
            await until_finished(arena)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await first.vanish()
            await second.vanish()
            assert not sent
            assert len(stales) >= 39
            results = arena.reader.outcomes("cup")
            return [account(results[game], deals(arena, game)) for game in (1, 2)]

    assert run(main()) == calm


def test_threat_08_what_is_another_bots_looks_like_what_does_not_exist(
    tmp_path: Path, calm: list[Account]
) -> None:
    """A spy answers and leaves the games of others, with numbers it guessed."""
    notices: dict[int, set[bytes]] = {}

    async def main() -> list[Account]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "spy") as spy,
        ):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=PATIENT))
            await arena.start_tournament("cup")
            bad = RawBot(arena.address, token)
            await bad.hello()
            asked = await bad.until(lambda frame: frame.decisions)
            owed = asked[0]
            games = range(5)  # The first two are played, by others.
            assert owed.game in games
            # Also that which is open just now, at its deal and ply.
            places = [(0, ply) for ply in range(4)] + [(owed.deal, owed.ply), (1, 0)]
            guessed = [
                answer(owed, game=game, deal=deal, ply=ply)
                for game in games
                for deal, ply in places
            ]
            leaves = [play_pb2.Leave(game=game) for game in games]
            await spy.send(play_pb2.BotFrame(answers=guessed, leaves=leaves))
            heard = await spy.receive()
            assert len(heard.stales) == len(guessed)
            for notice in heard.stales:
                game, notice.game = notice.game, 0
                notices.setdefault(game, set()).add(notice.SerializeToString())
            heard.ClearField("stales")
            assert heard == play_pb2.ArenaFrame(), "nothing else is told"
            quiet = asyncio.create_task(read_on(spy))
            await bad.answer(*map(answer, asked))
            await bad.play_until_over(arena)
            quiet.cancel()
            await asyncio.gather(quiet, return_exceptions=True)
            await bad.vanish()
            results = arena.reader.outcomes("cup")
            return [account(results[game], deals(arena, game)) for game in (1, 2)]

    assert run(main()) == calm
    assert len(notices) == 5
    assert len({frozenset(texts) for texts in notices.values()}) == 1
