"""Bots in the store: submitted, shown, given tokens, disabled."""

from __future__ import annotations

import pytest
from support.stored import LATER, NOW, create

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import BotInfo
from sixtysix_arena.errors import Exists, Invalid, NotFound, WrongState
from sixtysix_arena.store import GameOver, Store


def test_a_new_bot_is_shown(store: Store) -> None:
    added = store.add_bot("ada", b"a" * 32, NOW)
    assert added == BotInfo(name="ada", submitted_at=NOW)
    assert store.bot("ada") == added


def test_a_name_is_taken_once(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW, request_id="r1")
    with pytest.raises(Exists, match="bot 'ada' already"):
        store.add_bot("ada", b"b" * 32, LATER, request_id="r2")
    with pytest.raises(Exists, match="this call gave 'ada' its token already"):
        store.add_bot("ada", b"b" * 32, LATER, request_id="r1")
    assert store.bot_name_by_token(b"a" * 32) == "ada"
    assert store.bot_name_by_token(b"b" * 32) is None


def test_two_bots_cannot_have_one_token(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    with pytest.raises(Invalid) as caught:
        store.add_bot("bob", b"a" * 32, NOW)
    assert "aaaa" not in str(caught.value)
    assert "aaaa" not in str(caught.value.__cause__), "digests do not belong in messages"
    with pytest.raises(NotFound):
        store.bot("bob")


def test_no_such_bot(store: Store) -> None:
    for call in (
        lambda: store.bot("eve"),
        lambda: store.set_token("eve", b"x" * 32),
        lambda: store.set_owner("eve", "Ann"),
        lambda: store.disable_bot("eve", NOW),
    ):
        with pytest.raises(NotFound, match="no bot 'eve'"):
            call()


def test_a_bot_may_have_an_owner(store: Store) -> None:
    assert store.add_bot("ada", b"a" * 32, NOW, owner="Ann").owner == "Ann"
    store.add_bot("bob", b"b" * 32, NOW)
    store.add_bot("cy", b"c" * 32, NOW, owner="Ann")
    create(store, slug="cup", entrants=("ada", "bob"))
    assert store.owners("cup") == {"ada": "Ann"}
    assert store.set_owner("bob", "Ann").owner == "Ann"
    assert store.owners("cup") == {"ada": "Ann", "bob": "Ann"}
    store.set_owner("ada", "")
    assert store.owners("cup") == {"bob": "Ann"}
    assert store.owners("nowhere") == {}


def test_why_a_bot_was_disabled_is_kept_without_tournaments_too(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.disable_bot("ada", NOW, "it cheats")
    store.disable_bot("ada", LATER, "again")
    assert store.disabled_reason("ada") == "it cheats"


def test_bots_are_paged_by_name(store: Store) -> None:
    for number, name in enumerate(("cy", "ada", "bob")):
        store.add_bot(name, bytes([number]) * 32, NOW)
    assert [bot.name for bot in store.bots()] == ["ada", "bob", "cy"]
    assert [bot.name for bot in store.bots(limit=2)] == ["ada", "bob"]
    assert [bot.name for bot in store.bots(after="bob", limit=2)] == ["cy"]
    assert store.bots(after="cy") == ()


def test_a_new_token_ends_the_old_one(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.set_token("ada", b"b" * 32)
    assert store.bot_name_by_token(b"a" * 32) is None
    assert store.bot_name_by_token(b"b" * 32) == "ada"


def test_a_repeated_call_does_not_change_the_token_again(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.set_token("ada", b"b" * 32, request_id="r1")
    with pytest.raises(Exists, match="shown once"):
        store.set_token("ada", b"c" * 32, request_id="r1")
    assert store.bot_name_by_token(b"b" * 32) == "ada"
    store.set_token("ada", b"c" * 32, request_id="r2")
    assert store.bot_name_by_token(b"c" * 32) == "ada"


def test_calls_without_an_id_are_not_repetitions(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.set_token("ada", b"b" * 32)
    store.set_token("ada", b"c" * 32)
    assert store.bot_name_by_token(b"c" * 32) == "ada"


def test_a_disabled_bot_has_no_token(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    assert store.disable_bot("ada", NOW).disabled_at == NOW
    assert store.bot_name_by_token(b"a" * 32) is None
    with pytest.raises(WrongState, match="disabled"):
        store.set_token("ada", b"b" * 32)
    assert store.disable_bot("ada", LATER).disabled_at == NOW
    with pytest.raises(Exists):
        store.add_bot("ada", b"c" * 32, LATER)


def test_the_last_version_is_kept(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.freeze_version([], "ada", "1.0")
    store.freeze_version([], "ada", "1.1")
    assert store.bot("ada").version == "1.1"


def test_finished_games_are_counted_on_either_seat(store: Store, cup: list[int]) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    store.add_bot("bob", b"b" * 32, NOW)
    assert store.bot("bob").game_count == 0
    for game in store.games("cup", entrant="bob", limit=3):
        store.commit([GameOver(game.id, GameOutcome(GameEnd.VOID, None, (0, 0), 0))])
    assert {game.entrants for game in store.games("cup", entrant="bob")} == {
        ("ada", "bob"),
        ("bob", "house:random"),
    }
    assert store.bot("bob").game_count == 3
    assert {bot.name: bot.game_count for bot in store.bots()}["bob"] == 3


@pytest.mark.parametrize("text", ["'; DROP TABLE bot; --", "x\x00y", "“é\u202e", "%s ? :name"])
def test_texts_are_kept_as_they_are(store: Store, text: str) -> None:
    store.add_bot(text, b"a" * 32, NOW)
    store.freeze_version([], text, text)
    assert store.bot(text).version == text
    assert store.bots()[0].name == text
