"""Two checkers of records, which know nothing of each other, find the same."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.commands import Workplace, wait_for
from support.node_package import BUILD_TIMEOUT_S
from support.records import tampered
from support.source_tree import ROOT

from sixtysix.record import open_record
from sixtysix.verify import Difference, verify

GOLDEN = ROOT / "tests" / "golden" / "record.jsonl"
FLIPS = 12
SEED = 66
PLACE = re.compile(
    r" is not right: line (?P<line>\d+)(?:, game (?P<game>[^,:]+))?(?:, deal (?P<deal>\d+))?"
    r"(?:, ply (?P<ply>\d+))?: "
)

# The first test waits for packages and the compiler.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT_S + 120)]

Place = tuple[int, str | None, int | None, int | None]
Check = Callable[[Path, int], str]
Change = Callable[[list[dict[str, Any]]], object]


@pytest.fixture
def check(node_package: Path) -> Check:
    """Runs the checker in TypeScript, which has to end with a code; returns what it printed."""

    def run(record: Path, code: int) -> str:
        done = subprocess.run(
            ["node", str(node_package / "verify" / "main.js"), str(record)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="module", params=["classic", "last-trick"])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a tournament that a real arena has played."""
    place = Workplace(tmp_path_factory.mktemp("cup"))
    place.write(
        "cup.toml",
        f'name = "Кубок"\nslug = "cup"\nrules = "{request.param}"\ngames_per_pairing = 4\n'
        'entrants = ["house:random", "house:greedy", "house:counting"]\n'
        "[clock]\nper_move_ms = 60000\nper_game_ms = 600000\n",
    )
    place.run("run", "cup.toml", "--grpc", "127.0.0.1:0")
    place.run("tournament", "export", "cup", "-o", "cup.jsonl")
    return place.folder / "cup.jsonl"


def place_said(said: str) -> Place:
    found = PLACE.search(said)
    assert found is not None, said
    line, game, deal, ply = found.group("line", "game", "deal", "ply")
    return int(line), game, deal and int(deal), ply and int(ply)  # type: ignore[return-value]


def found_by_arena(record: Path) -> Difference:
    with open_record(record) as lines:
        difference = verify(lines).difference
    assert difference is not None
    return difference


def place_of(found: Difference) -> Place:
    return found.line, found.game, found.deal, found.ply


def test_both_find_a_real_record_right(record: Path, tmp_path: Path, check: Check) -> None:
    with open_record(record) as lines:
        verdict = verify(lines)
    assert verdict.difference is None
    assert verdict.unchecked == ()
    last = json.loads(record.read_text().split("\n")[-2])
    said = check(record, 0)
    assert said.startswith(f"cup is right: 12 of 12 games, {verdict.deal_count} deals, ")
    assert said.endswith(f"\ndigest {last['sha256']}\n")
    packed = tmp_path / "cup.jsonl.gz"
    packed.write_bytes(gzip.compress(record.read_bytes()))
    assert check(packed, 0) == said


def test_both_find_a_record_with_forfeits_right(check: Check) -> None:
    assert check(GOLDEN, 0).startswith("cup is right: 6 of 6 games, ")


def test_both_find_flipped_bits_in_the_same_line(
    record: Path, tmp_path: Path, check: Check
) -> None:
    chance = Random(SEED)
    right = record.read_bytes()
    flipped = tmp_path / "flipped.jsonl"
    for place in chance.sample(range(len(right)), FLIPS):
        changed = bytearray(right)
        changed[place] ^= 1 << chance.randrange(8)
        flipped.write_bytes(changed)
        line = right.count(b"\n", 0, place) + 1
        assert found_by_arena(flipped).line == line, f"byte {place}, seed {SEED}"
        assert place_said(check(flipped, 1))[0] == line, f"byte {place}, seed {SEED}"


