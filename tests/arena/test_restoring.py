"""Folders from records and from backups: the same again, or nothing at all."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.forgeries import GAMES, LINES
from support.records import RULES, header, lines_of, play_games, tampered

from sixtysix.record import GameRecord, RecordError, TournamentRecord
from sixtysix.reports import ActionInfo, ActionKind, GameState, TournamentState
from sixtysix.shuffle import commitment
from sixtysix_arena.errors import Exists, Invalid, Unavailable, WrongState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.restoring import is_backup, restore_backup, restore_records
from sixtysix_arena.store import DataFolder, Store, StoreReader
from sixtysix_arena.tokens import digest, new_token

RUNNING = header(games_per_pairing=4, state=TournamentState.RUNNING, seed=None)
RUNNING_LINES = lines_of(RUNNING, play_games(replace(RUNNING, seed=None))[:5])


def write(path: Path, lines: Sequence[str]) -> Path:
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a finished tournament with everything in it that can be."""
    return write(tmp_path / "cup.jsonl", LINES)


@contextmanager
def reading(data: Path) -> Iterator[StoreReader]:
    with DataFolder.open(data, create=False).open_reader() as reader:
        yield reader


@contextmanager
def writing(data: Path) -> Iterator[Store]:
    folder = DataFolder.open(data, create=False)
    with folder.lock() as lock, folder.open_store(lock) as store:
        yield store


def export(data: Path, slug: str = "cup") -> list[str]:
    with reading(data) as reader:
        return list(StoredArena(reader).export(slug))


def without_comments(lines: Sequence[str]) -> list[str]:
    """What a record is while its tournament is not over."""

    def forget(contents: list[dict[str, object]]) -> None:
        for content in contents:
            deals = content.get("deals", ())
            assert isinstance(deals, Sequence)
            for deal in deals:
                deal["comments"] = []

    return tampered(lines, forget)


# A record and back


@pytest.mark.parametrize("name", ["cup.jsonl", "cup.jsonl.gz"])
def test_a_finished_tournament_comes_back_byte_for_byte(tmp_path: Path, name: str) -> None:
    found = restore_records([write(tmp_path / name, LINES)], tmp_path / "back")
    assert export(tmp_path / "back") == LINES
    (cup,) = found.tournaments
    assert (cup.slug, cup.state, cup.games, cup.games_over) == (
        "cup",
        TournamentState.FINISHED,
        12,
        12,
    )
    assert cup.deals == sum(len(game.deals) for game in GAMES)
    assert (found.unfinished, found.cut_off) == ((), ())


@pytest.mark.parametrize("rules", RULES)
def test_every_rule_set_comes_back(tmp_path: Path, rules: str) -> None:
    cup = header(RULES[rules])
    lines = lines_of(cup, play_games(cup, {2: "void-deal", 3: "illegal"}))
    restore_records([write(tmp_path / "cup.jsonl", lines)], tmp_path / "back")
    assert export(tmp_path / "back") == lines


def test_practice_stays_practice(tmp_path: Path) -> None:
    cup = practice()
    restore_records(
        [write(tmp_path / "cup.jsonl", lines_of(cup, no_shows(cup)))], tmp_path / "back"
    )
    with reading(tmp_path / "back") as reader:
        assert reader.tournament("cup").definition.practice_seed == "42"
        assert reader.ranked_tournaments("classic") == ()


def practice() -> TournamentRecord:
    seed = b"42"
    return header(practice=True, seed=seed.hex(), commitment=commitment(seed).hex())


def no_shows(cup: TournamentRecord) -> list[GameRecord]:
    kinds = dict.fromkeys(range(1, cup.game_count + 1), "no-show")
    return play_games(cup, kinds)


def test_what_the_organiser_did_comes_back(tmp_path: Path) -> None:
    done = (
        ActionInfo("2026-01-31T12:00:00Z", ActionKind.EXTENDED, "", "by 1 s"),
        ActionInfo("2026-01-31T13:00:00Z", ActionKind.DISABLED, "bob", "it cheated"),
    )
    cup = header(actions=done)
    lines = lines_of(cup, play_games(cup))
    restore_records([write(tmp_path / "cup.jsonl", lines)], tmp_path / "back")
    assert export(tmp_path / "back") == lines
    with reading(tmp_path / "back") as reader:
        assert reader.bot("bob").disabled_at == "2026-01-31T13:00:00Z"
        assert not reader.bot("ada").disabled_at


def test_several_tournaments_count_in_the_order_of_their_records(tmp_path: Path) -> None:
    files = []
    for slug in ("second", "first", "third"):
        cup = header(slug=slug)
        files.append(write(tmp_path / f"{slug}.jsonl", lines_of(cup, play_games(cup))))
    restore_records(files, tmp_path / "back")
    with reading(tmp_path / "back") as reader:
        assert [each.slug for each in reader.ranked_tournaments("classic")] == [
            "second",
            "first",
            "third",
        ]
        rows = {row.entrant: row for row in StoredArena(reader).standing_board("classic").rows}
        assert rows["ada"].games == 12


