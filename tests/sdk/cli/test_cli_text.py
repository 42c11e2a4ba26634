"""What the commands print for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.played import Played, deal_records, play_game, report

from sixtysix.cli.text import (
    board_text,
    bot_text,
    bots_text,
    deal_text,
    game_text,
    games_text,
    progress_text,
    tournament_text,
    tournaments_text,
)
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import (
    ActionInfo,
    ActionKind,
    Board,
    BoardRow,
    BotInfo,
    EntrantInfo,
    GameInfo,
    GameState,
    TournamentInfo,
    TournamentState,
)
from sixtysix.rules import RULESETS, DealEnd, IllegalMove, Ruleset, ruleset

Golden = Callable[[str, str], None]

NOW = "2026-01-31T12:00:00Z"


# Deals and games


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_and_its_deals(golden: Golden, name: str) -> None:
    rules = RULESETS[name]
    told = report(rules, play_game(rules, seed=3))
    texts = [game_text(told, "sixtysix log cup.7 --deal N")]
    texts += [deal_text(told, record.deal) for record in told.deals]
    golden(f"cli/game-{name}.txt", "\n\n----\n\n".join(texts) + "\n")


VOID = GameOutcome(GameEnd.VOID, None, (0, 0), 0)


def _one_deal(rules: Ruleset, record: DealRecord, outcome: GameOutcome | None = None) -> str:
    """A deal of a game that goes on, unless there is an outcome."""
    told = report(rules, Played((record,), outcome or VOID))
    if outcome is None:
        told = replace(told, game=replace(told.game, state=GameState.OPEN))
    return deal_text(told, record.deal)


def test_every_end_of_a_deal_is_told_in_a_sentence(golden: Golden) -> None:
    kinds = [RULESETS[name] for name in RULESETS] + [ruleset("doubling", agreed_six=True)]
    told: dict[str, str] = {}
    for rules in kinds:
        for record in deal_records(rules, 600):
            result = record.result
            assert result is not None
            title = f"{rules.name}{rules.agreed_six * ' agreed six'}: {result.end}"
            paid = f"{title} {result.game_points}"
            if paid not in told:
                told[paid] = _one_deal(rules, record).split("\n\n")[-1]
    ends = {title.split(": ")[1].split(" ")[0] for title in told}
    assert ends == set(DealEnd)
    golden("cli/ends.txt", "".join(f"{title}\n    {told[title]}\n" for title in sorted(told)))


def test_a_void_deal_counts_for_nothing() -> None:
    rules = RULESETS["classic"]
    void = DealRecord(deal=4, dealer=1, pack=tuple(range(24)), void=True)
    told = _one_deal(rules, void)
    assert told.endswith(
        "\n\nVoid, so it counts for nothing: the game was played anew, or the arena lost what was"
        " played in this deal."
    )
    assert "Nothing was played" not in told
    assert "Score" not in told


def test_a_deal_that_is_broken_off_says_why() -> None:
    rules = RULESETS["classic"]
    whole = next(deal_records(rules, 1))
    broken = replace(
        whole,
        moves=whole.moves[:8],
        charged_ms=whole.charged_ms[:8],
        referee_plies=frozenset(ply for ply in whole.referee_plies if ply < 8),
        comments={},
        result=None,
    )
    outcome = GameOutcome(GameEnd.FORFEIT, 0, (0, 0), 0, Fault.TIMEOUT, "no answer within 1000 ms.")
    told = _one_deal(rules, broken, outcome)
    assert told.endswith(
        "Broken off: no answer within 1000 ms. The game is over: ada won by forfeit, timeout."
    )
    whole_game = game_text(report(rules, Played((broken,), outcome)), "x")
    assert "ada won by forfeit, timeout: no answer within 1000 ms." in whole_game
    # Of a game that was forfeited between two deals, the last deal does not tell why.
    after = deal_text(report(rules, Played((whole,), outcome)), 0)
    assert after.endswith("ada won by forfeit, timeout: no answer within 1000 ms.")


def test_a_card_that_was_led_and_not_answered_is_shown() -> None:
    rules = RULESETS["last-trick"]
    whole = next(deal_records(rules, 1))
    led = replace(
        whole,
        moves=whole.moves[:1],
        charged_ms=whole.charged_ms[:1],
        referee_plies=frozenset(),
        comments={0: "look"},
        result=None,
    )
    rows = _one_deal(rules, led).split("\n\n")[2].splitlines()
    assert len(rows) == 3
    assert rows[2].strip() == 'house:bob: "look"'


def test_comments_come_after_the_trick_and_are_harmless() -> None:
    rules = RULESETS["doubling"]
    record = next(each for each in deal_records(rules, 50) if each.comments)
    told = _one_deal(rules, record)
    assert '"no  [31mred  here"' in told
    assert "\x1b" not in told


def test_a_record_against_the_rules_is_an_error_and_no_story() -> None:
    rules = RULESETS["classic"]
    record = next(deal_records(rules, 1))
    wrong = replace(record, moves=(*record.moves, 0), charged_ms=(*record.charged_ms, 0))
    told = report(rules, Played((wrong,), VOID))
    with pytest.raises(IllegalMove):
        deal_text(told, 0)
    with pytest.raises(IllegalMove):
        game_text(told, "x")


def _game(number: int, **changes: object) -> GameInfo:
    game = GameInfo(
        game_id=f"cup.{number}",
        number=number,
        round=1,
        entrants=("ada", "house:bob"),
        game_index=number - 1,
        state=GameState.OVER,
        score=(8, 3),
        deal_count=6,
        end=GameEnd.TARGET,
        winner=0,
    )
    return replace(game, **changes)  # type: ignore[arg-type]


def test_games() -> None:
    games = [
        _game(1),
        _game(2, end=GameEnd.DEAL_LIMIT, winner=1, score=(3, 5), deal_count=200),
        _game(3, end=GameEnd.DEAL_LIMIT, winner=None, score=(5, 5), deal_count=200),
        _game(4, end=GameEnd.FORFEIT, winner=1, fault=Fault.ILLEGAL, reason="AH\x1b in deal 2"),
        _game(5, end=GameEnd.VOID, winner=None, reason="both bots were away"),
        _game(6, state=GameState.OPEN, end=None, winner=None, score=(2, 0), deal_count=1),
        _game(7, state=GameState.SCHEDULED, end=None, winner=None, score=(0, 0), deal_count=0),
    ]
    assert games_text(games).splitlines() == [
        "game   round  entrants         score  deals  result",
        "cup.1      1  ada - house:bob    8:3      6  ada won",
        "cup.2      1  ada - house:bob    3:5    200  house:bob won after the last of all deals",
        "cup.3      1  ada - house:bob    5:5    200  drawn after the last of all deals",
        "cup.4      1  ada - house:bob    8:3      6  house:bob won by forfeit, illegal",
        "cup.5      1  ada - house:bob    8:3      6  void: both bots were away",
        "cup.6      1  ada - house:bob    2:0      1  open",
        "cup.7      1  ada - house:bob      -      0  scheduled",
    ]
    assert games_text([]) == "No games yet: they are scheduled when the tournament starts."


def test_a_game_without_deals() -> None:
    rules = RULESETS["classic"]
    none = Played((), VOID)
    over = report(rules, none)
    assert game_text(over, "x").endswith("No deal was played.")
    begun = replace(over, game=replace(over.game, state=GameState.OPEN))
    assert game_text(begun, "x").endswith("No deal is over yet.")


# Boards


def _row(rank: int, entrant: str, **changes: object) -> BoardRow:
    row = BoardRow(
        rank=rank,
        entrant=entrant,
        version="1.0",
        mu=30.1234,
        sigma=1.0,
        rating=27.1234,
        games=120,
        won=70,
        drawn=1,
        lost=49,
        deals=800,
        game_points_for=900,
        game_points_against=500,
        void=0,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


BOARD = Board(
    slug="cup",
    ruleset="classic",
    final=True,
    practice=False,
    round_count=3,
    rounds_total=3,
    rows=(
        _row(1, "house:counting"),
        _row(
            2,
            "ada",
            version="",
            mu=5.0,
            sigma=1.66668,
            rating=-0.00004,
            deals=0,
            faults={Fault.TIMEOUT: 2, Fault.ILLEGAL: 1},
        ),
    ),
    canonical="{}",
)


def test_a_final_board() -> None:
    assert board_text(BOARD).splitlines() == [
        "cup (classic): final",
        "",
        "rank  entrant         version  rating      mu  sigma  games   W  D   L  points/deal"
        "  faults",
        "   1  house:counting  1.0      27.123  30.123  1.000    120  70  1  49       +0.500  -",
        "   2  ada             -         0.000   5.000  1.667    120  70  1  49            -"
        "  2 timeout, 1 illegal",
    ]


def test_a_board_says_what_is_missing_and_what_is_void() -> None:
    board = replace(BOARD, final=False, round_count=1, practice=True, rows=(_row(1, "a", void=2),))
    assert board_text(board).splitlines() == [
        "cup (classic, practice): 1 of 3 rounds",
        "",
        "rank  entrant  version  rating      mu  sigma  games   W  D   L  points/deal  void"
        "  faults",
        "   1  a        1.0      27.123  30.123  1.000    120  70  1  49       +0.500     2  -",
        "",
        "Not over: only whole rounds count; with an odd number of entrants one rests in each.",
        "Practice: the deals were predictable, and none of this counts elsewhere.",
    ]


def test_a_board_before_the_start() -> None:
    board = replace(BOARD, final=False, round_count=0, rounds_total=0, rows=())
    assert board_text(board) == "cup (classic): not started"


def test_a_board_without_a_whole_round_ranks_nobody() -> None:
    board = replace(BOARD, final=False, round_count=0)
    assert board_text(board).splitlines() == [
        "cup (classic): 0 of 3 rounds",
        "",
        "entrant         version",
        "house:counting  1.0",
        "ada             -",
        "",
        "No round is complete yet, so nobody is ranked: only whole rounds count, so that all have"
        " played as much.",
    ]


def test_a_standing_board() -> None:
    board = replace(BOARD, slug="", final=False, round_count=0, rounds_total=0)
    assert board_text(board).splitlines()[0] == "Standing board of classic"
    assert board_text(replace(board, rows=())).splitlines() == [
        "Standing board of classic",
        "",
        "No ranked tournament of this rule set is over yet.",
    ]


# Tournaments


CUP = TournamentInfo(
    name="Spring \x1b[2Jcup",
    slug="cup",
    rules=ruleset("doubling", target=8, agreed_six=True),
    games_per_pairing=10,
    games_at_once=32,
    clock=Clock(),
    practice=False,
    commitment="c0ffee",
    seed="",
    state=TournamentState.RUNNING,
    entrants=(
        EntrantInfo("ada", "1.0", connected=True, connection_count=3),
        EntrantInfo("bob", "1.0", connection_count=1, away_ms=12_345),
        EntrantInfo("house:bob"),
    ),
    game_count=10,
    games_over_count=4,
    games_open_count=2,
    waiting_for="waiting for house:bob",
    created_at=NOW,
    started_at=NOW,
    finished_at="",
)


def test_a_tournament() -> None:
    assert tournament_text(CUP).splitlines() == [
        "tournament  cup",
        "name        Spring  [2Jcup",
        "state       running",
        "waiting     for house:bob",
        "games       4 of 10 over, 2 open",
        "rules       doubling to 8, agreed six",
        "pairing     10 games",
        "at once     32 games of a bot",
        "clock       1000 ms a move, 60000 ms a game, 10000 ms to come back, 30000 ms to join",
        f"created     {NOW}",
        f"started     {NOW}",
        "commitment  c0ffee",
        "seed        secret until the last game is over",
        "",
        "entrant    version  now            joins",
        "ada        1.0      connected          3",
        "bob        1.0      away for 12 s      1",
        "house:bob  -        not here yet       -",
    ]


def test_a_tournament_in_which_things_went_wrong() -> None:
    ada, bob, house = CUP.entrants
    slow = replace(ada, faults={Fault.TIMEOUT: 11})
    both = replace(bob, faults={Fault.ILLEGAL: 1, Fault.TIMEOUT: 2})
    info = replace(CUP, entrants=(slow, both, house), games_void_count=3, join_extra_ms=500)
    lines = tournament_text(info).splitlines()
    assert "games       4 of 10 over, 3 of them void, 2 open" in lines
    assert lines[8].endswith("30500 ms to join (500 more than at first)")
    assert lines[-4:] == [
        "entrant    version  now            joins  forfeited by",
        "ada        1.0      connected          3  11 faults (timeout)",
        "bob        1.0      away for 12 s      1  3 faults (1 illegal, 2 timeout)",
        "house:bob  -        not here yet       -  -",
    ]
    assert progress_text(info).startswith("cup running: 4 of 10 games over, 3 of them void, 2 open")


def test_a_bot_that_played_before_the_arenas_start_is_not_called_new() -> None:
    played, forfeited, late = (EntrantInfo(name) for name in ("ada", "bob", "cid"))
    played = replace(played, version="1.0")
    forfeited = replace(forfeited, faults={Fault.TIMEOUT: 1})  # Of no version that it told.
    late = replace(late, faults={Fault.NO_SHOW: 2})
    info = replace(CUP, entrants=(played, forfeited, late), waiting_for="it pauses")
    shown = tournament_text(info)
    assert shown.splitlines()[-3:] == [
        "ada      1.0      not here since the arena's start      -  -",
        "bob      -        not here since the arena's start      -  1 fault (timeout)",
        "cid      -        not here yet                          -  2 faults (no-show)",
    ]
    assert "waiting     it pauses" in shown


def test_who_is_there_is_not_told_where_nobody_knows() -> None:
    stopped = tournament_text(replace(CUP, state=TournamentState.STOPPED)).splitlines()
    assert stopped[-1] == "house:bob  -        -                  -"
    without_arena = tournament_text(CUP, "none runs on sixtysix-data").splitlines()
    assert without_arena[-1] == stopped[-1]


def test_a_bot_that_is_disabled_is_not_called_away() -> None:
    done = ActionInfo(NOW, ActionKind.DISABLED, "bob", "it cheats")
    for info in (CUP, replace(CUP, state=TournamentState.STOPPED)):
        shown = tournament_text(replace(info, actions=(done,)))
        assert ["bob", "1.0", "disabled", "1"] in [line.split() for line in shown.splitlines()]


def test_the_seed_of_a_tournament_is_shown_when_it_is_over() -> None:
    over = replace(CUP, state=TournamentState.FINISHED, seed="5eed", finished_at=NOW)
    assert "seed        5eed" in tournament_text(over).splitlines()
    assert "seed        known: practice" in tournament_text(replace(CUP, practice=True))


def test_tournaments() -> None:
    created = replace(CUP, slug="new", state=TournamentState.CREATED, practice=True, game_count=0)
    assert tournaments_text([created, CUP]).splitlines() == [
        "tournament  name            rules     state              entrants  games over  games"
        "  created",
        f"new         Spring  [2Jcup  doubling  created, practice         3           4      -"
        f"  {NOW}",
        f"cup         Spring  [2Jcup  doubling  running                   3           4     10"
        f"  {NOW}",
    ]
    assert "sixtysix tournament create" in tournaments_text([])


@pytest.mark.parametrize(
    ("left_s", "text"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (3_599, "59 min 59 s"),
        (7_260, "2 h 01 min"),
    ],
)
def test_progress(left_s: float, text: str) -> None:
    assert progress_text(CUP, 12.345, left_s) == (
        f"cup running: 4 of 10 games over, 2 open, 12.3 games/s, {text} left, waiting for house:bob"
    )


def test_progress_before_anything_can_be_said() -> None:
    begun = replace(CUP, games_open_count=0, waiting_for="")
    assert progress_text(begun) == "cup running: 4 of 10 games over"


# Bots


def test_bots() -> None:
    bots = [BotInfo("ada", NOW, version="1.0", game_count=12), BotInfo("bob", NOW, NOW)]
    assert bots_text(bots).splitlines() == [
        "bot  version  games  submitted             state",
        f"ada  1.0         12  {NOW}  in play",
        f"bob  -            0  {NOW}  disabled {NOW}",
    ]
    assert "sixtysix bot submit" in bots_text([])
    assert bot_text(bots[1]).splitlines() == [
        "bot        bob",
        "version    not known yet",
        "games      0",
        f"submitted  {NOW}",
        f"disabled   {NOW}",
    ]


def test_bots_are_shown_with_their_owners_where_there_are_any() -> None:
    bots = [BotInfo("ada", NOW, owner="Ann\x1bA."), BotInfo("bob", NOW)]
    assert bots_text(bots).splitlines() == [
        "bot  owner   version  games  submitted             state",
        f"ada  Ann A.  -            0  {NOW}  in play",
        f"bob  -       -            0  {NOW}  in play",
    ]
    assert bot_text(bots[0]).splitlines()[1] == "owner      Ann A."


def test_a_bot_without_a_version_may_have_played() -> None:
    assert "version    -" in bot_text(BotInfo("ada", NOW, game_count=3)).splitlines()
