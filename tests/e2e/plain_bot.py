"""A bot that knows nothing of the SDK: the generated stubs, and gRPC.

Run as `python plain_bot.py HOST:PORT` with its token in PLAIN_BOT_TOKEN. It
plays the legal card with the highest number and ends when the arena says so.
"""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Iterator

import grpc

from sixtysix.v1 import common_pb2, play_pb2, play_pb2_grpc


def choose(decision: play_pb2.Decision) -> int:
    """The highest card by number, or else whatever is offered."""
    cards = [move for move in decision.legal if move < 24]
    return max(cards or decision.legal)


def main(address: str, token: str) -> str:
    """Plays until the arena says goodbye; returns why it did."""
    outgoing: queue.SimpleQueue[play_pb2.BotFrame] = queue.SimpleQueue()
    hello = play_pb2.Hello(
        protocol_major=1,
        bot_version="plain 1",
        games_at_once=16,
        rulesets=[common_pb2.RULESET_CLASSIC, common_pb2.RULESET_LAST_TRICK],
    )
    outgoing.put(play_pb2.BotFrame(hello=hello))

    def frames() -> Iterator[play_pb2.BotFrame]:
        while True:
            yield outgoing.get()

    with grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.PlayServiceStub(channel)  # type: ignore[no-untyped-call]
        metadata = [("authorization", f"Bearer {token}")]
        for frame in stub.Play(frames(), metadata=metadata, wait_for_ready=True):
            if frame.HasField("bye"):
                return play_pb2.ByeReason.Name(frame.bye.reason)
            answers = [
                play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=choose(d))
                for d in frame.decisions
            ]
            if answers:
                outgoing.put(play_pb2.BotFrame(answers=answers))
    return "the stream ended"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1], os.environ["PLAIN_BOT_TOKEN"]) + "\n")
