"""What goes over the wire, or into the store, comes back the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sixtysix import reports, wire
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord, RecordError, replay
from sixtysix.rules import CARDS, MOVES, RULESETS, Deal, DealEnd, Ruleset, View, ruleset
from sixtysix.v1 import arena_pb2, common_pb2, play_pb2, record_pb2

EVERY_RULES = (
    *RULESETS.values(),
    *(
        ruleset("doubling", target=target, agreed_six=agreed_six)
        for target, agreed_six in product((7, 8), (False, True))
    ),
)
SEEDS = st.integers(0, 2**32 - 1)


def _deal(rules: Ruleset, rng: random.Random) -> Deal:
    pack = list(range(24))
    rng.shuffle(pack)
    return Deal(rules, pack, dealer=rng.randrange(2))


def _views(rules: Ruleset, seed: int) -> Iterator[View]:
    """The views of one deal of random play, each with the clock and score of its own."""
    rng = random.Random(seed)
    deal = _deal(rules, rng)
    while deal.turn is not None:
        view = deal.view(
            deal.turn,
            game="spring-cup.17",
            deal=rng.randrange(200),
            score=(rng.randrange(8), rng.randrange(8)),
            move_ms=rng.randrange(2_000),
            game_ms=rng.randrange(120_000),
        )
        yield view
        deal.play(rng.choice(view.legal))


def _record(rules: Ruleset, seed: int) -> DealRecord:
    rng = random.Random(seed)
    deal = _deal(rules, rng)
    while deal.turn is not None:
        deal.play(rng.choice(deal.view(deal.turn).legal))
    plies = range(deal.ply)
    return DealRecord(
        deal=rng.randrange(200),
        dealer=deal.dealer,
        pack=deal.pack,
        moves=tuple(deal.moves),
        charged_ms=tuple(rng.randrange(100) for _ in plies),
        referee_plies=frozenset(rng.sample(plies, k=min(3, deal.ply))),
        result=deal.result,
        comments={rng.choice(plies): "sure of it ♠", rng.choice(plies): ""},
    )


@pytest.mark.parametrize("rules", EVERY_RULES, ids=lambda r: f"{r.name}-{r.target}-{r.agreed_six}")
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=SEEDS)
def test_a_view_comes_back_equal_in_value_and_type(rules: Ruleset, seed: int) -> None:
    for view in _views(rules, seed):
        data = wire.decision(view, 2**63 + 5, 12).SerializeToString()
        back = wire.view(play_pb2.Decision.FromString(data), view.game)
        assert back == view
        assert repr(back) == repr(view), "cards and moves are cards and moves again"
        assert type(back) is View
        assert hash(back) == hash(view)


def test_a_view_that_came_back_is_frozen() -> None:
    view = next(_views(RULESETS["classic"], 1))
    back = wire.view(wire.decision(view, 1, 0), view.game)
    with pytest.raises(AttributeError):
        back.seat = 1  # type: ignore[misc]


def test_a_decision_carries_its_game_and_what_the_last_answer_cost() -> None:
    view = next(_views(RULESETS["classic"], 1))
    decision = wire.decision(view, 2**64 - 1, 345)
    assert (decision.game, decision.charged_ms) == (2**64 - 1, 345)


def test_rule_sets_of_views_are_the_same_objects_again() -> None:
    view = next(_views(ruleset("doubling", target=8), 1))
    first, second = (wire.view(wire.decision(view, 1, 0), "") for _ in range(2))
    assert first.ruleset is second.ruleset


@pytest.mark.parametrize("absent", ["trump_card", "closed_by", "led", "exchanged_by"])
def test_what_is_absent_is_not_confused_with_0(absent: str) -> None:
    """Seat 0, the nine of clubs and the move 0 all are 0 on the wire."""
    view = next(_views(RULESETS["doubling"], 1))
    zeros: dict[str, Any] = {"trump_suit": 0, "trump_card": CARDS[0], "led": MOVES[0]}
    full = replace(view, closed_by=0, exchanged_by=0, exchanged_card=CARDS[5], **zeros)
    gone: dict[str, Any] = {absent: None}
    if absent == "exchanged_by":
        gone["exchanged_card"] = None
    for each in (full, replace(full, **gone)):
        assert wire.view(wire.decision(each, 1, 0), each.game) == each


@pytest.mark.parametrize(
    "change",
    [
        {"hand": [24]},
        {"legal": [36]},
        {"tricks": [0, 1]},
        {"score": [1]},
        {"ruleset": 0},
        {"ruleset": 99},
        {"target": 11},
    ],
    ids=str,
)
def test_a_decision_that_makes_no_sense_is_a_wire_error(change: dict[str, Any]) -> None:
    decision = wire.decision(next(_views(RULESETS["classic"], 1)), 1, 0)
    for name, value in change.items():
        decision.ClearField(name)
        decision.MergeFrom(play_pb2.Decision(**{name: value}))
    with pytest.raises(wire.WireError):
        wire.view(decision, "")


@pytest.mark.parametrize("rules", EVERY_RULES, ids=lambda r: f"{r.name}-{r.target}-{r.agreed_six}")
def test_rules_come_back(rules: Ruleset) -> None:
    assert wire.rules_of(wire.rules_message(rules)) == rules


def test_rules_without_a_target_have_their_own() -> None:
    message = common_pb2.Rules(ruleset=common_pb2.RULESET_DOUBLING)
    assert wire.rules_of(message) == RULESETS["doubling"]


def test_an_option_of_other_rules_is_refused() -> None:
    with pytest.raises(wire.WireError, match="classic has no option 'agreed_six'"):
        wire.rules_of(common_pb2.Rules(ruleset=common_pb2.RULESET_CLASSIC, agreed_six=True))


def test_clocks_come_back() -> None:
    clock = Clock(per_move_ms=1, per_game_ms=2, grace_ms=3, join_ms=4)
    assert wire.clock_of(wire.clock_message(clock)) == clock


@pytest.mark.parametrize(
    ("enum", "ours", "said_otherwise"),
    [
        (wire.RULESETS, RULESETS, ()),
        (wire.FAULTS, Fault, ()),
        (wire.GAME_ENDS, GameEnd, ()),
        (wire.GAME_STATES, reports.GameState, ()),
        (wire.TOURNAMENT_STATES, reports.TournamentState, ()),
        (wire.DEAL_ENDS, DealEnd, ("DEAL_END_BROKEN_OFF", "DEAL_END_VOID")),
    ],
    ids=lambda value: value.descriptor.name if isinstance(value, wire.EnumMap) else "",
)
def test_every_member_has_its_number_and_every_number_its_member(
    enum: wire.EnumMap[Any], ours: type[StrEnum], said_otherwise: tuple[str, ...]
) -> None:
    assert set(enum.numbers) == set(ours)
    numbers = {value.number for value in enum.descriptor.values if value.name not in said_otherwise}
    assert set(enum.members) == numbers - {0}
    for member in ours:
        assert enum.member(enum.number(member)) == member
    assert enum.number(None) == 0
    assert enum.member(0) is None
    with pytest.raises(wire.WireError, match="has no number 99"):
        enum.member(99)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=SEEDS)
def test_a_deal_comes_back_from_its_stored_form(rules: Ruleset, seed: int) -> None:
    record = _record(rules, seed)
    back = wire.unpack_deal(wire.pack_deal(record))
    assert back == record
    replay(rules, back)


@pytest.mark.parametrize("void", [False, True])
def test_a_deal_without_a_result_comes_back(void: bool) -> None:
    record = replace(_record(RULESETS["classic"], 3), result=None, void=void)
    assert wire.unpack_deal(wire.pack_deal(record)) == record


def test_a_stored_deal_has_about_110_bytes() -> None:
    records = [replace(_record(RULESETS["classic"], seed), comments={}) for seed in range(100)]
    assert sum(len(wire.pack_deal(record)) for record in records) / len(records) < 110


def test_another_layout_is_refused_with_both_named() -> None:
    message = wire.deal_message(_record(RULESETS["classic"], 3))
    message.layout = 2
    with pytest.raises(RecordError, match="layout 2, and this version reads layout 1"):
        wire.unpack_deal(message.SerializeToString())


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=200))
def test_bytes_that_are_no_deal_are_a_record_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        wire.unpack_deal(data)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_changed_bit_is_a_record_error_or_another_deal(place: int, bit: int) -> None:
    """Nothing else is raised, whatever was changed."""
    record = _record(RULESETS["classic"], 3)
    data = bytearray(wire.pack_deal(record))
    data[place % len(data)] ^= 1 << bit
    try:
        back = wire.unpack_deal(bytes(data))
    except RecordError:
        return
    assert back != record


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"dealer": 2}, "its dealer is seat 2"),
        ({"pack": bytes(24)}, "each card once"),
        ({"moves": bytes([36])}, "no move"),
        ({"charged_ms": [1]}, "1 times"),
        ({"referee_plies": [40]}, "moves that it does not have"),
        ({"comments": [record_pb2.Comment(ply=40)]}, "moves that it does not have"),
        ({"end": 0}, "without a result"),
        ({"end": 99}, "without a result"),
        ({"winner": 2}, "without a result"),
        ({"card_points": [1]}, "without a result"),
    ],
    ids=str,
)
def test_a_deal_that_does_not_hold_together_is_refused(change: dict[str, Any], wrong: str) -> None:
    message = wire.deal_message(_record(RULESETS["classic"], 3))
    for name, value in change.items():
        message.ClearField(name)
        message.MergeFrom(record_pb2.DealRecord(**{name: value}))
        if not value:
            setattr(message, name, value)
    with pytest.raises(RecordError, match=wrong):
        wire.unpack_deal(message.SerializeToString())


@dataclass(frozen=True)
class _Named:
    name: str


TOURNAMENT = reports.TournamentInfo(
    name="Spring cup",
    slug="spring-cup",
    rules=ruleset("doubling", agreed_six=True),
    games_per_pairing=10,
    games_at_once=32,
    clock=Clock(per_move_ms=500),
    practice=True,
    commitment="ab" * 32,
    seed="",
    state=reports.TournamentState.RUNNING,
    entrants=(
        reports.EntrantInfo("house:greedy", "1", connected=True, connection_count=2),
        reports.EntrantInfo("my-bot", connection_count=1, away_ms=0, faults={Fault.TIMEOUT: 2}),
        reports.EntrantInfo("new-bot"),
    ),
    game_count=10,
    games_over_count=3,
    games_open_count=2,
    waiting_for="my-bot has not joined.",
    created_at="2026-01-31T12:00:00Z",
    started_at="",
    finished_at="",
    join_extra_ms=500,
    games_void_count=0,
)
ROW = reports.BoardRow(
    rank=1,
    entrant="my-bot",
    version="2",
    mu=25.5,
    sigma=1.25,
    rating=21.75,
    games=10,
    won=6,
    drawn=1,
    lost=3,
    deals=70,
    game_points_for=80,
    game_points_against=60,
    void=1,
    faults={Fault.TIMEOUT: 2, Fault.ILLEGAL: 1},
)
BOARD = reports.Board(
    slug="",
    ruleset="last-trick",
    final=False,
    practice=False,
    round_count=1,
    rounds_total=3,
    rows=(ROW, replace(ROW, rank=2, faults={})),
    canonical='{"rows":[]}',
)
GAME = reports.GameInfo(
    game_id="spring-cup.1",
    number=1,
    round=1,
    entrants=("house:greedy", "my-bot"),
    game_index=0,
    state=reports.GameState.OVER,
    score=(3, 8),
    deal_count=5,
    end=GameEnd.FORFEIT,
    winner=0,
    fault=Fault.TIMEOUT,
    reason="no answer within 1000 ms",
)
STATISTICS = reports.Statistics(
    slug="spring-cup",
    round_count=3,
    games=11,
    rank_agreement=-0.5,
    first_dealer=reports.FirstDealer(
        games=10,
        win_share=reports.Estimate(0.5, 0.25, 0.75),
        points_per_deal=reports.Estimate(0.0, -0.5, 0.5),
    ),
    entrants=(
        reports.EntrantStatistics(
            entrant="my-bot",
            strength=26.5,
            sigma=0.5,
            place=1,
            above_next=0.0,
            separated=False,
            timed_move_count=70,
            think_p50_ms=0,
            think_p95_ms=12,
            faults={Fault.ILLEGAL: 1},
        ),
        reports.EntrantStatistics("other", 23.5, 0.5, 2, None, None, 0, None, None),
    ),
    head_to_head=(
        reports.HeadToHead(
            entrants=("my-bot", "other"),
            won=6,
            drawn=1,
            lost=4,
            deals=77,
            game_points_for=60,
            game_points_against=50,
            win_share=reports.Estimate(0.59, 0.3, 0.8),
            points_per_deal=None,
            superiority=0.75,
        ),
    ),
)
REPORTS = [
    (reports.BotInfo("my-bot", "2026-01-31T12:00:00Z", "", "2", 5), arena_pb2.BotInfo),
    (TOURNAMENT, arena_pb2.TournamentInfo),
    (BOARD, arena_pb2.Board),
    (STATISTICS, arena_pb2.Statistics),
    (
        replace(
            STATISTICS,
            rank_agreement=None,
            first_dealer=reports.FirstDealer(0, None, None),
            entrants=(),
            head_to_head=(),
        ),
        arena_pb2.Statistics,
    ),
    (STATISTICS.entrants[0], arena_pb2.EntrantStatistics),
    (STATISTICS.head_to_head[0], arena_pb2.HeadToHead),
    (STATISTICS.first_dealer, arena_pb2.FirstDealer),
    (STATISTICS.first_dealer.win_share, arena_pb2.Estimate),
    (GAME, arena_pb2.GameInfo),
    (
        replace(GAME, state=reports.GameState.OPEN, end=None, winner=None, fault=None, reason=""),
        arena_pb2.GameInfo,
    ),
]


@pytest.mark.parametrize(("report", "message_class"), REPORTS, ids=lambda v: type(v).__name__)
def test_a_report_comes_back(report: Any, message_class: Any) -> None:
    data = wire.to_message(report, message_class).SerializeToString()
    assert wire.from_message(message_class.FromString(data), type(report)) == report


@pytest.mark.parametrize(("report", "message_class"), REPORTS, ids=lambda v: type(v).__name__)
def test_a_message_says_all_that_a_report_says(report: Any, message_class: Any) -> None:
    names = {field.name for field in message_class.DESCRIPTOR.fields}
    assert names == set(type(report).__dataclass_fields__)


def test_fields_that_the_report_lacks_are_handed_in() -> None:
    message = wire.to_message(_Named("my-bot"), arena_pb2.SubmitBotRequest, request_id="r1")
    assert message == arena_pb2.SubmitBotRequest(name="my-bot", request_id="r1")


def test_a_state_that_is_not_said_is_a_wire_error() -> None:
    with pytest.raises(wire.WireError, match="GameState is not said"):
        wire.from_message(arena_pb2.GameInfo(), reports.GameInfo)


def test_a_fault_of_a_newer_protocol_is_a_wire_error() -> None:
    message = wire.to_message(GAME, arena_pb2.GameInfo)
    message.fault = 99  # type: ignore[assignment]
    with pytest.raises(wire.WireError, match="Fault has no number 99"):
        wire.from_message(message, reports.GameInfo)


def test_equal_counts_of_faults_are_equal_bytes() -> None:
    other = replace(ROW, faults=dict(reversed(list(ROW.faults.items()))))
    first, second = (wire.to_message(row, arena_pb2.BoardRow) for row in (ROW, other))
    assert first.SerializeToString() == second.SerializeToString()
