import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLAIM, CLOSE, EXCHANGE, type Move, PASS } from '../src/cards.js';
import { choose } from '../src/choice.js';
import type { Decision } from '../src/protocol.js';
import { Table } from '../src/table.js';
import { card, cards, decision, marriage, PLY_7 } from './decisions.js';

/** Chooses in a decision whose hand is all legal, with `more` beside it. */
function chosen(different: Partial<Decision>, more: Move[] = []): Move {
    const asked = decision(different);
    return choose({ ...asked, legal: [...asked.legal, ...more] }).move;
}

test('claims when it may', () => {
    assert.equal(chosen({ points: [66, 0] }, [marriage('QD'), EXCHANGE, CLOSE, CLAIM]), CLAIM);
    assert.equal(chosen({ leader: 1, led: card('AH') }, [CLAIM]), CLAIM);
});

test('claims rather than passes after its own marriage', () => {
    const after = { hand: cards('KD AH'), legal: [CLAIM, PASS], led: marriage('QD') };
    assert.equal(chosen(after), CLAIM);
});

test('exchanges before anything else that is not a claim', () => {
    const hand = cards('9C QD KD AH TH AS');
    assert.equal(chosen({ hand }, [marriage('QD'), marriage('KD'), EXCHANGE, CLOSE]), EXCHANGE);
});

test('announces a marriage, that in trumps first, with the queen', () => {
    const hand = cards('QC KC QD KD QS KS');
    const plain = [marriage('QD'), marriage('KD'), marriage('QS'), marriage('KS')];
    assert.equal(chosen({ hand }, plain), marriage('QD'));
    const all = [marriage('QC'), marriage('KC'), ...plain];
    assert.equal(chosen({ hand }, all), marriage('QC'));
    assert.equal(chosen({ hand, trumpSuit: 3 }, all), marriage('QS'));
});

test('closes when it is sure of 66, not before', () => {
    // AC and TC draw the two trumps that may be against it; then AD and AH are safe: 43 in all.
    const sure: Partial<Decision> = {
        hand: cards('TC AC AD AH 9S'),
        trumpCard: card('9C'),
        talonCount: 10,
        tricks: [0, card('JC'), card('QC')],
        points: [23, 0],
    };
    assert.equal(chosen({ ...sure, known: cards('KC') }, [CLOSE]), CLOSE);
    assert.notEqual(chosen({ ...sure, points: [22, 0] }, [CLOSE]), CLOSE);
    // Without its ace of trumps it can count on nothing.
    assert.notEqual(chosen({ ...sure, hand: cards('TC KC AD AH 9S') }, [CLOSE]), CLOSE);
});

test('passes before the opponent\'s lead', () => {
    assert.equal(chosen({ leader: 1, legal: [CLOSE, PASS] }), PASS);
    assert.equal(chosen({ leader: 1, legal: [CLOSE, CLAIM, PASS] }), CLAIM);
});

test('takes a ten with a trump, the lowest that will do', () => {
    const hand = cards('9C JC 9D JD 9H 9S');
    assert.equal(chosen({ hand, leader: 1, led: card('TS') }), card('9C'));
});

test('keeps its trumps when there is little to win', () => {
    const hand = cards('9C JC 9D JD 9H 9S');
    assert.equal(chosen({ hand, leader: 1, led: card('KS') }), card('9D'));
});

test('takes within the suit, and brings its high card home', () => {
    const hand = cards('AC 9D TS AS');
    assert.equal(chosen({ hand, leader: 1, led: card('KS') }), card('AS'));
});

test('takes with anything when that is enough', () => {
    const hand = cards('TC 9D');
    assert.equal(chosen({ hand, leader: 1, led: card('QS'), points: [53, 0] }), card('TC'));
    assert.equal(chosen({ hand, leader: 1, led: card('QS'), points: [52, 0] }), card('9D'));
    const waiting = { hand, leader: 1, led: card('QS'), points: [33, 0], pending: [20, 0] };
    assert.equal(chosen(waiting), card('TC'));
});

test('throws away what is worth least, and no half of a marriage that may still come', () => {
    const hand = cards('JD QD JH TH');
    assert.equal(chosen({ hand: cards('QD TH'), leader: 1, led: card('AS') }), card('QD'));
    assert.equal(chosen({ hand, leader: 1, led: card('AS') }), card('JD'));
    const jackOrQueen = { hand: cards('QD KH'), leader: 1, led: card('AS') };
    assert.equal(chosen({ ...jackOrQueen, tricks: [1, card('KD'), card('9D')] }), card('QD'));
    assert.equal(chosen({ ...jackOrQueen, tricks: [1, card('QH'), card('9H')] }), card('KH'));
});

test('leads low while the talon is open', () => {
    assert.equal(chosen({ hand: cards('AC TD JH AS') }), card('JH'));
});

test('leads an ace while the talon is open only once no trump is left against it', () => {
    const trumps = [0, card('9C'), card('JC'), 0, card('QC'), card('KC'), 0, card('TC'), card('9H')];
    assert.equal(chosen({ hand: cards('9D AS'), tricks: trumps }), card('AS'));
    assert.equal(chosen({ hand: cards('9D AS'), tricks: trumps, known: cards('TC') }), card('9D'));
});

test('plays its sure tricks in the strict phase, trumps first', () => {
    const strict = { hand: cards('AC 9D AS'), talonCount: 4, closedBy: 0, trumpCard: card('9C') };
    assert.equal(chosen(strict), card('AC'));
    assert.equal(chosen({ ...strict, hand: cards('JC 9D TS') }), card('9D'));
});

test('takes what it can in the strict phase', () => {
    const strict = { talonCount: 0, leader: 1 };
    assert.equal(chosen({ ...strict, hand: cards('9C QC AC'), led: card('JC') }), card('QC'));
    assert.equal(chosen({ ...strict, hand: cards('QD KD'), led: card('JD') }), card('KD'));
});

test('says what it has counted', () => {
    const { move, why } = choose(
        decision({ hand: cards('AC 9D'), talonCount: 4, closedBy: 0, trumpCard: card('9C') }),
    );
    assert.equal(move, card('AC'));
    assert.equal(why, 'AC is sure: unseen are 4 of its suit, 4 trumps');
});

test('knows which of its cards take a trick whatever the opponent holds', () => {
    const strict = { talonCount: 0, closedBy: 1, trumpCard: card('9C') };
    const sure = (hand: string, tricks: number[] = []): number[] =>
        new Table(decision({ ...strict, hand: cards(hand), tricks })).sureTricks();
    assert.deepEqual(sure('AC KC AD'), [card('AC')], 'four trumps may be against it');
    const gone = [0, card('TC'), card('QC')];
    const hand = 'AC KC AD TD JS';
    assert.deepEqual(sure(hand, gone), ['AC', 'KC', 'AD', 'TD'].map(card));
    assert.deepEqual(sure('9D JS', gone), []);
    const [one, two] = ['9H', 'TH'].map(card) as [number, number];
    const oneLeft = [...gone, 0, card('JC'), one];
    assert.deepEqual(sure('AC AD', oneLeft), ['AC', 'AD'].map(card), 'one trump draws the other');
    assert.deepEqual(sure('KC AD', [...oneLeft, 0, card('AC'), two]), ['KC', 'AD'].map(card));
});

test('plays the example of the protocol page', () => {
    assert.equal(choose(decision(PLY_7)).move, card('JD'));
});
