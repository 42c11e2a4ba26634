"""A seat is shown the same in every world that it cannot tell apart, down to the bytes.

What a whole arena sends in twin worlds is compared in tests/faults/test_leaks.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial
from random import Random

import pytest
from rules.players import ALL_RULES, name_of, random_deal
from rules.twins import Hidden, replayed, twins

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


def positions(rules: Ruleset, seed: str) -> Iterator[tuple[Deal, Random]]:
    """Every position of a random deal; the same deal, which goes on."""
    rng = Random(f"{rules.name} {seed}")
    deal, players = random_deal(rules, rng)
    while deal.turn is not None:
        yield deal, rng
        deal.play(players[deal.turn].choose(deal))


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_twin_worlds_are_shown_the_same(rules: Ruleset) -> None:
    worlds = 0
    for seed in range(DEALS):
        for deal, rng in positions(rules, f"twins {seed}"):
            for seat in (0, 1):
                if rng.random() > POSITIONS:
                    continue
                expected = shown(deal, seat)
                for twin in twins(deal, seat, rng):
                    assert shown(twin, seat) == expected, f"seed {seed}, ply {deal.ply}"
                    worlds += twin.pack != deal.pack
    assert worlds >= 2000, "too few worlds to say anything"


def test_twins_differ_in_what_is_hidden_and_only_there() -> None:
    deal, rng = next(positions(ALL_RULES[0], "twins differ"))
    assert deal.turn is not None
    deal.play(deal.legal_moves()[0])
    for seat in (0, 1):
        worlds = list(twins(deal, seat, rng, tries=30))
        assert len({world.hand(1 - seat) for world in worlds}) > 20
        assert len({world.talon() for world in worlds}) > 20
        assert {world.hand(seat) for world in worlds} == {deal.hand(seat)}
        assert {world.moves == deal.moves for world in worlds} == {True}


# The generator of these worlds leaves none out, and prefers none.


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_every_hand_that_the_opponent_can_have_is_drawn(rules: Ruleset) -> None:
    """Against trying them all, where there are few."""
    checked = 0
    for seed in range(40):
        for deal, rng in positions(rules, f"hands {seed}"):
            seat = rng.randrange(2)
            if not deal.strict or checked == 25:
                continue
            hands = possible_hands(deal, seat)
            if 2 <= len(hands) <= 60:
                hidden = Hidden.of(deal, seat)
                drawn = {hidden.world(rng).hand(1 - seat) for _ in range(15 * len(hands))}
                assert drawn == hands, f"seed {seed}, ply {deal.ply}"
                checked += 1
    # Without closing all cards are known by the time that suit must be followed.
    assert checked == 25 or rules.close_min_talon is None, "too few positions to say anything"


def possible_hands(deal: Deal, seat: int) -> set[tuple[int, ...]]:
    """The hands with which the opponent could have made its moves."""
    view = deal.view(seat)
    unknown = set(map(int, deal.hand(1 - seat))).difference(view.known)
    hands: set[tuple[int, ...]] = set()
    if comb(len(view.unseen), len(unknown)) > 500:
        return hands  # It would take long.
    for cards in combinations(map(int, view.unseen), len(unknown)):
        goes = sorted(unknown.difference(cards))
        comes = sorted(set(cards).difference(unknown))
        other = dict(zip([*goes, *comes], [*comes, *goes], strict=True))
        if can_be(deal, [other.get(card, card) for card in deal.pack]):
            hands.add(tuple(sorted({*view.known, *cards})))
    return hands


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_all_worlds_are_drawn_and_equally_often(rules: Ruleset) -> None:
    """Against dealing all hidden cards anew, and keeping what could have been played."""
    checked = 0
    for seed in range(30):
        for deal, rng in positions(rules, f"packs {seed}"):
            seat = rng.randrange(2)
            hidden = Hidden.of(deal, seat)
            places = [*(place for _, place in hidden.taken), *hidden.talon]
            share = hidden.count / factorial(len(places))
            if len(deal.tricks) not in (1, 2) or rng.random() < 0.8 or not 0.05 < share < 0.6:
                continue
            kept = kept_packs(deal, places, rng)
            deviation = (share * (1 - share) / DEALT) ** 0.5
            assert abs(len(kept) / DEALT - share) < 5 * deviation, f"seed {seed}, ply {deal.ply}"
            assert_alike(kept, [hidden.pack(rng) for _ in kept])
            checked += 1
            if checked == 5:
                return
    pytest.fail("too few positions to say anything")


DEALT = 3000


def kept_packs(deal: Deal, places: Sequence[int], rng: Random) -> list[list[int]]:
    kept = []
    for _ in range(DEALT):
        pack = list(deal.pack)
        cards = rng.sample(places, len(places))
        for place, other in zip(places, cards, strict=True):
            pack[place] = deal.pack[other]
        if can_be(deal, pack):
            kept.append(pack)
    return kept


def assert_alike(packs: Sequence[list[int]], others: Sequence[list[int]]) -> None:
    """Each card lies at each place about as often."""
    for place in range(24):
        here = Counter(pack[place] for pack in packs)
        there = Counter(pack[place] for pack in others)
        for card in range(24):
            both = here[card] + there[card]
            assert abs(here[card] - there[card]) <= 5 * both**0.5, (place, card)


def can_be(deal: Deal, pack: Sequence[int]) -> bool:
    """Whether the moves of a deal could have been made with another pack."""
    try:
        replayed(deal, pack)
    except IllegalMove:
        return False
    return True


def test_what_the_opponent_denied_is_known() -> None:
    """Hearts are led in a closed deal, and the opponent lays a club: it has no heart, no trump."""
    rules = ALL_RULES[0]
    for seed in range(200):
        for deal, rng in positions(rules, f"denied {seed}"):
            for seat in (0, 1):
                hidden = Hidden.of(deal, seat)
                if deal.closed_by is None or len(hidden.barred_suits) < 2:
                    continue
                assert deal.trump_suit in hidden.barred_suits
                hand = hidden.world(rng).hand(1 - seat)
                known = deal.view(seat).known
                assert not {c.suit for c in hand if c not in known} & hidden.barred_suits
                return
    pytest.fail("no such deal")
