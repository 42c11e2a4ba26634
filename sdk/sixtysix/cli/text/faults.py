"""The evidence of faults as text: what was asked, what was answered, what came before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sixtysix.api import GameReport
from sixtysix.cli.text.games import outcome_text
from sixtysix.cli.text.table import named, table
from sixtysix.cli.text.tournament import rules_text
from sixtysix.outcome import Fault
from sixtysix.reports import FaultReport, GameState, StreamEvent, StreamEventKind
from sixtysix.rules import View
from sixtysix.rules.cards import SUITS
from sixtysix.text import harmless

__all__ = ["faults_text"]

_EVENTS = {
    StreamEventKind.JOINED: "the bot joined",
    StreamEventKind.ENDED: "the stream ended",
    StreamEventKind.SENT: "arena to bot",
    StreamEventKind.RECEIVED: "bot to arena",
    StreamEventKind.REFUSED: "bot to arena",
}


def faults_text(report: GameReport, faults: Sequence[FaultReport]) -> str:
    """What went wrong in a game, as far as whoever asks may see it."""
    game = report.game
    entrants = " - ".join(game.entrants)
    head = harmless(f"Game {game.game_id}: {entrants}, {rules_text(report.rules)}")
    if not faults:
        return f"{head}\n\n{_none(report)}"
    return "\n\n".join([head, *(_fault(report, fault) for fault in faults)])


def _none(report: GameReport) -> str:
    game = report.game
    if game.fault is None or game.winner is None:
        so_far = "" if game.state is GameState.OVER else " so far"
        return harmless(f"No fault{so_far}: {outcome_text(game)}.")
    loser = game.entrants[1 - game.winner]
    return harmless(
        f"The fault is {loser}'s ({game.fault}), and its evidence is for its author and the"
        f" organiser: {game.reason}"
    )


def _fault(report: GameReport, fault: FaultReport) -> str:
    parts = [f"{harmless(fault.entrant)}: {fault.fault}, {fault.at}\n{harmless(fault.text)}"]
    facts: list[tuple[str, object]] = []
    if fault.view is not None:
        facts += _asked(fault.view, report.game.entrants)
        facts.append(("answered", _answered(fault)))
    facts += [
        ("time", f"{_time(fault)}; a move has {report.clock.per_move_ms} ms"),
        ("bank", f"{fault.bank_ms} of {report.clock.per_game_ms} ms left"),
    ]
    parts.append(named(facts))
    if fault.stream:
        parts.append(f"The last on its stream, before the fault:\n{_stream(fault.stream)}")
    return "\n\n".join(parts)


def _asked(view: View, names: tuple[str, str]) -> Iterable[tuple[str, object]]:
    pending = f", {_pair(view.pending)} pending" if any(view.pending) else ""
    return [
        ("asked", f"deal {view.deal} ply {view.ply}, score {_pair(view.score)}"),
        ("hand", _list(view.hand)),
        ("trump", _trump(view, names)),
        ("table", _table(view, names)),
        ("points", f"{_pair(view.points)}{pending}"),
        ("tricks", _tricks(view, names)),
        ("known", f"{_list(view.known)} in the opponent's hand" if view.known else ""),
        ("legal", _list(view.legal)),
    ]


def _trump(view: View, names: tuple[str, str]) -> str:
    if view.trump_card is None:
        return f"{SUITS[view.trump_suit]}, talon used up"
    talon = f"{view.trump_card}, talon of {view.talon_count}"
    return talon if view.closed_by is None else f"{talon}, closed by {names[view.closed_by]}"


def _table(view: View, names: tuple[str, str]) -> str:
    own, other = names[view.seat], names[view.opponent]
    if view.led is None:
        if view.leader == view.seat:
            return f"{own} leads"
        return f"{other} is to lead: does {own} close before?"
    if view.leader == view.seat:
        return f"{own} led {view.led}: does it claim 66?"
    return f"{other} led {view.led}"


def _tricks(view: View, names: tuple[str, str]) -> str:
    return ", ".join(
        f"{trick.lead} {trick.reply} to {names[trick.winner]}" for trick in view.tricks
    )


def _answered(fault: FaultReport) -> str:
    if not fault.answer:
        return "nothing"
    return f"{fault.answer}, too late" if fault.fault is Fault.TIMEOUT else fault.answer


def _time(fault: FaultReport) -> str:
    if fault.view is None:
        return "no decision was open"
    if fault.waited_ms is None:
        return "the decision had not been sent"
    return f"the decision was out for {fault.waited_ms} ms and charged {fault.charged_ms} ms"


def _stream(events: Iterable[StreamEvent]) -> str:
    return table(
        [">ms", "", ">bytes", ""],
        (
            [-event.before_ms, _EVENTS[event.kind], event.byte_count or "", event.text]
            for event in events
        ),
    )


def _list(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


def _pair(pair: tuple[int, int]) -> str:
    return f"{pair[0]}:{pair[1]}"
