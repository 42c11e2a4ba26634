/**
 * What the bot plays: a list of rules, of which the first that has something to say decides.
 *
 * A choice depends on the decision alone, so the same decision always gets the same answer.
 */
import {
    type Card,
    CLAIM,
    CLOSE,
    EXCHANGE,
    isMarriage,
    marriageSuit,
    type Move,
    nameOf,
    PASS,
    pointsOf,
    suitOf,
    sumOfPoints,
    takes,
} from './cards.js';
import type { Decision } from './protocol.js';
import { ENOUGH, least, Table } from './table.js';

export interface Choice {
    move: Move;
    /** Why, in a few words: it becomes the comment in the record. */
    why: string;
}

type Rule = (table: Table) => Choice | undefined;

/** From this many points on a card is worth a trump. */
const VALUABLE = 10;

/** What to answer to a decision. */
export function choose(decision: Decision): Choice {
    const table = new Table(decision);
    for (const rule of rulesFor(table)) {
        const choice = rule(table);
        if (choice !== undefined) {
            return choice;
        }
    }
    // No card is asked for, and there is nothing to claim: closing now is not for this bot.
    return { move: PASS, why: '' };
}

function rulesFor(table: Table): readonly Rule[] {
    if (table.cards.length === 0) {
        return [claim];
    }
    return [claim, exchange, ...(table.led === undefined ? LEADING : FOLLOWING)];
}

// Only a claim that is good is ever offered.
const claim: Rule = (table) =>
    table.legal.includes(CLAIM) ? { move: CLAIM, why: `${table.points} points` } : undefined;

const exchange: Rule = (table) =>
    table.legal.includes(EXCHANGE) ? { move: EXCHANGE, why: 'a better trump' } : undefined;

const announce: Rule = (table) => {
    const marriages = table.legal.filter(isMarriage);
    if (marriages.length === 0) {
        return undefined;
    }
    // Of a marriage the queen comes first: she is worth less if she is lost.
    const move = least(marriages, (each) => (marriageSuit(each) === table.trumpSuit ? 0 : 1));
    return { move, why: marriageSuit(move) === table.trumpSuit ? 'forty' : 'twenty' };
};

const close: Rule = (table) => {
    if (!table.legal.includes(CLOSE)) {
        return undefined;
    }
    const sure = table.points + sumOfPoints(table.sureTricks());
    return sure >= ENOUGH ? { move: CLOSE, why: `sure of ${sure}` } : undefined;
};

const leadStrictly: Rule = (table) => {
    if (!table.isStrict) {
        return undefined;
    }
    const move = table.sureTricks().find((card) => table.cards.includes(card));
    return move === undefined ? undefined : { move, why: sureOf(table, move) };
};

// While the talon is open nobody has to follow: a lead is safe only if nothing at all beats it.
const leadSafely: Rule = (table) => {
    if (table.isStrict) {
        return undefined;
    }
    const move = table.cards.find(
        (card) =>
            !table.mayBeBeaten(card) &&
            (!table.isTrump(card) || table.points + pointsOf(card) >= ENOUGH),
    );
    return move === undefined ? undefined : { move, why: sureOf(table, move) };
};

const leadLow: Rule = (table) => ({
    move: table.cheapest(table.cards),
    why: 'little to lose',
});

const take: Rule = (table) => {
    const { led } = table;
    if (led === undefined) {
        return undefined;
    }
    const winning = table.cards.filter((card) => takes(card, led, table.trumpSuit));
    const enough = winning.find((card) => table.points + sumOfPoints([led, card]) >= ENOUGH);
    if (enough !== undefined) {
        return { move: enough, why: 'takes enough' };
    }
    const plain = winning.filter((card) => !table.isTrump(card));
    const high = plain.filter((card) => table.isStrict || !table.isHalfOfMarriage(card));
    if (high.length > 0) {
        // The higher the card, the safer in the pile of tricks.
        const move = Math.max(...high);
        return { move, why: `takes ${pointsOf(led)}` };
    }
    const trumps = winning.filter((card) => table.isTrump(card));
    if (trumps.length > 0 && (table.isStrict || pointsOf(led) >= VALUABLE)) {
        return { move: table.cheapest(trumps), why: `trumps ${pointsOf(led)}` };
    }
    return undefined;
};

const discard: Rule = (table) => ({ move: table.cheapest(table.cards), why: 'not worth it' });

const LEADING: readonly Rule[] = [announce, close, leadStrictly, leadSafely, leadLow];
const FOLLOWING: readonly Rule[] = [take, discard];

function sureOf(table: Table, card: Card): string {
    const suit = table.unseen.filter((other) => suitOf(other) === suitOf(card)).length;
    const trumps = table.unseen.filter((other) => table.isTrump(other)).length;
    return `${nameOf(card)} is sure: unseen are ${suit} of its suit, ${trumps} trumps`;
}
