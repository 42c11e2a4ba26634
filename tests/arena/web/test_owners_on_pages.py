"""What pages tell of owners: whose a bot is, and how bots of one owner did against each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.pages import Served, put, serving
from support.records import header
from support.stored import LATER, NOW

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import TournamentState
from sixtysix_arena.store import DataFolder, GameOver
from sixtysix_arena.web.pages import tournaments as tournament_pages

OWNERS = {"a1": "Ann & <b>Co</b>", "a2": "Ann & <b>Co</b>", "b1": "Bob", "b2": "Bob", "c": ""}
GAMES = 20
WON = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
LOST = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Everybody wins half of the games against everybody, but a1 all of those against a2."""
    folder = DataFolder.open(tmp_path_factory.mktemp("owners") / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        for name, owner in OWNERS.items():
            store.add_bot(name, name.encode().ljust(32), NOW, owner=owner)
        for slug, entrants in {"cup": OWNERS, "strangers": ("a1", "b1", "c")}.items():
            put(store, header(slug=slug, entrants=[*entrants], games_per_pairing=GAMES))
            for game in store.games(slug):
                is_given = game.entrants == ("a1", "a2")
                won = WON if is_given or game.number % 2 else LOST
                store.commit([GameOver(game.id, won)])
            store.set_state(slug, TournamentState.FINISHED, LATER)
    with serving(folder.path) as served:
        yield served


def test_a_bot_has_its_owner_on_its_page(pages: Served) -> None:
    text = pages.get("/b/a1").text
    assert "owner Ann &amp; &lt;b&gt;Co&lt;/b&gt; ·" in text
    assert "владелец Ann &amp;" in pages.get("/b/a1", accept_language="ru").text
    assert pages.get("/b/b1.json").json()["bot"]["owner"] == "Bob"
    assert "owner" not in pages.get("/b/c").text


def test_what_is_odd_between_bots_of_one_owner_is_marked(pages: Served) -> None:
    text = pages.get("/t/cup").text
    table = text.partition("<h2>Bots of one owner</h2>")[2].partition("</table>")[0]
    _, odd, level = table.replace("\N{NO-BREAK SPACE}", " ").split('<th scope="row">')
    assert '<a href="/t/cup/vs/a1/a2">a1 – a2</a> <span class="chip warn">odd</span>' in odd
    assert "Ann &amp; &lt;b&gt;Co&lt;/b&gt;" in odd
    assert '<td class="right strong">100.0 %</td>' in odd
    assert '<td class="right">0.031 %</td>' in odd
    assert '<a href="/t/cup/vs/b1/b2">b1 – b2</a>' in level
    assert "odd" not in level
    assert '<td class="right strong">50.0 %</td>' in level
    assert 'href="/numbers#owners"' in text
    assert 'id="owners"' in pages.get("/numbers").text


def test_bots_of_one_owner_are_in_the_data(pages: Served) -> None:
    told = pages.get("/t/cup.json").json()["owner_pairings"]
    assert [(each["entrants"], each["is_odd"]) for each in told] == [
        (["a1", "a2"], True),
        (["b1", "b2"], False),
    ]
    assert told[0]["won"] == GAMES


def test_nothing_is_said_where_everybody_has_another_owner(pages: Served) -> None:
    assert "Bots of one owner" not in pages.get("/t/strangers").text
    assert pages.get("/t/strangers.json").json()["owner_pairings"] == []


def test_only_the_least_likely_are_shown(pages: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_pages, "OWNERS_COUNT", 1)
    text = pages.get("/t/cup").text
    assert "The 1 least likely pairings." in text
    assert '/t/cup/vs/b1/b2">b1 – b2' not in text
