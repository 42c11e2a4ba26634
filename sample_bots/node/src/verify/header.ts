/** The header: values that are possible, the schedule, and the commitment. */
import { Difference, at, holds, same } from './difference.js';
import { type Header, header as shape } from './record.js';
import { commitmentOf } from './shuffle.js';
import { circle } from './schedule.js';
import type { Line } from './lines.js';

const SEED_HEX_DIGITS = 64;

export function checkHeader(line: Line): Header {
    return at({ line: line.number }, () => {
        const header = shape(line.value, '');
        checkRules(header);
        checkEntrants(header);
        checkRating(header);
        const { games_per_pairing } = header;
        holds(games_per_pairing % 2 === 0, 'games_per_pairing', 'an even number', games_per_pairing);
        same('rounds', circle(header.entrants.length), header.rounds);
        checkSeed(header);
        return header;
    });
}

function checkRules({ rules }: Header): void {
    if (rules.name !== 'doubling') {
        same('rules.target', 8, rules.target);
        same('rules.agreed_six', false, rules.agreed_six);
    }
}

function checkEntrants({ entrants }: Header): void {
    const ids = entrants.map(({ id }) => id);
    // Ids are ASCII, so their order is that of their bytes.
    same('entrants', [...new Set(ids)].sort(), ids);
}

function checkRating({ rating }: Header): void {
    for (const [name, numeral] of Object.entries(rating)) {
        same(`rating.${name}`, shortest(Number(numeral)), numeral);
    }
    same('rating.tau', '0.0', rating.tau);
    holds(Number(rating.sigma) > 0, 'rating.sigma', 'more than 0', rating.sigma);
    holds(Number(rating.beta) > 0, 'rating.beta', 'more than 0', rating.beta);
    const draws = Number(rating.draw_probability);
    const name = 'rating.draw_probability';
    holds(draws > 0 && draws < 1, name, 'between 0 and 1', rating.draw_probability);
}

const shortest = (value: number): string =>
    Number.isInteger(value) ? `${value}.0` : String(value);

function checkSeed({ commitment, practice, seed, state }: Header): void {
    if (seed === null) {
        holds(state !== 'finished', 'seed', 'the seed of a finished tournament', seed);
        return;
    }
    if (state !== 'finished') {
        throw new Difference('seed', 'null until the tournament is finished', 'a seed');
    }
    holds(practice || seed.length === SEED_HEX_DIGITS, 'seed', '32 bytes, as it is no practice', seed);
    same('commitment', commitmentOf(Buffer.from(seed, 'hex')), commitment);
}
