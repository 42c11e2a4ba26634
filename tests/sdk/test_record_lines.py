"""Records as lines: written, read again, and what is no record refused with its place."""

from __future__ import annotations

import gzip
import io
import json
import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.records import KINDS, RULES, header, lines_of, play_games, sealed, tampered
from support.source_tree import ROOT

from sixtysix.record import (
    FORMAT,
    BoardRecord,
    GameRecord,
    LineError,
    RecordError,
    TournamentRecord,
    canonical,
    open_record,
    read_lines,
    read_record,
    record_in,
    record_lines,
    save_record,
)
from sixtysix.record.chain import FormError
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix.verify import verify

Golden = Callable[[str, str], None]

CUP = header(games_per_pairing=4)
GAMES = play_games(CUP, dict(enumerate(KINDS, start=1)))
LINES = lines_of(CUP, GAMES)
SCHEMA = json.loads((ROOT / "docs" / "record.schema.json").read_text(encoding="utf-8"))


def first_error(lines: list[str]) -> str:
    with pytest.raises(LineError) as caught:
        list(read_record(lines))
    return str(caught.value)


# What is written can be read


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("state", TournamentState)
def test_what_is_written_is_read(rules: Any, state: TournamentState) -> None:
    seed = CUP.seed if state is TournamentState.FINISHED else None
    cup = header(rules, state=state, seed=seed)
    games = play_games(cup, {2: "void-deal", 3: "illegal", 5: "void"})
    read = list(read_record(lines_of(cup, games)))
    assert read[0] == cup
    assert read[1:-1] == games
    board = read[-1]
    assert isinstance(board, BoardRecord)
    assert list(record_lines(cup, games, board)) == lines_of(cup, games)


def test_lines_are_read_as_text_and_as_bytes() -> None:
    data = "".join(LINES).encode()
    assert list(read_record(io.BytesIO(data))) == list(read_record(LINES))
    kinds = [type(line.record) for line in read_lines(LINES)]
    assert kinds == [TournamentRecord, *[GameRecord] * 12, BoardRecord]
    assert [line.number for line in read_lines(LINES)] == list(range(1, 15))


def test_digests_are_those_of_the_document() -> None:
    digest = "0" * 64
    for line in LINES:
        data = line.encode()
        assert data[-78:-67] == b',"sha256":"'
        digest = sha256(digest.encode() + data[:-78]).hexdigest()
        assert data[-67:] == digest.encode() + b'"}\n'
    assert [line.digest for line in read_lines(LINES)][-1] == digest
    assert sealed(map(json.loads, LINES)) == LINES


def test_lines_are_canonical_and_have_no_fractions() -> None:
    text = "".join(LINES)
    assert "Кубок" in text
    assert "\u2028" in text, "it is part of a comment, and ends no line"
    for line in LINES:
        content = json.loads(line, parse_float=pytest.fail)
        assert content.pop("sha256")
        assert line.startswith(canonical(content)[:-1])
    assert canonical({"b": [1, None, True], "a": 'ü"\\\n\x1f'}) == (
        '{"a":"ü\\"\\\\\\n\\u001f","b":[1,null,true]}'
    )


def test_a_golden_record(golden: Golden) -> None:
    cup = header(RULESETS["classic"], entrants=("ada", "bob", "house:random"))
    lines = lines_of(cup, play_games(cup, dict(enumerate(KINDS, start=1))))
    assert verify(lines).ok
    golden("record.jsonl", "".join(lines))


# The schema


@pytest.fixture(scope="module")
def schema() -> Any:
    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("name", RULESETS)
def test_the_schema_admits_what_is_written(schema: Any, name: str) -> None:
    cup = header(RULESETS[name], games_per_pairing=4)
    lines = lines_of(cup, play_games(cup, dict(enumerate(KINDS, start=1))))
    running = header(state=TournamentState.RUNNING, seed=None, practice=True)
    for line in [*lines, *lines_of(running, [])]:
        schema.validate(json.loads(line))


