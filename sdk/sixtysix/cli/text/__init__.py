"""What the commands print for people: pure functions from reports to text.

Each returns lines without a line end at the last. Texts of strangers are made
harmless on the way.
"""

from __future__ import annotations

from sixtysix.cli.text.board import board_text
from sixtysix.cli.text.bots import bot_text, bots_text
from sixtysix.cli.text.cross import cross_text
from sixtysix.cli.text.deal import deal_text
from sixtysix.cli.text.faults import faults_text
from sixtysix.cli.text.games import game_text, games_text
from sixtysix.cli.text.tournament import progress_text, tournament_text, tournaments_text
from sixtysix.cli.text.verdict import verdict_text

__all__ = [
    "board_text",
    "bot_text",
    "bots_text",
    "cross_text",
    "deal_text",
    "faults_text",
    "game_text",
    "games_text",
    "progress_text",
    "tournament_text",
    "tournaments_text",
    "verdict_text",
]
