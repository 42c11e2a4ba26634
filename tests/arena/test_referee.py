"""One game, refereed without any network or clock."""

from __future__ import annotations

import random

import pytest

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord, replay
from sixtysix.rules import CLAIM, RULESETS, Ruleset, parse_cards
from sixtysix.shuffle import pack, tournament_key
from sixtysix_arena.referee import GameSpec, Progress, Referee

KEY = tournament_key(b"a seed", {})


def spec(rules: Ruleset, first_dealer: int = 0) -> GameSpec:
    return GameSpec(5, "cup.1", ("alpha", "beta"), first_dealer, rules, Clock(100, 1_000, 50, 50))


def dealer_of(rules: Ruleset):  # type: ignore[no-untyped-def]
    def deal(number: int) -> tuple[int, ...]:
        return pack(
            KEY,
            ruleset=rules.name,
            tournament="cup",
            entrants=("alpha", "beta"),
            game=0,
            deal=number,
        )

    return deal


def referee(name: str = "classic", **how: object) -> Referee:
    rules = RULESETS[name]
    wants = how.get("wants_question", (False, False))
    progress = how.get("progress")
    return Referee(spec(rules), dealer_of(rules), wants, progress)  # type: ignore[arg-type]


def play_deal(game: Referee, seed: int = 1, charged_ms: int = 0) -> DealRecord:
    """Plays one deal at random."""
    rng = random.Random(seed)
    game.begin_deal()
    while True:
        record = game.answer(rng.choice(game.view().legal), charged_ms)
        if record is not None:
            return record


def play_game(game: Referee) -> list[DealRecord]:
    records: list[DealRecord] = []
    while game.outcome is None:
        records.append(play_deal(game, seed=len(records)))
    return records


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_ends_at_its_target_and_every_deal_replays(name: str) -> None:
    game = referee(name)
    records = play_game(game)
    assert game.outcome is not None
    assert game.outcome.end is GameEnd.TARGET
    assert game.outcome.winner is not None
    assert game.outcome.score[game.outcome.winner] >= RULESETS[name].target
    assert game.outcome.deal_count == len(records)
    assert [record.deal for record in records] == list(range(len(records)))
    for record in records:
        assert replay(RULESETS[name], record).result == record.result
        assert record.pack == dealer_of(RULESETS[name])(record.deal)


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_asked_where_there_is_nothing_to_decide(name: str) -> None:
    game = referee(name)
    for seed in range(20):
        game.begin_deal()
        rng = random.Random(seed)
        record = None
        while record is None:
            assert len(game.view().legal) > 1
            record = game.answer(rng.choice(game.view().legal), 0)
        if game.outcome is not None:
            break
        made_by_referee = record.referee_plies
        assert made_by_referee <= set(range(len(record.moves)))
        assert all(record.charged_ms[ply] == 0 for ply in made_by_referee)
    assert game.deal_count > 0


def test_classics_question_is_put_only_to_bots_that_asked_for_it() -> None:
    silent = referee("classic")
    silent.begin_deal()
    assert silent.seat_on_turn == 1  # Forehand leads at once.
    assert silent.ply == 1  # The referee passed for the dealer.
    asked = referee("classic", wants_question=(True, False))
    asked.begin_deal()
    assert asked.seat_on_turn == 0
    assert [str(move) for move in asked.view().legal] == ["close", "pass"]


def test_an_illegal_move_forfeits_the_game_and_breaks_the_deal_off() -> None:
    game = referee("classic")
    game.begin_deal()
    seat = game.seat_on_turn
    assert seat is not None
    not_held = next(card for card in range(24) if card not in game.view().hand)
    record = game.answer(not_held, 5)
    assert record is not None
    assert record.result is None
    assert not record.void
    assert game.outcome is not None
    assert (game.outcome.end, game.outcome.fault) == (GameEnd.FORFEIT, Fault.ILLEGAL)
    assert game.outcome.winner == 1 - seat
    assert "is not in your hand; legal are" in game.outcome.reason
    assert "game cup.1 deal 0 ply 1" in game.outcome.reason


@pytest.mark.parametrize("number", [36, 255, 2**32 - 1])
def test_a_number_that_is_no_move_is_illegal(number: int) -> None:
    game = referee("played-out")
    game.begin_deal()
    game.answer(number, 0)
    assert game.outcome is not None
    assert game.outcome.fault is Fault.ILLEGAL
    assert "moves are the numbers 0 to 35" in game.outcome.reason


