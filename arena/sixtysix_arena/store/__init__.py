"""What an arena keeps: one database in one data folder, written by one thread."""

from sixtysix_arena.store.copies import Contents, TournamentContents, contents, damage_in
from sixtysix_arena.store.counting import Census, census, revision_of
from sixtysix_arena.store.drafts import copy_into, open_draft
from sixtysix_arena.store.engine import is_read_only, rebuilding
from sixtysix_arena.store.files import drafted
from sixtysix_arena.store.folder import DataFolder
from sixtysix_arena.store.locks import FolderLock, Holder
from sixtysix_arena.store.models import REVISION
from sixtysix_arena.store.reader import StoreReader
from sixtysix_arena.store.repository import Store
from sixtysix_arena.store.rows import (
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    Game,
    GameFilter,
    GameOpened,
    GameOver,
    GamesSoFar,
    MovesMade,
    Progress,
    Rounds,
    Tournament,
    UnfinishedGame,
    Validation,
)
from sixtysix_arena.store.schema import QUICK_CHECK_MAX_BYTES
from sixtysix_arena.store.thread import StoreThread

__all__ = [
    "QUICK_CHECK_MAX_BYTES",
    "REVISION",
    "Census",
    "Contents",
    "DataFolder",
    "DealOver",
    "DealStarted",
    "Event",
    "FaultEvidence",
    "FolderLock",
    "Game",
    "GameFilter",
    "GameOpened",
    "GameOver",
    "GamesSoFar",
    "Holder",
    "MovesMade",
    "Progress",
    "Rounds",
    "Store",
    "StoreReader",
    "StoreThread",
    "Tournament",
    "TournamentContents",
    "UnfinishedGame",
    "Validation",
    "census",
    "contents",
    "copy_into",
    "damage_in",
    "drafted",
    "is_read_only",
    "open_draft",
    "rebuilding",
    "revision_of",
]
