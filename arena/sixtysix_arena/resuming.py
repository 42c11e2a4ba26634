"""What the store says of a tournament that goes on: its games, and what its organiser did.

The functions read; they are for a thread of their own.
"""

from __future__ import annotations

from dataclasses import replace

from sixtysix import wire
from sixtysix.names import HOUSE
from sixtysix.reports import ActionKind
from sixtysix_arena.dealing import Dealer, StoredGame
from sixtysix_arena.journal import Journal
from sixtysix_arena.store import StoreReader, rows

__all__ = [
    "disabled_text",
    "ended_text",
    "how_it_was_ended",
    "unfinished_games",
    "void_deals",
    "who_is_disabled",
]


def unfinished_games(
    reader: StoreReader, journal: Journal, slug: str, number: int | None = None
) -> tuple[rows.Tournament, list[StoredGame]]:
    """A tournament with its games that are not over, or with one of them."""
    with reader.snapshot() as snapshot:
        games = [
            StoredGame(
                unfinished,
                [record for _, record in snapshot.deals(unfinished.game.id)]
                if unfinished.stored_deals
                else (),
                journal.moves(unfinished.game.id),
            )
            for unfinished in snapshot.unfinished_games(slug, number)
        ]
        return snapshot.tournament(slug), games


def void_deals(
    reader: StoreReader, journal: Journal, slug: str, number: int
) -> list[tuple[int, bytes]]:
    """All that was dealt in a game that is off the tables, as void deals."""
    game = reader.game(slug, number)
    records = {deal: wire.unpack_deal(record) for deal, record in reader.deals(game.id)}
    tournament, unfinished = unfinished_games(reader, journal, slug, number)
    dealer = Dealer(tournament, lambda _name: False)  # Who is asked is stored with the game.
    for stored in unfinished:
        records |= {record.deal: record for record in dealer.void_deals(stored)}
    return [
        (deal, wire.pack_deal(replace(record, result=None, void=True)))
        for deal, record in sorted(records.items())
    ]


def how_it_was_ended(reader: StoreReader, slug: str) -> str | None:
    """Why games of a tournament are void that its organiser ended; None if nobody did."""
    for action in reader.actions(slug):
        if action.kind is ActionKind.ENDED:
            return ended_text(action.reason)
    return None


def who_is_disabled(reader: StoreReader, tournament: rows.Tournament) -> list[tuple[str, str]]:
    """The entrants that may not play any more, each with why."""
    reasons = {
        action.subject: action.reason
        for action in reader.actions(tournament.slug)
        if action.kind is ActionKind.DISABLED
    }
    return [
        (name, disabled_text(name, reasons.get(name, "")))
        for name in tournament.definition.entrants
        if not name.startswith(HOUSE) and reader.bot(name).disabled_at
    ]


def ended_text(reason: str) -> str:
    """Why games are void, for the record."""
    return f"the organiser ended the tournament: {reason}"


def disabled_text(name: str, reason: str) -> str:
    """Why games are forfeited, for the record."""
    return f"{name} was disabled by the organiser" + (f": {reason}" if reason else "")
