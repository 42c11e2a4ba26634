"""What is removed for good: tournaments, over or never begun, and verdicts that nobody needs."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, select

from sixtysix.reports import TournamentState
from sixtysix_arena.errors import WrongState
from sixtysix_arena.store import models
from sixtysix_arena.store.rows import Tournament

__all__ = ["remove_superseded_validations", "remove_tournament", "remove_unstarted"]


def remove_tournament(connection: Connection, tournament: Tournament) -> None:
    """Removes a tournament with its games, deals and evidence. Raises WrongState if it goes on."""
    if tournament.state is not TournamentState.FINISHED and tournament.seed:
        raise WrongState(
            f"the tournament {tournament.slug!r} is {tournament.state}: "
            "only one that is over can be removed"
        )
    _remove(connection, tournament)


def remove_unstarted(connection: Connection, tournament: Tournament) -> None:
    """Removes a tournament that has no games yet. Raises WrongState if it was started."""
    if tournament.state is not TournamentState.CREATED:
        advice = (
            "'sixtysix prune' removes it"
            if tournament.state is TournamentState.FINISHED
            else "'sixtysix tournament end' ends it"
        )
        raise WrongState(
            f"the tournament {tournament.slug!r} is {tournament.state}: only one that was never"
            f" started can be removed; {advice}"
        )
    _remove(connection, tournament)


def _remove(connection: Connection, tournament: Tournament) -> None:
    games = select(models.game.c.id).where(models.game.c.tournament_id == tournament.id)
    for of_games in (models.deal, models.fault):
        connection.execute(delete(of_games).where(of_games.c.game_id.in_(games)))
    for of_tournament in (models.action, models.game, models.entrant):
        connection.execute(
            delete(of_tournament).where(of_tournament.c.tournament_id == tournament.id)
        )
    connection.execute(delete(models.tournament).where(models.tournament.c.id == tournament.id))


def remove_superseded_validations(connection: Connection, before: str) -> int:
    """Removes the trials before a time of versions that their bots no longer have; how many."""
    trials, bots = models.validation, models.bot
    is_present = exists().where(bots.c.name == trials.c.bot, bots.c.version == trials.c.version)
    return connection.execute(delete(trials).where(trials.c.at < before, ~is_present)).rowcount
