"""One bot's session without a network, its time and its frames in a test's hands."""

from __future__ import annotations

from sixtysix.clock import Clock
from sixtysix.outcome import Fault
from sixtysix.rules import RULESETS, Deal, View
from sixtysix.v1 import play_pb2
from sixtysix_arena.referee import GameSpec
from sixtysix_arena.sessions import Answered, Connection, Event, Faulted, Presence, Sessions

__all__ = ["PRESENCE", "Edge", "answer"]

CLASSIC = RULESETS["classic"]
PRESENCE = Presence("1.0", 64, frozenset({"classic"}), close_on_opponents_lead=False)


class Edge:
    """The sessions of an arena, with one bot, alpha, that plays against beta."""

    def __init__(self) -> None:
        self.time_ms = 0.0
        self.events: list[Event] = []
        self.wakes = 0
        self.sessions = Sessions(lambda: self.time_ms, self.events.append)
        self.session = self.sessions.of("alpha")

    def join(self, name: str = "alpha") -> Connection:
        """A new stream of a bot."""
        return self.sessions.attach(name, PRESENCE, self.wake)

    def wake(self) -> None:
        """Counts that the stream's writer is woken."""
        self.wakes += 1

    def start(self, game: int) -> None:
        """Begins a game."""
        spec = GameSpec(game, f"cup.{game}", ("alpha", "beta"), 0, CLASSIC, Clock())
        self.session.start(spec, 0)

    def ask(self, game: int, *, bank_ms: int = 1_000, per_move_ms: int = 100) -> View:
        """Asks for a move in a game."""
        view = Deal(CLASSIC, range(24), dealer=1).view(0, game=f"cup.{game}")
        self.session.ask(game, view, charged_ms=0, bank_ms=bank_ms, per_move_ms=per_move_ms)
        return view

    def owing(self, *games: int, **limits: int) -> Connection:
        """A new stream of the bot, which owes a decision in each of these games."""
        connection = self.join()
        for game in games:
            self.start(game)
            self.ask(game, **limits)
        self.frame()
        return connection

    def frame(self) -> play_pb2.ArenaFrame:
        """The next frame for the bot; there has to be one."""
        frame = self.session.next_frame()
        assert frame is not None
        return play_pb2.ArenaFrame.FromString(frame)

    def send(self, connection: Connection, frame: play_pb2.BotFrame) -> float:
        """The bot sends a frame; for how many ms nothing more is read then."""
        return self.session.receive(connection, frame.SerializeToString())

    def answer(self, connection: Connection, *answers: play_pb2.Answer) -> float:
        """The bot sends answers."""
        return self.send(connection, play_pb2.BotFrame(answers=answers))

    @property
    def answered(self) -> list[int]:
        """The games in which an answer had an effect, in their order."""
        return [event.game for event in self.events if isinstance(event, Answered)]

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """The faults that were found, in their order."""
        return [(each.game, each.fault) for each in self.events if isinstance(each, Faulted)]


def answer(game: int, move: int | None = 0, deal: int = 0, ply: int = 0) -> play_pb2.Answer:
    """An answer to the first decision of a game, unless changed."""
    return play_pb2.Answer(game=game, deal=deal, ply=ply, move=move)
