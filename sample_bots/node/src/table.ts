/** A decision seen as the table it comes from: what the choice asks about it, worked out once. */
import {
    cardOf,
    type Card,
    isCard,
    isStrict,
    type Move,
    partnerOf,
    sumOfPoints,
    suitOf,
    takes,
    unseenCards,
} from './cards.js';
import type { Decision } from './protocol.js';

/** Card points that win a deal. */
export const ENOUGH = 66;

export class Table {
    readonly legal: readonly Move[];
    readonly hand: readonly Card[];
    /** The legal moves that are cards, without a marriage. */
    readonly cards: readonly Card[];
    readonly trumpSuit: number;
    /** The opponent's card of this trick. */
    readonly led: Card | undefined;
    readonly unseen: readonly Card[];
    /** Whatever the opponent may hold. */
    readonly against: readonly Card[];
    readonly isStrict: boolean;
    /** Own card points, those included that wait for a trick. */
    readonly points: number;

    constructor(decision: Decision) {
        const { seat, hand, led, leader } = decision;
        this.legal = decision.legal;
        this.hand = hand;
        this.cards = decision.legal.filter(isCard);
        this.trumpSuit = decision.trumpSuit;
        this.led = led === undefined || leader === seat ? undefined : cardOf(led);
        this.unseen = unseenCards(decision);
        this.against = [...this.unseen, ...decision.known];
        this.isStrict = isStrict(decision);
        this.points = (decision.points[seat] ?? 0) + (decision.pending[seat] ?? 0);
    }

    isTrump(card: Card): boolean {
        return suitOf(card) === this.trumpSuit;
    }

    /** Whether the opponent may hold a card that beats this one, following suit or not. */
    mayBeBeaten(card: Card): boolean {
        return this.against.some((other) => takes(other, card, this.trumpSuit));
    }

    /** Whether this is half of a marriage that is in hand, or may still come. */
    isHalfOfMarriage(card: Card): boolean {
        const partner = partnerOf(card);
        return partner !== undefined && (this.hand.includes(partner) || this.unseen.includes(partner));
    }

    /** Of cards that will do, the one that is missed least. The cards must be some. */
    cheapest(cards: readonly Card[]): Card {
        return least(cards, (card) => this.worth(card));
    }

    private worth(card: Card): number {
        const promise = this.isHalfOfMarriage(card) ? 5 : 0;
        return sumOfPoints([card]) + promise + (this.isTrump(card) ? 12 : 0);
    }

    /**
     * The cards of the hand that take a trick each if they are led in this order in the strict
     * phase, whatever the opponent holds: the highest trumps and, once these have drawn all trumps
     * that he may have, the rest of the trumps and the highest cards of the other suits.
     */
    sureTricks(): Card[] {
        const trumps = this.hand.filter((card) => this.isTrump(card)).reverse();
        const theirs = this.against.filter((card) => this.isTrump(card));
        const highest = Math.max(-1, ...theirs);
        const top = trumps.filter((card) => card > highest);
        if (top.length < theirs.length) {
            return top;
        }
        const plain = this.hand.filter((card) => !this.isTrump(card));
        return [
            ...trumps,
            ...plain
                .filter((card) => !this.against.some((other) => isHigher(other, card)))
                .reverse(),
        ];
    }
}

const isHigher = (card: Card, other: Card): boolean =>
    suitOf(card) === suitOf(other) && card > other;

/** The first of the items for which `by` is least. */
export function least(items: readonly Card[], by: (item: Card) => number): Card {
    return items.reduce((best, item) => (by(item) < by(best) ? item : best));
}
