/** The board: counted and rated again from the games. */
import { holds, same } from './difference.js';
import { type Board, type Game, type Header, type Row, type Seat, other } from './record.js';
import { type Rating, TrueSkill } from './trueskill.js';

/** Approximations of the normal distribution differ in the seventh digit. */
const TOLERANCE = 0.001;
const ROUNDING = 0.000_001;

/** What the board needs of a game. */
export interface PlayedGame extends Pick<Game, 'round' | 'entrants' | 'end' | 'winner' | 'score'> {
    fault: Game['fault'];
    faultingSeat: Game['faulting_seat'];
    dealsWithResult: number;
}

export const played = (game: Game): PlayedGame => ({
    round: game.round,
    entrants: game.entrants,
    end: game.end,
    winner: game.winner,
    score: game.score,
    fault: game.fault,
    faultingSeat: game.faulting_seat,
    dealsWithResult: game.deals.filter(({ result }) => result !== null).length,
});

export function checkBoard(header: Header, games: readonly PlayedGame[], board: Board): void {
    const roundCount = countingRounds(header, games);
    same('round_count', roundCount, board.round_count);
    const counting = games.filter(({ round }) => round <= roundCount);
    const listed = board.rows.map(({ entrant }) => entrant).sort();
    same('entrants on the board', header.entrants.map(({ id }) => id), listed);
    const counts = count(header, counting);
    for (const [index, row] of board.rows.entries()) {
        same(`rank in row ${index + 1}`, index + 1, row.rank);
        for (const [key, value] of Object.entries(counts.get(row.entrant) ?? {})) {
            same(`${key} of ${row.entrant}`, value, row[key as keyof Row]);
        }
    }
    checkOrder(board);
    const ratingOf = rate(header, counting);
    board.rows.forEach((row) => checkRating(row, ratingOf(row.entrant)));
}

/** The longest run of rounds from the first in which every game is over. */
function countingRounds(
    { games_per_pairing, rounds }: Header,
    games: readonly PlayedGame[],
): number {
    const over = rounds.map(() => 0);
    for (const { round } of games) {
        over[round - 1] = (over[round - 1] ?? 0) + 1;
    }
    const open = rounds.findIndex(
        (round, index) => over[index] !== round.length * games_per_pairing,
    );
    return open < 0 ? rounds.length : open;
}

type Counts = Omit<Row, 'rank' | 'entrant' | 'mu' | 'sigma' | 'rating'>;

function count({ entrants }: Header, games: readonly PlayedGame[]): Map<string, Counts> {
    const rows = new Map(entrants.map(({ id, version }) => [id, nothingYet(version)]));
    for (const game of games) {
        for (const seat of [0, 1] as const) {
            const row = rows.get(game.entrants[seat]);
            if (row !== undefined) {
                add(row, game, seat);
            }
        }
    }
    return rows;
}

const nothingYet = (version: string): Counts => ({
    version,
    games: 0,
    won: 0,
    drawn: 0,
    lost: 0,
    deals: 0,
    game_points_for: 0,
    game_points_against: 0,
    void: 0,
    faults: {},
});

function add(row: Counts, game: PlayedGame, seat: Seat): void {
    if (game.end === 'void') {
        row.void += 1;
        return;
    }
    row.games += 1;
    row[game.winner === null ? 'drawn' : game.winner === seat ? 'won' : 'lost'] += 1;
    row.deals += game.dealsWithResult;
    row.game_points_for += game.score[seat];
    row.game_points_against += game.score[other(seat)];
    if (game.fault !== null && game.faultingSeat === seat) {
        row.faults[game.fault] = (row.faults[game.fault] ?? 0) + 1;
    }
}

function checkOrder({ rows }: Board): void {
    rows.slice(1).forEach((row, index) => {
        const better = rows[index] as Row;
        const [more, less] = [Number(better.rating), Number(row.rating)];
        const ordered = more > less || (more === less && better.entrant < row.entrant);
        holds(ordered, `row ${index + 2}`, `an entrant behind ${better.entrant}`, row.entrant);
    });
}

function rate(header: Header, games: readonly PlayedGame[]): (id: string) => Rating {
    const system = new TrueSkill(header.rating);
    const ratings = new Map<string, Rating>();
    const ratingOf = (id: string): Rating => ratings.get(id) ?? system.fresh;
    for (const { end, entrants, winner } of games) {
        if (end === 'void') {
            continue;
        }
        const one = entrants[winner ?? 0];
        const two = entrants[other(winner ?? 0)];
        const update = winner === null ? system.draw : system.win;
        const [first, second] = update.call(system, ratingOf(one), ratingOf(two));
        ratings.set(one, first).set(two, second);
    }
    return ratingOf;
}

function checkRating(row: Row, { mu, sigma }: Rating): void {
    const expected = { mu, sigma, rating: mu - 3 * sigma };
    for (const key of ['mu', 'sigma', 'rating'] as const) {
        const close = Math.abs(Number(row[key]) - expected[key]) < TOLERANCE + ROUNDING;
        const isRight = close && row[key] !== '-0.000';
        holds(isRight, `${key} of ${row.entrant}`, expected[key].toFixed(3), row[key]);
    }
}
