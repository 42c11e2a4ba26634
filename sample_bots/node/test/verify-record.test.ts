import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Place } from '../src/verify/difference.js';
import { canonical, readLine } from '../src/verify/lines.js';
import { circle } from '../src/verify/schedule.js';
import { type Verdict, verify } from '../src/verify/verify.js';

const GOLDEN = readFileSync(new URL('../../../../tests/golden/record.jsonl', import.meta.url));

/** A change of the parsed lines, which may hold anything. */
type Change = (lines: any[]) => void;

async function verdictOf(record: Buffer): Promise<Verdict> {
    return verify(chunksOf(record));
}

/** In chunks that end at no line. */
async function* chunksOf(record: Buffer): AsyncGenerator<Buffer> {
    for (let start = 0; start < record.length; start += 1000) {
        yield record.subarray(start, start + 1000);
    }
}

/** The record after a change, with all digests made anew. */
function changed(change: Change): Buffer {
    const lines = GOLDEN.toString().split('\n').slice(0, -1).map((line) => JSON.parse(line));
    change(lines);
    return sealed(lines.map(({ sha256: _, ...line }) => canonical(line)));
}

function sealed(lines: readonly string[]): Buffer {
    let digest = '0'.repeat(64);
    const written = lines.map((line) => {
        const body = line.slice(0, -1);
        digest = createHash('sha256').update(digest).update(body).digest('hex');
        return `${body},"sha256":"${digest}"}\n`;
    });
    return Buffer.from(written.join(''));
}

async function found(record: Buffer): Promise<[Place, string]> {
    const { difference } = await verdictOf(record);
    assert.ok(difference !== undefined, 'nothing was found');
    return [difference.place, difference.what];
}

test('a record with a bit of everything is right', async () => {
    const verdict = await verdictOf(GOLDEN);
    assert.equal(verdict.difference, undefined);
    assert.equal(verdict.games, 6);
    assert.ok(GOLDEN.toString().trimEnd().endsWith(`"sha256":"${verdict.digest}"}`));
    assert.deepEqual(changed(() => {}), GOLDEN);
});

test('the worked example of the page', () => {
    const digest = '5b5ca9fda717022f020d9b6351d4609a84dccae73ba4c2171ce09f30269068aa';
    const line = Buffer.from(`{"a":1,"b":"é","sha256":"${digest}"}\n`);
    assert.deepEqual(readLine(line, '0'.repeat(64)), { value: { a: 1, b: 'é' }, digest });
    const next = 'c3e1bcdd9e116f5db25f43458e8701c4a2f60f12b6a32bc9eaf48c1b4cfaa567';
    const second = Buffer.from(`{"a":2,"b":"","sha256":"${next}"}\n`);
    assert.equal(readLine(second, digest).digest, next);
});

test('a changed byte is found in its line', async () => {
    const starts = [0];
    for (let at; (at = GOLDEN.indexOf(10, starts.at(-1))) >= 0; starts.push(at + 1)) {}
    for (const [index, start] of starts.slice(0, -1).entries()) {
        const digest = (starts[index + 1] ?? 0) - 10;
        for (const position of [start, start + 100, digest, (starts[index + 1] ?? 0) - 1]) {
            const record = Buffer.from(GOLDEN);
            record[position] = (record[position] ?? 0) ^ 1;
            assert.equal((await found(record))[0].line, index + 1);
        }
    }
});

test('a record that ends too soon', async () => {
    assert.deepEqual(await found(Buffer.alloc(0)), [{ line: 1 }, 'line']);
    assert.deepEqual(await found(GOLDEN.subarray(0, -1)), [{ line: 8 }, 'end']);
    assert.deepEqual(await found(changed((lines) => lines.pop())), [{ line: 8 }, 'line']);
});

test('there is one way to write a line', async () => {
    const lines = GOLDEN.toString().split('\n').slice(0, -1);
    const bodies = lines.map((line) => `${line.slice(0, -77)}}`);
    for (const [written, otherwise] of [
        ['"games_per_pairing":2', '"games_per_pairing":2.0'],
        ['"name":"К', '"name":"\\u041a'],
        ['{"actions"', '{ "actions"'],
        ['"practice":false', '"practice":true,"practice":false'],
        ['"name":"К', '"name":"\\ud800'],
    ] as const) {
        const header = bodies[0]?.replace(written, otherwise) ?? '';
        assert.notEqual(header, bodies[0]);
        assert.deepEqual((await found(sealed([header, ...bodies.slice(1)])))[0], { line: 1 });
    }
});