def test_a_bot_comes_back_without_a_token_and_can_be_given_one(
    record: Path, tmp_path: Path
) -> None:
    restore_records([record], tmp_path / "back")
    with writing(tmp_path / "back") as store:
        assert [bot.name for bot in store.bots()] == ["ada", "bob"]
        assert store.bot("ada").version == "a-1.0 ü"
        assert not store.bot("ada").disabled_at
        token = digest(new_token())
        store.set_token("ada", token)
        assert store.bot_name_by_token(token) == "ada"


def test_when_things_happened_is_not_made_up(record: Path, tmp_path: Path) -> None:
    restore_records([record], tmp_path / "back")
    with reading(tmp_path / "back") as reader:
        cup = reader.tournament("cup")
        assert (cup.created_at, cup.started_at, cup.finished_at) == ("", "", "")


# A record of before the end


def test_a_tournament_that_was_not_over_comes_back_as_far_as_it_was_played(
    tmp_path: Path,
) -> None:
    lines = without_comments(RUNNING_LINES)
    found = restore_records([write(tmp_path / "cup.jsonl", lines)], tmp_path / "back")
    assert (found.unfinished, found.cut_off) == ((), ("cup",))
    back = export(tmp_path / "back")
    assert back == tampered(lines, lambda contents: contents[0].update(state="stopped"))
    with reading(tmp_path / "back") as reader:
        assert [game.state for game in reader.games("cup")] == (
            [GameState.OVER] * 5 + [GameState.SCHEDULED] * 7
        )
        info = StoredArena(reader).tournament("cup")
        assert info.seed == ""
        assert info.waiting_for == "its seed is lost, so that it cannot go on"


def test_it_cannot_go_on_and_cannot_be_ended(tmp_path: Path) -> None:
    lines = without_comments(RUNNING_LINES)
    restore_records([write(tmp_path / "cup.jsonl", lines)], tmp_path / "back")
    with writing(tmp_path / "back") as store:
        for change in (
            lambda: store.set_state("cup", TournamentState.RUNNING, "now"),
            lambda: store.set_state("cup", TournamentState.FINISHED, "now"),
            lambda: store.end_tournament("cup", "over", "", "now"),
            lambda: store.void_game("cup", 1, [], "", "now"),
            lambda: store.extend_joining("cup", 1, "", "now"),
        ):
            with pytest.raises(WrongState, match="its seed is in none; create another one"):
                change()
        assert store.tournament("cup").state is TournamentState.STOPPED
        assert store.progress("cup").over == 5


def test_the_record_of_what_came_back_comes_back_again(tmp_path: Path) -> None:
    lines = without_comments(RUNNING_LINES)
    restore_records([write(tmp_path / "cup.jsonl", lines)], tmp_path / "one")
    stopped = export(tmp_path / "one")
    restore_records([write(tmp_path / "stopped.jsonl", stopped)], tmp_path / "two")
    assert export(tmp_path / "two") == stopped


# Nothing at all


def refused(records: Sequence[Path], data: Path, told: str) -> None:
    """Nothing is restored, and nothing is there."""
    with pytest.raises(RecordError, match=told):
        restore_records(records, data)
    assert not data.exists()


@pytest.mark.parametrize("place", [10, 15_000, -200])
def test_a_changed_byte(tmp_path: Path, place: int) -> None:
    data = bytearray("".join(LINES).encode())
    data[place] ^= 1
    (tmp_path / "cup.jsonl").write_bytes(data)
    refused(
        [tmp_path / "cup.jsonl"],
        tmp_path / "back",
        r"cup\.jsonl is not right, so that nothing was restored: line \d+.*: expected .*, found ",
    )


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (0, "is no record, .*; it is empty"),
        (100, "is no record, .*; line 1 is "),
        (15_000, r"is not right, .*: line \d+"),
    ],
)
def test_a_truncated_record(tmp_path: Path, kept: int, told: str) -> None:
    data = "".join(LINES).encode()[:kept]
    (tmp_path / "cup.jsonl").write_bytes(data)
    refused([tmp_path / "cup.jsonl"], tmp_path / "back", told)


def test_whole_lines_are_missing_at_the_end(tmp_path: Path) -> None:
    write(tmp_path / "cup.jsonl", LINES[:5])
    refused([tmp_path / "cup.jsonl"], tmp_path / "back", r"line 6: .*found the end of the record")


@pytest.mark.parametrize("kept", [5, 2_000, -4])
def test_a_truncated_packed_record(tmp_path: Path, kept: int) -> None:
    data = gzip.compress("".join(LINES).encode())[:kept]
    (tmp_path / "cup.jsonl.gz").write_bytes(data)
    refused([tmp_path / "cup.jsonl.gz"], tmp_path / "back", "cannot be unpacked")


