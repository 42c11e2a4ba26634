/** A bot's life: one stream after the other, with pauses, until there is a reason to end. */
import { setTimeout as sleep } from 'node:timers/promises';

import { ByeReason } from './protocol.js';
import { type BotOptions, playOnce, type StreamEnd } from './stream.js';

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
// A stream that lasted this long was a good one.
const LASTING_MS = 5000;

// Whatever else an arena says, also what only a newer protocol knows, one comes back.
const FINAL_BYES: readonly number[] = [
    ByeReason.BYE_REASON_FINISHED,
    ByeReason.BYE_REASON_FENCED,
    ByeReason.BYE_REASON_REVOKED,
    ByeReason.BYE_REASON_LEFT,
];

/** Pauses between tries: they grow, and differ by chance, so that bots do not return all at once. */
export class Pauses {
    private pauseMs = SHORTEST_PAUSE_MS;

    constructor(private readonly random: () => number = Math.random) {}

    next(): number {
        const pauseMs = this.pauseMs;
        const longest = Math.min(LONGEST_PAUSE_MS, 3 * pauseMs);
        this.pauseMs = SHORTEST_PAUSE_MS + this.random() * (longest - SHORTEST_PAUSE_MS);
        return pauseMs;
    }

    reset(): void {
        this.pauseMs = SHORTEST_PAUSE_MS;
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
        const pauseMs = pauses.next();
        options.log(`${end.text}; back in ${(pauseMs / 1000).toFixed(1)} s`);
        try {
            await sleep(pauseMs, undefined, { signal: departure });
        } catch {
            return end;
        }
    }
}

function isFinal(end: StreamEnd): boolean {
    return end.kind === 'refused' || (end.kind === 'bye' && FINAL_BYES.includes(end.reason));
}
