"""Records that are taken away through the pages."""

from __future__ import annotations

import gzip
import json

import pytest
from support.pages import FINISHED, OPEN_GAME, Served

from sixtysix.verify import verify
from sixtysix_arena.web import downloads

DONE = (*FINISHED, "practice")


def lines(pages: Served, address: str) -> list[str]:
    answer = pages.get(address)
    assert answer.status == 200, answer.text
    body = gzip.decompress(answer.body) if address.endswith(".gz") else answer.body
    return [f"{line}\n" for line in body.decode().removesuffix("\n").split("\n")]


@pytest.mark.parametrize("slug", FINISHED)
@pytest.mark.parametrize("packed", [False, True])
def test_a_record_that_was_downloaded_is_verified(pages: Served, slug: str, packed: bool) -> None:
    found = verify(lines(pages, f"/t/{slug}/record.jsonl{'.gz' * packed}"))
    assert found.difference is None, found.difference


@pytest.mark.parametrize("slug", [*DONE, "live", "halted"])
def test_a_packed_record_is_the_record_and_always_the_same_file(pages: Served, slug: str) -> None:
    plain = pages.get(f"/t/{slug}/record.jsonl").body
    one = pages.get(f"/t/{slug}/record.jsonl.gz").body
    other = pages.get(f"/t/{slug}/record.jsonl.gz").body
    assert one == other
    assert gzip.decompress(one) == plain
    assert len(one) < len(plain)
    # Neither a time nor a name is in its head.
    assert one[3] == 0
    assert one[4:8] == bytes(4)


def test_a_record_comes_in_parts(pages: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pages.get("/t/spring/record.jsonl").body
    monkeypatch.setattr(downloads, "CHUNK_BYTES", 100)
    assert pages.get("/t/spring/record.jsonl").body == whole
    assert gzip.decompress(pages.get("/t/spring/record.jsonl.gz").body) == whole


def test_a_record_without_lines_is_nothing() -> None:
    assert list(downloads._chunks(iter(()))) == []
    assert gzip.decompress(b"".join(downloads._packed(iter(())))) == b""


@pytest.mark.parametrize("number", range(1, 13))
def test_the_line_of_a_game_is_that_of_the_record(pages: Served, number: int) -> None:
    (line,) = lines(pages, f"/g/spring.{number}/record.jsonl")
    of_all = [json.loads(each) for each in lines(pages, "/t/spring/record.jsonl")]
    wanted = next(each for each in of_all if each.get("game_id") == f"spring.{number}")
    wanted.pop("sha256")
    assert json.loads(line) == wanted


def test_a_file_is_named_after_what_is_in_it(pages: Served) -> None:
    for address, name in (
        ("/t/spring/record.jsonl", "spring.jsonl"),
        ("/t/spring/record.jsonl.gz", "spring.jsonl.gz"),
        ("/g/spring.7/record.jsonl", "spring.7.jsonl"),
    ):
        headers = pages.get(address).headers
        assert headers["content-disposition"] == f'attachment; filename="{name}"'
        assert headers["cache-control"] == "no-store"


def test_the_record_of_a_running_tournament_has_what_is_over(pages: Served) -> None:
    told = [json.loads(each) for each in lines(pages, "/t/live/record.jsonl")]
    assert [each["game_id"] for each in told if "game_id" in each] == ["live.1", "live.2", "live.3"]
    assert pages.get(f"/g/{OPEN_GAME}/record.jsonl").status == 400
