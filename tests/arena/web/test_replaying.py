"""The replayer's frames, against what the rules themselves say of each moment."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support.played import deal_records, play_deal
from support.records import RULES

from sixtysix.record import DealRecord
from sixtysix.rules import CARDS, CLAIM, CLOSE, EXCHANGE, MOVES, PASS, Deal, IllegalMove, Ruleset
from sixtysix_arena.web.replaying import Event, Frame, Replay, TrickRow, replay_of

DEAL_COUNT = 60


def deals(rules: Ruleset) -> list[DealRecord]:
    chance = Random(f"replays of {rules.name}")
    return [play_deal(rules, chance, number, number % 2) for number in range(DEAL_COUNT)]


@pytest.fixture(params=RULES)
def rules(request: pytest.FixtureRequest) -> Ruleset:
    return RULES[request.param]


def check_frame(frame: Frame, deal: Deal) -> None:
    """A frame shows what both seats know of the deal as it stands, and what each holds."""
    for seat in (0, 1):
        view = deal.view(seat)
        assert {each.card for each in frame.hands[seat]} == set(view.hand)
        assert frame.points[seat] == view.points[seat]
        assert frame.pending[seat] == view.pending[seat]
        assert frame.trump_suit == view.trump_suit
        assert frame.trump_card == view.trump_card
        assert frame.talon_count == view.talon_count
        assert frame.closed_by == view.closed_by
    assert frame.turn == deal.turn
    assert frame.trick_counts == tuple(
        sum(trick.winner == seat for trick in deal.tricks) for seat in (0, 1)
    )


def test_each_frame_is_what_the_rules_say(rules: Ruleset) -> None:
    for record in deals(rules):
        replay = replay_of(rules, record)
        deal = Deal(rules, record.pack, record.dealer)
        check_frame(replay.frames[0], deal)
        assert replay.frames[0].last is None
        for ply, move in enumerate(record.moves):
            seat = deal.turn
            before = [set(deal.hand(0)), set(deal.hand(1))]
            deal.play(move)
            frame = replay.frames[ply + 1]
            check_frame(frame, deal)
            assert frame.ply == ply + 1
            assert frame.last is replay.actions[ply]
            assert frame.last.seat == seat
            assert frame.last.move == MOVES[move]
            assert frame.last.ms == record.charged_ms[ply]
            assert frame.last.by_referee is (ply in record.referee_plies)
            assert frame.last.comment == record.comments.get(ply, "")
            for of in (0, 1):
                new = {each.card for each in frame.hands[of] if each.is_new}
                assert new == set(deal.hand(of)) - before[of]
        assert replay.last_ply == len(record.moves)
        assert replay.deal.result == record.result
        assert replay.race == [frame.points for frame in replay.frames]


def test_cards_come_new_to_a_hand_only_by_a_draw_or_an_exchange(rules: Ruleset) -> None:
    drawn = exchanged = 0
    for record in deals(rules):
        for frame in replay_of(rules, record).frames[1:]:
            new = [sum(each.is_new for each in hand) for hand in frame.hands]
            assert frame.last is not None
            if frame.last.kind == "exchange":
                assert new[frame.last.seat] == 1
                assert new[1 - frame.last.seat] == 0
                assert frame.last.taken in {each.card for each in frame.hands[frame.last.seat]}
                exchanged += 1
            elif frame.last.kind == "reply":
                assert new in ([0, 0], [1, 1])
                drawn += new == [1, 1]
            else:
                assert new == [0, 0]
    assert drawn
    assert bool(exchanged) is (rules.name in ("doubling", "last-trick"))


def test_what_lies_on_the_table(rules: Ruleset) -> None:
    for record in deals(rules):
        frames = replay_of(rules, record).frames
        assert (frames[0].lead, frames[0].reply, frames[0].trick_winner) == (None, None, None)
        tricks = iter(replay_of(rules, record).deal.tricks)
        for frame in frames[1:]:
            assert frame.last is not None
            if frame.last.kind == "lead":
                assert (frame.lead, frame.reply) == (frame.last.move.card, None)
                assert frame.trick_winner is None
                assert frame.leader == frame.last.seat
            elif frame.last.kind == "reply":
                trick = next(tricks)
                assert (frame.lead, frame.reply) == (trick.lead_card, trick.reply)
                assert (frame.leader, frame.trick_winner) == (trick.leader, trick.winner)
            else:
                assert frame.reply is None


def test_hands_begin_with_trumps_and_go_down(rules: Ruleset) -> None:
    for record in deals(rules):
        for frame in replay_of(rules, record).frames:
            for hand in frame.hands:
                keys = [(c.card.suit != frame.trump_suit, c.card.suit, -c.card.rank) for c in hand]
                assert keys == sorted(keys)


def told(replay: Replay) -> list[list[int]]:
    """The plies of each row of the list."""
    return [
        [row.action.ply]
        if isinstance(row, Event)
        else [each.ply for each in (row.lead, row.reply) if each is not None]
        for row in replay.rows
    ]


def test_the_list_has_every_move_once_in_order(rules: Ruleset) -> None:
    """But not what the referee declined for a bot, which nobody did."""
    for record in deals(rules):
        replay = replay_of(rules, record)
        declined = {
            ply
            for ply, move in enumerate(record.moves)
            if MOVES[move] == PASS and ply in record.referee_plies
        }
        rows = told(replay)
        shown = sorted(ply for row in rows for ply in row)
        assert shown == [ply for ply in range(len(record.moves)) if ply not in declined]
        # A reply stands beside its lead, also if something was done in between.
        assert rows == sorted(rows)


def test_stars_are_explained_where_there_are_any(rules: Ruleset) -> None:
    for record in deals(rules)[:5]:
        for ply, move in enumerate(record.moves):
            replay = replay_of(rules, replace(record, referee_plies=frozenset({ply})))
            assert replay.has_stars == (MOVES[move] != PASS)
        assert not replay_of(rules, replace(record, referee_plies=frozenset())).has_stars


def test_the_list_counts_tricks_and_points(rules: Ruleset) -> None:
    for record in deals(rules):
        replay = replay_of(rules, record)
        rows = [row for row in replay.rows if isinstance(row, TrickRow)]
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        for row, trick in zip(rows, replay.deal.tricks, strict=False):
            assert row.winner == trick.winner
            assert row.reply is not None
            assert row.points == replay.frames[row.reply.ply + 1].points
        for row in rows[len(replay.deal.tricks) :]:
            assert (row.reply, row.winner, row.points) == (None, None, None)


def test_kinds_of_moves(rules: Ruleset) -> None:
    kinds = {EXCHANGE: "exchange", CLOSE: "close", CLAIM: "claim"}
    seen = set()
    for record in deals(rules):
        for action in replay_of(rules, record).actions:
            if action.move.card is None:
                assert action.kind == kinds.get(action.move) or action.kind.startswith("no-")
            else:
                assert action.kind in ("lead", "reply")
            seen.add(action.kind)
    assert {"lead", "reply"} <= seen
    assert ("close" in seen) is (rules.name != "last-trick")
    assert ("claim" in seen) is (rules.name != "played-out")
    assert ("exchange" in seen) is (rules.name in ("doubling", "last-trick"))
    assert ("no-close" in seen) is (rules.name == "classic")


def test_marriages_announce_twenty_and_forty(rules: Ruleset) -> None:
    seen = set()
    for record in deal_records(rules, 400):
        for action in replay_of(rules, record).actions:
            if action.move.is_marriage:
                assert action.move.card is not None
                is_trump = action.move.card.suit == CARDS[record.pack[12]].suit
                assert action.marriage == (40 if is_trump else 20)
            else:
                assert action.marriage == 0
            seen.add(action.marriage)
    assert seen == {0, 20, 40}


def test_a_deal_without_moves_has_one_frame(rules: Ruleset) -> None:
    record = DealRecord(0, 1, tuple(range(24)), void=True)
    replay = replay_of(rules, record)
    assert (replay.last_ply, replay.rows, replay.actions) == (0, [], [])
    assert replay.race == [(0, 0)]


def test_a_deal_that_broke_off_within_a_trick_shows_its_lead(rules: Ruleset) -> None:
    record = deals(rules)[0]
    count = 1 + next(a.ply for a in replay_of(rules, record).actions if a.kind == "lead")
    moves, charged_ms = record.moves[:count], record.charged_ms[:count]
    cut = DealRecord(0, record.dealer, record.pack, moves, charged_ms)
    row = replay_of(rules, cut).rows[-1]
    assert isinstance(row, TrickRow)
    assert (row.reply, row.winner, row.points) == (None, None, None)


def test_what_breaks_the_rules_is_not_shown(rules: Ruleset) -> None:
    record = DealRecord(0, 0, tuple(range(24)), moves=(23, 23), charged_ms=(0, 0))
    with pytest.raises(IllegalMove):
        replay_of(rules, record)
