"""What an arena keeps: one database in one data folder, written by one thread."""

from sixtysix_arena.store.folder import DataFolder, FolderLock
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
    Progress,
    Tournament,
    UnfinishedGame,
    Validation,
)
from sixtysix_arena.store.thread import StoreThread

__all__ = [
    "DataFolder",
    "DealOver",
    "DealStarted",
    "Event",
    "FaultEvidence",
    "FolderLock",
    "Game",
    "GameOpened",
    "GameOver",
    "Progress",
    "Store",
    "StoreReader",
    "StoreThread",
    "Tournament",
    "UnfinishedGame",
    "Validation",
]
