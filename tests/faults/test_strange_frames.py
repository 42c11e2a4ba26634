"""Frames that no decent bot sends: they cost their sender what they should, and nobody else."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from unicodedata import category

import grpc
import grpc.aio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.arenas import RawBot, bot, definition, outcomes, running_arena
from support.edge import Edge, answer

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.v1 import play_pb2, record_pb2
from sixtysix_arena.conduct import JOIN_BURST
from sixtysix_arena.sessions import MAX_FRAME_BYTES, MAX_FRAME_PARTS, Answered, Connection, Faulted
from sixtysix_arena.sessions import session as session_module

PATIENT = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=30_000, join_ms=30_000)
HOUR = 3_600_000
GAMES = range(1, 6)
UNKNOWN_FIELD = b"\xf2\x3f\x05hello"  # field 1022, a text
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode's categories of controls, formatting, surrogates and ends of lines."""
ANSWER = play_pb2.BotFrame(answers=[answer(1, 3)]).SerializeToString()


def tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


def varint(value: int) -> bytes:
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def part(field: int, data: bytes) -> bytes:
    """A field with a message or a text in it."""
    return tag(field, 2) + varint(len(data)) + data


def raw_answer(*fields: bytes) -> bytes:
    """A frame with one answer of these fields, to game 1 if they say nothing else."""
    return part(2, tag(1, 0) + varint(1) + b"".join(fields))


MOVE = tag(4, 0)
LONE_SURROGATE = "\ud800".encode("utf-8", "surrogatepass")

ANSWERED, STALE, MALFORMED, LEFT, NOTHING = "answered", "stale", "malformed", "left", "nothing"


