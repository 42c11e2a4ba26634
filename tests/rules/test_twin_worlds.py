"""A seat is shown the same in every world that it cannot tell apart, down to the bytes."""

from __future__ import annotations

from random import Random

import pytest
from rules.players import ALL_RULES, name_of, random_deal
from rules.twins import twins

from sixtysix import wire
from sixtysix.rules import Deal, IllegalMove, Ruleset

DEALS = 25
"""Deals for each rule set."""
POSITIONS = 0.25
"""The part of a deal's positions that is looked at."""


def shown(deal: Deal, seat: int) -> tuple[object, ...]:
    """All that reaches a bot: the view, its bytes, and the reason for a refusal."""
    view = deal.view(seat, game="g", score=(1, 2))
    sent = wire.decision(view, game=1, charged_ms=0).SerializeToString(deterministic=True)
    return view, view.unseen, sent, refusals(deal) if deal.turn == seat else ()


def refusals(deal: Deal) -> list[str]:
    """What each illegal move is told."""
    told = []
    for code in range(36):
        if code not in deal.legal_moves():
            try:
                deal.play(code)
            except IllegalMove as error:
                told.append(str(error))
    return told


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_twin_worlds_are_shown_the_same(rules: Ruleset) -> None:
    worlds = 0
    for seed in range(DEALS):
        rng = Random(f"twins {rules.name} {seed}")
        deal, players = random_deal(rules, rng)
        while deal.turn is not None:
            for seat in (0, 1):
                if rng.random() > POSITIONS:
                    continue
                expected = shown(deal, seat)
                for twin in twins(deal, seat, rng):
                    assert shown(twin, seat) == expected, f"seed {seed}, ply {deal.ply}"
                    worlds += twin.pack != deal.pack
            deal.play(players[deal.turn].choose(deal))
    assert worlds >= 1000, "too few worlds to say anything"


def test_twins_differ_in_what_is_hidden_and_only_there() -> None:
    rng = Random("twins differ")
    deal, players = random_deal(ALL_RULES[0], rng)
    assert deal.turn is not None
    deal.play(players[deal.turn].choose(deal))
    for seat in (0, 1):
        worlds = list(twins(deal, seat, rng, tries=30))
        assert len(worlds) == 30 or deal.led is not None
        assert len({world.hand(1 - seat) for world in worlds}) > 10
        assert {world.hand(seat) for world in worlds} == {deal.hand(seat)}
        assert {world.moves == deal.moves for world in worlds} == {True}
