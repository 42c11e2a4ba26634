"""Playing a recorded deal again."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest

from sixtysix.record import DealRecord, ReplayMismatch, replay
from sixtysix.rules import RULESETS, Deal


def record_of(name: str, seed: int = 7) -> DealRecord:
    rng = random.Random(seed)
    deal = Deal(RULESETS[name], rng.sample(range(24), 24), dealer=0)
    while deal.turn is not None:
        deal.play(rng.choice(deal.view(deal.turn).legal))
    return DealRecord(
        deal=3,
        dealer=0,
        pack=deal.pack,
        moves=tuple(deal.moves),
        charged_ms=(0,) * len(deal.moves),
        result=deal.result,
    )


@pytest.mark.parametrize("name", RULESETS)
def test_a_record_replays_to_its_result(name: str) -> None:
    record = record_of(name)
    assert replay(RULESETS[name], record).result == record.result


def test_an_illegal_move_is_found_with_its_place() -> None:
    record = record_of("classic")
    moves = list(record.moves)
    moves[4] = next(move for move in range(24) if move in moves[:4])
    with pytest.raises(ReplayMismatch, match=r"^deal 3 ply 4: the rules give .*, the record says"):
        replay(RULESETS["classic"], replace(record, moves=tuple(moves)))


def test_another_result_is_found() -> None:
    record = record_of("classic")
    assert record.result is not None
    other = replace(record.result, game_points=record.result.game_points + 1)
    with pytest.raises(ReplayMismatch, match=r"^deal 3 result: ") as caught:
        replay(RULESETS["classic"], replace(record, result=other))
    assert caught.value.expected == record.result
    assert caught.value.found == other


def test_a_deal_that_was_broken_off_has_no_result() -> None:
    record = replace(record_of("classic"), result=None)
    with pytest.raises(ReplayMismatch):
        replay(RULESETS["classic"], record)  # Its moves give one.
    broken_off = replace(record, moves=record.moves[:3], charged_ms=(0, 0, 0))
    assert replay(RULESETS["classic"], broken_off).turn is not None


def test_a_mismatch_crosses_processes() -> None:
    error = ReplayMismatch("deal 1 ply 2", "QH", "AH")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert str(again) == str(error)
    assert (again.where, again.expected, again.found) == ("deal 1 ply 2", "QH", "AH")
