"""How fast a record is checked, beside playing its moves and nothing else.

A tournament is played by chance in this process and written as a record; then
the record is verified, with everything: digests, packs, moves, results, ratings.
Seconds are those of the processor, so that other programs disturb less.

    python bench/verify.py [--games 2000] [--repeat 3] [--rules classic] [--json]
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import time
from collections import deque
from collections.abc import Iterator
from importlib.metadata import version
from random import Random
from statistics import median
from typing import Any

from sixtysix import shuffle
from sixtysix.circle import circle
from sixtysix.clock import Clock
from sixtysix.record import (
    EntrantRecord,
    GameRecord,
    Scheduled,
    TournamentRecord,
    read_record,
    record_lines,
)
from sixtysix.reports import TournamentState
from sixtysix.rules import CLAIM, RULESETS, Deal
from sixtysix.verify import verify
from sixtysix_arena.referee import GameSpec, Referee
from sixtysix_arena.rerating import PARAMETERS, RATER

SEED = b"verify"
ENTRANTS = tuple(f"bot-{number}" for number in range(5))
PAIRINGS = 10


def header(rules: str, game_count: int) -> TournamentRecord:
    """A finished tournament of five with about as many games."""
    return TournamentRecord(
        name="Bench",
        slug="bench",
        rules=RULESETS[rules],
        games_per_pairing=max(2, game_count // PAIRINGS // 2 * 2),
        clock=Clock(),
        entrants=tuple(EntrantRecord(name, "1") for name in ENTRANTS),
        rounds=tuple(circle(ENTRANTS)),
        rating=PARAMETERS,
        shuffle=shuffle.ALGORITHM,
        commitment=shuffle.commitment(SEED).hex(),
        practice=True,
        state=TournamentState.FINISHED,
        seed=SEED.hex(),
    )


def play(tournament: TournamentRecord) -> Iterator[GameRecord]:
    """All its games, by chance, with a claim wherever it is good."""
    key = shuffle.tournament_key(SEED, {})
    chance = Random(SEED)
    for scheduled in tournament.schedule():
        yield _play_game(tournament, scheduled, key, chance)


def _play_game(
    tournament: TournamentRecord, scheduled: Scheduled, key: bytes, chance: Random
) -> GameRecord:
    def pack(deal: int) -> tuple[int, ...]:
        return shuffle.pack(
            key,
            ruleset=tournament.rules.name,
            tournament=tournament.slug,
            entrants=scheduled.entrants,
            game=scheduled.game_index,
            deal=deal,
        )

    game_id = f"{tournament.slug}.{scheduled.number}"
    spec = GameSpec(
        scheduled.number,
        game_id,
        scheduled.entrants,
        scheduled.game_index % 2,
        tournament.rules,
        tournament.clock,
    )
    referee = Referee(spec, pack, (False, True))
    deals = []
    while referee.outcome is None:
        if referee.seat_on_turn is None:
            referee.begin_deal()
        legal = referee.view().legal
        move = CLAIM if CLAIM in legal else chance.choice(legal)
        record = referee.answer(move, chance.randrange(20))
        if record is not None:
            deals.append(record)
    return GameRecord(
        game_id,
        scheduled.number,
        scheduled.round,
        scheduled.entrants,
        scheduled.game_index,
        tuple(deals),
        referee.outcome,
    )


def cpu_s(work: Any) -> float:
    """CPU seconds of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def replay(games: list[GameRecord], rules: str) -> None:
    """Plays all moves again, and nothing else."""
    for game in games:
        for record in game.deals:
            deal = Deal(RULESETS[rules], record.pack, record.dealer)
            for move in record.moves:
                deal.play(move)


def measure(game_count: int, rules: str, repeat: int) -> dict[str, Any]:
    """All figures, as medians over the repetitions."""
    tournament = header(rules, game_count)
    games = list(play(tournament))
    board = RATER.board(tournament, {game.number: game.outcome for game in games})
    lines = list(record_lines(tournament, games, board))
    verdict = verify(lines)
    assert verdict.ok, verdict.difference
    checking, reading, playing, writing = [], [], [], []
    for _ in range(repeat):
        checking.append(cpu_s(lambda: verify(lines)))
        reading.append(cpu_s(lambda: deque(read_record(lines), maxlen=0)))
        playing.append(cpu_s(lambda: replay(games, rules)))
        writing.append(cpu_s(lambda: deque(record_lines(tournament, games, board), maxlen=0)))
    seconds = median(checking)
    data = "".join(lines).encode()
    return {
        "seed": SEED.decode(),
        "rules": rules,
        "repetitions": repeat,
        "games": verdict.game_count,
        "deals": verdict.deal_count,
        "moves": verdict.move_count,
        "record_bytes": len(data),
        "packed_bytes": len(gzip.compress(data)),
        "verify_cpu_s": round(seconds, 2),
        "verify_cpu_s_for_2000_games": round(seconds / verdict.game_count * 2_000, 2),
        "verify_games_per_cpu_s": round(verdict.game_count / seconds),
        "read_cpu_s": round(median(reading), 2),
        "write_cpu_s": round(median(writing), 2),
        "replay_cpu_s": round(median(playing), 2),
        "verify_to_replay_ratio": round(seconds / median(playing), 2),
        "versions": {
            "sixtysix": version("sixtysix"),
            "trueskill": version("trueskill"),
            "python": platform.python_version(),
        },
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--rules", choices=list(RULESETS), default="classic")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = measure(options.games, options.rules, options.repeat)
    if options.json:
        print(json.dumps(figures))
        return
    print(
        f"{figures['games']:,} games of {figures['rules']}, {figures['deals']:,} deals,"
        f" {figures['moves']:,} moves, medians of {figures['repetitions']} runs, CPU seconds"
    )
    print(f"  verify         {figures['verify_cpu_s']:>8.2f}")
    print(f"  of that read   {figures['read_cpu_s']:>8.2f}")
    print(f"  replay alone   {figures['replay_cpu_s']:>8.2f}")
    print(f"  write          {figures['write_cpu_s']:>8.2f}")
    print(f"  to replay      {figures['verify_to_replay_ratio']:>8.2f}")
    print(f"  2,000 games    {figures['verify_cpu_s_for_2000_games']:>8.2f}")
    print(
        f"  record         {figures['record_bytes'] / 1e6:>8.1f} MB,"
        f" {figures['packed_bytes'] / 1e6:.1f} MB packed"
    )


if __name__ == "__main__":
    main()
