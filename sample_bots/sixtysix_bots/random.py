"""A bot that plays any legal move, each as likely as the others.

It draws from a hash of what is public about the decision, so that the same
decision gets the same move in every process and a tournament can be repeated.
"""

from __future__ import annotations

from hashlib import sha256

from sixtysix.rules import Move, View

version = "1"


def choose(view: View) -> Move:
    """Draws one of the legal moves."""
    decision = f"{view.game} {view.deal} {view.ply} {view.seat}"
    number = int.from_bytes(sha256(decision.encode()).digest())
    return view.legal[number % len(view.legal)]
