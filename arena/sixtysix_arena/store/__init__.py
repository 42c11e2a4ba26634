"""What an arena keeps: one database in one data folder, written by one thread."""

from sixtysix_arena.store.copies import Contents, TournamentContents, contents
from sixtysix_arena.store.drafts import copy_into, open_draft
from sixtysix_arena.store.files import drafted
from sixtysix_arena.store.folder import DataFolder, FolderLock, Holder
from sixtysix_arena.store.reader import StoreReader
from sixtysix_arena.store.repository import Store
from sixtysix_arena.store.rows import (
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    Game,
    GameOpened,
    GameOver,
    MovesMade,
    Progress,
    Tournament,
    UnfinishedGame,
    Validation,
)
from sixtysix_arena.store.thread import StoreThread

__all__ = [
    "Contents",
    "DataFolder",
    "DealOver",
    "DealStarted",
    "Event",
    "FaultEvidence",
    "FolderLock",
    "Game",
    "GameOpened",
    "GameOver",
    "Holder",
    "MovesMade",
    "Progress",
    "Store",
    "StoreReader",
    "StoreThread",
    "Tournament",
    "TournamentContents",
    "UnfinishedGame",
    "Validation",
    "contents",
    "copy_into",
    "drafted",
    "open_draft",
]
