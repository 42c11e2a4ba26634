"""What can be read of an arena, out of a store that this test fills."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.played import events, play_game
from support.stored import LATER, NOW, create, start

from sixtysix.api import ArenaReader
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import Board, GameState, TournamentState
from sixtysix.rules import RULESETS, UnknownRuleset
from sixtysix_arena import boards, queries, standings, statistics
from sixtysix_arena.errors import Invalid, NotFound, NotReady
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.ratings import RunningRatings
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.standings import board as board_of
from sixtysix_arena.store import DataFolder, GameOver, Store

RULES = RULESETS["classic"]
PLAYED = [play_game(RULES, seed, first_dealer=seed % 2) for seed in range(6)]


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder.open(tmp_path / "data", create=True)


@pytest.fixture
def store(folder: DataFolder) -> Iterator[Store]:
    with folder.lock() as lock, folder.open_store(lock) as opened:
        yield opened


@pytest.fixture
def stored(store: Store, folder: DataFolder) -> Iterator[StoredArena]:
    with folder.open_reader() as reader:
        yield StoredArena(reader)


@pytest.fixture
def cup(store: Store) -> list[int]:
    """A running cup of ada, bob and house:random: the ids of its six games, two a round."""
    create(store, rules=RULES)
    for entrant in ("ada", "bob"):
        store.freeze_version(["cup"], entrant, "1.0")
    return start(store)


def play(store: Store, cup: list[int], *numbers: int) -> None:
    """Plays games by their numbers, from 1."""
    for number in numbers:
        store.commit(events(cup[number - 1], PLAYED[number - 1]))


def finish(store: Store, cup: list[int]) -> None:
    play(store, cup, *range(1, 7))
    store.set_state("cup", TournamentState.FINISHED, LATER)


def test_it_is_the_reading_half_of_the_interface(stored: StoredArena) -> None:
    reader: ArenaReader = stored
    assert list(reader.bots()) == []


# Boards


def test_a_board_counts_whole_rounds(store: Store, stored: StoredArena, cup: list[int]) -> None:
    assert stored.board("cup").round_count == 0
    play(store, cup, 1, 2, 3)
    board = stored.board("cup")
    assert (board.round_count, board.rounds_total, board.final) == (1, 3, False)
    assert {row.entrant: row.games for row in board.rows} == {"ada": 0, "bob": 2, "house:random": 2}
    assert {row.entrant: row.version for row in board.rows}["ada"] == "1.0"


def test_a_board_is_that_of_the_standings(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    finish(store, cup)
    entrants = ("ada", "bob", "house:random")
    assert stored.board("cup") == board_of(
        slug="cup",
        ruleset="classic",
        versions={"ada": "1.0", "bob": "1.0", "house:random": ""},
        schedule=round_robin(entrants, 2),
        outcomes={number: PLAYED[number - 1].outcome for number in range(1, 7)},
    )
    assert stored.board("cup").final


def test_a_board_before_the_start_and_after(store: Store, stored: StoredArena) -> None:
    create(store, rules=RULES)
    assert stored.board("cup").rounds_total == 0
    start(store)
    assert stored.board("cup").rounds_total == 3


def test_a_version_that_is_frozen_shows_at_once(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    play(store, cup, 1, 2)
    stored.board("cup")
    store.freeze_version(["cup"], "house:random", "2.0")
    versions = {row.entrant: row.version for row in stored.board("cup").rows}
    assert versions["house:random"] == "2.0"


def test_a_board_is_rated_again_only_when_a_round_has_ended(
    store: Store, stored: StoredArena, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rated: list[int] = []
    add = RunningRatings.add

    def counted(self: RunningRatings[str], results: Iterable[Any]) -> None:
        results = list(results)
        rated.append(len(results))
        add(self, results)

    monkeypatch.setattr(RunningRatings, "add", counted)
    for number in range(1, 7):
        stored.board("cup")
        play(store, cup, number)
        first, second = stored.board("cup"), stored.board("cup")
        assert first is second
    assert rated == [2, 2, 2]


def test_boards_that_go_on_are_those_of_all_games_at_once(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    for number in range(1, 7):
        play(store, cup, number)
        with store.snapshot() as reader:
            anew = StoredArena(reader)
            assert stored.board("cup") == anew.board("cup"), number
            assert stored.course("cup") == anew.course("cup"), number
            assert stored.statistics("cup") == anew.statistics("cup"), number


def test_a_game_that_was_made_void_is_counted_anew(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    play(store, cup, 1, 2, 3, 4)
    assert stored.board("cup").round_count == 2
    store.void_game("cup", 1, store.deals(cup[0]), "cosmic ray", LATER)
    assert stored.board("cup").round_count == 0
    store.commit([GameOver(cup[0], GameOutcome(GameEnd.TARGET, 1, (0, 7), 4))])
    assert stored.board("cup").round_count == 2
    assert stored.board("cup") == StoredArena(store).board("cup")


def test_not_more_is_kept_than_has_room(
    store: Store, stored: StoredArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "BOARDS_KEPT", 3)
    monkeypatch.setattr(boards, "GAMES_KEPT", 7)
    for number in range(6):
        create(store, slug=f"cup-{number}", rules=RULES)
        games = start(store, f"cup-{number}")
        play(store, games, *range(1, 7))
        stored.course(f"cup-{number}")
        stored.statistics(f"cup-{number}")
    assert list(stored._boards._standings) == ["cup-3", "cup-4", "cup-5"]
    kept = [each.games is not None for each in stored._boards._standings.values()]
    assert kept == [False, False, True]
    before = stored.board("cup-3")
    assert stored.course("cup-3").board is before
    assert stored.course("cup-3") == StoredArena(store).course("cup-3")


def test_pages_show_the_last_board_while_a_newer_one_is_made(
    store: Store, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = StoredArena(store, is_patient=False)
    play(store, cup, 1, 2)
    before = stored.board("cup"), stored.course("cup"), stored.statistics("cup")
    play(store, cup, 3, 4)
    making, go_on = threading.Event(), threading.Event()
    make = standings.board_of

    def slow(*args: Any, **kept: Any) -> Board:
        making.set()
        assert go_on.wait(10)
        return make(*args, **kept)

    monkeypatch.setattr(standings, "board_of", slow)
    thread = threading.Thread(target=stored.board, args=("cup",))
    thread.start()
    try:
        assert making.wait(10)
        assert (stored.board("cup"), stored.course("cup"), stored.statistics("cup")) == before
    finally:
        go_on.set()
        thread.join()
    assert stored.board("cup").round_count == 2


def test_only_so_many_wait_for_the_first_board(
    store: Store, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "MAX_WAITING", 1)
    stored = StoredArena(store, is_patient=False)
    making, go_on = threading.Event(), threading.Event()
    make = standings.board_of

    def slow(*args: Any, **kept: Any) -> Board:
        making.set()
        assert go_on.wait(10)
        return make(*args, **kept)

    monkeypatch.setattr(standings, "board_of", slow)
    threads = [threading.Thread(target=stored.board, args=("cup",)) for _ in range(2)]
    try:
        threads[0].start()
        assert making.wait(10)
        threads[1].start()
        turn = stored._boards._standings["cup"].board_turn
        while turn._waiting < 1:
            time.sleep(0.01)
        with pytest.raises(NotReady, match="come again"):
            stored.board("cup")
    finally:
        go_on.set()
        for thread in threads:
            thread.join()


def test_no_board_of_nothing(stored: StoredArena) -> None:
    with pytest.raises(NotFound, match="no tournament 'nix'"):
        stored.board("nix")
    with pytest.raises(NotFound, match="no tournament 'nix'"):
        stored.statistics("nix")


# Statistics


def counted_game(number: int) -> PlayedGame:
    schedule = round_robin(("ada", "bob", "house:random"), 2)
    return PlayedGame(schedule[number - 1], PLAYED[number - 1].outcome)


def test_statistics_are_the_same_from_the_store_and_from_records(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    finish(store, cup)
    times = {
        number: statistics.think_times(RULES, PLAYED[number - 1].records) for number in range(1, 7)
    }
    games = [counted_game(number) for number in range(1, 7)]
    found = stored.statistics("cup")
    assert found == statistics.statistics(stored.board("cup"), games, times)
    assert all(row.timed_move_count > 20 for row in found.entrants)
    assert all(row.think_p95_ms for row in found.entrants)


def test_statistics_are_of_whole_rounds(store: Store, stored: StoredArena, cup: list[int]) -> None:
    assert stored.statistics("cup").games == 0
    play(store, cup, 1, 2, 3)
    found = stored.statistics("cup")
    assert (found.round_count, found.games) == (1, 2)
    assert [pairing.entrants for pairing in found.head_to_head] == [("bob", "house:random")]
    unseen = {row.entrant: row for row in found.entrants}["ada"]
    assert (unseen.timed_move_count, unseen.strength) == (0, 25.0)


def test_statistics_before_the_start(store: Store, stored: StoredArena) -> None:
    create(store, rules=RULES)
    found = stored.statistics("cup")
    assert (found.round_count, found.games, found.head_to_head) == (0, 0, ())
    assert len(found.entrants) == 3


def test_statistics_are_made_again_only_when_a_round_has_ended(
    store: Store, stored: StoredArena, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    make = statistics.statistics

    def counted(board: Board, games: Sequence[PlayedGame], *others: Any) -> object:
        looked.append(len(games))
        return make(board, games, *others)

    monkeypatch.setattr(statistics, "statistics", counted)
    for number in range(1, 7):
        stored.statistics("cup")
        play(store, cup, number)
        first, second = stored.statistics("cup"), stored.statistics("cup")
        assert first is second
    assert looked == [0, 2, 4, 6]


def test_statistics_are_made_again_when_a_bot_has_another_owner(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    finish(store, cup)
    assert stored.statistics("cup").owner_pairings == ()
    for name in ("ada", "bob"):
        store.add_bot(name, name.encode().ljust(32), NOW, owner="Ann")
    told = stored.statistics("cup").owner_pairings
    assert [(each.owner, each.entrants) for each in told] == [("Ann", ("ada", "bob"))]
    store.set_owner("ada", "Eve")
    assert stored.statistics("cup").owner_pairings == ()


def test_a_board_does_not_wait_while_deals_are_looked_through(
    store: Store, stored: StoredArena, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(store, cup)
    looking, go_on = threading.Event(), threading.Event()
    make = statistics.statistics

    def slow(*args: object) -> object:
        looking.set()
        assert go_on.wait(10)
        return make(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(statistics, "statistics", slow)
    thread = threading.Thread(target=stored.statistics, args=("cup",))
    thread.start()
    try:
        assert looking.wait(10)
        assert stored.board("cup").final
    finally:
        go_on.set()
        thread.join()


def test_the_standing_board_counts_what_is_over_and_no_practice(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    assert stored.standing_board("classic").rows == ()
    play(store, cup, 1, 2, 3, 4)
    assert stored.standing_board("classic").rows == ()
    finish(store, cup)
    board = stored.standing_board("classic")
    assert [row.games for row in board.rows] == [4, 4, 4]
    assert stored.standing_board("doubling").rows == ()
    create(store, rules=RULES, slug="practice", practice_seed="42", seed=b"42")
    for game in start(store, "practice"):
        store.commit([GameOver(game, GameOutcome(GameEnd.TARGET, 0, (8, 0), 4))])
    store.set_state("practice", TournamentState.FINISHED, LATER)
    assert stored.standing_board("classic") is board
    assert stored.board("practice").practice


def test_a_standing_board_of_no_rules(stored: StoredArena) -> None:
    with pytest.raises(UnknownRuleset, match="clasic"):
        stored.standing_board("clasic")


# Tournaments


def test_a_tournament_as_it_stands(store: Store, folder: DataFolder, cup: list[int]) -> None:
    play(store, cup, 1)
    with folder.open_reader() as reader:
        live = StoredArena(
            reader, present=lambda entrant: replace(entrant, connected=entrant.id == "bob")
        )
        info = live.tournament("cup", waiting_for="waiting for ada")
    assert (info.game_count, info.games_over_count, info.games_open_count) == (6, 1, 0)
    assert [each.id for each in info.entrants if each.connected] == ["bob"]
    assert info.waiting_for == "waiting for ada"
    assert info.seed == ""


def test_what_went_wrong_in_a_tournament_is_counted(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    ends = [
        GameOutcome(GameEnd.FORFEIT, 0, (0, 0), 0, Fault.TIMEOUT),
        GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.TIMEOUT),
        GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.NO_SHOW),
        GameOutcome(GameEnd.VOID, None, (0, 0), 0),
        GameOutcome(GameEnd.TARGET, 1, (0, 7), 4),
    ]
    expected: dict[str, dict[Fault, int]] = {}
    for game, outcome in zip(cup, ends, strict=False):
        store.commit([GameOver(game, outcome)])
        if outcome.fault is not None and outcome.winner is not None:
            loser = store.game_by_id(game).entrants[1 - outcome.winner]
            counted = expected.setdefault(loser, {})
            counted[outcome.fault] = counted.get(outcome.fault, 0) + 1
    info = stored.tournament("cup")
    assert info.games_void_count is None, "who watches asks twice a second"
    info = stored.with_mishaps(info)
    assert info.games_void_count == 1
    assert {each.id: each.faults for each in info.entrants if each.faults} == expected
    assert sum(map(len, expected.values())) >= 2


def test_a_bot_is_shown_with_why_it_was_disabled(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    for name in ("ada", "bob"):
        store.add_bot(name, name.encode() * 8, NOW)
    assert stored.bot("ada").disabled_reason == ""
    store.disable_bot("ada", LATER, "it cheats")
    assert stored.bot("ada").disabled_reason == "it cheats"
    assert stored.bot("bob").disabled_reason == ""


def test_the_seed_is_told_when_all_is_over(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    play(store, cup, *range(1, 7))
    assert stored.tournament("cup").seed == ""
    store.set_state("cup", TournamentState.FINISHED, LATER)
    assert stored.tournament("cup").seed == (b"s" * 32).hex()


def test_a_tournament_is_watched_until_it_no_longer_runs(
    store: Store, stored: StoredArena, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "WATCH_S", 0.01)
    watched = stored.watch_tournament("cup")
    assert next(watched).games_over_count == 0
    play(store, cup, 1)
    assert next(watched).games_over_count == 1
    store.set_state("cup", TournamentState.STOPPED, LATER)
    assert [info.state for info in watched] == [TournamentState.STOPPED]
    assert len(list(stored.watch_tournament("cup"))) == 1


def test_lists_are_whole_whatever_their_pages(
    store: Store, stored: StoredArena, cup: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bob", "cy"):
        store.add_bot(name, name.encode() * 8, NOW)
    for number in range(4):
        create(store, slug=f"cup-{number}")
    whole = list(stored.bots()), list(stored.tournaments()), list(stored.games("cup"))
    assert (len(whole[0]), len(whole[1]), len(whole[2])) == (3, 5, 6)
    assert [info.slug for info in stored.tournaments()][-1] == "cup"
    for size in (1, 2, 3, 4):
        monkeypatch.setattr(queries, "PAGE_SIZE", size)
        pages = list(stored.bots()), list(stored.tournaments()), list(stored.games("cup"))
        assert pages == whole, size


def test_pages(store: Store, stored: StoredArena, cup: list[int]) -> None:
    assert [game.number for game in stored.games_page("cup", None, 2, 2)] == [3, 4]
    assert [game.number for game in stored.games_page("cup", "bob", 2, 9)] == [5, 6]
    assert stored.tournaments_page("cup", 9) == ()


def test_the_games_so_far_are_those_that_are_over(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    def so_far() -> dict[str, tuple[int, ...]]:
        told = stored.games_so_far("cup")
        assert [each.entrant for each in told] == ["ada", "bob", "house:random"]
        assert all(each.over == each.won + each.drawn + each.lost + each.void for each in told)
        return {
            each.entrant: (each.won, each.drawn, each.lost, each.void, each.faults) for each in told
        }

    assert set(so_far().values()) == {(0, 0, 0, 0, 0)}
    # Games 1 and 2 are of bob and house:random, 3 and 4 of ada and house:random.
    outcomes = [
        GameOutcome(GameEnd.TARGET, 0, (7, 2), 5),
        GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 1, Fault.TIMEOUT, "no move"),
        GameOutcome(GameEnd.DEAL_LIMIT, None, (3, 3), 9),
        GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away"),
    ]
    ends = zip(cup, outcomes, strict=False)
    store.commit([GameOver(game_id, outcome) for game_id, outcome in ends])
    store.commit(events(cup[4], PLAYED[4])[:-1])
    assert so_far() == {
        "ada": (0, 1, 0, 1, 0),
        "bob": (1, 0, 1, 0, 1),
        "house:random": (1, 1, 1, 1, 0),
    }
    store.void_game("cup", 2, (), "the clock was wrong", LATER)
    assert so_far()["bob"] == (1, 0, 0, 0, 0)


def test_the_games_so_far_are_of_one_tournament(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    create(store, slug="other")
    play(store, start(store, "other"), 1, 2)
    play(store, cup, 1)
    assert sum(each.over for each in stored.games_so_far("cup")) == 2
    assert sum(each.over for each in stored.games_so_far("other")) == 4
    with pytest.raises(NotFound):
        stored.games_so_far("none")


# Games


def test_games_of_an_entrant(store: Store, stored: StoredArena, cup: list[int]) -> None:
    play(store, cup, 1)
    games = list(stored.games("cup", "bob"))
    assert len(games) == 4
    assert all("bob" in game.entrants for game in games)
    assert games[0].state is GameState.OVER
    with pytest.raises(NotFound, match="'adda' is no entrant of the tournament 'cup': did you"):
        stored.games("cup", "adda")
    with pytest.raises(NotFound, match="no tournament 'nix'"):
        stored.games("nix")


def test_a_game_with_its_deals(store: Store, stored: StoredArena, cup: list[int]) -> None:
    finish(store, cup)
    report = stored.game("cup.3")
    assert report.deals == PLAYED[2].records
    assert report.rules == RULES
    assert report.game == list(stored.games("cup"))[2]
    games = [stored.game(f"cup.{number}") for number in range(1, 7)]
    assert any(deal.comments for game in games for deal in game.deals)


def test_comments_are_the_authors_until_the_tournament_is_over(
    store: Store, stored: StoredArena, cup: list[int]
) -> None:
    play(store, cup, *range(1, 7))
    games = [stored.game(f"cup.{number}") for number in range(1, 7)]
    assert not any(deal.comments for game in games for deal in game.deals)
    assert [len(game.deals) for game in games] == [len(played.records) for played in PLAYED]


def test_a_deal_in_progress_is_nowhere(store: Store, stored: StoredArena, cup: list[int]) -> None:
    opened, started, *_ = events(cup[0], PLAYED[0])
    store.commit([opened, started])
    report = stored.game("cup.1")
    assert report.game.state is GameState.OPEN
    assert report.deals == ()


def test_a_forfeit_is_told(store: Store, stored: StoredArena, cup: list[int]) -> None:
    outcome = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.NO_SHOW, "ada did not join")
    store.commit([GameOver(cup[0], outcome)])
    game = stored.game("cup.1").game
    assert (game.end, game.winner, game.fault, game.reason) == (
        GameEnd.FORFEIT,
        1,
        Fault.NO_SHOW,
        "ada did not join",
    )


@pytest.mark.parametrize(
    "game_id",
    ["", "cup", "cup.", "cup.0", "cup.01", "cup.x", "cup.1.2", "Cup.1", "cup.1\n", "../x.1"],
)
def test_threat_30_what_is_no_id_of_a_game(stored: StoredArena, game_id: str) -> None:
    with pytest.raises(Invalid, match="is no game: expected a tournament, a dot and a number"):
        stored.game(game_id)


def test_no_such_game(stored: StoredArena, cup: list[int]) -> None:
    with pytest.raises(NotFound, match=r"no game cup\.7"):
        stored.game("cup.7")
    with pytest.raises(NotFound, match="no tournament 'nix'"):
        stored.game("nix.1")


def test_many_threads_may_read(store: Store, stored: StoredArena, cup: list[int]) -> None:
    finish(store, cup)
    seen: list[object] = []

    def read() -> None:
        seen.append((stored.board("cup"), stored.statistics("cup"), list(stored.games("cup"))))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert all(each == seen[0] for each in seen)
