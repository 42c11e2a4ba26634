"""Deals of every rule set, written down in full and kept: `make golden` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rules.diagrams import EVEN, table
from rules.transcripts import transcript

from sixtysix.rules import PASS, Deal, Move, Stage, View, parse_move, ruleset
from sixtysix.shuffle import pack, tournament_key

FOLDER = Path(__file__).parent / "transcripts"

BOTH_MARRIAGES = ("KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")
STRONG_DEALER = ("9C KS QS KH QH JH", "9D AS TS AH TH AC", "JS", "JC TC")
NINE = ("9C TC KC AH TH KH", "9S AC 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH")
DRAWN = ("KS QS AC KH QH TC", "AS TS AD KD QD TD", "JS", "9C JC QC JD KC 9D AH TH")

Golden = Callable[[str, str], None]

PLAYED = {
    "classic-follower-closes-and-fails": (
        ("AS TS AC TC KC QC", "KS QS AH TH AD TD", "JS"),
        "?close AS QS TS KS KC+ TH QC AH AC TD claim",
    ),
    "classic-both-66": (DRAWN, "QH+ TD KS+ pass AS AD 9C TS 9D AH JD QD+"),
    "classic-neither-66": (
        EVEN,
        "QC AC 9H KC KS JH KD QD KH 9D TD 9S JD AD AH QH JC TC 9C QS TH AS TS JS",
    ),
    "classic-claim-before-the-opponents-lead": (
        ("9H JH 9D AH 9C TC", "KS QS KH QH AD JC", "JS"),
        "9D AD KS+ JH KH+ pass AH ?claim",
    ),
    "classic-closer-claims-falsely": (STRONG_DEALER, "close KH+ AH TS claim"),
    "doubling-example-of-the-text": (
        ("KS QS TS KH QH KC", "JC AH 9D AD TD 9C", "JS", "JH QC QD 9H"),
        "KC JC QH+ AH 9D TS KS+ claim",
    ),
    "doubling-exchange-then-close": (
        ("9S AC KS QS TS AH", "9C TC KC 9D TH KH", "AS", "QC QD"),
        "AC 9C exchange close AS 9D KS+ TH claim",
    ),
    "doubling-failed-close-pays-six": (
        STRONG_DEALER,
        "close KS+ AS TS QS AH JH TH QH AC 9C 9D KH",
    ),
    "doubling-first-to-66": (EVEN, "QC+ AC QS+ TC KS AS 9S AH KH QH AD KD 9C JC TD claim"),
    "played-out-to-the-last-card": (
        EVEN,
        "JH AH JC TC 9S 9H KD QD AD TD TH JD KH QH KC AC JS AS 9D TS QS QC KS 9C",
    ),
    "played-out-failed-close": (
        ("AC TH 9C JC 9D JD", "KS QS KC KH QH QD", "JS", "9H JH"),
        "JC KS KH+ 9D KC AC close KD TD 9H TH 9C QC QD JD QH JH QS TC",
    ),
    "played-out-both-66": (
        EVEN,
        "TC AH KC+ JC 9S QD KD 9H close QC AC KS+ AS AD 9D JH QH JD TD KH QS",
    ),
    "last-trick-pending-points-are-lost": (
        ("KS QS 9C JC 9D JD", "AS TS AH TH AD TD", "9S", "AC 9H TC JH KC QH JS KD KH QD QC"),
        "QS+ AS TS KS AH 9C TH JC AD 9D TD JD JS 9S KH QH AC JH TC 9H KC KD QC QD",
    ),
    "last-trick-exchange": (
        NINE,
        "9C AC 9D QD TH JD AH JH KH 9H QH exchange QC QS KS JC TC KD TD AS TS JS AD claim",
    ),
    "last-trick-decides": (
        EVEN,
        "JH KS AH 9D QS AS QC AC TD KC KD TS TC JC 9S JS JD QD AD KH QH TH 9H 9C",
    ),
    "last-trick-false-claim": (BOTH_MARRIAGES, "AC JC KS+ 9C claim"),
}
"""Diagrams and moves; an answer to classic's question has a question mark, a pass is left out."""

CHOSEN = ("classic", "doubling", "played-out", "last-trick")
"""Rule sets of the deals in which a simple rule makes every move."""


def ruleset_of(name: str) -> str:
    return next(rules for rules in CHOSEN if name.startswith(rules))


def by_script(moves: str) -> Callable[[View], Move]:
    """Makes these moves in order, passing every question that they do not answer."""
    words = moves.split()

    def choose(view: View) -> Move:
        asked = view.legal[-1] == PASS and view.leader != view.seat
        if asked and not words[0].startswith("?"):
            return PASS
        return parse_move(words.pop(0).removeprefix("?"))

    return choose


def by_turns(view: View) -> Move:
    """Another one of the offered moves at every ply."""
    return view.legal[view.ply * 5 % len(view.legal)]


@pytest.mark.parametrize("name", PLAYED)
def test_transcript_of_a_known_deal(name: str, golden: Golden) -> None:
    hands, moves = PLAYED[name]
    forehand, dealer, trump, *talon = hands
    deal = table(ruleset_of(name), forehand, dealer, trump, *talon)
    text = transcript(name.replace("-", " "), deal, by_script(moves))
    assert deal.stage is Stage.OVER
    golden(f"transcripts/{name}.txt", text)


@pytest.mark.parametrize("name", CHOSEN)
def test_transcript_of_a_shuffled_deal(name: str, golden: Golden) -> None:
    cards = pack(
        tournament_key(b"transcripts", {}),
        ruleset=name,
        tournament="transcripts",
        entrants=("one", "two"),
        game=0,
        deal=0,
    )
    deal = Deal(ruleset(name), cards, dealer=0)
    text = transcript(f"{name}, every move by turns", deal, by_turns)
    golden(f"transcripts/{name}-by-turns.txt", text)


def test_no_transcript_is_left_over() -> None:
    names = {*PLAYED, *(f"{rules}-by-turns" for rules in CHOSEN)}
    assert {path.stem for path in FOLDER.iterdir()} == names
