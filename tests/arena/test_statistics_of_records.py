"""The same statistics from a store and from the record that it exports, without the store."""

from __future__ import annotations

from pathlib import Path

from support.played import events, play_game
from support.stored import LATER, create, start

from sixtysix.record import GameRecord, TournamentRecord, read_record
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena import standings, statistics
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.store import DataFolder


def test_an_exported_record_has_all_that_statistics_need(tmp_path: Path) -> None:
    rules = RULESETS["played-out"]
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        create(store, rules=rules, games_per_pairing=4)
        for seed, game in enumerate(start(store)):
            store.commit(events(game, play_game(rules, seed, seed % 2)))
        store.set_state("cup", TournamentState.FINISHED, LATER)
    with folder.open_reader() as reader:
        stored = StoredArena(reader)
        from_store = stored.statistics("cup")
        lines = list(stored.export("cup"))

    header, *records = read_record(lines)
    assert isinstance(header, TournamentRecord)
    games = {each.number: each for each in records if isinstance(each, GameRecord)}
    board = standings.board(
        slug=header.slug,
        ruleset=header.rules.name,
        versions={entrant.id: entrant.version for entrant in header.entrants},
        schedule=[ScheduledGame(*scheduled) for scheduled in header.schedule()],
        outcomes={number: game.outcome for number, game in games.items()},
    )
    from_record = statistics.statistics(
        board,
        [
            standings.PlayedGame(ScheduledGame(*game.scheduled), game.outcome)
            for game in games.values()
        ],
        {
            number: statistics.think_times(header.rules, game.deals)
            for number, game in games.items()
        },
    )
    assert from_record == from_store
    assert from_record.games == 12
    assert all(row.timed_move_count for row in from_record.entrants)
