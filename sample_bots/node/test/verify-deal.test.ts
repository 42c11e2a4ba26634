import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLAIM, CLOSE, EXCHANGE, PASS, nameOf, nameOfMove } from '../src/cards.js';
import { Deal } from '../src/verify/deal.js';
import type { Result, Rules } from '../src/verify/record.js';
import { type Standing, claimed, counted } from '../src/verify/scoring.js';
import { card } from './decisions.js';

const rules = (name: Rules['name'], agreed_six = false): Rules => ({ name, target: 8, agreed_six });

/** A deal of seat 1: seat 0 has the first hand and leads. What is left of the pack follows. */
function deal(name: Rules['name'], forehand: string, dealer: string, trump: string, next = ''): Deal {
    const [one, two] = [forehand.split(' '), dealer.split(' ')];
    const known = [...one.flatMap((given, i) => [given, two[i] ?? '']), trump, ...next.split(' ')];
    const start = known.filter((given) => given !== '').map(card);
    const rest = [...Array(24).keys()].filter((other) => !start.includes(other));
    return new Deal(rules(name), [...start, ...rest], 1);
}

function play(on: Deal, moves: string): Deal {
    for (const name of moves.split(' ')) {
        const move = on.legal.find((legal) => nameOfMove(legal) === name);
        assert.ok(move !== undefined, `${name} is not legal, but ${names(on)}`);
        on.play(move);
    }
    return on;
}

const names = (on: Deal): string => on.legal.map(nameOfMove).join(' ');

test('the cards are dealt one at a time, forehand first', () => {
    const begun = deal('doubling', 'TC AC QD TD QS TS', '9C JD AD 9H QH KS', 'KD');
    assert.equal(begun.seat, 0);
    assert.equal(names(begun), 'TC AC QD TD QS TS close claim');
});

test('classic: the follower is asked first, and may close', () => {
    const begun = deal('classic', 'TC AC QD TD QS TS', '9C JD AD 9H QH KS', 'KD');
    assert.equal(begun.stage, 'question');
    assert.equal(begun.seat, 1);
    assert.deepEqual(begun.legal, [CLOSE, PASS, CLAIM]);
    assert.equal(begun.forced, undefined);
    begun.play(CLOSE);
    assert.equal(begun.seat, 0);
    assert.ok(!begun.legal.includes(CLOSE), 'nobody closes twice');
    play(begun, 'QD');
    assert.equal(names(begun), 'JD AD claim', 'closed: suit must be followed');
});

for (const [name, sizes] of [
    ['classic', [12, 10, 8, 6]],
    ['doubling', [12, 10, 8, 6, 4, 2]],
    ['played-out', [10, 8, 6, 4]],
    ['last-trick', []],
] as const) {
    test(`${name}: the talon may be closed at ${sizes.join(', ') || 'no size'}`, () => {
        const begun = deal(name, '9C 9D 9H JC JD JH', 'AC AD TC TD KC KD', '9S');
        const found: number[] = [];
        for (let talon = 12; talon >= 0; talon -= 2) {
            if (begun.legal.includes(CLOSE)) {
                found.push(talon);
            }
            if (begun.stage === 'question') {
                begun.play(PASS);
            }
            playCard(begun);
            playCard(begun);
        }
        assert.deepEqual(found, sizes);
    });
}

/** The lowest card that may be played. */
function playCard(on: Deal): void {
    on.play(Math.min(...on.legal));
}

test('doubling: the trump nine is exchanged after the first trick, and drawn last', () => {
    const begun = deal('doubling', '9D AC QH TC QS TS', '9C JD AD 9H JH KS', 'KD');
    assert.ok(!begun.legal.includes(EXCHANGE));
    play(begun, 'AC 9C');
    assert.deepEqual([...begun.points], [11, 0]);
    play(begun, 'exchange');
    assert.ok(begun.legal.includes(card('KD')) && !begun.legal.includes(card('9D')));
    assert.equal(begun.seat, 0, 'and is to lead still');
});

test('last-trick: a marriage waits for a trick of its seat', () => {
    const begun = deal('last-trick', 'QC KC 9H JH QS TS', 'AC JD 9S TH TD KS', 'KD', 'AS AH');
    play(begun, 'QC+ AC');
    assert.deepEqual([...begun.points], [0, 14]);
    play(begun, '9S AH');
    assert.deepEqual([...begun.points], [0, 14 + 11], 'not with a trick of the other one');
});

test('last-trick: what has waited comes with the first trick of its seat', () => {
    const begun = deal('last-trick', 'QC KC 9H JH AS TS', 'AC JD 9S TH TD KS', 'KD', 'AH QD');
    play(begun, 'QC+ AC JD QD');
    assert.deepEqual([...begun.points], [20 + 2 + 3, 14]);
    play(begun, 'KC');
    assert.equal(begun.stage, 'follow', 'too few points for a claim');
});

test('last-trick: the nine is exchanged after a trick of its own seat', () => {
    const begun = deal('last-trick', 'QC KC 9D JH AS TS', 'AC JD 9S TH TD KS', 'KD', 'QS AH');
    play(begun, 'QC AC TH');
    assert.ok(!begun.legal.includes(EXCHANGE));
    play(begun, 'AH');
    assert.ok(begun.legal.includes(EXCHANGE));
});

test('doubling: nobody exchanges once the talon is closed', () => {
    const begun = deal('doubling', 'AC KC 9D JH AS TS', '9C JD 9S TH TD KS', 'KD');
    play(begun, 'AC 9C');
    assert.ok(begun.legal.includes(EXCHANGE));
    play(begun, 'close');
    assert.ok(!begun.legal.includes(EXCHANGE));
});

