"""Games in the store: listed, found, resumed, and their results."""

from __future__ import annotations

import pytest
from support.stored import CUP, NOW, create

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import GameInfo, GameState
from sixtysix_arena.errors import Invalid, NotFound
from sixtysix_arena.store import (
    DealOver,
    DealStarted,
    FaultEvidence,
    GameOpened,
    GameOver,
    MovesMade,
    Progress,
    Store,
)

WON = GameOutcome(GameEnd.TARGET, 1, (3, 8), 5)
FORFEIT = GameOutcome(GameEnd.FORFEIT, 0, (2, 1), 2, Fault.TIMEOUT, "bob took too long")


def test_games_come_in_the_order_of_the_schedule(store: Store, cup: list[int]) -> None:
    assert [game.number for game in store.games("cup")] == [1, 2, 3, 4, 5, 6]
    assert [game.number for game in store.games("cup", after=2, limit=3)] == [3, 4, 5]
    assert store.games("cup", after=6) == ()


def test_games_of_one_entrant(store: Store, cup: list[int]) -> None:
    games = store.games("cup", entrant="bob")
    assert len(games) == 4
    assert all("bob" in game.entrants for game in games)
    numbers = [game.number for game in games]
    page = store.games("cup", entrant="bob", after=numbers[0], limit=2)
    assert [game.number for game in page] == numbers[1:3]
    assert store.games("cup", entrant="eve") == ()


def test_games_of_another_tournament_stay_out(store: Store, cup: list[int]) -> None:
    create(store, slug="other")
    assert store.games("other") == ()
    assert store.unfinished_games("other") == ()
    assert store.outcomes("other") == {}
    assert store.progress("other") == Progress()


def test_a_game_is_found_by_number_and_by_id(store: Store, cup: list[int]) -> None:
    game = store.game("cup", 3)
    assert (game.id, game.number, game.slug, game.public_id) == (cup[2], 3, "cup", "cup.3")
    assert store.game_by_id(cup[2]) == game


def test_no_such_game(store: Store, cup: list[int]) -> None:
    for slug, number in (("cup", 7), ("cup", 0), ("no", 1)):
        with pytest.raises(NotFound, match=rf"no game {slug}\.{number}"):
            store.game(slug, number)
    with pytest.raises(NotFound, match="no game 999"):
        store.game_by_id(999)
    assert store.deals(999) == ()
    assert store.faults(999) == ()


@pytest.mark.parametrize(
    "outcome",
    [
        WON,
        FORFEIT,
        GameOutcome(GameEnd.DEAL_LIMIT, None, (7, 7), 200),
        GameOutcome(GameEnd.VOID, None, (1, 0), 1, None, "both were away"),
    ],
    ids=lambda outcome: outcome.end,
)
def test_an_outcome_is_kept_as_it_is(store: Store, cup: list[int], outcome: GameOutcome) -> None:
    store.commit([GameOver(cup[1], outcome)])
    game = store.game_by_id(cup[1])
    assert game.outcome == outcome
    assert game.state is GameState.OVER
    assert (game.score, game.deal_count) == (outcome.score, outcome.deal_count)
    assert store.outcomes("cup") == {2: outcome}


def test_outcomes_are_by_number(store: Store, cup: list[int]) -> None:
    store.commit([GameOver(cup[4], WON), GameOver(cup[0], FORFEIT)])
    assert list(store.outcomes("cup").items()) == [(1, FORFEIT), (5, WON)]


def test_info_of_a_game(store: Store, cup: list[int]) -> None:
    game = store.game("cup", 2)
    assert game.info() == GameInfo(
        game_id="cup.2",
        number=2,
        round=game.scheduled.round,
        entrants=game.entrants,
        game_index=1,
        state=GameState.SCHEDULED,
        score=(0, 0),
        deal_count=0,
    )
    store.commit([GameOver(game.id, FORFEIT)])
    info = store.game("cup", 2).info()
    assert (info.state, info.score, info.deal_count) == (GameState.OVER, (2, 1), 2)
    assert (info.end, info.winner, info.fault, info.reason) == (
        GameEnd.FORFEIT,
        0,
        Fault.TIMEOUT,
        "bob took too long",
    )


