/** Cards and moves, which are the protocol's integers, and what a decision tells about cards. */
import type { Decision } from './protocol.js';

/** 0 to 23: suit * 6 + rank. */
export type Card = number;
/** 0 to 35: a card, a marriage, or one of the four below. */
export type Move = number;
/** 0 to 3. */
export type Suit = number;

export const CARD_COUNT = 24;
export const EXCHANGE: Move = 32;
export const CLOSE: Move = 33;
export const CLAIM: Move = 34;
export const PASS: Move = 35;

const SUITS = 'CDHS';
const RANKS = '9JQKTA';
const POINTS = [0, 2, 3, 4, 10, 11] as const;
const QUEEN = 2;
const KING = 3;

export const suitOf = (card: Card): Suit => Math.floor(card / 6);
export const rankOf = (card: Card): number => card % 6;
export const pointsOf = (card: Card): number => POINTS[rankOf(card)] ?? 0;
export const sumOfPoints = (cards: readonly Card[]): number =>
    cards.reduce((sum, card) => sum + pointsOf(card), 0);

/** A card as the arena writes it: `9C`, `TH`. */
export const nameOf = (card: Card): string => `${RANKS[rankOf(card)]}${SUITS[suitOf(card)]}`;

/** A move as the record writes it: `TH`, `QH+`, `close`. */
export function nameOfMove(move: Move): string {
    const name = ['exchange', 'close', 'claim', 'pass'][move - EXCHANGE];
    return name ?? `${nameOf(cardOf(move))}${isMarriage(move) ? '+' : ''}`;
}

export const isCard = (move: Move): boolean => move < CARD_COUNT;
export const isMarriage = (move: Move): boolean => move >= 24 && move < EXCHANGE;
export const marriageSuit = (move: Move): Suit => Math.floor((move - 24) / 2);

/** The card that a lead puts on the table, with or without a marriage. */
export function cardOf(move: Move): Card {
    return isMarriage(move) ? marriageSuit(move) * 6 + QUEEN + (move % 2) : move;
}

/** The lead of a queen or king with its marriage. */
export const marriageOf = (card: Card): Move =>
    24 + 2 * suitOf(card) + (rankOf(card) === KING ? 1 : 0);

/** The other half of a card's marriage, if it is a queen or king. */
export function partnerOf(card: Card): Card | undefined {
    switch (rankOf(card)) {
        case QUEEN:
            return card + 1;
        case KING:
            return card - 1;
        default:
            return undefined;
    }
}

/** Whether the follower's card takes the trick. */
export function takes(card: Card, led: Card, trumpSuit: Suit): boolean {
    if (suitOf(card) === suitOf(led)) {
        return card > led;
    }
    return suitOf(card) === trumpSuit;
}

/**
 * The cards of which the seat does not know where they are: in the opponent's hand or in the talon.
 * What the opponent is known to hold is not among them, nor is the trump card.
 */
export function unseenCards(decision: Decision): Card[] {
    const seen = new Set([...decision.hand, ...decision.known]);
    for (let at = 0; at < decision.tricks.length; at += 3) {
        const [, led, followed] = decision.tricks.slice(at, at + 3) as [number, Move, Card];
        seen.add(cardOf(led)).add(followed);
    }
    if (decision.led !== undefined) {
        seen.add(cardOf(decision.led));
    }
    if (decision.trumpCard !== undefined) {
        seen.add(decision.trumpCard);
    }
    return [...Array(CARD_COUNT).keys()].filter((card) => !seen.has(card));
}

/** Whether suits must be followed: the talon is closed or used up. */
export const isStrict = (decision: Decision): boolean =>
    decision.closedBy !== undefined || decision.talonCount === 0;