test('doubling: whoever had 66 first wins', () => {
    const begun = deal('doubling', 'AC KC QC JH AS TS', '9C JD 9S TH TD KS', 'KD', '9H 9D');
    begun.points[0] = 60;
    begun.points[1] = 60;
    play(begun, 'AC 9C TS KS');
    assert.equal(begun.first, 0);
    begun.points[1] = 66;
    play(begun, 'claim');
    assert.deepEqual(paid(begun.result as Result), [0, 1, 'first-to-66']);
    const later = deal('doubling', 'AC KC QC JH 9S TS', '9C JD AS TH TD KS', 'KD', '9H 9D');
    later.points[0] = 60;
    later.points[1] = 60;
    play(later, 'AC 9C TS AS');
    assert.equal(later.first, 0, 'the other one comes later');
});

test('a marriage with 66 lets the leader claim before the other plays', () => {
    const begun = deal('doubling', 'QD KD QC KC AC AD', '9C JC 9D JD 9H JH', 'TD', 'AH TH');
    play(begun, 'KD+ JD QC+');
    assert.equal(begun.stage, 'announced');
    assert.deepEqual(begun.legal, [CLAIM, PASS]);
    begun.play(CLAIM);
    assert.deepEqual(begun.result, {
        winner: 0,
        game_points: 3,
        card_points: [40 + 4 + 2 + 20, 0],
        end: 'claim',
    } satisfies Result);
});

test('a false claim is legal, but leaves nothing to decide', () => {
    const begun = deal('doubling', 'AD TC QH AH QS TS', 'JD 9C 9H TH JS KS', 'KD');
    play(begun, 'close AD');
    assert.equal(names(begun), 'JD claim');
    assert.equal(nameOf(begun.forced ?? -1), 'JD');
});

const standing = (points: [number, number], tricks: [number, number], more = {}): Standing => ({
    points,
    tricks,
    closer: undefined,
    first: undefined,
    ...more,
});

const paid = ({ winner, game_points, end }: Result) => [winner, game_points, end];

test('an ordinary win pays by what the loser has', () => {
    const classic = rules('classic');
    assert.deepEqual(paid(claimed(classic, standing([66, 33], [4, 2]), 0)), [0, 1, 'claim']);
    assert.deepEqual(paid(claimed(classic, standing([66, 32], [4, 2]), 0)), [0, 2, 'claim']);
    assert.deepEqual(paid(claimed(classic, standing([66, 0], [4, 1]), 0)), [0, 3, 'claim']);
    assert.deepEqual(paid(claimed(classic, standing([66, 20], [4, 0]), 0)), [0, 2, 'claim']);
    const playedOut = rules('played-out');
    assert.deepEqual(paid(counted(playedOut, standing([66, 40], [12, 0]), 0)), [0, 3, 'counted']);
});

test('a failed close', () => {
    const failed = (name: Rules['name'], points: [number, number], tricks: [number, number]) =>
        counted(rules(name), standing(points, tricks, { closer: 0 }), 1).game_points;
    assert.deepEqual([40, 20, 0].map((own) => failed('classic', [own, 50], [1, 5])), [2, 3, 4]);
    assert.deepEqual([40, 20, 0].map((own) => failed('doubling', [own, 50], [1, 5])), [2, 4, 6]);
    assert.equal(failed('doubling', [40, 50], [0, 6]), 6);
    assert.deepEqual([40, 20].map((his) => failed('played-out', [25, his], [5, 1])), [1, 2]);
    assert.equal(failed('played-out', [25, 40], [6, 0]), 3);
    assert.equal(failed('played-out', [25, 70], [3, 3]), 2, 'he has won anyway');
    const agreed = standing([40, 0], [6, 0], { closer: 0 });
    assert.equal(counted(rules('doubling', true), agreed, 0).game_points, 6);
});

test('a false claim pays 3, of a closer no less than his close', () => {
    const classic = rules('classic');
    const closed = { closer: 0 };
    assert.deepEqual(paid(claimed(classic, standing([65, 9], [4, 1]), 0)), [1, 3, 'false-claim']);
    assert.equal(claimed(classic, standing([0, 9], [1, 1], closed), 0).game_points, 4);
    assert.equal(claimed(classic, standing([20, 9], [1, 1], closed), 0).game_points, 3);
    assert.equal(claimed(classic, standing([0, 9], [1, 1], closed), 1).game_points, 3);
});

test('empty hands', () => {
    const both = standing([70, 66], [3, 3], { first: 1 });
    assert.deepEqual(paid(counted(rules('doubling'), both, 0)), [1, 1, 'first-to-66']);
    assert.deepEqual(paid(counted(rules('last-trick'), both, 0)), [0, 1, 'last-trick']);
    assert.deepEqual(paid(counted(rules('played-out'), both, 0)), [null, 0, 'drawn-both-66']);
    const neither = standing([60, 60], [3, 3]);
    assert.deepEqual(paid(counted(rules('last-trick'), neither, 1)), [1, 1, 'last-trick']);
    assert.deepEqual(paid(counted(rules('classic'), neither, 1)), [null, 0, 'drawn-neither-66']);
});

test('classic: a deal is drawn as soon as both have 66', () => {
    const begun = deal('classic', 'QD KD AC TC 9H JH', 'AD TD 9C JC QC KC', '9D', 'AH TH');
    begun.points[0] = 50;
    begun.points[1] = 66;
    play(begun, 'pass QD+');
    assert.equal(begun.result?.end, 'drawn-both-66');
});
