/** How a deal ends, and what it pays. */
import { type Result, type Rules, type Seat, other } from './record.js';
import { RULESETS } from './rulesets.js';

export const ENOUGH = 66;
const HALF = 33;
const FALSE_CLAIM_PAYS = 3;

/** What decides a deal. Pairs are by seat. */
export interface Standing {
    readonly points: readonly [number, number];
    readonly tricks: readonly [number, number];
    readonly closer: Seat | undefined;
    /** Who first had 66. */
    readonly first: Seat | undefined;
}

/** The end by a claim. */
export function claimed(rules: Rules, standing: Standing, claimer: Seat): Result {
    const { closer, first } = standing;
    const opponent = other(claimer);
    if (!hasEnough(standing, claimer)) {
        const closed = closer === claimer ? failedClose(rules, standing, claimer) : 0;
        return won(standing, opponent, Math.max(FALSE_CLAIM_PAYS, closed), 'false-claim');
    }
    const byFirst = RULESETS[rules.name].bothHave66 === 'first-wins';
    if (byFirst && first !== undefined && hasEnough(standing, opponent)) {
        return won(standing, first, 1, 'first-to-66');
    }
    if (closer !== undefined && !hasEnough(standing, closer)) {
        return won(standing, claimer, failedClose(rules, standing, closer), 'failed-close');
    }
    return won(standing, claimer, ordinaryWin(rules, standing, opponent), 'claim');
}

/** The end by empty hands; `last` has taken the last trick. */
export function counted(rules: Rules, standing: Standing, last: Seat): Result {
    const { closer, first } = standing;
    const { bothHave66, neitherHas66 } = RULESETS[rules.name];
    if (closer !== undefined && !hasEnough(standing, closer)) {
        const payment = failedClose(rules, standing, closer);
        return won(standing, other(closer), payment, 'failed-close');
    }
    const enough = ([0, 1] as const).filter((seat) => hasEnough(standing, seat));
    if (enough.length === 2) {
        if (bothHave66 === 'first-wins' && first !== undefined) {
            return won(standing, first, 1, 'first-to-66');
        }
        if (bothHave66 === 'last-trick-wins') {
            return won(standing, last, 1, 'last-trick');
        }
        return drawn(standing, 'drawn-both-66');
    }
    const winner = enough[0];
    if (winner !== undefined) {
        return won(standing, winner, ordinaryWin(rules, standing, other(winner)), 'counted');
    }
    if (neitherHas66 === 'last-trick-wins') {
        return won(standing, last, ordinaryWin(rules, standing, other(last)), 'last-trick');
    }
    return drawn(standing, 'drawn-neither-66');
}

export function drawn(standing: Standing, end: Result['end']): Result {
    return { winner: null, game_points: 0, card_points: [...standing.points], end };
}

function won(standing: Standing, winner: Seat, payment: number, end: Result['end']): Result {
    return { winner, game_points: payment, card_points: [...standing.points], end };
}

export const hasEnough = (standing: Standing, seat: Seat): boolean =>
    standing.points[seat] >= ENOUGH;

function ordinaryWin(rules: Rules, standing: Standing, loser: Seat): number {
    if (standing[RULESETS[rules.name].nothing][loser] === 0) {
        return 3;
    }
    return standing.points[loser] >= HALF ? 1 : 2;
}

function failedClose(rules: Rules, standing: Standing, closer: Seat): number {
    const opponent = other(closer);
    const ordinary = ordinaryWin(rules, standing, closer);
    switch (rules.name) {
        case 'classic':
            return 1 + ordinary;
        case 'doubling': {
            const six =
                standing.tricks[closer] === 0 ||
                (rules.agreed_six && standing.tricks[opponent] === 0);
            return six ? 6 : 2 * ordinary;
        }
        case 'played-out': {
            const byOpponent = ordinaryWin(rules, standing, opponent);
            return hasEnough(standing, opponent) ? Math.max(byOpponent, ordinary) : byOpponent;
        }
        case 'last-trick':
            throw new Error('last-trick has no closing');
    }
}
