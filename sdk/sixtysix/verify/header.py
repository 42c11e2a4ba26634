"""The first line of a record: whether such a tournament can be, and was promised."""

from __future__ import annotations

from sixtysix import shuffle
from sixtysix.api import InvalidRequest, TournamentDefinition
from sixtysix.circle import circle
from sixtysix.record import TournamentRecord
from sixtysix.record.chain import shown
from sixtysix.reports import TournamentState
from sixtysix.tournament_file import checked
from sixtysix.verify.verdict import Differs

__all__ = ["check_header"]

SECRET_SEED_BYTES = 32
"""How much an arena draws. Whatever is shorter or longer somebody has thought of."""


def check_header(tournament: TournamentRecord) -> None:
    """Raises Differs if something in the first line is not what it should be."""
    _check_definition(tournament)
    if tournament.shuffle != shuffle.ALGORITHM:
        raise Differs("shuffle", shown(shuffle.ALGORITHM), shown(tournament.shuffle))
    _check_rounds(tournament)
    _check_seed(tournament)


def _check_definition(tournament: TournamentRecord) -> None:
    ids = [entrant.id for entrant in tournament.entrants]
    try:
        definition = checked(
            TournamentDefinition(
                name=tournament.name,
                slug=tournament.slug,
                rules=tournament.rules,
                games_per_pairing=tournament.games_per_pairing,
                games_at_once=1,
                entrants=tuple(ids),
                clock=tournament.clock,
            )
        )
    except InvalidRequest as error:
        raise Differs("the tournament", "one that is possible", str(error)) from None
    if tournament.name != definition.name:
        raise Differs("name", shown(definition.name), shown(tournament.name))
    if ids != list(definition.entrants):
        raise Differs("entrants", "ids in ascending order", shown(ids))


def _check_rounds(tournament: TournamentRecord) -> None:
    expected = tuple(circle([entrant.id for entrant in tournament.entrants]))
    if len(tournament.rounds) != len(expected):
        raise Differs("rounds", f"{len(expected)} rounds", f"{len(tournament.rounds)}")
    for number, (right, said) in enumerate(zip(expected, tournament.rounds, strict=True), start=1):
        if said != right:
            raise Differs(f"round {number}", shown(right), shown(said))


def _check_seed(tournament: TournamentRecord) -> None:
    if tournament.seed is None:
        if tournament.state is TournamentState.FINISHED:
            raise Differs("seed", "the seed, for the tournament is finished", "null")
        return
    if tournament.state is not TournamentState.FINISHED:
        raise Differs("seed", f"null, for the tournament is {tournament.state}", tournament.seed)
    seed = bytes.fromhex(tournament.seed)
    if not tournament.practice and len(seed) != SECRET_SEED_BYTES:
        raise Differs("seed", f"{SECRET_SEED_BYTES} bytes, or practice", f"{len(seed)} bytes")
    commitment = shuffle.commitment(seed).hex()
    if commitment != tournament.commitment:
        raise Differs("commitment", f"{commitment}, that of the seed", tournament.commitment)