/** Where a game is, or one of its deals or plies. */
function game(number: number, deal?: number, ply?: number): Place {
    return {
        line: number + 1,
        game: `cup.${number}`,
        ...(deal === undefined ? {} : { deal }),
        ...(ply === undefined ? {} : { ply }),
    };
}

function swap(list: unknown[], one: number, two: number): void {
    [list[one], list[two]] = [list[two], list[one]];
}

function swapRows([, , , , , , , { rows }]: any[]): void {
    swap(rows, 0, 1);
    rows.forEach((row: { rank: number }, index: number) => (row.rank = index + 1));
}

function claimFalsely([, { deals }]: any[]): void {
    deals[0].moves[17] = 'claim';
    deals[0].referee.pop();
}

const CHANGES: [string, Change, Place, string][] = [
    ['a key too many', ([header]) => (header.more = 1), { line: 1 }, 'keys'],
    ['a seed', ([header]) => (header.seed = '00'.repeat(32)), { line: 1 }, 'commitment'],
    ['a seed too soon', ([header]) => (header.state = 'running'), { line: 1 }, 'seed'],
    ['a pairing', ([header]) => header.rounds.reverse(), { line: 1 }, 'rounds'],
    ['a numeral', ([header]) => (header.rating.mu = '25.00'), { line: 1 }, 'rating.mu'],
    ['a game left out', (lines) => lines.splice(2, 1), { line: 3, game: 'cup.3' }, 'number'],
    ['the last game left out', (lines) => lines.splice(6, 1), { line: 7 }, 'games of a finished tournament'],
    ['a pack', ([, { deals }]) => swap(deals[1].pack, 0, 5), game(1, 1), 'pack'],
    ['a dealer', ([, { deals }]) => (deals[2].dealer = 1), game(1, 2), 'dealer'],
    ['a move', ([, { deals }]) => (deals[0].moves[4] = 'AS'), game(1, 0, 4), 'move'],
    ['who moved', ([, { deals }]) => deals[0].referee.pop(), game(1, 0, 17), 'made by the referee'],
    ['a false claim for the only card', claimFalsely, game(1, 0, 17), 'made by the referee'],
    ['a false claim of the referee', ([, { deals }]) => (deals[0].moves[17] = 'claim'), game(1, 0, 17), 'move'],
    [
        'who was asked',
        ([, { deals }]) => deals[0].referee.splice(1, 1),
        game(1, 0, 3),
        'who decides before a lead',
    ],
    ['a result', ([, { deals }]) => (deals[2].result.game_points += 1), game(1, 2), 'result'],
    ['a score', ([, over]) => (over.score[0] += 1), game(1), 'score'],
    ['a reason without need', ([, over]) => (over.reason = 'so'), game(1), 'reason'],
    ['a forfeit won', (lines) => (lines[4].winner = 0), game(4), 'winner'],
    ['a fault without a decision', (lines) => (lines[4].fault = 'timeout'), game(4), 'fault'],
    [
        'a fault of the other seat',
        (lines) => Object.assign(lines[3], { faulting_seat: 0, winner: 1 }),
        game(3),
        'faulting_seat',
    ],
    ['a count', (lines) => (lines[7].rows[0].deals += 1), { line: 8 }, 'deals of bob'],
    ['a rank', (lines) => swap(lines[7].rows, 0, 1), { line: 8 }, 'rank in row 1'],
    ['the order of the rows', swapRows, { line: 8 }, 'row 2'],
    ['a rating', (lines) => (lines[7].rows[1].mu = '22.110'), { line: 8 }, 'mu of house:random'],
    ['a second board', (lines) => lines.push(lines[7]), { line: 9 }, 'line'],
];

for (const [name, change, place, what] of CHANGES) {
    test(`found, though all digests are right: ${name}`, async () => {
        assert.deepEqual(await found(changed(change)), [place, what]);
    });
}

test('while the seed is secret, packs are not checked', async () => {
    const secret: Change = (lines) => {
        Object.assign(lines[0], { seed: null, state: 'stopped' });
        for (const deal of lines.slice(1, -1).flatMap(({ deals }) => deals)) {
            deal.comments = [];
        }
    };
    assert.equal((await verdictOf(changed(secret))).difference, undefined);
    const fewer = changed((lines) => {
        secret(lines);
        lines.splice(2, 1);
    });
    assert.deepEqual(await found(fewer), [{ line: 7 }, 'round_count']);
});

test('the circle', () => {
    assert.deepEqual(circle(4), [
        [[0, 3], [1, 2]],
        [[0, 2], [1, 3]],
        [[0, 1], [2, 3]],
    ]);
    assert.deepEqual(circle(3), [[[1, 2]], [[0, 2]], [[0, 1]]]);
});
