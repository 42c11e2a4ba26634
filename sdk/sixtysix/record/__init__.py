"""The public record: all that is needed to play a tournament again, move by move.

docs/record.md describes the form that is written, `sixtysix-record/1`.
"""

from __future__ import annotations

from sixtysix.record.chain import FIRST_DIGEST, LineError, canonical
from sixtysix.record.deals import DealRecord, MadeMove, RecordError, ReplayMismatch, replay
from sixtysix.record.files import open_record, record_in, save_record
from sixtysix.record.form import FORMAT
from sixtysix.record.lines import Record, RecordLine, read_lines, read_record, record_lines
from sixtysix.record.tournament import (
    BoardRecord,
    EntrantRecord,
    GameRecord,
    RatingParameters,
    Scheduled,
    TournamentRecord,
)

__all__ = [
    "FIRST_DIGEST",
    "FORMAT",
    "BoardRecord",
    "DealRecord",
    "EntrantRecord",
    "GameRecord",
    "LineError",
    "MadeMove",
    "RatingParameters",
    "Record",
    "RecordError",
    "RecordLine",
    "ReplayMismatch",
    "Scheduled",
    "TournamentRecord",
    "canonical",
    "open_record",
    "read_lines",
    "read_record",
    "record_in",
    "record_lines",
    "replay",
    "save_record",
]
