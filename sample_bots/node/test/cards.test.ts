import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    cardOf,
    isCard,
    isMarriage,
    nameOf,
    partnerOf,
    pointsOf,
    sumOfPoints,
    takes,
    unseenCards,
} from '../src/cards.js';
import { card, cards, decision, PLY_7 } from './decisions.js';

test('a card is suit times six plus rank', () => {
    assert.equal(nameOf(0), '9C');
    assert.equal(nameOf(16), 'TH');
    assert.equal(nameOf(23), 'AS');
    assert.equal(card('TH'), 16);
});

test('the pack is worth 120', () => {
    assert.equal(sumOfPoints([...Array(24).keys()]), 120);
    assert.equal(pointsOf(card('TH')), 10);
});

test('a marriage leads its queen or its king', () => {
    assert.equal(cardOf(29), card('KH'));
    assert.equal(cardOf(30), card('QS'));
    assert.equal(cardOf(15), card('KH'));
    assert.ok(isMarriage(24) && isMarriage(31));
    assert.ok(!isMarriage(23) && !isMarriage(32));
    assert.ok(isCard(0) && isCard(23) && !isCard(24));
});

test('queens and kings have partners', () => {
    assert.equal(partnerOf(card('QH')), card('KH'));
    assert.equal(partnerOf(card('KH')), card('QH'));
    assert.equal(partnerOf(card('JH')), undefined);
    assert.equal(partnerOf(card('TH')), undefined);
});

test('a trick is taken by the higher card of the suit or by a trump', () => {
    const clubs = 0;
    assert.ok(takes(card('TH'), card('KH'), clubs), 'the ten beats the king');
    assert.ok(!takes(card('9H'), card('KH'), clubs));
    assert.ok(takes(card('9C'), card('AH'), clubs));
    assert.ok(!takes(card('AS'), card('9H'), clubs), 'another suit takes nothing');
    assert.ok(!takes(card('AS'), card('9C'), clubs));
    assert.ok(takes(card('TC'), card('9C'), clubs));
});

test('unseen are the opponent\'s cards and the talon without its trump card', () => {
    const unseen = unseenCards(decision({ ...PLY_7, known: [] }));
    assert.deepEqual(unseen, cards('JC 9D KD AD 9H JH KH TH AH 9S AS'));
});

test('what the opponent is known to hold is not unseen', () => {
    const known = cards('KH');
    assert.ok(!unseenCards(decision({ known })).includes(card('KH')));
});

test('the card that was led is seen, also the nine of clubs', () => {
    const unseen = unseenCards(decision({ leader: 1, led: card('9C') }));
    assert.ok(!unseen.includes(card('9C')));
    assert.equal(unseen.length, 24 - 6 - 1 - 1);
});

test('a drawn trump card is nowhere special', () => {
    const drawn = decision({ talonCount: 0 });
    delete drawn.trumpCard;
    assert.ok(unseenCards(drawn).includes(card('AC')));
});
