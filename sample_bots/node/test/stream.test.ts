import { status } from '@grpc/grpc-js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Choice } from '../src/choice.js';
import {
    type ArenaFrameInput,
    type BotFrame,
    ByeReason,
    type Decision,
    Fault,
    GameEnd,
    LeaveReason,
} from '../src/protocol.js';
import { type BotOptions, playOnce, type StreamEnd } from '../src/stream.js';
import { decision } from './decisions.js';
import { botOptions, type Connection, FakeArena, sizeOf, WELCOME } from './fake-arena.js';

const FINISHED = ByeReason.BYE_REASON_FINISHED;
const { choose: first } = botOptions('');
const never = new AbortController().signal;

interface Played {
    end: StreamEnd;
    lines: string[];
}

/** Plays one stream against an arena that follows the script after its welcome. */
async function play(
    script: (arena: Connection, departure: AbortController) => Promise<void>,
    different: Partial<BotOptions> = {},
): Promise<Played> {
    const departure = new AbortController();
    const arena = await FakeArena.start([
        async (connection) => {
            await connection.next();
            connection.send(WELCOME);
            await script(connection, departure);
        },
    ]);
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const options = botOptions(arena.address, { log, ...different });
    const end = await playOnce(options, departure.signal);
    arena.stop();
    return { end, lines };
}

/** Sends a frame, and returns what the bot answers. */
async function ask(arena: Connection, frame: ArenaFrameInput): Promise<BotFrame> {
    arena.send(frame);
    const answer = await arena.next();
    assert.ok(answer !== undefined);
    return answer;
}

test('says hello first, with its token', async () => {
    const arena = await FakeArena.start([
        async (connection) => {
            assert.deepEqual(connection.authorization, ['Bearer secret']);
            const frame = await connection.next();
            assert.deepEqual(frame?.hello, {
                protocolMajor: 1,
                protocolMinor: 0,
                botName: '',
                botVersion: 'test 1',
                gamesAtOnce: 8,
                rulesets: [1, 4],
                closeOnOpponentsLead: false,
            });
            connection.send(WELCOME);
            connection.sayBye(FINISHED, 'nothing more');
        },
    ]);
    const end = await playOnce(botOptions(arena.address), never);
    arena.stop();
    assert.deepEqual(end, { kind: 'bye', reason: FINISHED, text: 'nothing more' });
});

test('answers all decisions of a frame in one frame, the nine of clubs too', async () => {
    await play(async (arena) => {
        const big = '18446744073709551615';
        const { answers, leaves } = await ask(arena, {
            starts: [{ game: big, gameId: 'cup.1' }],
            decisions: [
                decision({ game: big, deal: 3, ply: 5, legal: [0, 7] }),
                decision({ game: '2', legal: [34, 35] }),
            ],
        });
        assert.deepEqual(leaves, []);
        assert.deepEqual(answers, [
            { game: big, deal: 3, ply: 5, move: 0, comment: 'the first' },
            { game: '2', deal: 0, ply: 0, move: 34, comment: 'the first' },
        ]);
        arena.sayBye(FINISHED);
    });
});

test('asks for presence where a field may be absent', async () => {
    const seen: Decision[] = [];
    const choose = (asked: Decision): Choice => {
        seen.push(asked);
        return first(asked);
    };
    await play(
        async (arena) => {
            await ask(arena, { decisions: [{ game: 1, legal: [7], trumpCard: 0, closedBy: 0 }] });
            await ask(arena, { decisions: [{ game: 1, legal: [7] }] });
            arena.sayBye(FINISHED);
        },
        { choose },
    );
    const [there, absent] = seen;
    assert.deepEqual([there?.trumpCard, there?.closedBy, there?.led], [0, 0, undefined]);
    assert.deepEqual([absent?.trumpCard, absent?.seat, absent?.hand], [undefined, 0, []]);
});

test('gives up the game whose choice failed, and answers in the others', async () => {
    const choose = (asked: Decision): Choice => {
        if (asked.game === '1') {
            throw new Error('lost my way');
        }
        return asked.game === '2' ? { move: 9, why: 'not legal' } : first(asked);
    };
    const { lines } = await play(
        async (arena) => {
            const { answers, leaves } = await ask(arena, {
                starts: [{ game: 1, gameId: 'cup.17' }],
                decisions: ['1', '2', '3'].map((game) => decision({ game, legal: [7, 8] })),
            });
            assert.deepEqual(
                answers.map(({ game, move }) => [game, move]),
                [['3', 7]],
            );
            const reason = LeaveReason.LEAVE_REASON_BOT_RAISED;
            assert.deepEqual(leaves, [
                { game: '1', reason },
                { game: '2', reason },
            ]);
            arena.sayBye(FINISHED);
        },
        { choose },
    );
    assert.match(lines.join('\n'), /gave up cup\.17 deal 0 ply 0: Error: lost my way/);
    assert.match(lines.join('\n'), /gave up game 2 .* chose 9; legal are 7, 8/);
});