@pytest.mark.parametrize(
    ("data", "becomes", "move"),
    [
        (ANSWER, ANSWERED, 3),
        (ANSWER + UNKNOWN_FIELD, ANSWERED, 3),
        (raw_answer(MOVE + varint(3), UNKNOWN_FIELD), ANSWERED, 3),
        (raw_answer(MOVE + varint(3), MOVE + varint(5)), ANSWERED, 5),
        (raw_answer(MOVE + varint(99)), ANSWERED, 99),
        (raw_answer(MOVE + varint(2**32 - 1)), ANSWERED, 2**32 - 1),
        (raw_answer(MOVE + varint(2**32 + 3)), ANSWERED, 3),
        (raw_answer(MOVE + varint(2**64 - 1)), ANSWERED, 2**32 - 1),
        (raw_answer(MOVE + b"\xff" * 10), MALFORMED, None),
        (raw_answer(part(5, b"a note")), MALFORMED, None),
        (raw_answer(part(4, b"3")), MALFORMED, None),
        (raw_answer(part(5, LONE_SURROGATE), MOVE + b"\3"), MALFORMED, None),
        (raw_answer(part(5, b"\xff\xfe"), MOVE + b"\3"), MALFORMED, None),
        (raw_answer(tag(1, 0) + varint(2**64 - 1), MOVE + b"\3"), STALE, None),
        (raw_answer(tag(2, 0) + varint(2**32 - 1), MOVE + b"\3"), STALE, None),
        (raw_answer(tag(3, 0) + varint(2**64 - 1), MOVE + b"\3"), STALE, None),
        (b"", NOTHING, None),
        (UNKNOWN_FIELD, NOTHING, None),
        (part(1, b""), NOTHING, None),
        (part(2, b""), STALE, None),
        (part(3, b""), NOTHING, None),
        (part(3, tag(1, 0) + b"\1" + tag(2, 0) + varint(99)), LEFT, None),
        (part(3, tag(1, 0) + b"\1" + tag(2, 0) + varint(2**64 - 1)), LEFT, None),
        (part(3, tag(1, 0) + b"\1") * MAX_FRAME_PARTS, LEFT, None),
        (part(2, b"") * (MAX_FRAME_PARTS + 1), MALFORMED, None),
        (b"\x12\x00" * (MAX_FRAME_BYTES // 2), MALFORMED, None),
        (part(1000, bytes(MAX_FRAME_BYTES - 5)), NOTHING, None),
        (part(1, tag(5, 2) + varint(60_000) + bytes(60_000)), NOTHING, None),
        (bytes(MAX_FRAME_BYTES), MALFORMED, None),
        (bytes(MAX_FRAME_BYTES + 1), MALFORMED, None),
        (tag(99, 3) * 101 + tag(99, 4) * 101, MALFORMED, None),
        (tag(99, 3) * 50 + tag(99, 4) * 50, NOTHING, None),
        (tag(99, 3) * 30_000, MALFORMED, None),
        (tag(0, 0) + b"\1", MALFORMED, None),
        (tag(1, 6), MALFORMED, None),
        (ANSWER[:-1], MALFORMED, None),
        (part(2, b"")[:1] + varint(2**31 - 1), MALFORMED, None),
        (b"GET / HTTP/1.1\r\n\r\n", MALFORMED, None),
    ],
)  # fmt: skip
def test_threat_19_odd_values_have_a_defined_effect(
    data: bytes, becomes: str, move: int | None
) -> None:
    edge = Edge()
    connection = edge.owing(1, bank_ms=HOUR, per_move_ms=HOUR)
    edge.session.receive(connection, data)
    frame = edge.session.next_frame()
    stales = [] if frame is None else list(play_pb2.ArenaFrame.FromString(frame).stales)
    found = [event.fault if isinstance(event, Faulted) else ANSWERED for event in edge.events]
    assert (
        found
        == {
            ANSWERED: [ANSWERED],
            STALE: [],
            MALFORMED: [Fault.MALFORMED],
            LEFT: [Fault.LEFT],
            NOTHING: [],
        }[becomes]
    )
    assert bool(stales) == (becomes == STALE)
    for event in edge.events:
        if isinstance(event, Answered):
            assert event.move == move
        check_evidence(event)


def check_evidence(event: Answered | Faulted) -> None:
    """What is kept of it can be read, and holds nothing that is not ours beside the raw frames."""
    assert event.evidence is not None
    kept = record_pb2.FaultRecord.FromString(event.evidence.packed(1_000))
    data = kept.answer.SerializeToString()
    kept.answer.DiscardUnknownFields()
    assert kept.answer.SerializeToString() == data


def _corpus(edge: Edge) -> list[bytes]:
    """Frames as they ought to be."""
    noted = answer(4, 5)
    noted.comment = "a note"
    return [
        play_pb2.BotFrame(answers=[answer(game) for game in GAMES]).SerializeToString(),
        play_pb2.BotFrame(answers=[answer(1), noted, answer(99)]).SerializeToString(),
        play_pb2.BotFrame(leaves=[play_pb2.Leave(game=2, reason=1)]).SerializeToString(),  # type: ignore[arg-type]
        play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString(),
        play_pb2.BotFrame(
            hello=play_pb2.Hello(protocol_major=1, bot_version="x", rulesets=[1, 2])  # type: ignore[list-item]
        ).SerializeToString(),
        edge.session.next_frame() or b"",
        b"",
    ]


def _flip(data: bytearray, chance: Random) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _cut(data: bytearray, chance: Random) -> None:
    del data[chance.randrange(len(data) + 1) :]


def _drop(data: bytearray, chance: Random) -> None:
    begin = chance.randrange(len(data) + 1)
    del data[begin : begin + chance.randrange(1, 9)]


def _insert(data: bytearray, chance: Random) -> None:
    place = chance.randrange(len(data) + 1)
    data[place:place] = chance.randbytes(chance.randrange(1, 9))


def _repeat(data: bytearray, chance: Random) -> None:
    begin = chance.randrange(len(data) + 1)
    piece = data[begin : begin + chance.randrange(1, 40)]
    place = chance.randrange(len(data) + 1)
    data[place:place] = piece * chance.choice((1, 2, 50))


def _grow(data: bytearray, chance: Random) -> None:
    """A number that is as long, or as large, as numbers get."""
    place = chance.randrange(len(data) + 1)
    data[place : place + 1] = chance.choice((b"\xff" * 9 + b"\1", varint(2**31), b"\x80\x80\x01"))


MUTATIONS: tuple[Callable[[bytearray, Random], None], ...] = (
    _flip, _cut, _drop, _insert, _repeat, _grow,
)  # fmt: skip


class Fuzzed:
    """A session that is sent anything, and then has to work as if nothing had been."""

    def __init__(self) -> None:
        self.edge = Edge()
        self.connection = self._begin()

    def _begin(self) -> Connection:
        connection = self.edge.join()
        for game in GAMES:
            self.edge.session.park(game)
            self.edge.start(game)
            self.edge.ask(game, bank_ms=HOUR, per_move_ms=HOUR)
        self.edge.session.next_frame()
        return connection

    def send(self, data: bytes) -> None:
        """Sends what may be a frame; checks that all is still in order."""
        edge = self.edge
        edge.time_ms += 5
        assert edge.session.receive(self.connection, data) >= 0
        edge.session.next_frame()
        edge.session.sweep(edge.time_ms)
        assert len(edge.events) <= 2 * len(GAMES)
        for event in edge.events:
            assert event.game in GAMES
            if isinstance(event, Answered):
                assert 0 <= event.move < 2**32
                assert len(event.comment.encode()) <= 200
                assert not {category(char) for char in event.comment} & INVISIBLE
            else:
                assert event.fault in (Fault.MALFORMED, Fault.LEFT)
        if edge.events:
            edge.events.clear()
            self.connection = self._begin()

    def check(self) -> None:
        """The session works."""
        self.connection = self._begin()
        self.edge.answer(self.connection, *map(answer, GAMES))
        assert self.edge.answered == list(GAMES)
        assert self.edge.session._out_bytes == 0


@pytest.mark.parametrize("seed", range(4))
def test_threat_18_whatever_a_frame_holds_the_session_goes_on(seed: int) -> None:
    """Real frames, mutated: some are still frames."""
    chance = Random(seed)
    fuzzed = Fuzzed()
    corpus = _corpus(fuzzed.edge)
    for number in range(5_000):
        data = bytearray(chance.choice(corpus))
        for _ in range(chance.randrange(1, 5)):
            chance.choice(MUTATIONS)(data, chance)
        try:
            fuzzed.send(bytes(data))
        except Exception as error:
            raise AssertionError(f"seed {seed}, frame {number}: {data.hex()}") from error
    fuzzed.check()


def test_threat_18_chance_bytes_of_any_length() -> None:
    chance = Random(66)
    fuzzed = Fuzzed()
    for _ in range(2_000):
        fuzzed.send(chance.randbytes(chance.choice((1, 2, 3, 10, 100, 1_000))))
    fuzzed.check()


numbers = st.one_of(st.integers(0, 8), st.sampled_from([35, 36, 2**31, 2**32 - 1]))
games = st.one_of(st.integers(0, 8), st.sampled_from([2**32, 2**63, 2**64 - 1]))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
answers = st.builds(
    play_pb2.Answer,
    game=games,
    deal=numbers,
    ply=numbers,
    move=st.one_of(st.none(), numbers),
    comment=texts,
)
leaves = st.builds(play_pb2.Leave, game=games, reason=st.integers(-(2**31), 2**31 - 1))
frames = st.builds(
    play_pb2.BotFrame,
    answers=st.lists(answers, max_size=8),
    leaves=st.lists(leaves, max_size=3),
    bye=st.one_of(st.none(), st.just(play_pb2.BotBye())),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(frames, min_size=1, max_size=6))
def test_threat_18_any_values_in_frames_that_are_frames(sent: list[play_pb2.BotFrame]) -> None:
    fuzzed = Fuzzed()
    for frame in sent:
        fuzzed.send(frame.SerializeToString())
    fuzzed.check()


@pytest.mark.alone
@pytest.mark.parametrize(
    "data",
    [
        play_pb2.BotFrame(answers=[answer(2**60 + each) for each in range(1_024)]),
        play_pb2.BotFrame(leaves=[play_pb2.Leave(game=2**60 + each) for each in range(1_024)]),
        part(2, b"") * 32_768,
        part(2, tag(99, 0) + b"\0") * 13_107,
        (tag(15, 0) + b"\0") * 32_768,
        tag(99, 3) * 50 + tag(99, 4) * 50,
        part(1, tag(5, 2) + varint(65_000) + bytes(65_000)),
    ],
    ids=["stale", "leaves", "empty answers", "unknown parts", "unknown", "deep", "packed"],
)
def test_threat_17_the_worst_of_frames_holds_nobody_up(data: play_pb2.BotFrame | bytes) -> None:
    """A frame is read on the event loop, where all others wait for it."""
    sent = data if isinstance(data, bytes) else data.SerializeToString()
    assert len(sent) <= MAX_FRAME_BYTES
    took_s = []
    for _ in range(10):
        edge = Edge()
        connection = edge.owing(1, bank_ms=HOUR, per_move_ms=HOUR)
        began_s = time.perf_counter()
        edge.session.receive(connection, sent)
        took_s.append(time.perf_counter() - began_s)
    assert min(took_s) < 0.01


def test_a_hello_with_everything_odd_in_it_joins(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good"):
            _, token = await arena.submit_bot("bad")
            raw = RawBot(arena.address, token)
            await raw.hello(
                protocol_minor=2**32 - 1,
                bot_version="\x1b[2Jv\u202e" + "9" * 60_000,
                rulesets=[99, 1, -1, 1, 2**31 - 1],
                games_at_once=256,
            )
            presence = arena.sessions.of("bad").presence
            assert presence is not None
            assert presence.rulesets == {"classic"}
            assert presence.version == "[2Jv " + "9" * 34
            await raw.vanish()

    asyncio.run(asyncio.wait_for(main(), 100))


BUG = "this comment meets a bug"


@pytest.fixture
def bug(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Breaks the arena for one comment; empty it to mend that."""
    bugs = [BUG]
    clean = session_module.clean  # type: ignore[attr-defined]

    def broken(text: str, max_bytes: int) -> str:
        if text in bugs:
            raise RuntimeError("the text of our own exception")
        result: str = clean(text, max_bytes)
        return result

    monkeypatch.setattr(session_module, "clean", broken)
    return bugs


def test_a_mistake_of_ours_ends_that_stream_alone_and_costs_nobody_a_game(
    tmp_path: Path, bug: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """However often it happens; and the bot plays on once it is mended."""

    async def meet_the_bug(raw: RawBot) -> str:
        await raw.hello()
        frame = await raw.until(lambda frame: frame if frame.decisions else None)
        answers = [
            play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=d.legal[0], comment=BUG)
            for d in frame.decisions
        ]
        await raw.answer(*answers)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await raw.until(lambda _frame: False)
        assert caught.value.code() is grpc.StatusCode.INTERNAL
        return caught.value.details() or ""

    async def main() -> set[str]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
        ):
            _, token = await arena.submit_bot("bad")
            entrants = ("bad", "good", "other")
            await arena.create_tournament(definition(entrants, clock=PATIENT))
            await arena.start_tournament("cup")
            told = set()
            for _ in range(JOIN_BURST + 10):
                raw = RawBot(arena.address, token)
                told.add(await meet_the_bug(raw))
                await raw.vanish()
            bug.clear()
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.play_until_over(arena)
            await raw.vanish()
            assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}
            return told

    told = asyncio.run(asyncio.wait_for(main(), 100))
    errors = [
        each
        for each in caplog.records
        if each.levelno >= logging.ERROR and each.name.startswith("sixtysix")
    ]
    assert len(errors) == len(told) == JOIN_BURST + 10
    for text in told:
        prefix, _, error_id = text.removesuffix(")").rpartition(" ")
        assert prefix == "internal error (the arena's log has it as"
        (record,) = [each for each in errors if error_id in str(each.__dict__)]
        assert record.exc_info is not None
        assert record.exc_info[0] is RuntimeError
        assert "text of our own" not in text


def test_a_bank_that_ran_while_a_mistake_of_ours_was_met_is_given_back(
    tmp_path: Path, bug: list[str]
) -> None:
    clock = Clock(per_move_ms=1_500, per_game_ms=1_500, grace_ms=30_000, join_ms=30_000)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=clock, games_at_once=1))
            await arena.start_tournament("cup")
            for _ in range(3):
                raw = RawBot(arena.address, token)
                await raw.hello()
                d = await raw.decision()
                await asyncio.sleep(0.8)
                await raw.answer(
                    play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=3, comment=BUG)
                )
                with pytest.raises(grpc.aio.AioRpcError):
                    await raw.receive()
                await raw.vanish()
            assert (await arena.tournament("cup")).games_over_count == 0
            bug.clear()

    asyncio.run(asyncio.wait_for(main(), 100))
