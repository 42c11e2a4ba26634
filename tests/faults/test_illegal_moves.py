"""Every kind of illegal move over a real stream: the game is lost at once, with what was legal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arenas import RawBot
from support.misbehaving import PATIENT, answer, check_forfeits, tournament_of

from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import CLOSE, EXCHANGE, PASS, RULESETS
from sixtysix.v1 import play_pb2

CLAIM_66 = 34
CARD = "[9JQKTA][CDHS]"
OF_ALL = {
    "no move": "moves are the numbers 0 to 35",
    "a card of others": f"{CARD} is not in your hand",
    "passing where a card must be played": "a card must be played",
    "half a marriage": "the other card of the marriage in [CDHS] is not in your hand",
    "a marriage when following": "a marriage is announced on one's own lead",
    "another suit": "[CDHS] was led and must be followed",
    "no trump": "you have no [CDHS] and must play a trump",
}
WITHOUT_EXCHANGE = {"an exchange": "(classic|played-out) has no exchange"}
WITH_EXCHANGE = {
    "an exchange without the nine": "9[CDHS] is not in your hand",
    "an exchange after the last card was drawn": "the trump card has been drawn",
}
WITH_CLOSING = {
    "closing twice": "the talon is closed already",
    "closing too late": r"the talon must hold at least \d cards",
    "closing after a lead": "the talon is closed before a lead, not after it",
}
WITH_CLAIMS = {"a card after the marriage": "after the marriage one may only claim or pass"}
KINDS = {
    "classic": {
        **OF_ALL,
        **WITHOUT_EXCHANGE,
        **WITH_CLOSING,
        **WITH_CLAIMS,
        "closing after the marriage": "this is not the moment to close",
        "a card before the opponent's lead": (
            "before the opponent's lead one may only close, claim or pass"
        ),
    },
    "doubling": {
        **OF_ALL,
        **WITH_EXCHANGE,
        **WITH_CLOSING,
        **WITH_CLAIMS,
        "closing after the marriage": "this is not the moment to close",
        "an exchange too early": "the first trick has not been played",
        "an exchange in a closed deal": "the talon is closed",
    },
    "played-out": {
        **OF_ALL,
        **WITHOUT_EXCHANGE,
        **WITH_CLOSING,
        "closing too early": "the talon may be closed only after the first trick",
        "a claim": "played-out is played out and counted, so there are no claims",
    },
    "last-trick": {
        **OF_ALL,
        **WITH_EXCHANGE,
        **WITH_CLAIMS,
        "an exchange too early": "you have not taken a trick yet",
        "closing": "last-trick has no closing",
    },
}


def offences(rules: str, asked: play_pb2.Decision) -> Iterator[tuple[str, int]]:
    """The kinds of illegal moves that a decision leaves room for, each with a move."""
    has_led = asked.HasField("led")
    own_trick = asked.leader == asked.seat
    yield "no move", 36
    if not own_trick and not has_led:
        yield "a card before the opponent's lead", asked.hand[0]
    elif own_trick and has_led:
        yield "a card after the marriage", asked.hand[0]
    else:
        yield from _of_cards(asked, follows=has_led)
    if CLOSE not in asked.legal:
        yield _of_closing(rules, asked, own_trick=own_trick), CLOSE
    if EXCHANGE not in asked.legal and not (own_trick and has_led):
        yield _of_exchange(rules, asked), EXCHANGE
    if rules == "played-out":
        yield "a claim", CLAIM_66


def _of_cards(asked: play_pb2.Decision, *, follows: bool) -> Iterator[tuple[str, int]]:
    hand = set(asked.hand)
    yield "a card of others", next(card for card in range(24) if card not in hand)
    yield "passing where a card must be played", PASS
    for code in range(24, 32):
        suit, is_king = divmod(code - 24, 2)
        card, other = suit * 6 + 2 + is_king, suit * 6 + 3 - is_king
        if card in hand and follows:
            yield "a marriage when following", code
        elif card in hand and other not in hand:
            yield "half a marriage", code
    if follows and (asked.HasField("closed_by") or asked.talon_count == 0):
        led = asked.led if asked.led < 24 else (asked.led - 24) // 2 * 6
        for card in hand - set(asked.legal):
            follower = any(held // 6 == led // 6 for held in hand)
            yield "another suit" if follower else "no trump", card


def _of_closing(rules: str, asked: play_pb2.Decision, *, own_trick: bool) -> str:
    least = {"classic": 5, "doubling": 2, "played-out": 3}.get(rules)
    if least is None:
        return "closing"
    if asked.HasField("closed_by"):
        return "closing twice"
    if asked.talon_count < least:
        return "closing too late"
    if rules == "played-out" and not asked.tricks:
        return "closing too early"
    return "closing after the marriage" if own_trick else "closing after a lead"


def _of_exchange(rules: str, asked: play_pb2.Decision) -> str:
    if rules in ("classic", "played-out"):
        return "an exchange"
    if asked.HasField("closed_by"):
        return "an exchange in a closed deal"
    if asked.talon_count == 0:
        return "an exchange after the last card was drawn"
    if asked.trump_suit * 6 not in asked.hand:
        return "an exchange without the nine"
    return "an exchange too early"


def towards_rare_moments(asked: play_pb2.Decision) -> int:
    """A legal move: marriages and high cards, which lead to 66; closing now and then."""
    marriages = [move for move in asked.legal if 24 <= move < 32]
    if marriages:
        return marriages[0]
    if CLOSE in asked.legal and asked.deal % 3 == 0:
        return CLOSE
    cards = [move for move in asked.legal if move < 24]
    return max(cards, key=lambda card: card % 6) if cards else asked.legal[-1]


@pytest.mark.parametrize("rules", RULESETS)
def test_fault_rows_11_and_12_each_kind_of_illegal_move_loses_the_game(
    tmp_path: Path, rules: str
) -> None:
    missing = dict(KINDS[rules])
    sent: dict[int, tuple[str, play_pb2.Decision]] = {}
    notices: dict[int, play_pb2.FaultNotice] = {}
    games = 30  # One for each kind, and some for the moments that are rare.

    async def behave(raw: RawBot) -> None:
        while True:
            frame = await raw.receive()
            notices.update({notice.game: notice for notice in frame.faults})
            for asked in frame.decisions:
                assert asked.game not in sent, "the game is over at once"
                possible = [each for each in offences(rules, asked) if each[0] in missing]
                if possible:
                    kind, move = possible[-1]
                    sent[asked.game] = (missing.pop(kind), asked)
                    await raw.answer(answer(asked, move=move))
                elif missing:
                    await raw.answer(answer(asked, move=towards_rare_moments(asked)))
                else:
                    await raw.send(play_pb2.BotFrame(leaves=[play_pb2.Leave(game=asked.game)]))

    played = tournament_of(
        tmp_path,
        behave,
        rules=rules,
        clock=PATIENT,
        games_per_pairing=games,
        games_at_once=1,
        close_on_opponents_lead=True,
    )
    assert not missing, "there was no opportunity for these"
    assert len(sent) == len(KINDS[rules])
    for number, (why, asked) in sent.items():
        outcome, notice = played.results[number - 1], notices[number]
        assert (outcome.end, outcome.fault, outcome.winner) == (GameEnd.FORFEIT, Fault.ILLEGAL, 1)
        assert re.match(rf"illegal move \S+: {why}; legal are \S", outcome.reason), outcome.reason
        assert outcome.reason.endswith(f"in game cup.{number} deal {asked.deal} ply {asked.ply}")
        assert (notice.text, notice.legal) == (outcome.reason, asked.legal)
        assert (notice.deal, notice.ply) == (asked.deal, asked.ply)
        # The deal breaks off before the move: what is stored was legal.
        last = played.deals[number - 1][-1]
        assert (last.deal, len(last.moves), last.result) == (asked.deal, asked.ply, None)


@pytest.mark.parametrize("move", [36, 255, 2**31, 2**32 - 1])
def test_fault_row_15_a_number_that_is_no_move(tmp_path: Path, move: int) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                await raw.answer(answer(decision, move=move))

    reasons = check_forfeits(tournament_of(tmp_path, behave), Fault.ILLEGAL)
    assert all("moves are the numbers 0 to 35" in reason for reason in reasons)