def test_a_game_is_resumed_from_what_is_stored(store: Store, cup: list[int]) -> None:
    store.commit([GameOpened(cup[0]), *(DealStarted(cup[0], deal) for deal in range(4))])
    store.commit([DealOver(cup[0], deal, b"r", (deal, 0)) for deal in (0, 2)])
    store.commit([GameOver(cup[1], WON), DealStarted(cup[2], 0), GameOpened(cup[2])])
    unfinished = store.unfinished_games("cup")
    assert [entry.game.number for entry in unfinished] == [1, 3, 4, 5, 6]
    first, second, third = unfinished[:3]
    assert first.game == store.game("cup", 1)
    assert [(each.game.deals_started, each.stored_deals) for each in (first, second, third)] == [
        (4, (0, 2)),
        (1, ()),
        (0, ()),
    ]
    assert [each.deal_in_progress for each in (first, second, third)] == [3, 0, None]
    # Of a deal before the last one there is no journal.
    assert [each.broken_deals for each in (first, second, third)] == [(1,), (), ()]
    assert store.deals_in_progress() == {cup[0]: 3, cup[2]: 0}


def test_who_is_asked_is_settled_with_the_opening_of_a_game(store: Store, cup: list[int]) -> None:
    assert store.game("cup", 1).wants_question == (False, False)
    store.commit([GameOpened(cup[0], (False, True)), GameOpened(cup[1])])
    store.commit([GameOpened(cup[0], (True, False))])
    assert store.game("cup", 1).wants_question == (False, True)
    assert store.game("cup", 2).wants_question == (False, False)


def test_the_journal_is_kept_by_tick_and_cut_by_a_checkpoint(store: Store) -> None:
    first, second = MovesMade(1, b"one"), MovesMade(2, b"two")
    store.commit([first])
    store.commit([second])
    store.commit([second])  # It was not known whether that was done.
    assert store.journal() == ((1, b"one"), (2, b"two"))
    with pytest.raises(Invalid, match="two arenas"):
        store.commit([MovesMade(2, b"other")])
    store.commit([MovesMade(3, b"all", is_checkpoint=True)])
    store.commit([MovesMade(4, b"four")])
    assert store.journal() == ((3, b"all"), (4, b"four"))


def test_progress(store: Store, cup: list[int]) -> None:
    store.commit([GameOpened(cup[0]), GameOpened(cup[1]), GameOver(cup[2], WON)])
    assert store.progress("cup") == Progress(scheduled=3, open=2, over=1)
    assert store.progress("cup").total == len(cup)


def test_deals_are_kept_byte_for_byte_and_in_order(store: Store, cup: list[int]) -> None:
    records = {2: b"", 0: bytes(range(256)), 10: b"\xff\x00"}
    store.commit([DealOver(cup[0], deal, records[deal], (0, 0)) for deal in records])
    assert store.deals(cup[0]) == tuple(sorted(records.items()))
    assert store.deals(cup[1]) == ()


def test_evidence_is_kept_as_it_is(store: Store, cup: list[int]) -> None:
    illegal = FaultEvidence(
        cup[0], 1, Fault.ILLEGAL, "illegal move AH", NOW, deal=3, ply=7, evidence=b"\x00e"
    )
    absent = FaultEvidence(cup[0], 0, Fault.NO_SHOW, "never joined", NOW)
    store.commit([illegal, absent])
    assert store.faults(cup[0]) == (absent, illegal)
    assert store.faults(cup[1]) == ()


def test_the_cup_is_what_these_tests_think(store: Store, cup: list[int]) -> None:
    assert len(cup) == 6
    assert len(CUP.entrants) == 3
