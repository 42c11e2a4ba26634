"""What is done to registered bots: owners as people mean them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arenas import running_arena
from support.misbehaving import run

from sixtysix import api
from sixtysix.client import RemoteArena
from sixtysix_arena.errors import Invalid
from sixtysix_arena.registrar import Registrar
from sixtysix_arena.store import DataFolder


@pytest.fixture
def registrar(tmp_path: Path) -> Iterator[Registrar]:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        yield Registrar(store)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann\u00a0\u2009 A.\t", "Ann A."),
        ("Rene\u0301", "Ren\u00e9"),
        ("\u202eAnn\u200b", "Ann"),
        ("x" * 60, "x" * 60),
        ("\u0436" * 30, "\u0436" * 30),
        (" " * 100 + "Ann", "Ann"),
        ("\ud800Ann", "Ann"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_owners_that_look_the_same_are_the_same(registrar: Registrar, said: str, kept: str) -> None:
    bot, _ = registrar.submit_bot("ada", said)
    assert bot.owner == kept
    registrar.submit_bot("bob")
    assert registrar.set_owner("bob", said).owner == kept


@pytest.mark.parametrize(
    ("said", "size"), [("x" * 61, 61), ("\u0436" * 31, 62), ("\u0958" * 20, 120)]
)
def test_an_owner_that_is_too_long_is_refused_and_not_cut(
    registrar: Registrar, said: str, size: int
) -> None:
    """As it is kept: composed, the last of these has twice as many bytes as it was said with."""
    registrar.submit_bot("ada")
    told = f"the owner has {size} bytes: expected at most 60"
    with pytest.raises(Invalid, match=told):
        registrar.submit_bot("bob", said)
    with pytest.raises(Invalid, match=told):
        registrar.set_owner("ada", said)


def test_threat_33_only_the_organiser_says_whose_a_bot_is(tmp_path: Path) -> None:
    """Or a stranger could lose to somebody's bot in its owner's name."""

    def ask(address: str, admin_token: str) -> None:
        with RemoteArena(address) as stranger:
            stranger.submit_bot("ada")
            with pytest.raises(
                api.NotAllowed,
                match="only the organiser, with the admin token",
            ):
                stranger.submit_bot("mallory", "Ann")
            with pytest.raises(api.NotAllowed):
                stranger.set_owner("ada", "Ann")
            assert [(bot.name, bot.owner) for bot in stranger.bots()] == [("ada", "")]
        with RemoteArena(address, admin_token) as organiser:
            assert organiser.submit_bot("bob", "Ann")[0].owner == "Ann"

    async def main() -> None:
        for is_open in (True, False):
            data = tmp_path / f"data-{is_open}"
            async with running_arena(data, open_submission=is_open) as arena:
                if not is_open:
                    await arena.submit_bot("ada")
                token = DataFolder(data).admin_token()
                await asyncio.to_thread(ask if is_open else ask_closed, arena.address, token)

    def ask_closed(address: str, admin_token: str) -> None:
        with RemoteArena(address, admin_token) as organiser:
            assert organiser.submit_bot("bob", "Ann")[0].owner == "Ann"
            assert organiser.set_owner("ada", "Eve").owner == "Eve"

    run(main())
