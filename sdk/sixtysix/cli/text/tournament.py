"""Tournaments as text."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sixtysix.cli.text.table import named, table
from sixtysix.outcome import Fault
from sixtysix.reports import ActionInfo, ActionKind, EntrantInfo, TournamentInfo, TournamentState
from sixtysix.rules import Ruleset
from sixtysix.text import harmless

__all__ = ["progress_text", "rules_text", "tournament_text", "tournaments_text"]


def tournaments_text(tournaments: Sequence[TournamentInfo]) -> str:
    """A table of tournaments."""
    if not tournaments:
        return "No tournament was created yet: sixtysix tournament create FILE.toml"
    return table(
        ["tournament", "name", "rules", "state", ">entrants", ">games over", ">games", "created"],
        (
            [
                info.slug,
                info.name,
                info.rules.name,
                _state(info),
                len(info.entrants),
                info.games_over_count,
                info.game_count or "-",
                info.created_at,
            ]
            for info in tournaments
        ),
    )


def tournament_text(info: TournamentInfo, arena: str = "") -> str:
    """How a tournament stands, with its entrants; `arena` says what is known of its arena."""
    clock = info.clock
    facts = named(
        [
            ("tournament", info.slug),
            ("name", info.name),
            ("state", _state(info)),
            ("arena", arena),
            ("waiting", info.waiting_for.removeprefix("waiting ")),
            ("games", _games(info)),
            ("rules", rules_text(info.rules)),
            ("pairing", f"{info.games_per_pairing} games"),
            ("at once", f"{info.games_at_once} games of a bot"),
            (
                "clock",
                f"{clock.per_move_ms} ms a move, {clock.per_game_ms} ms a game,"
                f" {clock.grace_ms} ms to come back, {_joining(info)}",
            ),
            ("created", info.created_at),
            ("started", info.started_at),
            ("finished", info.finished_at),
            ("commitment", info.commitment),
            ("seed", info.seed or _no_seed(info)),
        ]
    )
    running = info.state is TournamentState.RUNNING and not arena
    disabled = {each.subject for each in info.actions if each.kind is ActionKind.DISABLED}
    text = f"{facts}\n\n{_entrants(info.entrants, running, disabled)}"
    return f"{text}\n\n{_actions(info.actions)}" if info.actions else text


def _joining(info: TournamentInfo) -> str:
    more = f" ({info.join_extra_ms} more than at first)" if info.join_extra_ms else ""
    return f"{info.clock.join_ms + info.join_extra_ms} ms to join{more}"


def _actions(actions: Sequence[ActionInfo]) -> str:
    rows = ([each.at, each.kind, each.subject, each.reason] for each in actions)
    return table(["by the organiser", "what", "to what", "why"], rows)


def progress_text(
    info: TournamentInfo, games_per_s: float | None = None, left_s: float | None = None
) -> str:
    """How far a tournament is, in one line."""
    if info.state is TournamentState.CREATED:
        return harmless(f"{info.slug} {info.state}: it was not started yet")
    parts = [f"{info.games_over_count} of {info.game_count} games over"]
    if info.games_void_count:
        parts.append(f"{info.games_void_count} of them void")
    if info.games_open_count:
        parts.append(f"{info.games_open_count} open")
    if games_per_s is not None:
        parts.append(f"{games_per_s:.1f} games/s")
    if left_s is not None:
        parts.append(f"{_duration(left_s)} left")
    if info.waiting_for:
        parts.append(info.waiting_for)
    return harmless(f"{info.slug} {info.state}: {', '.join(parts)}")


def rules_text(rules: Ruleset) -> str:
    """A rule set with its target and what else was agreed."""
    agreed = ", agreed six" if rules.agreed_six else ""
    return f"{rules.name} to {rules.target}{agreed}"


def _state(info: TournamentInfo) -> str:
    return f"{info.state}, practice" if info.practice else str(info.state)


def _games(info: TournamentInfo) -> str:
    if not info.game_count:
        return "scheduled when it starts"
    over = f"{info.games_over_count} of {info.game_count} over"
    if info.games_void_count:
        over += f", {info.games_void_count} of them void"
    return f"{over}, {info.games_open_count} open" if info.games_open_count else over


def _no_seed(info: TournamentInfo) -> str:
    if info.state is TournamentState.FINISHED:
        return ""
    return "known: practice" if info.practice else "secret until the last game is over"


def _entrants(entrants: Sequence[EntrantInfo], running: bool, disabled: Set[str]) -> str:
    with_faults = any(entrant.faults for entrant in entrants)
    return table(
        ["entrant", "version", "now", ">joins", *["forfeited by"] * with_faults],
        (
            [
                entrant.id,
                entrant.version or "-",
                "disabled" if entrant.id in disabled else _now(entrant, running),
                entrant.connection_count or "-",
                *[_faults(entrant) or "-"] * with_faults,
            ]
            for entrant in entrants
        ),
    )


def _faults(entrant: EntrantInfo) -> str:
    """The games that an entrant has forfeited: `11 faults (timeout)`."""
    count = sum(entrant.faults.values())
    if not count:
        return ""
    each = [
        f"{number} {fault}" if len(entrant.faults) > 1 else str(fault)
        for fault, number in entrant.faults.items()
    ]
    return f"{count} fault{'s' * (count > 1)} ({', '.join(each)})"


def _now(entrant: EntrantInfo, running: bool) -> str:
    """Where an entrant is; `running` says whether it ought to be here."""
    if entrant.connected:
        return "connected"
    if entrant.away_ms is not None:
        return f"away for {_duration(entrant.away_ms / 1_000)}"
    if not running:
        return "-"
    was_here = entrant.version or any(fault is not Fault.NO_SHOW for fault in entrant.faults)
    return "not here since the arena's start" if was_here else "not here yet"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, whole = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {whole:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min"
