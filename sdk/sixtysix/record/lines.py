"""A record as lines, `sixtysix-record/1`: written, and read without ever holding all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sixtysix.record.chain import FormError, LineError, seal, seals, shown
from sixtysix.record.form import (
    FORMAT,
    board_form,
    board_of,
    game_form,
    game_of,
    tournament_form,
    tournament_of,
)
from sixtysix.record.tournament import BoardRecord, GameRecord, TournamentRecord

__all__ = ["END", "FORMAT", "Record", "RecordLine", "read_lines", "read_record", "record_lines"]

END = "the end of the record"
"""What is expected, or found, where no line is."""

Record = TournamentRecord | GameRecord | BoardRecord
"""What a line says."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line, understood; `number` counts from 1, `digest` is hex."""

    number: int
    digest: str
    record: Record


def record_lines(
    tournament: TournamentRecord, games: Iterable[GameRecord], board: BoardRecord
) -> Iterator[str]:
    """The lines of a record, each with its line feed; games come in schedule order."""

    def forms() -> Iterator[dict[str, object]]:
        yield tournament_form(tournament)
        yield from map(game_form, games)
        yield board_form(board)

    return seal(forms())


def read_record(lines: Iterable[bytes | str]) -> Iterator[Record]:
    """What a record says: a TournamentRecord, the GameRecords in order, a BoardRecord.

    Lines come with their line feeds, as a file gives them. Raises LineError at
    the first line that is damaged or says something that a record cannot say;
    `sixtysix.verify` looks deeper.
    """
    return (line.record for line in read_lines(lines))


def read_lines(lines: Iterable[bytes | str]) -> Iterator[RecordLine]:
    """As `read_record`, with the number and the digest of each line."""
    number, kind = 0, None
    for sealed in seals(lines):
        before, kind = kind, sealed.content.get("type")
        number = sealed.line
        try:
            yield RecordLine(number, sealed.digest, _record(before, kind, sealed.content))
        except FormError as error:
            raise LineError(number, error.what, error.expected, error.found) from None
    if kind != "board":
        raise LineError(number + 1, "the line", _AFTER[kind], END)


_AFTER = {
    None: "the line of the tournament",
    "tournament": "a line of a game or of the board",
    "game": "a line of a game or of the board",
    "board": END,
}
"""What may come after a line of each kind."""


def _record(before: object, kind: object, content: dict[str, object]) -> Record:
    if before is None and kind == "tournament":
        return tournament_of(content)
    if before in ("tournament", "game") and kind == "game":
        return game_of(content)
    if before in ("tournament", "game") and kind == "board":
        return board_of(content)
    expected = _AFTER[before if isinstance(before, str) else None]
    raise FormError("type", expected, shown(kind))