test('keeps the frame of many games far below 64 KiB', async () => {
    const choose = (asked: Decision): Choice => ({ ...first(asked), why: 'ü'.repeat(500) });
    await play(
        async (arena) => {
            const decisions = [...Array(256).keys()].map((at) => decision({ game: `${at}` }));
            const frame = await ask(arena, { decisions });
            assert.equal(frame.answers.length, 256);
            assert.ok(sizeOf(frame) < 50_000, `${sizeOf(frame)} bytes`);
            arena.sayBye(FINISHED);
        },
        { choose },
    );
});

test('tells what happened: stale answers, faults, games that are over', async () => {
    const { lines } = await play(async (arena) => {
        const game = '5';
        arena.send({ starts: [{ game, gameId: 'cup.5', seat: 1, opponent: 'house:greedy' }] });
        arena.send({
            stales: [{ game, deal: 2, ply: 3 }],
            faults: [{ game, fault: Fault.FAULT_ILLEGAL, text: 'illegal move 9C' }],
            gamesOver: [{ game, end: GameEnd.GAME_END_TARGET, winner: 1, score: [3, 8] }],
        });
        arena.send({ starts: [{ game: 6, gameId: 'cup.6', seat: 0, opponent: 'novice' }] });
        arena.send({
            gamesOver: [
                { game: 6, end: GameEnd.GAME_END_VOID, score: [0, 0], text: 'both away' },
                { game: 7, end: GameEnd.GAME_END_DEAL_LIMIT, score: [1, 1] },
            ],
        });
        arena.sayBye(FINISHED, 'nothing more');
    });
    assert.deepEqual(lines, [
        'joined as stranger',
        'no effect: the answer in cup.5 deal 2 ply 3',
        'fault in cup.5: illegal move 9C',
        'won: cup.5 against house:greedy 3:8',
        'void: cup.6 against novice 0:0 both away',
        'drawn: game 7 against somebody 1:1',
        'the arena says goodbye: nothing more',
    ]);
});

for (const [code, isRefused] of [
    [status.UNAUTHENTICATED, true],
    [status.FAILED_PRECONDITION, true],
    [status.INVALID_ARGUMENT, true],
    [status.UNIMPLEMENTED, true],
    [status.UNAVAILABLE, false],
    [status.RESOURCE_EXHAUSTED, false],
    [status.INTERNAL, false],
] as const) {
    test(`${status[code]} in place of the welcome is ${isRefused ? '' : 'not '}final`, async () => {
        const arena = await FakeArena.start([
            async (connection) => connection.fail(code, 'no'),
        ]);
        const end = await playOnce(botOptions(arena.address), never);
        arena.stop();
        assert.equal(end.kind, isRefused ? 'refused' : 'lost');
        assert.equal(end.text, `${status[code]}: no`);
    });
}

test('a status after the welcome is a lost connection', async () => {
    const { end } = await play(async (arena) => arena.fail(status.INVALID_ARGUMENT, 'odd'));
    assert.equal(end.kind, 'lost');
});

test('an end without a goodbye is a lost connection', async () => {
    const { end } = await play(async (arena) => arena.end());
    assert.equal(end.kind, 'lost');
});

test('leaves: says bye, answers nothing more, and waits for the arena to say it too', async () => {
    const { end } = await play(async (arena, departing) => {
        await ask(arena, { decisions: [decision()] });
        departing.abort('leave');
        assert.deepEqual((await arena.next())?.bye, {});
        arena.send({ decisions: [decision({ ply: 2 })] });
        assert.equal(await Promise.race([arena.next(), sleep(100, 'silence')]), 'silence');
        arena.sayBye(ByeReason.BYE_REASON_LEFT, 'left');
    });
    assert.deepEqual(end, { kind: 'bye', reason: ByeReason.BYE_REASON_LEFT, text: 'left' });
});

test('goes away: closes its sending side, and says nothing', async () => {
    const { end } = await play(async (arena, departing) => {
        await ask(arena, { decisions: [decision()] });
        departing.abort('go-away');
        assert.equal(await arena.next(), undefined);
        arena.send({ decisions: [decision({ ply: 2 })] });
        arena.end();
    });
    assert.deepEqual(end, { kind: 'lost', text: 'OK: OK', waitMs: 0 });
});

test('departs also from an arena that does not answer', { timeout: 10_000 }, async () => {
    const { end } = await play(async (_, departing) => departing.abort('leave'));
    assert.deepEqual(end, { kind: 'lost', text: 'CANCELLED: Cancelled on client', waitMs: 0 });
});
