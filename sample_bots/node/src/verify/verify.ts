/** A whole record, checked line by line up to the first difference. */
import { checkBoard, played, type PlayedGame } from './board.js';
import { Difference, at, holds } from './difference.js';
import { checkGame } from './game.js';
import { checkHeader } from './header.js';
import { type Line, readLines } from './lines.js';
import { type Game, type Header, board as boardShape, game as gameShape } from './record.js';
import { type ScheduledGame, gameCountOf, scheduleOf } from './schedule.js';
import { keyOf } from './shuffle.js';

export interface Verdict {
    /** The first thing that is wrong; `undefined` if nothing is. */
    difference: Difference | undefined;
    header: Header | undefined;
    /** How many are right, up to the difference. */
    games: number;
    deals: number;
    moves: number;
    /** The digest of the last line that is as it was written: it stands for all lines up to it. */
    digest: string;
}

/** Checks a record in its bytes, unpacked. */
export async function verify(chunks: AsyncIterable<Buffer>): Promise<Verdict> {
    const checker = new Checker();
    try {
        for await (const line of readLines(chunks)) {
            checker.take(line);
        }
        checker.finish();
    } catch (error) {
        if (!(error instanceof Difference)) {
            throw error;
        }
        checker.verdict.difference = error;
    }
    return checker.verdict;
}

class Checker {
    readonly verdict: Verdict = {
        difference: undefined,
        header: undefined,
        games: 0,
        deals: 0,
        moves: 0,
        digest: '',
    };
    private lineCount = 0;
    private isComplete = false;
    private key: Buffer | null = null;
    private schedule: Iterator<ScheduledGame> = [].values();
    private readonly games: PlayedGame[] = [];

    take(line: Line): void {
        const { header } = this.verdict;
        this.lineCount = line.number;
        this.verdict.digest = line.digest;
        if (header === undefined) {
            this.takeHeader(line);
            return;
        }
        at({ line: line.number }, () => {
            holds(!this.isComplete, 'line', 'none behind the board', line.value['type']);
            if (line.value['type'] === 'board') {
                this.takeBoard(header, line);
            } else {
                this.takeGame(header, gameShape(line.value, ''));
            }
        });
    }

    /** Behind the last line. */
    finish(): void {
        if (!this.isComplete) {
            at({ line: this.lineCount + 1 }, () => {
                const expected = this.verdict.header === undefined ? 'the tournament' : 'the board';
                throw new Difference('line', expected, 'the end of the record');
            });
        }
    }

    private takeHeader(line: Line): void {
        const header = checkHeader(line);
        this.verdict.header = header;
        this.key = header.seed === null ? null : keyOf(Buffer.from(header.seed, 'hex'));
        this.schedule = scheduleOf(header);
    }

    private takeGame(header: Header, game: Game): void {
        at({ game: game.game_id }, () => {
            checkGame(header, this.scheduled(header, game), this.key, game);
        });
        this.games.push(played(game));
        this.verdict.games += 1;
        this.verdict.deals += game.deals.length;
        this.verdict.moves += game.deals.reduce((sum, { moves }) => sum + moves.length, 0);
    }

    /** The place of a game in the schedule. Only before the end there are games that are not over. */
    private scheduled(header: Header, { number }: Game): ScheduledGame {
        for (;;) {
            const next = this.schedule.next();
            if (next.done === true || next.value.number > number) {
                throw new Difference('number', 'a later game of the schedule', String(number));
            }
            if (next.value.number === number) {
                return next.value;
            }
            holds(header.state !== 'finished', 'number', String(next.value.number), number);
        }
    }

    private takeBoard(header: Header, line: Line): void {
        const board = boardShape(line.value, '');
        if (header.state === 'finished') {
            const expected = gameCountOf(header);
            const found = this.games.length;
            holds(found === expected, 'games of a finished tournament', String(expected), found);
        }
        checkBoard(header, this.games, board);
        this.isComplete = true;
    }
}