def test_the_schema_knows_every_key_that_is_written() -> None:
    for kind, line in (("tournament", LINES[0]), ("game", LINES[1]), ("board", LINES[-1])):
        content = json.loads(line)
        assert set(SCHEMA["$defs"][kind]["properties"]) == set(content)
        assert set(SCHEMA["$defs"][kind]["required"]) == set(content)


# What a line of each kind may not be: our reader and the schema say so alike.


def _set(*path: Any) -> Callable[[list[dict[str, Any]]], None]:
    """Puts the last of `path` where the others lead to."""
    *way, key, value = path

    def change(contents: list[dict[str, Any]]) -> None:
        place: Any = contents
        for step in way:
            place = place[step]
        place[key] = value

    return change


def _drop(*path: Any) -> Callable[[list[dict[str, Any]]], None]:
    *way, key = path

    def change(contents: list[dict[str, Any]]) -> None:
        place: Any = contents
        for step in way:
            place = place[step]
        del place[key]

    return change


BAD = {
    "line 1: format": _set(0, "format", "sixtysix-record/2"),
    "line 1: name": _set(0, "name", 7),
    "line 1: state": _set(0, "state", "over"),
    "line 1: practice": _set(0, "practice", 0),
    "line 1: rules.name": _set(0, "rules", "name", "tarock"),
    "line 1: rules": _set(0, "rules", "target", 7),
    "line 1: clock.join_ms": _set(0, "clock", "join_ms", -1),
    "line 1: clock": _set(0, "clock", "more_ms", 1),
    "line 1: entrants": _set(0, "entrants", {}),
    "line 1: entrants[1]": _drop(0, "entrants", 1, "version"),
    "line 1: entrants[0].id": _set(0, "entrants", 0, "id", None),
    "line 1: rounds": _set(0, "rounds", None),
    "line 1: rounds[0]": _set(0, "rounds", 0, 1),
    "line 1: rounds[0][0]": _set(0, "rounds", 0, 0, [1]),
    "line 1: rounds[0][0][1]": _set(0, "rounds", 0, 0, 1, "2"),
    "line 1: rating.mu": _set(0, "rating", "mu", "1e1"),
    "line 1: commitment": _set(0, "commitment", "AB" * 32),
    "line 1: seed": _set(0, "seed", "abc"),
    "line 1: the line": _set(0, "more", 1),
    "line 2: number": _set(1, "number", 0),
    "line 2: round": _set(1, "round", True),
    "line 2: entrants": _set(1, "entrants", ["ada", "bob", "cy"]),
    "line 2: score[0]": _set(1, "score", 0, None),
    "line 2: score": _set(1, "score", [1]),
    "line 2: winner": _set(1, "winner", 2),
    "line 2: end": _set(1, "winner", None),
    "line 2: fault": _set(1, "fault", "lazy"),
    "line 2: faulting_seat": _set(1, "faulting_seat", 0),
    "line 2: the line": _drop(1, "reason"),
    "line 2: deals": _set(1, "deals", "none"),
    "line 2: deals[0]": _set(1, "deals", 0, []),
    "line 2: deals[0].deal": _set(1, "deals", 0, "deal", "0"),
    "line 2: deals[1].dealer": _set(1, "deals", 1, "dealer", 2),
    "line 2: deals[0].pack[3]": _set(1, "deals", 0, "pack", 3, "HT"),
    "line 2: deals[0].pack": lambda c: c[1]["deals"][0]["pack"].pop(),
    "line 2: deals[0].moves[2]": _set(1, "deals", 0, "moves", 2, "TH+"),
    "line 2: deals[0].ms[0]": _set(1, "deals", 0, "ms", 0, -1),
    "line 2: deals[0].void": _set(1, "deals", 0, "void", None),
    "line 2: deals[0].result": _set(1, "deals", 0, "void", True),
    "line 2: deals[0].result.end": _set(1, "deals", 0, "result", "end", "stopped"),
    "line 2: deals[0].result.winner": _set(1, "deals", 0, "result", "winner", "0"),
    "line 2: deals[0].comments[0]": _set(1, "deals", 0, "comments", [{"ply": 1}]),
    "line 14: round_count": _set(-1, "round_count", None),
    "line 14: rows[0]": _drop(-1, "rows", 0, "void"),
    "line 14: rows[1].mu": _set(-1, "rows", 1, "mu", "25"),
    "line 14: rows[1].games": _set(-1, "rows", 1, "games", "4"),
    "line 14: rows[2].faults": _set(-1, "rows", 2, "faults", {"lazy": 1}),
    "line 14: rows[0].faults[0]": _set(-1, "rows", 0, "faults", {"left": 0}),
}


