"""Leaks that are planted on purpose: the comparison of twin worlds has to find each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.twin_worlds import compare

from sixtysix import forced
from sixtysix.record import DealRecord
from sixtysix.rules import CLAIM, EXCHANGE, PASS, Deal, IllegalMove, Move, Stage, View, illegal
from sixtysix_arena import referee
from sixtysix_arena.referee import Referee

SCENES = 200
"""At most; most leaks show in the first ten."""

Change = Callable[[Deal, View], View]


def seen_in_views(change: Change) -> Callable[[pytest.MonkeyPatch], None]:
    """A leak through what a seat is shown."""
    view = Deal.view

    def leaking(deal: Deal, seat: int, /, **around: Any) -> View:
        return change(deal, view(deal, seat, **around))

    return lambda patch: patch.setattr(Deal, "view", leaking)


def in_view(**changes: Callable[[Deal, View], object]) -> Callable[[pytest.MonkeyPatch], None]:
    """A leak through some fields of a view."""

    def change(deal: Deal, view: View) -> View:
        fields: dict[str, Any] = {name: made(deal, view) for name, made in changes.items()}
        return replace(view, **fields)

    return seen_in_views(change)


def next_card(deal: Deal) -> int:
    return deal.talon()[0] if deal.talon() else 0


def opponents(deal: Deal, view: View) -> tuple[int, ...]:
    return deal.hand(view.opponent)


def cannot_be_beaten(deal: Deal, view: View) -> tuple[Move, ...]:
    """The legal moves but for cards that the opponent has a better one of."""
    best = {card.suit: card for card in deal.hand(view.opponent)}
    kept = [m for m in view.legal if m.card is None or best.get(m.card.suit, -1) < m.card]
    return tuple(kept) or view.legal


def first_places(deal: Deal, view: View) -> int:
    """Where in the pack the last card lay that the opponent has played."""
    played = [
        trick.lead_card if trick.leader != view.seat else trick.reply for trick in view.tricks
    ]
    return deal.pack.index(played[-1]) if played else 0


def telling_refusals(patch: pytest.MonkeyPatch) -> None:
    why = illegal.why_illegal

    def leaking(deal: Deal, code: int) -> str:
        assert deal.turn is not None
        held = code < 24 and code in deal.hand(1 - deal.turn)
        return f"{why(deal, code)}, but in the opponent's" if held else why(deal, code)

    patch.setattr("sixtysix.rules.deal.why_illegal", leaking)


def a_table_that_shows_the_talon(patch: pytest.MonkeyPatch) -> None:
    refuse = Deal._illegal

    def leaking(deal: Deal, code: int) -> IllegalMove:
        error = refuse(deal, code)
        shown = " ".join(str(card) for card in deal.talon())
        return IllegalMove(error.move, error.reason, error.legal, f"{error} (talon {shown})")

    patch.setattr(Deal, "_illegal", leaking)


def a_reason_with_the_record(patch: pytest.MonkeyPatch) -> None:
    forfeit = Referee.forfeit

    def leaking(self: Referee, seat: int, fault: Any, reason: str) -> DealRecord | None:
        deal = self._deal
        shown = "" if deal is None else f" of {deal.pack}"
        return forfeit(self, seat, fault, reason + shown)

    patch.setattr(Referee, "forfeit", leaking)


def a_bank_after_a_restart(patch: pytest.MonkeyPatch) -> None:
    resume = Referee._resume

    def leaking(self: Referee, moves: Any) -> None:
        resume(self, moves)
        assert self._deal is not None
        self.bank_ms = [bank - next_card(self._deal) for bank in self.bank_ms]

    patch.setattr(Referee, "_resume", leaking)


def a_decision_left_out(patch: pytest.MonkeyPatch) -> None:
    """The referee lays the last trump of a seat whose opponent has none left."""

    def leaking(deal: Deal, wants_question: bool) -> Move | None:
        move = forced.forced_move(deal, wants_question)
        if move is not None or deal.stage is not Stage.LEAD or deal.turn is None:
            return move
        if any(card.suit == deal.trump_suit for card in deal.hand(1 - deal.turn)):
            return None
        return next((m for m in deal.legal_moves() if m // 6 == deal.trump_suit and m < 24), None)

    patch.setattr(referee, "forced_move", leaking)


def a_question_that_knows(patch: pytest.MonkeyPatch) -> None:
    """The close question is put only when the leader has a marriage."""

    def leaking(deal: Deal, wants_question: bool) -> Move | None:
        if deal.stage is Stage.QUESTION:
            hand = deal.hand(deal.leader)
            if not any(card.rank == 2 and card + 1 in hand for card in hand):
                return PASS
        return forced.forced_move(deal, wants_question)

    patch.setattr(referee, "forced_move", leaking)


@dataclass(frozen=True)
class Leak:
    """How hidden cards get out, and where that shows."""

    name: str
    plant: Callable[[pytest.MonkeyPatch], None]
    where: frozenset[str]
    rules: str = "classic"


VIEW = frozenset({"frames", "shown"})

LEAKS = (
    Leak("legal moves by the opponent's hand", in_view(legal=cannot_be_beaten), VIEW),
    Leak(
        "legal moves in the order of the pack",
        in_view(
            legal=lambda deal, view: tuple(sorted(view.legal, key=lambda m: deal.pack[m % 24]))
        ),
        VIEW,
    ),
    Leak(
        "a claim that is offered because the opponent has nothing",
        in_view(
            legal=lambda deal, view: (
                (*view.legal, CLAIM)
                if sum(card % 6 for card in opponents(deal, view)) < 8
                else view.legal
            )
        ),
        VIEW,
    ),
    Leak(
        "an exchange that is offered as long as the opponent lacks the nine",
        in_view(
            legal=lambda deal, view: (
                (*view.legal, EXCHANGE)
                if deal.trump_suit * 6 not in opponents(deal, view)
                else view.legal
            )
        ),
        VIEW,
        "doubling",
    ),
    Leak(
        "known cards in the order in which they were drawn",
        in_view(known=lambda deal, view: tuple(sorted(view.known, key=deal.pack.index))),
        VIEW,
        "last-trick",
    ),
    Leak(
        "one card too many among the known ones",
        in_view(known=lambda deal, view: (*view.known, deal.hand(view.opponent)[-1])),
        VIEW,
    ),
    Leak(
        "the next card of the talon, as a millisecond",
        in_view(game_ms=lambda deal, view: view.game_ms and view.game_ms + next_card(deal)),
        VIEW,
    ),
    Leak(
        "a count that tells of a trump on top of the talon",
        in_view(
            talon_count=lambda deal, view: (
                view.talon_count + (next_card(deal) // 6 == deal.trump_suit)
            )
        ),
        VIEW,
    ),
    Leak(
        "since when the opponent had a card",
        in_view(deal=first_places),
        VIEW,
        "played-out",
    ),
    Leak("where a refused card is", telling_refusals, frozenset({"frames", "stored", "shown"})),
    Leak(
        "the talon in an error's text",
        a_table_that_shows_the_talon,
        frozenset({"frames", "stored", "shown"}),
    ),
    Leak("the record in a reason", a_reason_with_the_record, frozenset({"frames", "stored"})),
    Leak("the next card, after a restart", a_bank_after_a_restart, frozenset({"frames"})),
    Leak("a decision that is left out", a_decision_left_out, frozenset({"frames"})),
    Leak("a question that is not put", a_question_that_knows, frozenset({"frames"})),
)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_a_planted_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak.plant(monkeypatch)
    for number in range(SCENES):
        tally = compare(leak.rules, "planted", [number])
        if any(difference.where >= leak.where for difference in tally.differences):
            return
    pytest.fail(f"{SCENES} scenes do not show {leak.name}")


def test_a_planted_difference_in_work_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(deal: Deal, view: View) -> View:
        for _ in range(next_card(deal) % 6):
            deal.hand(view.opponent)
        return view

    seen_in_views(change)(monkeypatch)
    tally = compare("classic", "planted", range(20))
    assert not tally.differing
    assert tally.same_work != tally.comparable_work
