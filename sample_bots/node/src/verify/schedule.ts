/** The schedule: who plays whom, in which order. */
import type { Header } from './record.js';

export interface ScheduledGame {
    /** From 1. */
    number: number;
    /** From 1. */
    round: number;
    /** Ids by seat. */
    entrants: [string, string];
    gameIndex: number;
}

type Pairing = [number, number];

/** The rounds of so many entrants, by the circle method: all but the first move on by one place. */
export function circle(entrantCount: number): Pairing[][] {
    const places = [...Array(entrantCount).keys()];
    // With an odd number the one who meets nobody has a bye.
    let ring: (number | undefined)[] = entrantCount % 2 === 0 ? places : [...places, undefined];
    return Array.from({ length: ring.length - 1 }, () => {
        const round = pairingsOf(ring);
        ring = [ring[0], ring.at(-1), ...ring.slice(1, -1)];
        return round;
    });
}

function pairingsOf(ring: readonly (number | undefined)[]): Pairing[] {
    const pairings: Pairing[] = [];
    for (let i = 0; i < ring.length / 2; i += 1) {
        const [one, two] = [ring[i], ring[ring.length - 1 - i]];
        if (one !== undefined && two !== undefined) {
            pairings.push([Math.min(one, two), Math.max(one, two)]);
        }
    }
    return pairings;
}

/** All games in the order of their numbers. */
export function* scheduleOf(header: Header): Generator<ScheduledGame> {
    const { entrants, games_per_pairing, rounds } = header;
    const idOf = (place: number): string => entrants[place]?.id ?? '';
    let number = 0;
    for (const [index, round] of rounds.entries()) {
        for (const [one, two] of round) {
            for (let gameIndex = 0; gameIndex < games_per_pairing; gameIndex += 1) {
                number += 1;
                yield { number, round: index + 1, entrants: [idOf(one), idOf(two)], gameIndex };
            }
        }
    }
}

export const gameCountOf = ({ games_per_pairing, rounds }: Header): number =>
    rounds.flat().length * games_per_pairing;