@pytest.mark.parametrize("place", BAD)
def test_a_line_that_cannot_be_is_refused_with_its_place(schema: Any, place: str) -> None:
    lines = tampered(LINES, BAD[place])
    said = first_error(lines)
    assert said.startswith(f"{place}: expected "), said
    number = int(place.split()[1].rstrip(":"))
    assert not schema.is_valid(json.loads(lines[number - 1]))


BAD_BEYOND_THE_SCHEMA = {
    "line 2: deals[0].ms": lambda c: c[1]["deals"][0]["ms"].pop(),
    "line 2: deals[0].referee[0]": _set(1, "deals", 0, "referee", [99]),
    "line 2: deals[0].referee": _set(1, "deals", 0, "referee", [3, 1]),
    "line 2: deals[0].comments": _set(
        1, "deals", 0, "comments", [{"ply": 2, "text": ""}, {"ply": 2, "text": ""}]
    ),
    "line 1: rounds[2][0][0]": _set(0, "rounds", 2, 0, 0, 3),
    "line 2: game_index": _set(1, "game_index", 0.0),
}


@pytest.mark.parametrize("place", BAD_BEYOND_THE_SCHEMA)
def test_what_a_schema_cannot_say_is_refused_too(place: str) -> None:
    said = first_error(tampered(LINES, BAD_BEYOND_THE_SCHEMA[place]))
    assert said.startswith(f"{place}: expected "), said


def test_a_winner_without_a_fault_is_no_forfeit() -> None:
    def forfeit(contents: list[dict[str, Any]]) -> None:
        contents[1]["end"] = "forfeit"

    assert "line 2: end: expected a forfeit names its fault" in first_error(
        tampered(LINES, forfeit)
    )


# The order of lines


@pytest.mark.parametrize(
    ("order", "error"),
    [
        ([], "line 1: the line: expected the line of the tournament, found the end of the record"),
        ([1, 2], 'line 1: type: expected the line of the tournament, found "game"'),
        ([0, 0], 'line 2: type: expected a line of a game or of the board, found "tournament"'),
        ([0, 1], "line 3: the line: expected a line of a game or of the board, found the end"),
        ([0, -1, 1], 'line 3: type: expected the end of the record, found "game"'),
        ([0, -1, -1], 'line 3: type: expected the end of the record, found "board"'),
    ],
)
def test_lines_come_in_order(order: list[int], error: str) -> None:
    contents = [json.loads(line) for line in LINES]
    assert first_error(sealed(contents[place] for place in order)).startswith(error)


def test_a_line_of_an_unknown_kind() -> None:
    lines = tampered(LINES, lambda contents: contents[2].update(type=["game"]))
    assert first_error(lines).startswith("line 3: type: expected a line of a game or of the board")


