"""A tick in the store: all of it or nothing, and twice the same as once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.stored import NOW

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import GameState
from sixtysix_arena.errors import Invalid
from sixtysix_arena.store import (
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    GameOpened,
    GameOver,
    Store,
)

WON = GameOutcome(GameEnd.TARGET, 0, (8, 1), 3)
FAULT = FaultEvidence(1, 0, Fault.TIMEOUT, "too slow", NOW, deal=1, ply=2, evidence=b"e")


def stored(store: Store) -> object:
    """Everything that a commit can change."""
    games = store.games("cup")
    return [(game, store.deals(game.id), store.faults(game.id)) for game in games]


def test_a_game_opens(store: Store, cup: list[int]) -> None:
    store.commit([GameOpened(cup[0])])
    assert [game.state for game in store.games("cup", limit=2)] == [
        GameState.OPEN,
        GameState.SCHEDULED,
    ]


def test_a_deal_that_starts_uses_up_its_number(store: Store, cup: list[int]) -> None:
    store.commit([DealStarted(cup[0], 0), DealStarted(cup[1], 4)])
    assert store.game_by_id(cup[0]).deals_started == 1
    assert store.game_by_id(cup[1]).deals_started == 5


def test_numbers_that_are_used_up_stay_so(store: Store, cup: list[int]) -> None:
    store.commit([DealStarted(cup[0], 4)])
    store.commit([DealStarted(cup[0], 2)])
    assert store.game_by_id(cup[0]).deals_started == 5


def test_deals_that_are_over_move_the_score(store: Store, cup: list[int]) -> None:
    store.commit([GameOpened(cup[0]), DealOver(cup[0], 0, b"0", (2, 0))])
    store.commit([DealOver(cup[0], 1, b"1", (2, 3))])
    game = store.game_by_id(cup[0])
    assert (game.score, game.deal_count, game.outcome) == ((2, 3), 2, None)


def test_void_deals_do_not_count(store: Store, cup: list[int]) -> None:
    store.commit([DealOver(cup[0], 0, b"0", (2, 0))])
    store.commit([DealOver(cup[0], 1, b"1", (2, 0), counted=False)])
    assert store.game_by_id(cup[0]).deal_count == 1
    assert len(store.deals(cup[0])) == 2


def test_a_tick_holds_everything(store: Store, cup: list[int]) -> None:
    store.commit(
        [
            GameOver(cup[0], WON),
            DealOver(cup[0], 2, b"2", (8, 1)),
            replace(FAULT, game_id=cup[1]),
            DealStarted(cup[2], 0),
            GameOpened(cup[2]),
            DealOver(cup[3], 0, b"0", (0, 3)),
            DealStarted(cup[3], 1),
        ]
    )
    games = {game.id: game for game in store.games("cup")}
    assert games[cup[0]].outcome == WON
    assert len(store.faults(cup[1])) == 1
    assert (games[cup[2]].state, games[cup[2]].deals_started) == (GameState.OPEN, 1)
    assert (games[cup[3]].score, games[cup[3]].deals_started) == ((0, 3), 2)


def test_nothing_to_do(store: Store, cup: list[int]) -> None:
    before = store.games("cup")
    store.commit([])
    assert store.games("cup") == before


def test_a_result_stands_whatever_comes_later(store: Store, cup: list[int]) -> None:
    store.commit([GameOver(cup[0], WON)])
    store.commit([GameOpened(cup[0]), DealOver(cup[0], 9, b"9", (0, 7)), DealStarted(cup[0], 10)])
    assert store.game_by_id(cup[0]).outcome == WON
    assert store.game_by_id(cup[0]).state is GameState.OVER


def batch(cup: list[int]) -> list[Event]:
    return [
        GameOpened(cup[0]),
        GameOpened(cup[1]),
        DealStarted(cup[0], 0),
        DealOver(cup[0], 0, b"0", (1, 0)),
        DealOver(cup[1], 7, b"7", (0, 0), counted=False),
        DealOver(cup[2], 2, b"2", (8, 1)),
        replace(FAULT, game_id=cup[3]),
        GameOver(cup[2], WON),
    ]


def test_fault_row_40_a_batch_that_comes_again_changes_nothing(
    store: Store, cup: list[int]
) -> None:
    store.commit(batch(cup))
    once = stored(store)
    store.commit(batch(cup))
    assert stored(store) == once
    store.commit(batch(cup)[3:5])
    assert stored(store) == once


def test_a_batch_that_holds_an_event_twice(store: Store, cup: list[int]) -> None:
    store.commit([*batch(cup), *batch(cup)])
    assert store.game_by_id(cup[0]).deal_count == 1
    twice = stored(store)
    store.commit(batch(cup))
    assert stored(store) == twice


def test_an_old_batch_does_not_undo_a_newer_one(store: Store, cup: list[int]) -> None:
    store.commit([GameOpened(cup[0]), DealOver(cup[0], 0, b"0", (1, 0)), DealStarted(cup[0], 1)])
    store.commit([DealOver(cup[0], 1, b"1", (1, 2)), DealStarted(cup[0], 2)])
    store.commit([GameOver(cup[0], WON)])
    once = stored(store)
    store.commit([GameOpened(cup[0]), DealOver(cup[0], 0, b"0", (1, 0)), DealStarted(cup[0], 1)])
    assert stored(store) == once


CONTRADICTIONS: dict[str, Callable[[list[int]], Event]] = {
    "deal": lambda cup: DealOver(cup[0], 0, b"other", (1, 0)),
    "outcome": lambda cup: GameOver(cup[2], replace(WON, winner=1)),
    "fault": lambda cup: replace(FAULT, game_id=cup[3], text="other"),
    "opened": lambda cup: GameOpened(999),
    "started": lambda cup: DealStarted(999, 0),
    "over": lambda cup: DealOver(999, 0, b"", (0, 0)),
    "ended": lambda cup: GameOver(999, WON),
    "evidence": lambda cup: replace(FAULT, game_id=999),
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_batch_that_fails_leaves_nothing(store: Store, cup: list[int], what: str) -> None:
    store.commit(batch(cup))
    before = stored(store)
    more: list[Event] = [
        GameOpened(cup[4]),
        DealStarted(cup[4], 0),
        DealOver(cup[4], 0, b"0", (1, 0)),
        replace(FAULT, game_id=cup[4]),
        GameOver(cup[5], WON),
    ]
    with pytest.raises(Invalid):
        store.commit([*more, CONTRADICTIONS[what](cup)])
    assert stored(store) == before
    store.commit(more)
    assert stored(store) != before


def test_a_contradiction_is_named(store: Store, cup: list[int]) -> None:
    store.commit(batch(cup))
    for what, sentence in (
        ("deal", f"deal 0 of game {cup[0]} is stored already"),
        ("outcome", f"game {cup[2]} is over already"),
        ("fault", f"seat 0 in game {cup[3]}"),
        ("opened", "999"),
    ):
        with pytest.raises(Invalid, match=sentence):
            store.commit([CONTRADICTIONS[what](cup)])


def test_a_large_batch(store: Store, cup: list[int]) -> None:
    store.commit([DealOver(cup[deal % 6], deal, bytes(110), (0, 0)) for deal in range(3_000)])
    assert len(store.deals(cup[5])) == 500
    assert store.game_by_id(cup[5]).deal_count == 500