def test_a_forged_result_with_digests_that_fit(tmp_path: Path) -> None:
    lines = tampered(LINES, lambda contents: contents[1].update(winner=1 - contents[1]["winner"]))
    write(tmp_path / "cup.jsonl", lines)
    refused([tmp_path / "cup.jsonl"], tmp_path / "back", r"line 2, game cup\.1: winner: expected")


def test_one_bad_record_among_good_ones_stops_all(record: Path, tmp_path: Path) -> None:
    spring = header(slug="spring")
    bad = write(tmp_path / "spring.jsonl", lines_of(spring, play_games(spring))[:3])
    refused([record, bad], tmp_path / "back", r"spring\.jsonl is not right")


def test_two_records_of_one_tournament(record: Path, tmp_path: Path) -> None:
    again = write(tmp_path / "again.jsonl.gz", LINES)
    refused([record, again], tmp_path / "back", r"are both of the tournament cup.*name the one")


def test_a_tournament_that_had_not_started(tmp_path: Path) -> None:
    cup = header(state=TournamentState.CREATED, seed=None)
    write(tmp_path / "cup.jsonl", lines_of(cup, []))
    refused([tmp_path / "cup.jsonl"], tmp_path / "back", "had not started")


def test_a_record_that_changes_meanwhile(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = header(games_per_pairing=4, name="Another")
    lines = lines_of(other, play_games(other))

    def change(text: str) -> None:
        if text.startswith("Restoring"):
            write(record, lines)

    with pytest.raises(RecordError, match="has changed meanwhile"):
        restore_records([record], tmp_path / "back", tell=change)
    assert not (tmp_path / "back").exists()


def test_what_would_not_come_back_as_it_is_is_noticed(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.restoring._add_bots", lambda *_: None)
    monkeypatch.setattr(Store, "freeze_version", lambda *_: None)
    refused([record], tmp_path / "back", "would not come back as it is.*the header differs")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"there is no file .*cup\.jsonl"):
        is_backup(tmp_path / "cup.jsonl")
    with pytest.raises(Unavailable, match="cannot be read: Is a directory"):
        is_backup(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        restore_records([tmp_path / "cup.jsonl"], tmp_path / "back")


def test_a_folder_with_data_is_left_alone(record: Path, tmp_path: Path) -> None:
    restore_records([record], tmp_path / "back")
    before = (tmp_path / "back" / "arena.db").read_bytes()
    with pytest.raises(Exists, match="is not empty"):
        restore_records([record], tmp_path / "back")
    assert (tmp_path / "back" / "arena.db").read_bytes() == before


# A backup


@pytest.fixture
def backup(record: Path, tmp_path: Path) -> Path:
    """A backup with the finished cup in it."""
    restore_records([record], tmp_path / "data")
    path = tmp_path / "cup.db"
    DataFolder.open(tmp_path / "data", create=False).back_up(path)
    return path


def change(backup: Path, statement: str) -> None:
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute(statement)


def test_a_backup_comes_back_and_is_told_from_a_record(backup: Path, record: Path) -> None:
    assert is_backup(backup)
    assert not is_backup(record)
    back = backup.with_name("back")
    told: list[str] = []
    found = restore_backup(backup, back, tell=told.append)
    assert export(back) == LINES
    assert [each.slug for each in found.tournaments] == ["cup"]
    assert told == [f"Looking through {backup}.", "Verifying cup."]


def test_a_backup_whose_records_are_not_right(backup: Path) -> None:
    change(backup, "UPDATE game SET winner = 1 - winner WHERE number = 1")
    back = backup.with_name("back")
    with pytest.raises(RecordError, match=r"cup is not right in .*line 2, game cup\.1: winner"):
        restore_backup(backup, back)
    assert not back.exists()
    restore_backup(backup, back, unverified=True)
    assert len(export(back)) == len(LINES)


def test_a_backup_with_a_deal_that_is_none(backup: Path) -> None:
    change(backup, "UPDATE deal SET record = x'00'")
    with pytest.raises(RecordError):
        restore_backup(backup, backup.with_name("back"))
    assert not backup.with_name("back").exists()


@pytest.mark.parametrize("damage", ["half of it", "a page of zeros", "nothing in it"])
def test_a_damaged_backup(backup: Path, damage: str) -> None:
    data = bytearray(backup.read_bytes())
    if damage == "half of it":
        del data[len(data) // 2 :]
    elif damage == "a page of zeros":
        data[8_192:12_288] = bytes(4_096)
    else:
        data.clear()
    backup.write_bytes(data)
    with pytest.raises(Unavailable, match="use another"):
        restore_backup(backup, backup.with_name("back"))
    assert not backup.with_name("back").exists()


def test_a_database_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection, connection:
        connection.execute("CREATE TABLE bot (name TEXT)")
    with pytest.raises(Unavailable, match="of another program"):
        restore_backup(tmp_path / "other.db", tmp_path / "back")
    assert not (tmp_path / "back").exists()
