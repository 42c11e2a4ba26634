"""A connection whose other end is gone without a word: for the arena nothing has changed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.commands import wait_for
from support.networks import Namespace
from support.rigs import Rig
from support.source_tree import ROOT

from sixtysix.outcome import Fault

MakeRig = Callable[..., Rig]

MOVE_MS = 1_000
FREED_S = 15
"""A peer is given up that has not acknowledged for 10 s what it was sent; by default for 20 s."""
HOST = "10.66.0.1"
"""Where the bot comes from, until nobody has this address any more."""
ESTABLISHED = "01"

RELAY = f"""
import asyncio, sys
from support.relay import relayed

async def main():
    async with relayed(sys.argv[1], source={HOST!r}) as relay:
        print(relay.address.rpartition(":")[2], flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@contextmanager
def another_host(network: Namespace, rig: Rig) -> Iterator[int]:
    """The port at which bots reach the arena as if they came from `HOST`."""
    address = [*network.prefix, "ip", "address", "add", f"{HOST}/32", "dev", "lo"]
    subprocess.run(address, check=True)
    command = [*network.prefix, sys.executable, "-c", RELAY, f"127.0.0.1:{rig.port}"]
    env = rig.env | {"PYTHONPATH": str(ROOT / "tests")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env, text=True) as relay:
        try:
            assert relay.stdout is not None
            yield int(relay.stdout.readline())
        finally:
            relay.kill()


def cut_off(network: Namespace) -> None:
    """From now on what is sent to the host is lost, and nobody is told."""
    address = [*network.prefix, "ip", "address", "del", f"{HOST}/32", "dev", "lo"]
    subprocess.run(address, check=True)


def holds_connection(arena: subprocess.Popen[bytes], rig: Rig) -> bool:
    """Whether the arena's side of the connection with the host is there."""
    local = f":{rig.port:04X}"
    remote = bytes(map(int, reversed(HOST.split(".")))).hex().upper()
    tables = (Path(f"/proc/{arena.pid}/net/{name}").read_text() for name in ("tcp", "tcp6"))
    rows = (row.split() for table in tables for row in table.splitlines()[1:])
    return any(
        row[1].endswith(local) and f"{remote}:" in row[2] and row[3] == ESTABLISHED for row in rows
    )


@pytest.mark.alone
@pytest.mark.slow
def test_fault_row_31_a_connection_that_is_half_open_times_out_and_is_given_up(
    make_rig: MakeRig,
) -> None:
    with ExitStack() as stack:
        network = stack.enter_context(Namespace.made())
        # One game after another, so that they are not all lost before the connection is given up.
        rig = make_rig(games=40, games_at_once=1, per_move_ms=MOVE_MS, grace_ms=1_500)
        rig.prefix = network.prefix
        rig.guests_think(0.01)
        arena = stack.enter_context(rig.arena())
        port = stack.enter_context(another_host(network, rig))
        stack.enter_context(rig.guests("bob"))
        stack.enter_context(rig.guests("ada", port=port))
        rig.until_asked(20)
        cut_off(network)
        cut_s = time.monotonic()
        wait_for(lambda: lost(rig), "the first time-out")
        assert time.monotonic() - cut_s < 2 * MOVE_MS / 1_000
        assert holds_connection(arena, rig), "missed before anything could show it"
        wait_for(lambda: not holds_connection(arena, rig), "the end of the connection")
        assert time.monotonic() - cut_s < FREED_S
        rig.ended(arena, nobody_paid=False)
    assert lost(rig)[:5] == [Fault.TIMEOUT] * 5
    assert set(lost(rig)) == {Fault.TIMEOUT, Fault.DISCONNECT}


def lost(rig: Rig) -> list[str]:
    """For what the games were lost, all of them by `ada`, in their order."""
    games = [row for row in rig.stored().games.values() if row["fault"] is not None]
    assert all(row["winner"] == 1 for row in games)
    return [row["fault"] for row in games]
