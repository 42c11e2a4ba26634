"""A deal as text that a card player can follow: what each seat sees, move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules.diagrams import names

from sixtysix.rules import CARDS, MOVES, Deal, Move, Stage, View

PUBLIC = (
    *("ruleset", "dealer", "ply", "trump_suit", "trump_card", "talon_count", "closed_by"),
    *("leader", "led", "points", "pending", "tricks", "exchanged_by", "exchanged_card"),
    *("strict", "trick_counts"),
)
"""What the views of both seats have in common."""

DECISIONS = {
    Stage.QUESTION: "before the opponent's lead",
    Stage.LEAD: "to lead",
    Stage.ANNOUNCED: "after the marriage",
    Stage.FOLLOW: "to follow",
}


def transcript(title: str, deal: Deal, choose: Callable[[View], Move]) -> str:
    """Plays a fresh deal with the moves that `choose` makes, and writes it all down."""
    lines = [title, "=" * len(title), "", *_opening(deal), ""]
    while deal.turn is not None:
        seat, decision = deal.turn, DECISIONS[deal.stage]
        before = [*_table(deal.view(0), deal.view(1)), *_seat(deal.view(0)), *_seat(deal.view(1))]
        legal = _list(deal.legal_moves())
        move = choose(deal.view(seat))
        deal.play(move)
        lines += [f"ply {deal.ply - 1}: seat {seat} {decision}: {move}", *before]
        lines += [f"    legal   {legal}", ""]
    return "\n".join([*lines, *_account(deal)]) + "\n"


def _opening(deal: Deal) -> Iterable[str]:
    yield f"rules     {deal.ruleset.name}, {deal.ruleset.target} game points"
    yield f"pack      {names(CARDS[card] for card in deal.pack)}"
    yield f"forehand  seat {1 - deal.dealer}: {names(deal.hand(1 - deal.dealer))}"
    yield f"dealer    seat {deal.dealer}: {names(deal.hand(deal.dealer))}"
    yield f"talon     {names(deal.talon())}"


def _table(view: View, other: View) -> Iterable[str]:
    for name in PUBLIC:
        assert getattr(view, name) == getattr(other, name), f"the seats differ in {name}"
    trump = view.trump_card or f"{'CDHS'[view.trump_suit]} (drawn)"
    phase = "strict" if view.strict else "free"
    closed = "" if view.closed_by is None else f", closed by seat {view.closed_by}"
    led = "" if view.led is None else f": {view.led}"
    yield f"    table   trump {trump}; talon {view.talon_count}{closed}; {phase} phase"
    yield f"            trick {len(view.tricks) + 1} is led by seat {view.leader}{led}"
    if view.exchanged_by is not None:
        yield f"            seat {view.exchanged_by} has taken {view.exchanged_card} for the nine"


def _seat(view: View) -> Iterable[str]:
    seat = view.seat
    pending = f", {view.pending[seat]} pending" if view.pending[seat] else ""
    tricks = "1 trick" if view.trick_counts[seat] == 1 else f"{view.trick_counts[seat]} tricks"
    yield f"    seat {seat}  holds {names(view.hand) or 'nothing'}"
    known = f"; knows that seat {view.opponent} holds {names(view.known)}" if view.known else ""
    yield f"            has {view.points[seat]} points{pending}, {tricks}{known}"
    if view.unseen:
        yield f"            has not seen {names(view.unseen)}"
    if view.legal:
        yield f"            is offered {_list(view.legal)}"


def _account(deal: Deal) -> Iterable[str]:
    yield "moves     " + _list(MOVES[move] for move in deal.moves)
    for number, trick in enumerate(deal.tricks, start=1):
        follower = 1 - trick.leader
        yield (
            f"trick {number:<4}seat {trick.leader} {trick.lead!s:4}seat {follower} {trick.reply}"
            f"  seat {trick.winner} takes {trick.points}"
        )
    result = deal.result
    assert result is not None
    paid = (
        "drawn" if result.winner is None else f"seat {result.winner} is paid {result.game_points}"
    )
    yield f"points    seat 0 {result.card_points[0]}, seat 1 {result.card_points[1]}"
    yield f"result    {paid} ({result.end})"


def _list(moves: Iterable[Move]) -> str:
    return " ".join(str(move) for move in moves)
