"""The thread that writes: calls in order, errors back, an end."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from support.stored import NOW

from sixtysix_arena.errors import Exists, FolderInUse, Unavailable
from sixtysix_arena.store import DataFolder, Store, StoreThread
from sixtysix_arena.store import thread as module


@pytest.fixture
def thread(folder: DataFolder) -> StoreThread:
    return StoreThread(lambda: folder.open_store(folder.lock()))


def test_calls_run_in_one_other_thread(thread: StoreThread) -> None:
    def here(_store: Store) -> int:
        return threading.get_ident()

    async def main() -> None:
        async with thread as store:
            idents = {await store.run(here) for _ in range(3)}
            assert len(idents) == 1
            assert threading.get_ident() not in idents

    asyncio.run(main())


def test_calls_take_arguments_and_give_results_and_errors(thread: StoreThread) -> None:
    async def main() -> None:
        async with thread as store:
            await store.run(Store.add_bot, "ada", b"a" * 32, at=NOW, request_id="r")
            assert (await store.run(Store.bot, "ada")).name == "ada"
            with pytest.raises(Exists, match="'ada'"):
                await store.run(Store.add_bot, "ada", b"a" * 32, NOW)
            assert len(await store.run(Store.bots)) == 1

    asyncio.run(main())


def test_calls_run_in_the_order_they_were_made(thread: StoreThread) -> None:
    ran: list[int] = []

    def note(_store: Store, number: int) -> None:
        ran.append(number)

    async def main() -> None:
        async with thread as store:
            await asyncio.gather(*(store.run(note, number) for number in range(1_000)))

    asyncio.run(main())
    assert ran == list(range(1_000))


def test_the_loop_goes_on_while_the_disk_is_slow(thread: StoreThread) -> None:
    async def main() -> None:
        async with thread as store:
            works = threading.Event()
            slow = asyncio.create_task(store.run(lambda _store: works.wait(30)))
            for _ in range(20):
                await asyncio.sleep(0.001)
            assert not slow.done()
            works.set()
            assert await slow, "the loop stood still"

    asyncio.run(main())


def test_a_moment_is_waited_for_a_call_but_seldom_while_calls_are_slow(
    thread: StoreThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[bool] = []
    gate_s = 20.0
    was_left = threading.Event()

    class Noted(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout == module.QUICK_S
            waits.append(super().wait(gate_s))
            was_left.set()
            return waits[-1]

    monkeypatch.setattr(module, "Event", Noted)

    async def main() -> None:
        nonlocal gate_s
        async with thread as store:
            for _ in range(3):
                await store.run(lambda _store: None)
            assert waits == [True] * 3
            waits.clear()
            gate_s = 0.0
            for _ in range(2):
                was_left.clear()
                for _ in range(1 + module.UNWAITED):
                    await store.run(lambda _store: was_left.wait(20))
            assert waits == [False] * 2

    asyncio.run(main())


def test_a_bounded_number_of_calls_waits_for_the_thread(
    thread: StoreThread, monkeypatch: pytest.MonkeyPatch, folder: DataFolder
) -> None:
    monkeypatch.setattr(module, "QUEUE_LIMIT", 2)
    bounded = StoreThread(lambda: folder.open_store(folder.lock()))
    gate = threading.Event()

    async def main() -> None:
        async with bounded as store:
            calls = [asyncio.create_task(store.run(lambda _store: gate.wait(10))) for _ in range(5)]
            await asyncio.sleep(0.05)
            assert bounded._executor._work_queue.qsize() <= 2
            gate.set()
            assert await asyncio.gather(*calls) == [True] * 5

    asyncio.run(main())


def test_closing_waits_for_what_was_accepted(thread: StoreThread, folder: DataFolder) -> None:
    async def main() -> None:
        await thread.start()
        calls = [
            asyncio.create_task(thread.run(Store.add_bot, f"bot{n}", bytes([n]) * 32, NOW))
            for n in range(20)
        ]
        await asyncio.sleep(0)
        await thread.close()
        await asyncio.gather(*calls)
        with pytest.raises(Unavailable, match="the store is closed"):
            await thread.run(Store.bots)
        await thread.close()

    asyncio.run(main())
    with folder.open_reader() as reader:
        assert len(reader.bots()) == 20


def test_before_its_start_a_thread_takes_no_calls(thread: StoreThread) -> None:
    async def main() -> None:
        with pytest.raises(Unavailable):
            await thread.run(Store.bots)
        await thread.close()

    asyncio.run(main())


def test_a_store_that_does_not_open(thread: StoreThread, folder: DataFolder) -> None:
    async def main() -> None:
        with pytest.raises(FolderInUse):
            await thread.start()

    with folder.lock():
        asyncio.run(main())
    for left in threading.enumerate():
        if left.name.startswith("store"):
            left.join(10)
            assert not left.is_alive()


def test_a_caller_who_gives_up_harms_nobody(thread: StoreThread) -> None:
    async def main() -> None:
        async with thread as store:
            slow = asyncio.create_task(store.run(lambda _store: time.sleep(0.1)))
            given_up = asyncio.create_task(store.run(Store.add_bot, "ada", b"a" * 32, NOW))
            await asyncio.sleep(0.01)
            given_up.cancel()
            await store.run(Store.add_bot, "bob", b"b" * 32, NOW)
            await slow
            assert "bob" in {bot.name for bot in await store.run(Store.bots)}

    asyncio.run(main())
