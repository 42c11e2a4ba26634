/** The lines of a record: their keys, and what kinds of values they have. */
import {
    type Shape,
    type Shaped,
    count,
    different,
    flag,
    list,
    object,
    oneOf,
    orNull,
    pair,
    some,
    text,
} from './shapes.js';

export type Seat = 0 | 1;
export const other = (seat: Seat): Seat => (seat === 0 ? 1 : 0);

export const FORMAT = 'sixtysix-record/1';
export const SHUFFLE = 'sixtysix-shuffle-v1';
const FAULTS = ['illegal', 'malformed', 'timeout', 'disconnect', 'left', 'no-show', 'flood'] as const;

const entrantId = text(/^(house:)?[a-z0-9][a-z0-9_-]{0,31}$/, 'an id');
const digest = text(/^[0-9a-f]{64}$/, '64 hexadecimal digits');
const numeral = text(/^[0-9]+(\.[0-9]+)?$/, 'a decimal numeral');
const rounded = text(/^-?[0-9]+\.[0-9]{3}$/, 'a numeral with 3 decimals');
const card = text(/^[9JQKTA][CDHS]$/, 'a card');
const move = text(/^([9JQKTA][CDHS]|[QK][CDHS]\+|exchange|close|claim|pass)$/, 'a move');
const seat = oneOf(0, 1) as Shape<Seat>;

export const header = object({
    type: oneOf('tournament'),
    format: oneOf(FORMAT),
    name: text(/^.{1,80}$/su, 'a text of 1 to 80 characters'),
    slug: text(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a short name'),
    state: oneOf('created', 'running', 'stopped', 'finished'),
    practice: flag,
    rules: object({
        name: oneOf('classic', 'doubling', 'played-out', 'last-trick'),
        target: oneOf(7, 8),
        agreed_six: flag,
    }),
    games_per_pairing: count(2, 10_000),
    clock: object({
        per_move_ms: count(),
        per_game_ms: count(),
        grace_ms: count(),
        join_ms: count(),
    }),
    entrants: list(object({ id: entrantId, version: text() }), 2, 1000),
    rounds: list(list(pair(count(0, 999)))),
    rating: object({
        mu: numeral,
        sigma: numeral,
        beta: numeral,
        tau: numeral,
        draw_probability: numeral,
    }),
    shuffle: oneOf(SHUFFLE),
    commitment: digest,
    seed: orNull(text(/^([0-9a-f]{2}){1,200}$/, 'hexadecimal digits')),
    actions: list(
        object({
            at: text(),
            kind: oneOf('ended', 'voided', 'disabled', 'extended'),
            subject: text(),
            reason: text(),
        }),
    ),
});

const result = object({
    winner: orNull(seat),
    game_points: count(0, 6),
    card_points: pair(count()),
    end: oneOf(
        'claim',
        'false-claim',
        'failed-close',
        'counted',
        'last-trick',
        'first-to-66',
        'drawn-both-66',
        'drawn-neither-66',
    ),
});

const deal = object({
    deal: count(),
    dealer: seat,
    pack: different(list(card, 24, 24)),
    moves: list(move),
    ms: list(count()),
    referee: list(count()),
    result: orNull(result),
    void: flag,
    comments: list(object({ ply: count(), text: text() })),
});

export const game = object({
    type: oneOf('game'),
    game_id: text(),
    number: count(1),
    round: count(1),
    entrants: pair(entrantId),
    game_index: count(),
    deals: list(deal),
    end: oneOf('target', 'deal-limit', 'forfeit', 'void'),
    winner: orNull(seat),
    score: pair(count()),
    fault: orNull(oneOf(...FAULTS)),
    faulting_seat: orNull(seat),
    reason: text(),
});

export const board = object({
    type: oneOf('board'),
    round_count: count(),
    rows: list(
        object({
            rank: count(1),
            entrant: entrantId,
            version: text(),
            mu: rounded,
            sigma: rounded,
            rating: rounded,
            games: count(),
            won: count(),
            drawn: count(),
            lost: count(),
            deals: count(),
            game_points_for: count(),
            game_points_against: count(),
            void: count(),
            faults: some(FAULTS, count(1)),
        }),
    ),
});

export type Header = Shaped<typeof header>;
export type Rules = Header['rules'];
export type Game = Shaped<typeof game>;
export type DealLine = Shaped<typeof deal>;
export type Result = Shaped<typeof result>;
export type Board = Shaped<typeof board>;
export type Row = Board['rows'][number];