# Bytes


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"a":1, "b":2', "expected canonical JSON"),
        (b'{"b":1,"a":2', "expected canonical JSON"),
        (b'{"a":1,"a":1', "expected canonical JSON"),
        (b'{"a":1e3', "expected canonical JSON"),
        (b'{"a":-0', "expected canonical JSON"),
        (b'{"a":"\\u00fc"', "expected canonical JSON"),
        (b'{"a":NaN', "expected JSON in UTF-8"),
        (b'{"a":"\xff"', "expected JSON in UTF-8"),
        (b'{"a":"\\ud800"', "expected canonical JSON"),
        (b'{"a":', "expected JSON in UTF-8"),
        (b'{"a":' + b"[" * 100_000, "expected JSON in UTF-8"),
        (b'{"a":' + b"9" * 10_000, "expected JSON in UTF-8"),
        (b"", "expected JSON in UTF-8"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_is_no_canonical_json_is_refused(body: bytes, error: str) -> None:
    digest = sha256(b"0" * 64 + body).hexdigest()
    line = body + b',"sha256":"' + digest.encode() + b'"}\n'
    with pytest.raises(LineError, match=r"^line 1: the line: ") as caught:
        list(read_record([line]))
    assert error in str(caught.value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line[:-1],
        lambda line: line[:-1] + b"\r\n",
        lambda line: line[:-2] + b"\n",
        lambda line: line[:-2] + b"]\n",
        lambda line: line[:-1] + b" ",
        lambda line: line[:-78] + b"." + line[-77:],
        lambda line: line[:-67] + line[-67:-3].upper() + line[-3:],
        lambda line: line[:40],
        lambda line: b"\n",
        lambda line: b"",
    ],
)
def test_another_ending_is_refused(spoil: Callable[[bytes], bytes]) -> None:
    lines = [line.encode() for line in LINES]
    lines[3] = spoil(lines[3])
    with pytest.raises(LineError, match=r'^line 4: the end: expected ,"sha256":"64 hexa'):
        list(read_record(lines))


def test_errors_cross_processes() -> None:
    for error in (LineError(3, "a", "b", "c"), FormError("a", "b", "c")):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        assert (type(again), str(again)) == (type(error), str(error))
        assert isinstance(again, RecordError)


# Files


@pytest.mark.parametrize("name", ["cup.jsonl", "cup.jsonl.gz"])
def test_a_record_in_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save_record(LINES, path)
    with open_record(path) as lines:
        assert [line.decode() for line in lines] == LINES
    before = path.read_bytes()
    if name.endswith(".gz"):
        assert before[:10] == b"\x1f\x8b\x08" + bytes(5) + before[8:10], "no name, no time"
    save_record(iter(LINES), path)
    assert path.read_bytes() == before, "nothing of the time or the place is in it"
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_packed_record_is_known_by_its_bytes() -> None:
    packed = gzip.compress("".join(LINES).encode())
    stream = io.BufferedReader(io.BytesIO(packed))
    assert b"".join(record_in(stream)).decode() == "".join(LINES)


def test_a_damaged_pack_is_an_error_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl.gz"
    save_record(LINES, path)
    whole = path.read_bytes()
    for data in (whole[:-100], whole[:200] + b"\xff" * 50 + whole[250:], whole[:4]):
        path.write_bytes(data)
        with pytest.raises(RecordError, match=r"cup\.jsonl\.gz is damaged"), open_record(path) as f:
            list(read_record(f))


def test_an_error_of_whoever_reads_is_his_own(tmp_path: Path) -> None:
    save_record(LINES, tmp_path / "cup.jsonl")
    with pytest.raises(BrokenPipeError), open_record(tmp_path / "cup.jsonl"):
        raise BrokenPipeError


def test_what_cannot_be_opened_or_written(tmp_path: Path) -> None:
    missing = open_record(tmp_path / "nix")
    with pytest.raises(RecordError, match="nix cannot be read: No such file"), missing:
        pass
    with pytest.raises(RecordError, match=r"cup cannot be written: No such file"):
        save_record(LINES, tmp_path / "nowhere" / "cup")


def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    def broken() -> Any:
        yield LINES[0]
        raise ConnectionError

    path = tmp_path / "cup.jsonl"
    path.write_text("older")
    with pytest.raises(RecordError):
        save_record(broken(), path)
    assert path.read_text() == "older"
    assert [each.name for each in tmp_path.iterdir()] == ["cup.jsonl"]


def test_the_format_is_named_in_the_document() -> None:
    page = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    assert f"`{FORMAT}`" in page
