import { status } from '@grpc/grpc-js';
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { Pauses, playForEver } from '../src/life.js';
import { ByeReason } from '../src/protocol.js';
import { botOptions, type Connection, FakeArena, WELCOME } from './fake-arena.js';

const FINISHED = ByeReason.BYE_REASON_FINISHED;

const says =
    (reason: number) =>
    async (connection: Connection): Promise<void> => {
        connection.send(WELCOME);
        connection.sayBye(reason);
    };

const never = new AbortController().signal;

for (const reason of [FINISHED, ByeReason.BYE_REASON_FENCED, ByeReason.BYE_REASON_REVOKED, 7]) {
    test(`ends after bye ${reason}`, async () => {
        const arena = await FakeArena.start([says(reason)]);
        const end = await playForEver(botOptions(arena.address), never);
        arena.stop();
        assert.equal(arena.connectionCount, 1);
        assert.ok(end.kind === 'bye' && end.reason === reason);
    });
}

for (const reason of [0, ByeReason.BYE_REASON_STOPPING, 4, ByeReason.BYE_REASON_STUCK, 99]) {
    test(`comes back after bye ${reason}`, async () => {
        const arena = await FakeArena.start([says(reason), says(FINISHED)]);
        await playForEver(botOptions(arena.address), never);
        arena.stop();
        assert.equal(arena.connectionCount, 2);
    });
}

test('comes back after a lost connection, and not after a refusal', async () => {
    const arena = await FakeArena.start([
        async (connection) => connection.end(),
        async (connection) => connection.fail(status.UNAVAILABLE, 'the disk is in the way'),
        async (connection) => connection.fail(status.UNAUTHENTICATED, 'wrong token'),
    ]);
    const end = await playForEver(botOptions(arena.address), never);
    arena.stop();
    assert.equal(arena.connectionCount, 3);
    assert.deepEqual(end, { kind: 'refused', text: 'UNAUTHENTICATED: wrong token' });
});

test('waits for an arena that is not there yet', async () => {
    const address = await freeAddress();
    const playing = playForEver(botOptions(address), never);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const arena = await FakeArena.start([says(FINISHED)], address);
    await playing;
    arena.stop();
    assert.equal(arena.connectionCount, 1);
});

test('can be ended during a pause', { timeout: 2000 }, async () => {
    const departure = new AbortController();
    const pauses = new Pauses();
    pauses.next = () => 60_000;
    const lines: string[] = [];
    const log = (line: string): void => {
        lines.push(line);
        setImmediate(() => departure.abort('leave'));
    };
    const end = await playForEver(
        botOptions(await freeAddress(), { log }),
        departure.signal,
        pauses,
    );
    assert.equal(end.kind, 'lost');
    assert.match(lines.join(), /^UNAVAILABLE: .*; back in 60\.0 s$/);
});

test('pauses are drawn from spans of 0.5 s to 5 s, which start anew', () => {
    const longest = new Pauses(() => 1);
    assert.deepEqual(
        [...Array(6)].map(() => longest.next()),
        [500, 1000, 2000, 4000, 5000, 5000],
    );
    longest.reset();
    assert.equal(longest.next(), 500);
    const shortest = new Pauses(() => 0);
    assert.deepEqual([shortest.next(), shortest.next()], [0, 0]);
    assert.deepEqual([shortest.next(3000), shortest.next(1e9)], [3000, 60_000]);
});

test('waits as long as the arena asks, in a refusal and after a flood', async () => {
    const arena = await FakeArena.start([
        async (connection) =>
            connection.fail(status.RESOURCE_EXHAUSTED, 'joined too often', {
                'grpc-retry-pushback-ms': '12000',
            }),
        async (connection) => connection.fail(status.RESOURCE_EXHAUSTED, 'too large'),
        says(ByeReason.BYE_REASON_FLOODED),
        says(FINISHED),
    ]);
    const pauses = new Pauses();
    const asked: number[] = [];
    pauses.next = (askedMs = 0) => {
        asked.push(askedMs);
        return 0;
    };
    await playForEver(botOptions(arena.address), never, pauses);
    arena.stop();
    assert.deepEqual(asked, [12_000, 0, 5000]);
});

async function freeAddress(): Promise<string> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return `127.0.0.1:${port}`;
}
