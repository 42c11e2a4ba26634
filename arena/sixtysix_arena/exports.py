"""A stored tournament as its public record says it."""

from __future__ import annotations

from collections.abc import Iterable

from sixtysix import shuffle
from sixtysix.circle import circle
from sixtysix.record import DealRecord, EntrantRecord, GameRecord, TournamentRecord
from sixtysix.reports import ActionInfo
from sixtysix_arena.rerating import PARAMETERS
from sixtysix_arena.store import Game, Progress, Tournament

__all__ = ["game_record", "tournament_record"]


def tournament_record(
    tournament: Tournament, actions: tuple[ActionInfo, ...] = ()
) -> TournamentRecord:
    """The header, with the seed if it is public, and with what the organiser did by hand."""
    definition = tournament.definition
    info = tournament.info(Progress())
    return TournamentRecord(
        name=info.name,
        slug=info.slug,
        rules=info.rules,
        games_per_pairing=info.games_per_pairing,
        clock=info.clock,
        entrants=tuple(EntrantRecord(each.id, each.version) for each in info.entrants),
        rounds=tuple(circle(definition.entrants)),
        rating=PARAMETERS,
        shuffle=shuffle.ALGORITHM,
        commitment=info.commitment,
        practice=info.practice,
        state=info.state,
        seed=info.seed or None,
        actions=actions,
    )


def game_record(game: Game, deals: Iterable[DealRecord]) -> GameRecord:
    """A game that is over, with its deals in order."""
    assert game.outcome is not None
    return GameRecord(
        game_id=game.public_id,
        number=game.number,
        round=game.scheduled.round,
        entrants=game.entrants,
        game_index=game.scheduled.game_index,
        deals=tuple(deals),
        outcome=game.outcome,
    )
