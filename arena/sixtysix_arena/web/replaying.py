"""A deal as the replayer shows it: what lies on the table after each move. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sixtysix.record import DealRecord
from sixtysix.rules import CARDS, CLAIM, CLOSE, EXCHANGE, MOVES, Card, Deal, Move, Ruleset, Stage
from sixtysix.rules.view import lead_card

__all__ = ["Action", "CardShown", "Event", "Frame", "Replay", "TrickRow", "replay_of"]

Seats = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Action:
    """A move that was made: by whom, how long it took, what it was."""

    ply: int
    """Its place in the deal, from 0; the frame after it has the next number."""
    seat: int
    move: Move
    kind: str
    """`lead`, `reply`, `exchange`, `close`, `claim`, `no-close` or `no-claim`."""
    ms: int
    by_referee: bool
    comment: str = ""
    marriage: int = 0
    """What a marriage announced, 20 or 40; 0 if none."""
    taken: Card | None = None
    """The trump card that an exchange took."""


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of a hand; `is_new` if it came with the last move."""

    card: Card
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after `ply` moves."""

    ply: int
    last: Action | None
    hands: tuple[tuple[CardShown, ...], tuple[CardShown, ...]]
    lead: Card | None
    """The card led to the trick that lies on the table, and the reply to it."""
    reply: Card | None
    leader: int
    trick_winner: int | None
    """Who took the trick that lies there; None while it is open."""
    turn: int | None
    trump_suit: int
    trump_card: Card | None
    talon_count: int
    closed_by: int | None
    points: Seats
    pending: Seats
    trick_counts: Seats


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick in the list; the reply is None in a trick that broke off."""

    number: int
    lead: Action
    reply: Action | None
    winner: int | None
    points: Seats | None
    """Credited card points after it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A move in the list that lays no card."""

    action: Action
    points: Seats


@dataclass(slots=True)
class Replay:
    """All of a deal: a frame for each ply, and the list of what happened."""

    deal: Deal
    """The deal at its end."""
    frames: list[Frame] = field(default_factory=list)
    rows: list[TrickRow | Event] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)

    @property
    def last_ply(self) -> int:
        """The number of the last frame."""
        return len(self.frames) - 1

    @property
    def has_stars(self) -> bool:
        """Whether the list has moves that the referee made."""
        return any(
            action.by_referee
            for row in self.rows
            for action in ((row.action,) if isinstance(row, Event) else (row.lead, row.reply))
            if action is not None
        )

    @property
    def race(self) -> list[Seats]:
        """Credited card points of both seats after each ply."""
        return [frame.points for frame in self.frames]


def replay_of(rules: Ruleset, record: DealRecord) -> Replay:
    """Plays a deal again. Raises IllegalMove if the record does not follow the rules."""
    deal = Deal(rules, record.pack, record.dealer)
    replay = Replay(deal)
    replay.frames.append(_frame(deal, None, _hands(deal)))
    for ply, code in enumerate(record.moves):
        before = _hands(deal)
        action = _action(deal, record, ply, MOVES[code])
        deal.play(code)
        replay.actions.append(action)
        replay.frames.append(_frame(deal, action, before))
        _list(replay, action)
    return replay


def _action(deal: Deal, record: DealRecord, ply: int, move: Move) -> Action:
    seat = deal.turn
    assert seat is not None, "the rules let nobody move after the end"
    is_marriage = move.is_marriage and move.card is not None
    return Action(
        ply=ply,
        seat=seat,
        move=move,
        kind=_kind(deal.stage, move),
        ms=record.charged_ms[ply],
        by_referee=ply in record.referee_plies,
        comment=record.comments.get(ply, ""),
        marriage=_marriage(deal, move) if is_marriage else 0,
        taken=None if move != EXCHANGE or deal.trump_card is None else CARDS[deal.trump_card],
    )


def _kind(stage: Stage, move: Move) -> str:
    if move.card is not None:
        return "reply" if stage is Stage.FOLLOW else "lead"
    named = {EXCHANGE: "exchange", CLOSE: "close", CLAIM: "claim"}
    return named.get(move, "no-close" if stage is Stage.QUESTION else "no-claim")


def _marriage(deal: Deal, move: Move) -> int:
    assert move.card is not None
    return 40 if move.card.suit == deal.trump_suit else 20


def _frame(deal: Deal, last: Action | None, before: Sequence[frozenset[Card]]) -> Frame:
    done = deal.tricks[-1] if deal.tricks and last is not None and last.kind == "reply" else None
    lead, reply, leader = None, None, deal.leader
    if done is not None:
        lead, reply, leader = done.lead_card, done.reply, done.leader
    elif deal.led is not None:
        lead = CARDS[lead_card(deal.led)]
    return Frame(
        ply=deal.ply,
        last=last,
        hands=(_shown(deal, 0, before[0]), _shown(deal, 1, before[1])),
        lead=lead,
        reply=reply,
        leader=leader,
        trick_winner=None if done is None else done.winner,
        turn=deal.turn,
        trump_suit=deal.trump_suit,
        trump_card=None if deal.trump_card is None else CARDS[deal.trump_card],
        talon_count=deal.talon_count,
        closed_by=deal.closed_by,
        points=(deal.points[0], deal.points[1]),
        pending=(deal.pending[0], deal.pending[1]),
        trick_counts=(deal.trick_counts[0], deal.trick_counts[1]),
    )


def _hands(deal: Deal) -> tuple[frozenset[Card], frozenset[Card]]:
    return frozenset(deal.hand(0)), frozenset(deal.hand(1))


def _shown(deal: Deal, seat: int, before: frozenset[Card]) -> tuple[CardShown, ...]:
    """A hand: trumps first, then suit by suit, the highest card first."""
    cards = sorted(
        deal.hand(seat), key=lambda card: (card.suit != deal.trump_suit, card.suit, -card.rank)
    )
    return tuple(CardShown(card, card not in before) for card in cards)


def _list(replay: Replay, action: Action) -> None:
    """Adds a move to the list of what happened."""
    deal = replay.deal
    points = (deal.points[0], deal.points[1])
    if action.kind == "lead":
        number = len(deal.tricks) + 1
        replay.rows.append(TrickRow(number, action, None, None, None))
    elif action.kind == "reply":
        done = deal.tricks[-1]
        place = next(_open_tricks(replay.rows))
        row = replay.rows[place]
        assert isinstance(row, TrickRow)
        replay.rows[place] = TrickRow(row.number, row.lead, action, done.winner, points)
    elif not (action.by_referee and action.kind.startswith("no-")):
        replay.rows.append(Event(action, points))


def _open_tricks(rows: Sequence[TrickRow | Event]) -> Iterator[int]:
    """The places of the tricks that wait for their reply, the last one first."""
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        if isinstance(row, TrickRow) and row.reply is None:
            yield place
