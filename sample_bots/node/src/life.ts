/** A bot's life: one stream after the other, with pauses, until there is a reason to end. */
import { setTimeout as sleep } from 'node:timers/promises';

import { ByeReason } from './protocol.js';
import { type BotOptions, playOnce, type StreamEnd } from './stream.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
// However long an arena asks a bot to wait.
const LONGEST_WAIT_MS = 60_000;
// A bot that flooded is not let in before.
const FLOOD_PAUSE_MS = 5000;
// A stream that lasted this long was a good one.
const LASTING_MS = 5000;

// Whatever else an arena says, also what only a newer protocol knows, one comes back.
const FINAL_BYES: readonly number[] = [
    ByeReason.BYE_REASON_FINISHED,
    ByeReason.BYE_REASON_FENCED,
    ByeReason.BYE_REASON_REVOKED,
    ByeReason.BYE_REASON_LEFT,
];

/**
 * Pauses between tries: drawn from spans that double, and from all of each, so that bots that lost
 * an arena together return one by one.
 */
export class Pauses {
    private spanMs = FIRST_PAUSE_MS;

    constructor(private readonly random: () => number = Math.random) {}

    /** The next pause; `askedMs` is how long the arena asks the bot to wait. */
    next(askedMs = 0): number {
        const spanMs = this.spanMs;
        this.spanMs = Math.min(LONGEST_PAUSE_MS, 2 * spanMs);
        return Math.min(askedMs, LONGEST_WAIT_MS) + this.random() * spanMs;
    }

    reset(): void {
        this.spanMs = FIRST_PAUSE_MS;
    }
}

/**
 * Plays until the arena has finished with the bot, does not want it, or `departure` aborts (with a
 * Departure as its reason). Tells how the last stream ended.
 */
export async function playForEver(
    options: BotOptions,
    departure: AbortSignal,
    pauses = new Pauses(),
): Promise<StreamEnd> {
    for (;;) {
        const began = performance.now();
        const end = await playOnce(options, departure);
        if (isFinal(end) || departure.aborted) {
            return end;
        }
        if (performance.now() - began > LASTING_MS) {
            pauses.reset();
        }
        const pauseMs = pauses.next(askedMs(end));
        options.log(`${end.text}; back in ${(pauseMs / 1000).toFixed(1)} s`);
        try {
            await sleep(pauseMs, undefined, { signal: departure });
        } catch {
            return end;
        }
    }
}

function askedMs(end: StreamEnd): number {
    if (end.kind === 'bye') {
        return end.reason === ByeReason.BYE_REASON_FLOODED ? FLOOD_PAUSE_MS : 0;
    }
    return end.kind === 'lost' ? end.waitMs : 0;
}

function isFinal(end: StreamEnd): boolean {
    return end.kind === 'refused' || (end.kind === 'bye' && FINAL_BYES.includes(end.reason));
}
