"""A data folder with something of everything that pages can show, and every address of it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import uvicorn
from support import played
from support.records import KINDS, SEED, events_of, header, play_games
from support.stored import LATER, NOW

from sixtysix import shuffle
from sixtysix.api import TournamentDefinition
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord, TournamentRecord
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS, Deal, DealEnd, Ruleset
from sixtysix.wire import pack_deal
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import (
    DataFolder,
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    GameOpened,
    GameOver,
    Store,
    Validation,
)
from sixtysix_arena.web.app import make_app

__all__ = [
    "ENDS",
    "FINISHED",
    "LIVE_DEAL",
    "NAMES",
    "OPEN_GAME",
    "SLUGS",
    "Answer",
    "Served",
    "addresses",
    "deals_by_end",
    "fill",
    "filled_folder",
    "play_all",
    "put",
    "served",
    "serving",
    "tables",
]

NAMES = ("ada", "bob", "house:random")
FINISHED = ("spring", "autumn")
SLUGS = (*FINISHED, "live", "next", "practice", "halted", *(f"ends-{name}" for name in RULESETS))
OPEN_GAME = "live.5"
"""A game that is being played: its deal 0 is over, its deal 1 is not."""
PATIENCE_S = 60.0
LIVE_COMMENT = "I hope for the ace"
LIVE_DEAL = played.play_deal(RULESETS["doubling"], Random("live"), 0, 0)


def put(store: Store, record: TournamentRecord, *, practice: bool = False) -> list[int]:
    """Creates and starts a tournament; the ids of its games in the order of the schedule."""
    entrants = tuple(each.id for each in record.entrants)
    seed = b"42" if practice else SEED
    definition = TournamentDefinition(
        name=record.name,
        slug=record.slug,
        rules=record.rules,
        games_per_pairing=record.games_per_pairing,
        games_at_once=4,
        entrants=entrants,
        practice_seed="42" if practice else None,
        clock=record.clock,
    )
    store.create_tournament(
        definition, seed=seed, commitment=shuffle.commitment(seed), at=NOW, request_id=""
    )
    for each in record.entrants:
        store.freeze_version([record.slug], each.id, each.version)
    store.start_tournament(record.slug, round_robin(entrants, record.games_per_pairing), NOW)
    return [game.id for game in store.games(record.slug)]


def play_all(
    store: Store, record: TournamentRecord, kinds: Mapping[int, str], **how: bool
) -> list[int]:
    """Plays a whole tournament by chance, and ends it."""
    ids = put(store, record, **how)
    for game_id, game in zip(ids, play_games(record, kinds), strict=True):
        store.commit(events_of(game_id, game, record.rules))
        if game.outcome.fault is not None:
            fault, text = game.outcome.fault, game.outcome.reason
            store.commit([FaultEvidence(game_id, 0, fault, text, NOW)])
    store.set_state(record.slug, TournamentState.FINISHED, LATER)
    return ids


def filled_folder(path: Path) -> DataFolder:
    """A new data folder with something of everything."""
    folder = DataFolder.open(path, create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        fill(store)
    return folder


def fill(store: Store) -> None:
    """Everything: tournaments of every state and rule set, games of every end."""
    for name in (*NAMES[:2], "shy"):
        store.add_bot(name, name.encode().ljust(32), NOW, owner="" if name == "shy" else "Ann")
    store.keep_validation(Validation("ada", "a-1.0 ü", "classic", "", NOW))
    store.keep_validation(Validation("bob", "b-1.0 ü", "classic", "illegal move AS: no trump", NOW))
    kinds = dict(enumerate(KINDS, start=1))
    play_all(store, header(slug="spring", games_per_pairing=4), kinds)
    doubling = header(RULESETS["doubling"], slug="autumn", name="Осенний кубок & <b>Co</b>")
    play_all(store, doubling, {2: "illegal"})
    play_all(store, header(RULESETS["played-out"], slug="practice"), {}, practice=True)
    _live(store)
    halted = header(RULESETS["last-trick"], slug="halted")
    put(store, halted)
    store.set_state("halted", TournamentState.STOPPED, LATER)
    definition = store.tournament("live").definition
    store.create_tournament(
        TournamentDefinition(
            name="Next",
            slug="next",
            rules=definition.rules,
            games_per_pairing=2,
            games_at_once=4,
            entrants=("ada", "shy"),
            clock=definition.clock,
        ),
        seed=SEED,
        commitment=shuffle.commitment(SEED),
        at=NOW,
    )
    for name, rules in RULESETS.items():
        _every_end(store, f"ends-{name}", rules)
    store.extend_joining("live", 60_000, "the trains are late", NOW)


def _live(store: Store) -> None:
    """A tournament that is played: a whole round is over, a game open, the others scheduled."""
    record = header(RULESETS["doubling"], slug="live", games_per_pairing=2)
    ids = put(store, record)
    for game_id, game in list(zip(ids, play_games(record, {2: "void"}), strict=True))[:3]:
        store.commit(events_of(game_id, game, record.rules))
    result = LIVE_DEAL.result
    assert result is not None
    assert result.winner is not None
    score = (result.game_points, 0) if result.winner == 0 else (0, result.game_points)
    told = pack_deal(replace(LIVE_DEAL, comments={1: LIVE_COMMENT}))
    begun: list[Event] = [GameOpened(ids[4]), DealStarted(ids[4], 0)]
    store.commit([*begun, DealOver(ids[4], 0, told, score), DealStarted(ids[4], 1)])


ENDS: dict[str, tuple[DealEnd, ...]] = {
    "classic": (
        DealEnd.CLAIM,
        DealEnd.FALSE_CLAIM,
        DealEnd.FAILED_CLOSE,
        DealEnd.COUNTED,
    ),
    "doubling": (
        DealEnd.CLAIM,
        DealEnd.FALSE_CLAIM,
        DealEnd.FAILED_CLOSE,
        DealEnd.COUNTED,
        DealEnd.FIRST_TO_66,
    ),
    "played-out": (
        DealEnd.FAILED_CLOSE,
        DealEnd.COUNTED,
        DealEnd.DRAWN_BOTH_66,
        DealEnd.DRAWN_NEITHER_66,
    ),
    "last-trick": (DealEnd.CLAIM, DealEnd.FALSE_CLAIM, DealEnd.COUNTED, DealEnd.LAST_TRICK),
}
"""The ends that `deals_by_end` finds for each rule set."""


def deals_by_end(rules: Ruleset) -> dict[DealEnd, DealRecord]:
    """A deal for each of `ENDS`."""
    found: dict[DealEnd, DealRecord] = {}
    wanted = ENDS[rules.name]
    chance = Random(f"ends of {rules.name}")
    for _ in range(20_000):
        record = played.play_deal(rules, chance, 0, 0)
        assert record.result is not None
        found.setdefault(record.result.end, record)
        if all(end in found for end in wanted):
            return {end: found[end] for end in wanted}
    raise AssertionError(f"not found for {rules.name}: {set(wanted) - set(found)}")


def _every_end(store: Store, slug: str, rules: Ruleset) -> None:
    """A tournament of a game whose deals end in every way there is, the last one broken off."""
    record = header(rules, slug=slug, entrants=("ada", "bob"), games_per_pairing=2)
    ids = put(store, record)
    deals = [*deals_by_end(rules).values()]
    deal = Deal(rules, deals[0].pack, 0)
    broken = DealRecord(0, 0, deal.pack, deals[0].moves[:3], (1, 2, 3))
    void = DealRecord(0, 0, deal.pack, void=True)
    store.commit([GameOpened(ids[0])])
    for number, each in enumerate([*deals, void, broken]):
        told = pack_deal(replace(each, deal=number))
        over = DealOver(ids[0], number, told, (0, 0), counted=not each.void)
        store.commit([DealStarted(ids[0], number), over])
    forfeit = GameOutcome(
        GameEnd.FORFEIT, 0, (0, 0), len(deals), Fault.TIMEOUT, "no move within 400 ms."
    )
    drawn = GameOutcome(GameEnd.DEAL_LIMIT, None, (0, 0), 0)
    store.commit([GameOver(ids[0], forfeit), GameOver(ids[1], drawn)])
    store.set_state(slug, TournamentState.FINISHED, LATER)


def tables() -> tuple[str, ...]:
    """The addresses that are tables too: with `.csv` behind them."""
    return (
        "/t",
        *(f"/t/{slug}" for slug in SLUGS),
        "/t/spring/games",
        "/t/live/games",
        "/t/spring/vs/ada/bob",
        "/b/ada",
        "/b/house:random",
        "/leaderboard",
    )


def addresses() -> tuple[str, ...]:
    """Every page there is, of every kind and state."""
    games = (
        *(f"/g/spring.{number}" for number in range(1, 8)),
        "/g/autumn.2",
        "/g/live.1",
        f"/g/{OPEN_GAME}",
        "/g/live.6",
        "/g/ends-classic.2",
    )
    replays = (
        *(f"/g/ends-{name}.1/{deal}" for name in RULESETS for deal in range(len(ENDS[name]) + 2)),
        "/g/spring.1/0",
        "/g/spring.1/0?ply=0",
        "/g/spring.1/0?ply=5&seat=0",
        "/g/spring.1/0?ply=7&seat=1&bottom=1",
        f"/g/{OPEN_GAME}/0",
    )
    return (
        "/",
        *tables(),
        *(f"/t/{slug}/games" for slug in SLUGS),
        "/t/spring/games?bot=ada&result=won",
        "/t/spring/games?fault=any",
        "/t/live/vs/ada/bob",
        "/t/next/vs/ada/shy",
        *games,
        *replays,
        "/b/bob",
        "/b/shy",
        *(f"/leaderboard?rules={name}" for name in RULESETS),
        *(f"/rules/{name}" for name in RULESETS),
        *(f"/fair/{slug}" for slug in SLUGS),
        "/numbers",
        "/docs",
    )


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)


class Served:
    """Pages on a port of this machine; the paths go out as they are given."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def get(self, path: str, *, method: str = "GET", **headers: str) -> Answer:
        """Asks for a path; a header's name has `_` where HTTP has `-`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        with closing(connection):
            connection.putrequest(method, path, skip_host="host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def send(self, request: bytes) -> bytes:
        """Sends what is perhaps no request; all that came back."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as stream:
            stream.sendall(request)
            stream.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: stream.recv(65_536), b""))


@contextmanager
def serving(data: Path, hosts: Sequence[str] = ()) -> Iterator[Served]:
    """The pages of a data folder, served by a thread as their own process would."""
    with DataFolder.open(data, create=False).open_reader() as reader:
        app = make_app(StoredArena(reader), reader, hosts)
        with served(app) as pages:
            yield pages


@contextmanager
def served(app: Any) -> Iterator[Served]:
    """An application on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16 * 1024,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not server.started and time.monotonic() < deadline:
                time.sleep(0.005)
            yield Served(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
