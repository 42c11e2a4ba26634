/** The four rule sets, as a table of what differs. */
import type { Rules } from './record.js';

export interface Ruleset {
    claims: boolean;
    /** How many cards the talon must have, the trump card included, to be closed. */
    closingTalon: number;
    closingNeedsTrick: boolean;
    followerIsAsked: boolean;
    exchange: 'never' | 'after-a-trick' | 'after-own-trick';
    /** Whether the points of a marriage wait for the first trick of their seat. */
    marriageWaits: boolean;
    lastTrickPoints: number;
    /** What a loser has none of, if he loses 3. */
    nothing: 'points' | 'tricks';
    bothHave66: 'drawn-at-once' | 'drawn' | 'first-wins' | 'last-trick-wins';
    neitherHas66: 'drawn' | 'last-trick-wins';
    dealsNext: 'winner' | 'other';
}

const NEVER = Infinity;

export const RULESETS: Record<Rules['name'], Ruleset> = {
    classic: {
        claims: true,
        closingTalon: 5,
        closingNeedsTrick: false,
        followerIsAsked: true,
        exchange: 'never',
        marriageWaits: false,
        lastTrickPoints: 10,
        nothing: 'points',
        bothHave66: 'drawn-at-once',
        neitherHas66: 'drawn',
        dealsNext: 'winner',
    },
    doubling: {
        claims: true,
        closingTalon: 2,
        closingNeedsTrick: false,
        followerIsAsked: false,
        exchange: 'after-a-trick',
        marriageWaits: false,
        lastTrickPoints: 10,
        nothing: 'points',
        bothHave66: 'first-wins',
        neitherHas66: 'drawn',
        dealsNext: 'winner',
    },
    'played-out': {
        claims: false,
        closingTalon: 3,
        closingNeedsTrick: true,
        followerIsAsked: false,
        exchange: 'never',
        marriageWaits: false,
        lastTrickPoints: 0,
        nothing: 'tricks',
        bothHave66: 'drawn',
        neitherHas66: 'drawn',
        dealsNext: 'winner',
    },
    'last-trick': {
        claims: true,
        closingTalon: NEVER,
        closingNeedsTrick: false,
        followerIsAsked: false,
        exchange: 'after-own-trick',
        marriageWaits: true,
        lastTrickPoints: 0,
        nothing: 'tricks',
        bothHave66: 'last-trick-wins',
        neitherHas66: 'last-trick-wins',
        dealsNext: 'other',
    },
};
