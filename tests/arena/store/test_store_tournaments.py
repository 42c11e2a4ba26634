"""Tournaments in the store: created, started, stopped, finished; the seed kept back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.stored import CUP, LATER, NOW, SEED, create, start

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import EntrantInfo, GameState, TournamentState
from sixtysix.rules import RULESETS, ruleset
from sixtysix_arena.errors import Exists, Invalid, NotFound, WrongState
from sixtysix_arena.schedule import ScheduledGame, round_robin
from sixtysix_arena.store import GameOpened, GameOver, Progress, Store

VOID = GameOutcome(GameEnd.VOID, None, (0, 0), 0)


def finish(store: Store, slug: str) -> None:
    store.commit([GameOver(game_id, VOID) for game_id in start(store, slug)])
    store.set_state(slug, TournamentState.FINISHED, LATER)


def test_a_definition_is_kept_as_it_is(store: Store) -> None:
    created = create(store)
    assert created == store.tournament("cup")
    assert created.definition == CUP
    assert created.definition.entrants == ("ada", "bob", "house:random")
    assert created.state is TournamentState.CREATED
    assert (created.seed, created.commitment, created.practice) == (SEED, b"c" * 32, False)
    assert (created.created_at, created.started_at, created.finished_at) == (NOW, "", "")
    assert created.versions == {}


def test_practice_is_a_known_seed(store: Store) -> None:
    created = create(store, practice_seed="сорок два", seed="сорок два".encode())
    assert created.practice
    assert created == store.tournament("cup")
    assert created.definition == replace(CUP, practice_seed="сорок два")
    assert created.definition != replace(CUP, practice_seed="42")


def test_practice_with_another_seed_than_the_known_one_is_refused(store: Store) -> None:
    with pytest.raises(Invalid, match="'cup'"):
        create(store, practice_seed="42", seed=b"43")


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_set_is_kept(store: Store, name: str) -> None:
    assert create(store, rules=ruleset(name)).definition.rules == ruleset(name)


def test_rules_that_have_no_name_are_refused(store: Store) -> None:
    with pytest.raises(Invalid, match="'cup'"):
        create(store, rules=replace(ruleset("classic"), last_trick_bonus=11))
    with pytest.raises(NotFound):
        store.tournament("cup")


def test_a_slug_is_taken_once(store: Store) -> None:
    create(store)
    with pytest.raises(Exists, match="tournament 'cup' already"):
        create(store, seed=b"t" * 32)
    assert store.tournament("cup").seed == SEED


def test_a_repeated_call_gives_the_tournament_of_the_first(store: Store) -> None:
    first = create(store, request_id="r1")
    assert create(store, seed=b"t" * 32, request_id="r1") == first
    with pytest.raises(Exists):
        create(store, request_id="r2")
    with pytest.raises(Invalid, match="same call"):
        create(store, slug="other", request_id="r1")


def test_calls_without_an_id_are_not_repetitions(store: Store) -> None:
    create(store)
    assert create(store, slug="other").slug == "other"


def test_no_such_tournament(store: Store) -> None:
    for call in (
        lambda: store.tournament("no"),
        lambda: store.progress("no"),
        lambda: store.games("no"),
        lambda: store.unfinished_games("no"),
        lambda: store.outcomes("no"),
        lambda: store.start_tournament("no", (), NOW),
        lambda: store.set_state("no", TournamentState.STOPPED, NOW),
        lambda: store.freeze_version(["no"], "ada", "1"),
    ):
        with pytest.raises(NotFound, match="no tournament 'no'"):
            call()


def test_a_start_writes_the_whole_schedule(store: Store) -> None:
    create(store)
    schedule = round_robin(CUP.entrants, 2)
    started = store.start_tournament("cup", schedule, NOW)
    assert (started.state, started.started_at) == (TournamentState.RUNNING, NOW)
    games = store.games("cup")
    assert tuple(game.scheduled for game in games) == schedule
    assert {game.state for game in games} == {GameState.SCHEDULED}
    assert store.progress("cup") == Progress(scheduled=6)


def test_a_schedule_is_written_once(store: Store, cup: list[int]) -> None:
    with pytest.raises(WrongState, match="is running"):
        store.start_tournament("cup", round_robin(CUP.entrants, 2), LATER)
    assert [game.id for game in store.games("cup")] == cup


def test_a_schedule_of_other_entrants_is_refused(store: Store) -> None:
    create(store)
    for entrants in (("ada", "bob"), ("ada", "bob", "eve"), (*CUP.entrants, "eve")):
        with pytest.raises(Invalid, match="does not fit"):
            store.start_tournament("cup", round_robin(entrants, 2), NOW)


def test_a_start_that_fails_leaves_nothing(store: Store) -> None:
    create(store)
    schedule = [*round_robin(CUP.entrants, 2), ScheduledGame(1, 1, ("ada", "bob"), 9)]
    with pytest.raises(Invalid):
        store.start_tournament("cup", schedule, NOW)
    assert store.games("cup") == ()
    assert store.tournament("cup").state is TournamentState.CREATED


def test_game_ids_are_unique_in_the_arena(store: Store, cup: list[int]) -> None:
    create(store, slug="other")
    assert not set(cup) & set(start(store, "other"))


def test_stopped_and_continued(store: Store, cup: list[int]) -> None:
    assert store.set_state("cup", TournamentState.STOPPED, LATER).state is TournamentState.STOPPED
    again = store.set_state("cup", TournamentState.RUNNING, LATER)
    assert (again.state, again.started_at, again.finished_at) == (TournamentState.RUNNING, NOW, "")


def test_to_the_same_state_changes_nothing(store: Store, cup: list[int]) -> None:
    assert store.set_state("cup", TournamentState.RUNNING, LATER) == store.tournament("cup")


def test_a_tournament_is_finished_when_every_game_is_over(store: Store, cup: list[int]) -> None:
    store.commit([GameOver(game_id, VOID) for game_id in cup[:-1]])
    with pytest.raises(WrongState, match="1 games"):
        store.set_state("cup", TournamentState.FINISHED, LATER)
    store.commit([GameOver(cup[-1], VOID)])
    finished = store.set_state("cup", TournamentState.FINISHED, LATER)
    assert (finished.state, finished.finished_at) == (TournamentState.FINISHED, LATER)
    for state in (TournamentState.RUNNING, TournamentState.STOPPED):
        with pytest.raises(WrongState, match="is finished"):
            store.set_state("cup", state, LATER)


@pytest.mark.parametrize("state", ["running", "stopped", "finished"])
def test_what_is_not_started_goes_nowhere(store: Store, state: str) -> None:
    create(store)
    with pytest.raises(WrongState, match="is created"):
        store.set_state("cup", TournamentState(state), LATER)


def test_a_version_is_frozen_when_an_entrant_first_joins(store: Store) -> None:
    create(store)
    create(store, slug="other")
    store.freeze_version(["cup"], "ada", "1.0")
    store.freeze_version(["cup"], "ada", "1.0")
    with pytest.raises(WrongState, match=r"'1\.0'.*'1\.1'"):
        store.freeze_version(["cup"], "ada", "1.1")
    store.freeze_version(["other"], "ada", "1.1")
    assert store.tournament("cup").versions == {"ada": "1.0"}
    assert store.tournament("other").versions == {"ada": "1.1"}


def test_an_empty_version_is_frozen_too(store: Store) -> None:
    create(store)
    store.freeze_version(["cup"], "ada", "")
    with pytest.raises(WrongState):
        store.freeze_version(["cup"], "ada", "1.0")


def test_only_entrants_have_a_frozen_version(store: Store) -> None:
    create(store)
    with pytest.raises(NotFound, match="'eve' is no entrant"):
        store.freeze_version(["cup"], "eve", "1.0")


def test_tournaments_are_paged_the_latest_first(store: Store) -> None:
    for slug in ("b", "a", "c"):
        create(store, slug=slug)
    assert [cup.slug for cup in store.tournaments()] == ["c", "a", "b"]
    assert [cup.slug for cup in store.tournaments(limit=2)] == ["c", "a"]
    assert [cup.slug for cup in store.tournaments(after="a", limit=2)] == ["b"]
    assert store.tournaments(after="b") == ()
    assert store.tournaments(after="no") == ()


def test_tournaments_by_state(store: Store) -> None:
    for slug in ("b", "a", "c"):
        create(store, slug=slug)
    start(store, "b")
    start(store, "c")
    assert [cup.slug for cup in store.tournaments_in(TournamentState.RUNNING)] == ["b", "c"]
    assert [cup.slug for cup in store.tournaments_in(TournamentState.CREATED)] == ["a"]


def test_a_standing_board_counts_finished_ranked_tournaments(store: Store) -> None:
    create(store, slug="second")
    create(store, slug="first")
    create(store, slug="practice", practice_seed="42", seed=b"42")
    create(store, slug="classic", rules=ruleset("classic"))
    create(store, slug="running")
    for slug in ("first", "second", "practice", "classic"):
        finish(store, slug)
    start(store, "running")
    assert [cup.slug for cup in store.ranked_tournaments("doubling")] == ["second", "first"]
    assert [cup.slug for cup in store.ranked_tournaments("last-trick")] == []


def test_info_tells_how_a_tournament_stands(store: Store, cup: list[int]) -> None:
    store.freeze_version(["cup"], "ada", "1.0")
    store.commit([GameOpened(cup[0]), GameOpened(cup[1]), GameOver(cup[0], VOID)])
    info = store.tournament("cup").info(store.progress("cup"), waiting_for="Waits for ada.")
    assert (info.game_count, info.games_open_count, info.games_over_count) == (6, 1, 1)
    assert (info.name, info.slug, info.rules, info.clock) == (
        CUP.name,
        CUP.slug,
        CUP.rules,
        CUP.clock,
    )
    assert info.waiting_for == "Waits for ada."
    assert info.commitment == "63" * 32
    assert info.entrants == (
        EntrantInfo("ada", "1.0"),
        EntrantInfo("bob"),
        EntrantInfo("house:random"),
    )


def test_the_seed_is_told_when_the_last_game_is_over_and_never_before(store: Store) -> None:
    def told() -> str:
        tournament = store.tournament("cup")
        assert "sss" not in repr(tournament)
        return tournament.info(store.progress("cup")).seed

    create(store)
    assert told() == ""
    games = start(store)
    assert told() == ""
    store.set_state("cup", TournamentState.STOPPED, NOW)
    assert told() == ""
    store.commit([GameOver(game_id, VOID) for game_id in games])
    assert told() == ""
    store.set_state("cup", TournamentState.FINISHED, NOW)
    assert told() == SEED.hex()
