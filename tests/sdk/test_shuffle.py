"""The shuffle against its vectors, and the statistics that would catch a wrong one."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sixtysix import shuffle
from sixtysix.shuffle import commitment, pack, tournament_key

VECTORS = json.loads(
    (Path(__file__).parents[1] / "golden" / "shuffle_vectors.json").read_text("utf-8")
)
DEALS = VECTORS["vectors"]
BELOW = VECTORS["below_vectors"]

KEY = bytes(range(32))
DEAL_COUNT = 24_000
POSITION_BOUNDS = (416.5, 658.6)
PAIR_BOUNDS = (436.0, 683.1)


def deal_of(key: bytes = KEY, **changes: Any) -> tuple[int, ...]:
    fields: dict[str, Any] = {
        "ruleset": "classic",
        "tournament": "t1",
        "entrants": ("alpha", "beta"),
        "game": 0,
        "deal": 0,
    }
    return pack(key, **(fields | changes))


def test_vectors_are_of_the_algorithm_we_name() -> None:
    assert VECTORS["name"] == shuffle.ALGORITHM
    assert len(DEALS) >= 3
    assert len(BELOW) >= 5


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: vector["name"])
def test_deal_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["organiser_seed_hex"])
    contributions = {
        entrant: bytes.fromhex(value) for entrant, value in vector["contributions_hex"].items()
    }
    deal = vector["deal"] | {"entrants": tuple(vector["deal"]["entrants"])}

    assert commitment(seed).hex() == vector["commitment_sha256_hex"]
    key = tournament_key(seed, contributions)
    assert key.hex() == vector["tournament_key_hex"]
    assert pack(key, **deal) == tuple(vector["pack"])
    assert shuffle._deal_id(*deal.values()).hex() == vector["deal_id_hex"]


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: vector["name"])
def test_packs_are_numbered_by_suit_and_rank(vector: dict[str, Any]) -> None:
    cards = " ".join("9JQKTA"[card % 6] + "CDHS"[card // 6] for card in vector["pack"])
    assert cards == vector["cards"]


@pytest.mark.parametrize("vector", BELOW, ids=lambda vector: f"{vector['words']} below")
def test_below_vectors(vector: dict[str, Any]) -> None:
    words = iter(vector["words"])
    assert shuffle._below(words, vector["n"]) == vector["result"]
    assert len(vector["words"]) - len(list(words)) == vector["words_used"]


def test_words_continue_past_the_first_block() -> None:
    words = shuffle._words(KEY, b"id")
    first_blocks = [next(words) for _ in range(24)]
    message = b"\0\0\0\x13sixtysix/shuffle/v1" + b"\0\0\0\x02id"
    stream = b"".join(
        hmac.new(KEY, message + bytes((0, 0, 0, counter)), hashlib.sha256).digest()
        for counter in range(3)
    )
    assert first_blocks == [
        int.from_bytes(stream[start : start + 4], "big") for start in range(0, 96, 4)
    ]


def test_a_rejected_word_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [7 * step for step in range(1, 24)]
    monkeypatch.setattr(shuffle, "_words", lambda key, deal_id: iter(plain))
    expected = deal_of()
    monkeypatch.setattr(shuffle, "_words", lambda key, deal_id: iter([2**32 - 1, *plain]))
    assert deal_of() == expected


def test_a_stream_that_ends_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="stream of words"):
        shuffle._below(iter([2**32 - 1]), 24)


def test_entrants_in_any_order_give_the_same_pack() -> None:
    assert deal_of(entrants=("alpha", "beta")) == deal_of(entrants=("beta", "alpha"))


def test_contributions_in_any_order_give_the_same_key() -> None:
    assert tournament_key(b"s", {"a": b"1", "b": b"2"}) == tournament_key(
        b"s", {"b": b"2", "a": b"1"}
    )


@pytest.mark.parametrize(
    "contributions",
    [{"a": b""}, {"a": b"1", "b": b"2"}, {"a": b"2", "b": b"1"}, {"a1": b"", "b": b"2"}],
)
def test_every_contribution_changes_the_key(contributions: dict[str, bytes]) -> None:
    others: list[dict[str, bytes]] = [{}, {"a": b"1"}, {"ab": b"1"}]
    keys = {tournament_key(b"s", each) for each in [*others, contributions]}
    assert len(keys) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"key": bytes(32)},
        {"ruleset": "doubling"},
        {"tournament": "t2"},
        {"entrants": ("alpha", "gamma")},
        {"entrants": ("aleph", "beta")},
        {"entrants": ("house:alpha", "beta")},
        {"game": 1},
        {"game": 2**64 - 1},
        {"deal": 1},
        {"deal": 256},
        {"game": 1, "deal": 1},
        # Moving a letter from one field to the next must not give the same bytes.
        {"ruleset": "classict", "tournament": "1"},
        {"tournament": "t1a", "entrants": ("lpha", "beta")},
        {"entrants": ("alphab", "eta")},
    ],
    ids=str,
)
def test_every_field_changes_the_pack(change: dict[str, Any]) -> None:
    assert deal_of(**change) != deal_of()


def test_a_seed_and_its_commitment_belong_together() -> None:
    assert len(commitment(bytes(32))) == 32
    assert commitment(b"42") != commitment(b"42\0")
    assert commitment(b"42") != hashlib.sha256(b"42").digest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entrants": ("alpha", "alpha")}, "two different entrants"),
        ({"game": -1}, "game must be from 0"),
        ({"deal": -1}, "deal must be from 0"),
        ({"deal": 2**64}, "deal must be from 0"),
    ],
)
def test_impossible_deals_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal_of(**change)


# --- Uniformity: fixed keys, so these cannot fail by chance. ---


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def statistics(packs: list[tuple[int, ...]]) -> tuple[float, float]:
    """Chi-square of place by card (529 degrees of freedom) and of the first two cards (551)."""
    position_counts = [[0] * 24 for _ in range(24)]
    pair_counts = {(a, b): 0 for a in range(24) for b in range(24) if a != b}
    for cards in packs:
        pair_counts[cards[0], cards[1]] += 1
        for place, card in enumerate(cards):
            position_counts[place][card] += 1
    flat = [count for row in position_counts for count in row]
    # Each row and each column sums to the number of packs, hence 23/24.
    positions = chi_square(flat, len(packs) / 24) * 23 / 24
    return positions, chi_square(pair_counts.values(), len(packs) / (24 * 23))


@pytest.fixture(scope="module")
def packs() -> list[tuple[int, ...]]:
    return [deal_of(deal=deal) for deal in range(DEAL_COUNT)]


def test_packs_are_uniform(packs: list[tuple[int, ...]]) -> None:
    positions, pairs = statistics(packs)
    assert POSITION_BOUNDS[0] < positions < POSITION_BOUNDS[1]
    assert PAIR_BOUNDS[0] < pairs < PAIR_BOUNDS[1]


def test_every_pack_holds_every_card_once(packs: list[tuple[int, ...]]) -> None:
    assert {tuple(sorted(cards)) for cards in packs} == {tuple(range(24))}


def test_no_pack_repeats(packs: list[tuple[int, ...]]) -> None:
    other_games = [deal_of(game=game, deal=deal) for game in range(1, 21) for deal in range(200)]
    every = packs + other_games
    assert len(set(every)) == len(every)


Below = Callable[[int], int]


def swap_with_any(below: Below) -> list[int]:
    cards = list(range(24))
    for place in range(24):
        other = below(24)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def sattolo(below: Below) -> list[int]:
    cards = list(range(24))
    for place in range(23, 0, -1):
        other = below(place)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def fisher_yates(below: Below) -> list[int]:
    cards = list(range(24))
    for place in range(23, 0, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def stops_too_early(below: Below) -> list[int]:
    cards = list(range(24))
    for place in range(23, 3, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def packs_by(wrong: Callable[[Below], list[int]], bits: int) -> Iterator[tuple[int, ...]]:
    source = random.Random(66)
    for _ in range(DEAL_COUNT):
        yield tuple(wrong(lambda n: source.getrandbits(bits) % n))


@pytest.mark.parametrize(
    ("wrong", "bits"),
    [(swap_with_any, 32), (sattolo, 32), (stops_too_early, 32), (fisher_yates, 8)],
    ids=["swap with any", "Sattolo", "stops too early", "8-bit modulo"],
)
def test_wrong_shuffles_would_be_caught(wrong: Callable[[Below], list[int]], bits: int) -> None:
    positions, _ = statistics(list(packs_by(wrong, bits)))
    assert positions > POSITION_BOUNDS[1]


def test_another_right_shuffle_would_pass() -> None:
    positions, pairs = statistics(list(packs_by(fisher_yates, 32)))
    assert POSITION_BOUNDS[0] < positions < POSITION_BOUNDS[1]
    assert PAIR_BOUNDS[0] < pairs < PAIR_BOUNDS[1]