def test_both_find_a_record_that_was_cut_off(record: Path, tmp_path: Path, check: Check) -> None:
    packed = gzip.compress(record.read_bytes())
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(packed[: len(packed) // 2])
    assert "cannot be unpacked" in check(cut, 1)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(record.read_bytes()[:-1])
    assert place_said(check(cut, 1)) == place_of(found_by_arena(cut))


def two_cards(lines: list[dict[str, Any]]) -> None:
    pack = lines[3]["deals"][1]["pack"]
    pack[14], pack[15] = pack[15], pack[14]


def a_move(lines: list[dict[str, Any]]) -> None:
    """A card that was played before cannot be played again."""
    for moves in (deal["moves"] for line in lines[1:-1] for deal in line["deals"]):
        cards = [ply for ply, move in enumerate(moves) if len(move) == 2]
        if len(cards) > 3:  # A deal may end with its second trick.
            moves[cards[3]] = moves[cards[0]]
            return


def who_moved(lines: list[dict[str, Any]]) -> None:
    """The first lead, with six cards to choose from, is said to be the referee's."""
    deal = lines[4]["deals"][0]
    lead = next(ply for ply, move in enumerate(deal["moves"]) if move != "pass")
    deal["referee"] = sorted({*deal["referee"], lead})


def a_result(lines: list[dict[str, Any]]) -> None:
    deal = next(deal for deal in lines[5]["deals"] if deal["result"]["winner"] is not None)
    deal["result"]["game_points"] ^= 1


def a_dealer(lines: list[dict[str, Any]]) -> None:
    lines[6]["deals"][1]["dealer"] ^= 1


def a_game_left_out(lines: list[dict[str, Any]]) -> None:
    del lines[7]


def a_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["seed"] = "ab" * 32


def a_score(lines: list[dict[str, Any]]) -> None:
    lines[8]["score"].reverse()


def a_rating(lines: list[dict[str, Any]]) -> None:
    row = lines[-1]["rows"][1]
    row["sigma"] = f"{float(row['sigma']) + 0.005:.3f}"


def a_rank(lines: list[dict[str, Any]]) -> None:
    rows = lines[-1]["rows"]
    rows[0]["rank"], rows[1]["rank"] = 2, 1


CHANGES: list[Change] = [
    two_cards,
    a_move,
    who_moved,
    a_result,
    a_dealer,
    a_game_left_out,
    a_seed,
    a_score,
    a_rating,
    a_rank,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_both_find_a_lie_with_right_digests_at_the_same_place(
    record: Path, tmp_path: Path, check: Check, change: Change
) -> None:
    forged = tmp_path / "forged.jsonl"
    lines = record.read_text(encoding="utf-8").split("\n")[:-1]
    forged.write_text("".join(tampered(lines, change)), encoding="utf-8", newline="")
    found = found_by_arena(forged)
    assert found.what != "digest"
    assert place_said(check(forged, 1)) == place_of(found), str(found)


def test_both_say_that_packs_are_unchecked_while_the_seed_is_secret(
    tmp_path: Path, check: Check
) -> None:
    def keep_secret(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"seed": None, "state": "stopped"}
        for line in lines[1:-1]:
            for deal in line["deals"]:
                deal["comments"] = []
        # This deal was over before its last two cards were drawn.
        pack = lines[1]["deals"][1]["pack"]
        pack[22], pack[23] = pack[23], pack[22]

    secret = tmp_path / "secret.jsonl"
    lines = GOLDEN.read_text(encoding="utf-8").split("\n")[:-1]
    secret.write_text("".join(tampered(lines, keep_secret)), encoding="utf-8", newline="")
    with open_record(secret) as read:
        verdict = verify(read)
    assert verdict.difference is None
    assert verdict.unchecked == ("packs unchecked, seed still secret",)
    assert "\npacks unchecked, seed still secret\n" in check(secret, 0)


def test_without_a_record_it_fails(tmp_path: Path, check: Check) -> None:
    assert "ENOENT" in check(tmp_path / "none.jsonl", 2)


def test_both_accept_a_game_that_the_organiser_had_played_anew(
    check: Check, tmp_path: Path, late_cup: Callable[..., list[str]]
) -> None:
    place = Workplace(tmp_path)
    join = late_cup(place, "house:random", "house:greedy", games_per_pairing=20)
    with place.running(*place.command("run", "cup.toml", "--grpc", "127.0.0.1:0")) as arena:
        (game, *_) = wait_for(lambda: over(place), "the end of a game")
        place.run("tournament", "void", game, "--reason", "it was not fair", "--yes")
        with place.running(*join):
            assert arena.wait(90) == 0
    place.run("tournament", "export", "cup", "-o", "cup.jsonl")
    record = place.folder / "cup.jsonl"
    header, *games = (json.loads(line) for line in record.read_text().splitlines())
    assert [(each["kind"], each["subject"]) for each in header["actions"]] == [("voided", game)]
    (again,) = (each for each in games if each.get("game_id") == game)
    voids = [deal["void"] for deal in again["deals"]]
    assert voids == sorted(voids, reverse=True)
    assert {True, False} == set(voids)
    # At least one of them had come to its end, and was dealt by whose turn it was then.
    assert any(deal["void"] and deal["moves"] for deal in again["deals"])
    with open_record(record) as lines:
        assert verify(lines).difference is None
    assert "is right" in check(record, 0)


def over(place: Workplace) -> list[str]:
    """The games of the cup that are; there may be no cup yet."""
    started = (place.folder / "sixtysix-data" / "address").exists()
    if not (started and place.json("tournament", "list")):
        return []
    return [each["game_id"] for each in place.json("games", "cup") if each["state"] == "over"]
