/** Decisions for tests: a quiet one, with whatever a test wants to be different. */
import { type Card, cardOf, type Move } from '../src/cards.js';
import { type Decision, Ruleset } from '../src/protocol.js';

const NAMES = [...'CDHS'].flatMap((suit) => [...'9JQKTA'].map((rank) => rank + suit));

/** The card of a name: `TH`. */
export function card(name: string): Card {
    const found = NAMES.indexOf(name);
    if (found < 0) {
        throw new Error(`no card is called ${name}`);
    }
    return found;
}

/** The cards of a list of names, ascending: `9C TH`. */
export const cards = (names: string): Card[] =>
    names
        .split(' ')
        .filter((name) => name !== '')
        .map(card)
        .sort((one, other) => one - other);

/** The lead of a card with its marriage. */
export const marriage = (name: string): Move =>
    [...Array(8).keys()].map((at) => 24 + at).find((move) => cardOf(move) === card(name)) ?? -1;

/** Seat 0 leads in an open deal of classic with nothing played: clubs are trumps, AC lies there. */
export function decision(different: Partial<Decision> = {}): Decision {
    const hand = different.hand ?? cards('9D JD 9H JH 9S JS');
    return {
        game: '1',
        deal: 0,
        ply: 0,
        legal: hand,
        seat: 0,
        ruleset: Ruleset.RULESET_CLASSIC,
        target: 8,
        agreedSix: false,
        score: [0, 0],
        dealer: 1,
        hand,
        trumpSuit: 0,
        trumpCard: card('AC'),
        talonCount: 12,
        leader: 0,
        points: [0, 0],
        pending: [0, 0],
        tricks: [],
        known: [],
        moveMs: 1000,
        gameMs: 60_000,
        chargedMs: 0,
        ...different,
    };
}

/** The deal of the protocol page's example at ply 7. */
export const PLY_7: Partial<Decision> = {
    seat: 1,
    leader: 1,
    hand: cards('JD QD QH JS KS TS'),
    trumpCard: card('9C'),
    talonCount: 6,
    points: [13, 48],
    tricks: [1, 30, 4, 0, 2, 3, 1, 5, 10],
    exchangedBy: 1,
    exchangedCard: card('AC'),
};
