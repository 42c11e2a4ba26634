"""How long bots wait between two tries, one and five hundred of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sixtysix.client.pauses import MOST_WAIT_S, Pauses
from sixtysix.client.stream import FIRST_PAUSE_S, MOST_PAUSE_S

BOTS = 500


def test_spans_double_up_to_the_longest_and_start_anew_after_a_good_connection() -> None:
    pauses = Pauses(0.5, 5.0, lambda: 1.0)
    assert [pauses.next() for _ in range(6)] == [0.5, 1, 2, 4, 5, 5]
    pauses.reset()
    assert pauses.next() == 0.5


def test_a_pause_is_drawn_from_all_of_its_span() -> None:
    chance = Random(1)
    drawn = [Pauses(0.5, 5.0, chance.random).next() for _ in range(1_000)]
    assert min(drawn) < 0.01
    assert max(drawn) > 0.49
    assert sum(drawn) / 1_000 == pytest.approx(0.25, rel=0.1)


def test_what_the_arena_asks_for_comes_on_top_and_has_an_end() -> None:
    pauses = Pauses(0.5, 5.0, lambda: 0.5)
    assert pauses.next(12.0) == 12.25
    assert pauses.next(1e9) == MOST_WAIT_S + 0.5


def test_the_first_span_is_not_longer_than_the_longest() -> None:
    assert Pauses(0.5, 0.3, lambda: 1.0).next() == 0.3


@pytest.mark.parametrize("away_s", [0.0, 1.0, 3.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_five_hundred_bots_that_lost_one_arena_do_not_come_back_as_a_herd(
    away_s: float, seed: int
) -> None:
    """Never many of them at once, and all within seconds once the arena is there."""
    chance = Random(seed)
    tries: Counter[int] = Counter()
    back_s = []
    for _ in range(BOTS):
        pauses = Pauses(FIRST_PAUSE_S, MOST_PAUSE_S, chance.random)
        now_s = pauses.next()
        tries[int(now_s * 10)] += 1
        while now_s < away_s:
            now_s += pauses.next()
            tries[int(now_s * 10)] += 1
        back_s.append(now_s)
    assert max(tries.values()) < BOTS / 3, f"in a tenth of a second, with seed {seed}"
    assert max(back_s) <= away_s + MOST_PAUSE_S
