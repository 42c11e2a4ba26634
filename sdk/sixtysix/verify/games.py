"""The games of a record: scheduled, dealt, refereed and counted again."""

from __future__ import annotations

from sixtysix import shuffle
from sixtysix.forced import forced_move
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord, GameRecord, TournamentRecord
from sixtysix.record.chain import shown
from sixtysix.record.form import result_form
from sixtysix.reports import TournamentState
from sixtysix.rules import CARDS, MOVES, PASS, Deal, DealResult, Game, IllegalMove, Stage
from sixtysix.verify.verdict import Differs

__all__ = ["GameChecks"]

OWED = frozenset({Fault.ILLEGAL, Fault.MALFORMED, Fault.TIMEOUT})
"""Faults that only a bot commits which owes a move; the others may come at any time."""


class GameChecks:
    """Checks games one by one, in the order of the record. What is wrong raises Differs."""

    def __init__(self, tournament: TournamentRecord) -> None:
        self._tournament = tournament
        self._is_complete = tournament.state is TournamentState.FINISHED
        self._schedule = tournament.schedule()
        self._last_number = 0
        self._key = None
        if tournament.seed is not None:
            self._key = shuffle.tournament_key(bytes.fromhex(tournament.seed), {})

    def check(self, game: GameRecord) -> None:
        """Checks the next game."""
        self._check_place(game)
        played = Game(self._tournament.rules, game.game_index % 2)
        broken_off = None
        for number, record in enumerate(game.deals):
            if record.deal != number:
                raise Differs("deal", number, record.deal, deal=number)
            if broken_off is not None:
                raise Differs("result", "one, as more deals follow", "null", deal=number - 1)
            if played.over:
                raise Differs("deal", "none, as the game was over", f"deal {number}", deal=number)
            try:
                deal = self._check_deal(game, played, record)
            except Differs as differs:
                differs.deal = number
                raise
            if record.void:
                continue
            if deal.result is not None:
                played.add(deal.result)
            else:
                broken_off = deal
        _check_end(game, played, broken_off)

    def check_complete(self) -> None:
        """Checks, behind the last game, that none is missing."""
        count = self._tournament.game_count
        if self._is_complete and self._last_number != count:
            raise Differs("type", f"game {self._last_number + 1} of {count}", "the board")

    def _check_place(self, game: GameRecord) -> None:
        last = self._last_number
        if game.number > self._tournament.game_count:
            raise Differs("number", f"at most {self._tournament.game_count}", game.number)
        if self._is_complete and game.number != last + 1:
            raise Differs("number", f"{last + 1}, the next of the schedule", game.number)
        if game.number <= last:
            raise Differs("number", f"more than {last}, that of the game before", game.number)
        for _ in range(game.number - last):
            expected = next(self._schedule)
        self._last_number = game.number
        for what, right in expected._asdict().items():
            if getattr(game, what) != right:
                raise Differs(what, shown(right), shown(getattr(game, what)))
        game_id = f"{self._tournament.slug}.{game.number}"
        if game.game_id != game_id:
            raise Differs("game_id", shown(game_id), shown(game.game_id))

    def _check_deal(self, game: GameRecord, played: Game, record: DealRecord) -> Deal:
        # The organiser may have had the game played anew: then all before that is void,
        # and went its own way.
        of_an_earlier_play = record.void and played.deal_count == 0
        if record.dealer != played.dealer and not of_an_earlier_play:
            raise Differs("dealer", played.dealer, record.dealer)
        self._check_pack(game, record)
        deal = Deal(self._tournament.rules, record.pack, record.dealer)
        _check_moves(deal, record)
        result = deal.result
        if record.void and result is not None and not of_an_earlier_play:
            raise Differs("void", "false, as the deal came to its end", "true")
        if result != record.result and not record.void:
            raise Differs("result", _told(result), _told(record.result))
        return deal

    def _check_pack(self, game: GameRecord, record: DealRecord) -> None:
        if self._key is None:
            return
        pack = shuffle.pack(
            self._key,
            ruleset=self._tournament.rules.name,
            tournament=self._tournament.slug,
            entrants=game.entrants,
            game=game.game_index,
            deal=record.deal,
        )
        if pack != record.pack:
            place = next(place for place in range(len(pack)) if pack[place] != record.pack[place])
            raise Differs(f"pack[{place}]", CARDS[pack[place]], CARDS[record.pack[place]])


def _told(result: DealResult | None) -> str:
    return "null, for moves without an end" if result is None else shown(result_form(result))


def _check_moves(deal: Deal, record: DealRecord) -> None:
    """Plays the moves, and looks at each whether the right one of referee and bot made it."""
    asked: list[bool | None] = [None, None]
    for ply, (move, charged_ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
        seat, is_question = deal.turn, deal.stage is Stage.QUESTION
        forced = None if is_question or seat is None else forced_move(deal, True)
        try:
            deal.play(move)
        except IllegalMove as error:
            legal = ", ".join(map(str, error.legal)) or "none, as the deal was over"
            raise Differs("move", legal, MOVES[move], ply=ply) from None
        assert seat is not None
        by_referee = ply in record.referee_plies
        if is_question:
            # Whoever does not want to be asked passes, each time, by the referee's hand.
            if asked[seat] is not None and asked[seat] == by_referee:
                right, said = ("a bot", "the referee") if by_referee else ("the referee", "a bot")
                raise Differs("referee", f"the move to be of {right}, as before", said, ply=ply)
            asked[seat] = not by_referee
            if by_referee and move != PASS:
                raise Differs("move", f"{PASS}, as the referee made it", MOVES[move], ply=ply)
        elif by_referee and forced is None:
            raise Differs("referee", "a bot's move, as it had a choice", MOVES[move], ply=ply)
        elif not by_referee and forced is not None:
            raise Differs("referee", "its move, as nothing was to decide", "a bot's", ply=ply)
        if by_referee and charged_ms:
            raise Differs("ms", "0 for a move of the referee", charged_ms, ply=ply)


def _check_end(game: GameRecord, played: Game, broken_off: Deal | None) -> None:
    outcome = game.outcome
    if played.over:
        end = GameEnd.TARGET if played.target_reached else GameEnd.DEAL_LIMIT
        if outcome.end is not end:
            raise Differs("end", shown(end), shown(outcome.end))
        if outcome.winner != played.winner:
            raise Differs("winner", shown(played.winner), shown(outcome.winner))
        if outcome.reason:
            raise Differs("reason", shown(""), shown(outcome.reason))
    elif outcome.end not in (GameEnd.FORFEIT, GameEnd.VOID):
        expected = "forfeit or void, as neither the target nor the limit of deals was reached"
        raise Differs("end", expected, shown(outcome.end))
    if outcome.score != played.score:
        raise Differs("score", shown(played.score), shown(outcome.score))
    if outcome.fault in OWED:
        assert outcome.winner is not None
        seat = 1 - outcome.winner
        if broken_off is None or broken_off.turn != seat:
            on_turn = "nobody" if broken_off is None else f"seat {broken_off.turn}"
            raise Differs(
                "fault", f"seat {seat} to owe a move when it commits {outcome.fault}", on_turn
            )
