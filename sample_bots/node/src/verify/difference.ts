/** What a checker found that is not as it should be, and where. */
import { isDeepStrictEqual } from 'node:util';

/** Lines count from 1, deals and plies from 0. What is not known is left out. */
export interface Place {
    line?: number;
    game?: string;
    deal?: number;
    ply?: number;
}

export class Difference extends Error {
    place: Place = {};

    constructor(
        readonly what: string,
        readonly expected: string,
        readonly found: string,
    ) {
        super();
    }

    override get message(): string {
        const parts = [
            this.place.line !== undefined && `line ${this.place.line}`,
            this.place.game !== undefined && `game ${this.place.game}`,
            this.place.deal !== undefined && `deal ${this.place.deal}`,
            this.place.ply !== undefined && `ply ${this.place.ply}`,
        ];
        const where = parts.filter((part) => part !== false).join(', ');
        return `${where}: ${this.what}: expected ${this.expected}, found ${this.found}`;
    }
}

/** Does something at a place; a difference that it finds is there. */
export function at<T>(place: Place, action: () => T): T {
    try {
        return action();
    } catch (error) {
        if (error instanceof Difference) {
            error.place = { ...place, ...error.place };
        }
        throw error;
    }
}

const LONGEST_SHOWN = 200;

/** A value for people. It may come from a broken record, so it is kept short and on one line. */
export function shown(value: unknown): string {
    const text = JSON.stringify(value) ?? 'nothing';
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}

export function same(what: string, expected: unknown, found: unknown): void {
    if (!isDeepStrictEqual(expected, found)) {
        throw new Difference(what, shown(expected), shown(found));
    }
}

export function holds(condition: boolean, what: string, expected: string, found: unknown): void {
    if (!condition) {
        throw new Difference(what, expected, shown(found));
    }
}