def test_a_false_claim_is_judged_by_the_rules_and_is_no_fault() -> None:
    game = referee("classic")
    game.begin_deal()
    seat = game.seat_on_turn
    assert seat is not None
    assert CLAIM not in game.view().legal
    record = game.answer(CLAIM, 0)
    assert record is not None
    assert record.result is not None
    assert (record.result.winner, record.result.game_points) == (1 - seat, 3)
    assert game.outcome is None


def test_time_comes_off_the_bank_of_the_seat_that_used_it() -> None:
    game = referee("classic")
    game.begin_deal()
    seat = game.seat_on_turn
    assert seat is not None
    game.answer(game.view().legal[0], 120)
    assert game.bank_ms[seat] == 880
    assert game.bank_ms[1 - seat] == 1_000
    assert game.charged_ms[seat] == 120
    assert game.view().game_ms == 1_000
    assert game.view().move_ms == 100


def test_a_forfeit_names_fault_and_reason() -> None:
    game = referee("doubling")
    play_deal(game)
    game.begin_deal()
    record = game.forfeit(0, Fault.TIMEOUT, "too slow")
    assert record is not None
    assert record.deal == 1
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.fault) == (1, Fault.TIMEOUT)
    assert game.outcome.reason == "too slow"
    assert game.outcome.deal_count == 1


def test_a_void_game_has_no_winner() -> None:
    game = referee("doubling")
    game.void("both were away")
    assert game.outcome is not None
    assert (game.outcome.end, game.outcome.winner) == (GameEnd.VOID, None)


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_goes_on_after_a_restart_with_a_fresh_deal(name: str) -> None:
    first = referee(name)
    records = [play_deal(first, seed=number, charged_ms=3 + number) for number in range(2)]
    first.begin_deal()  # Deal 2 is interrupted: its number is gone.
    again = referee(name, progress=Progress(records, deals_started=3))
    assert again.score == first.score
    assert again.deal_count == 2
    assert again.bank_ms == first.bank_ms
    assert again.charged_ms == first.charged_ms == [4, 4]
    dealer = again.next_dealer
    again.begin_deal()
    assert again.deal_number == 3
    seat = again.seat_on_turn
    assert seat is not None
    assert again.view().dealer == dealer


def test_comments_are_kept_with_their_ply() -> None:
    game = referee("last-trick")
    game.begin_deal()
    ply = game.ply
    game.answer(game.view().legal[0], 0, "a hunch")
    record = game.forfeit(0, Fault.LEFT, "gone")
    assert record is not None
    assert record.comments == {ply: "a hunch"}


def test_a_game_without_a_winner_ends_at_the_limit_of_deals() -> None:
    """A pack that both play into a draw, 200 times over."""
    rules = RULESETS["classic"]
    drawn = _drawn_deal(rules)
    game = Referee(spec(rules), lambda _number: drawn.pack, (False, False))
    bot_moves = [move for ply, move in enumerate(drawn.moves) if ply not in drawn.referee_plies]
    for _ in range(200):
        assert game.outcome is None
        game.begin_deal()
        for move in bot_moves:
            game.answer(move, 0)
    assert game.outcome is not None
    assert game.outcome.end is GameEnd.DEAL_LIMIT
    assert game.outcome.winner is None
    assert game.outcome.score == (0, 0)
    assert game.outcome.deal_count == 200


def _drawn_deal(rules: Ruleset) -> DealRecord:
    for seed in range(5_000):
        game = Referee(
            spec(rules),
            lambda number, seed=seed: tuple(random.Random(seed).sample(range(24), 24)),  # type: ignore[misc]
            (False, False),
        )
        record = play_deal(game, seed)
        if record.result is not None and record.result.winner is None:
            return record
    raise AssertionError("no drawn deal was found")


def test_packs_are_asked_for_by_number_only() -> None:
    asked: list[int] = []
    fixed = tuple(
        map(
            int,
            parse_cards("TD AS JS 9S AC KH 9D KC KS QS QH TC AD TS JD KD QD 9C 9H AH TH QC JC JH"),
        )
    )

    def deal(number: int) -> tuple[int, ...]:
        asked.append(number)
        return fixed

    game = Referee(spec(RULESETS["played-out"]), deal, (False, False))
    play_deal(game)
    play_deal(game)
    assert asked == [0, 1]
