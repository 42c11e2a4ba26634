"""Pages of arenas that are empty, young, or stranger than most."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support import played
from support.pages import Served, play_all, put, serving
from support.records import RULES, SEED, events_of, header, play_games
from support.stored import LATER, NOW

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS, Deal, DealEnd
from sixtysix.shuffle import commitment
from sixtysix.wire import pack_deal
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import (
    DataFolder,
    DealOver,
    DealStarted,
    GameOpened,
    GameOver,
    Store,
    Validation,
)
from sixtysix_arena.web.pages import tournaments as tournament_pages


def bases(pages: Served) -> list[str]:
    """All pages of an arena, whatever is in it."""
    found = ["/", "/t", "/numbers", "/docs", *(f"/rules/{name}" for name in RULESETS)]
    found += [f"/leaderboard?rules={name}" for name in RULESETS]
    names = set()
    for info in pages.get("/t.json").json():
        slug = info["slug"]
        found += [f"/t/{slug}", f"/t/{slug}/games", f"/fair/{slug}"]
        entrants = [entrant["id"] for entrant in info["entrants"]]
        names |= set(entrants)
        found += [f"/t/{slug}/vs/{entrants[0]}/{entrants[1]}"]
        for game in pages.get(f"/t/{slug}/games.json").json()[:6]:
            found.append(f"/g/{game['game_id']}")
            deals = pages.get(f"/g/{game['game_id']}.json").json()["deals"]
            found += [f"/g/{game['game_id']}/{deal['deal']}" for deal in deals[:2]]
            found += [f"/g/{game['game_id']}/{deals[-1]['deal']}?ply=0"] if deals else []
    return found + [f"/b/{name}" for name in sorted(names)]


def check_all(tmp_path: Path, do: Callable[[Store], object]) -> None:
    """Every page is there, in both languages and as data, after something was stored."""
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        do(store)
    with serving(folder.path) as pages:
        for base in bases(pages):
            for language in ("en", "ru"):
                answer = pages.get(base, accept_language=language)
                expected = 404 if base.startswith("/b/") and answer.status == 404 else 200
                assert answer.status == expected, (base, answer.text)
            path, mark, query = base.partition("?")
            for form in ("json", "csv"):
                address = f"{path if path != '/' else '/index'}.{form}{mark}{query}"
                assert pages.get(address).status in (200, 404), base


def test_an_arena_with_nothing_in_it(tmp_path: Path) -> None:
    check_all(tmp_path, lambda store: None)
    with serving(tmp_path / "data") as pages:
        assert "There is no tournament yet" in pages.get("/").text
        assert "There is no tournament yet" in pages.get("/t").text
        assert pages.get("/t.csv").text.count("\r\n") == 1
        assert pages.get("/b/ada").status == 404
        assert "No tournament of these rules is finished yet" in pages.get("/leaderboard").text


def test_a_tournament_that_was_started_and_nothing_more(tmp_path: Path) -> None:
    check_all(tmp_path, lambda store: put(store, header()))


def test_a_tournament_without_a_whole_round(tmp_path: Path) -> None:
    def do(store: Store) -> None:
        record = header(entrants=("ada", "bob", "cleo", "dora"))
        ids = put(store, record)
        store.commit(events_of(ids[0], play_games(record)[0], record.rules))

    check_all(tmp_path, do)


def test_a_tournament_in_which_nobody_came(tmp_path: Path) -> None:
    def do(store: Store) -> None:
        ids = put(store, header())
        void = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away")
        store.commit([GameOver(each, void) for each in ids])
        store.set_state("cup", TournamentState.FINISHED, LATER)

    check_all(tmp_path, do)

    with serving(tmp_path / "data") as pages:
        assert "All games that count so far are void" in pages.get("/t/cup").text
        assert "By opponent" not in pages.get("/b/ada").text


def test_what_has_not_been_played_yet_is_not_void(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    record = header(entrants=("ada", "bob"), games_per_pairing=2)
    void, other = play_games(record, {1: "void"})
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, record)
        store.commit(events_of(ids[0], void, record.rules))
    with serving(folder.path) as pages:
        text = pages.get("/t/cup").text
        assert "No round is complete yet" in text
        assert "are void" not in text
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.commit(events_of(ids[1], other, record.rules))
    with serving(folder.path) as pages:
        assert "are void" not in pages.get("/t/cup").text


def test_a_tournament_says_whom_it_waits_for(tmp_path: Path) -> None:
    record = header(entrants=("ada", "bob"))
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        put(store, record)
        other = replace(store.tournament("cup").definition, slug="other", name="Other")
        store.create_tournament(other, seed=SEED, commitment=commitment(SEED), at=NOW)
        store.start_tournament("other", round_robin(("ada", "bob"), 2), NOW)
        store.freeze_version(["other"], "ada", "")
    with serving(folder.path) as pages:
        assert "none is being played · waiting for bob<" in pages.get("/t/other").text
        assert "waiting for" not in pages.get("/t/cup").text
        assert "none is being played" in pages.get("/t/cup").text
        assert 'href="/t/other"' in pages.get("/b/bob").text


def test_a_bot_that_did_not_show_up_has_a_page_with_that(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, header(entrants=("ada", "bob"), games_per_pairing=2))
        end = GameOutcome(GameEnd.FORFEIT, 0, (0, 0), 0, Fault.NO_SHOW, "bob did not join")
        store.commit([GameOver(each, end) for each in ids])
    with serving(folder.path) as pages:
        found = re.search(
            'no show: <a href="([^"]+)">Кубок&nbsp;×&nbsp;2</a>', pages.get("/b/bob").text
        )
        assert found is not None
        text = pages.get(found[1].replace("&amp;", "&")).text
        assert "/g/cup.1" in text
        assert "/g/cup.2" in text
        for path in ("/t/cup/games", "/t/cup/vs/ada/bob", "/g/cup.1"):
            assert "ada won · bob: no show<" in pages.get(path).text
        # Where there is little room too.
        assert '<span class="few">bob: no show</span>' in pages.get("/t/cup/games").text


def test_tournaments_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        for slug in ("cup", "cup-2"):
            kinds = {1: "left", 2: "left"}
            play_all(store, header(slug=slug, entrants=("ada", "bob")), kinds)
        put(store, header(slug="last", entrants=("bob", "cleo"), name="Last"))
    with serving(folder.path) as pages:
        home, listed = pages.get("/").text, pages.get("/t").text
        for slug in ("cup", "cup-2", "last"):
            assert f'<span class="muted">{slug} · classic' in home
            assert f'<span class="beside">{slug}</span>' in listed
        pairs = [pages.get(f"/b/{name}").text for name in ("ada", "bob")]
        assert 'class="beside">cup-2</span>' in pairs[0]
        loser = next(text for text in pairs if "Faults</h2>" in text)
        apart = 'Кубок <span class="muted small-text">{}</span>'
        assert loser.count(apart.format("cup-2") + "&nbsp;×&nbsp;") == 1
        assert loser.count(apart.format("cup") + "&nbsp;×&nbsp;") == 1
        assert apart.format("cup-2") + "</a></td>" in loser  # The games against the other one.
        # What has a name of its own needs no more.
        cleo = pages.get("/b/cleo").text
        assert '<a href="/t/last">Last</a>' in cleo


def test_a_deal_behind_a_closed_talon_is_told_as_such(tmp_path: Path) -> None:
    """Not all cards are played there."""
    rules, chance = RULESETS["played-out"], Random("closed")
    for _ in range(5_000):
        found = played.play_deal(rules, chance, 0, 0)
        deal = Deal(rules, found.pack, 0)
        for move in found.moves:
            deal.play(move)
        assert deal.result is not None
        if deal.closed_by is not None and deal.result.end is DealEnd.COUNTED:
            break
    else:
        raise AssertionError("none was found")
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        (game, *_) = put(store, header(rules))
        over = DealOver(game, 0, pack_deal(found), (0, 0))
        store.commit([GameOpened(game), DealStarted(game, 0), over])
    with serving(folder.path) as pages:
        text = pages.get("/g/cup.1/0").text
        assert "All cards are played" not in text
        assert "The hands are played to the end behind the closed talon: " in text
        assert "при закрытой колоде" in pages.get("/g/cup.1/0", accept_language="ru").text


def test_a_tournament_of_forfeits_alone(tmp_path: Path) -> None:
    def do(store: Store) -> None:
        ids = put(store, header())
        for fault, each in zip(Fault, ids, strict=False):
            end = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, fault, "")
            store.commit([GameOver(each, end)])
        store.set_state("cup", TournamentState.FINISHED, LATER)

    check_all(tmp_path, do)


def test_a_deal_to_watch_is_found_behind_games_without_any(tmp_path: Path) -> None:
    rules, bots = RULESETS["classic"], ("ada", "bob", "cleo")
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        nobody = dict.fromkeys(range(1, 20), "no-show")
        play_all(store, header(rules, slug="old", entrants=bots, games_per_pairing=6), nobody)
    with serving(folder.path) as pages:
        assert "Watch a deal" not in pages.get("/").text
    with folder.lock() as lock, folder.open_store(lock) as store:
        nobody.pop(17)
        play_all(store, header(rules, slug="cup", entrants=bots, games_per_pairing=6), nobody)
        nobody[17] = "no-show"
        play_all(store, header(rules, slug="new", entrants=bots, games_per_pairing=6), nobody)
    with serving(folder.path) as pages:
        found = re.search(r'href="/g/cup\.17/(\d+)\?ply=0">Watch a deal', pages.get("/").text)
        assert found is not None
        deals = pages.get("/g/cup.17.json").json()["deals"]
        longest = max(len(deal["moves"]) for deal in deals)
        assert len(deals[int(found[1])]["moves"]) == longest


def test_the_deal_to_watch_is_one_of_the_best_two(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        play_all(store, header(entrants=("ada", "bob", "cleo"), games_per_pairing=2), {})
    with serving(folder.path) as pages:
        rows = pages.get("/t/cup.json").json()["board"]["rows"]
        found = re.search(r'href="/g/([^/]+)/\d+\?ply=0">Watch a deal', pages.get("/").text)
        assert found is not None
        entrants = pages.get(f"/g/{found[1]}.json").json()["game"]["entrants"]
        assert set(entrants) == {row["entrant"] for row in rows[:2]}


def test_the_sign_of_those_who_are_not_separated_is_explained_where_it_stands(
    tmp_path: Path,
) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        play_all(store, header(entrants=("ada", "bob", "cleo"), games_per_pairing=2), {})
    with serving(folder.path) as pages:
        text = pages.get("/").text
        assert 'class="not-separated"' in text
        assert "≈ means that" in text
        assert '<a href="/numbers#separated">' in text
        assert 'id="separated"' in pages.get("/numbers").text


def test_a_version_without_a_name_is_not_told(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        store.keep_validation(Validation("ada", "", "classic", "too slow", NOW))
        store.keep_validation(Validation("ada", "2", "doubling", "", NOW))
    with serving(folder.path) as pages:
        text = pages.get("/b/ada").text
        assert 'classic · failed: <span lang="en">too slow</span>' in text
        assert "doubling · version 2 · passed" in text


def test_every_fault_has_its_name(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, header(games_per_pairing=4))
        for fault, each in zip(Fault, ids, strict=False):
            store.commit([GameOver(each, GameOutcome(GameEnd.FORFEIT, 0, (0, 0), 0, fault, "x"))])
    with serving(folder.path) as pages:
        for number, fault in enumerate(Fault, start=1):
            for language in ("en", "ru"):
                answer = pages.get(f"/t/cup/games?fault={fault}", accept_language=language)
                assert answer.text.count("<tr>") == 2, fault
                assert f"/g/cup.{number}" in answer.text


@pytest.mark.parametrize("name", RULES)
def test_every_rule_set_and_its_options(tmp_path: Path, name: str) -> None:
    kinds = {1: "void", 2: "void-deal", 3: "left", 4: "no-show", 5: "illegal"}
    check_all(tmp_path, lambda store: play_all(store, header(RULES[name]), kinds))


def test_one_deal_and_one_move(tmp_path: Path) -> None:
    record = header(entrants=("ada", "bob"), games_per_pairing=2)
    check_all(tmp_path, lambda store: play_all(store, record, {1: "left", 2: "left"}))


def test_all_that_an_organiser_does_by_hand(tmp_path: Path) -> None:
    def do(store: Store) -> None:
        store.add_bot("ada", b"a" * 32, NOW)
        store.add_bot("bob", b"b" * 32, NOW)
        record = header()
        ids = put(store, record)
        games = play_games(record)
        store.commit(events_of(ids[0], games[0], record.rules))
        store.extend_joining("cup", 5_000, "", NOW)
        store.extend_joining("cup", 90_000, "the trains are late", NOW)
        store.void_game("cup", 1, (), "the fire alarm", NOW)
        store.disable_bot("ada", NOW, "it was rude")
        store.end_tournament("cup", "the organiser ended the tournament", "enough", NOW)

    check_all(tmp_path, do)
    with serving(tmp_path / "data") as pages:
        text = pages.get("/t/cup").text
        for told in ("the fire alarm", "it was rude", "enough", "cup.1"):
            assert told in text
        assert "disabled" in pages.get("/b/ada").text
        actions = pages.get("/t/cup.json").json()["tournament"]["actions"]
        assert actions[1]["reason"] == "by 1 min 30 s: the trains are late"
        for language, told in (
            ("en", "gave 5 sec more to join<"),
            ("en", "gave 1 min 30 sec more to join: the trains are late<"),
            ("ru", "продлил время подключения на 5 с<"),
            ("ru", "продлил время подключения на 1 мин 30 с: the trains are late<"),
        ):
            text = pages.get("/t/cup", accept_language=language).text
            assert told in text.replace("\N{NO-BREAK SPACE}", " ")


def test_long_names_and_versions_and_many_entrants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_pages, "CROSS_COUNT", 5)
    names = ["a" * 32, *(f"bot-{number:02}-{'x' * 20}" for number in range(8)), "house:random"]
    record = header(RULESETS["last-trick"], entrants=names, name="W" * 80)
    check_all(tmp_path, lambda store: play_all(store, record, {}))
    with serving(tmp_path / "data") as pages:
        assert "The first 5 of the board" in pages.get("/t/cup").text
        assert pages.get("/t/cup/cross.csv").text.count("\r\n") == len(names) + 1
        last = pages.get("/t/cup.json").json()["board"]["rows"][-1]["entrant"]
        assert "The first 6 of the board." in pages.get("/t/cup").text
        # Whom a reader asks for is drawn, also if it is far down.
        text = pages.get(f"/t/cup?bot={last}").text
        assert f"bot={last.replace(':', '%3A')}" in text
        assert f"The first 5 of the board, and {last}." in text
        text = pages.get(f"/t/cup?bot={last}", accept_language="ru").text
        assert f"Первые 5 в таблице и {last}." in text


def test_lists_come_a_page_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_pages, "LIST_COUNT", 2)
    monkeypatch.setattr("sixtysix_arena.web.pages.games.LIST_COUNT", 4)
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        for number in range(5):
            put(store, header(slug=f"cup-{number}", games_per_pairing=4))
    with serving(folder.path) as pages:
        seen, address = [], "/t"
        while address:
            answer = pages.get(f"{address}")
            seen += [each["slug"] for each in pages.get(address.replace("/t", "/t.json")).json()]
            after = f"?after={seen[-1]}"
            address = f"/t{after}" if after in answer.text else ""
        assert sorted(seen) == [f"cup-{number}" for number in range(5)]
        first = pages.get("/t/cup-1/games?bot=ada").text
        assert "after=" in first
        numbers = [game["number"] for game in pages.get("/t/cup-1/games.json?bot=ada").json()]
        rest = pages.get(f"/t/cup-1/games.json?bot=ada&after={numbers[-1]}").json()
        assert len(numbers) == 4
        assert rest[0]["number"] > numbers[-1]


def test_a_record_that_breaks_the_rules_is_told_and_not_shown(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, header())
        broken = DealRecord(0, 0, tuple(range(24)), (23, 23), (1, 1))
        over = DealOver(ids[0], 0, pack_deal(broken), (0, 0))
        store.commit([GameOpened(ids[0]), DealStarted(ids[0], 0), over])
    with serving(folder.path) as pages:
        answer = pages.get("/g/cup.1/0")
        assert answer.status == 400
        assert "does not follow the rules" in answer.text
