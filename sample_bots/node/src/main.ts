/** The program: settings from the environment, the signals, and how it all ended. */
import { choose } from './choice.js';
import { playForEver } from './life.js';
import { type Place, placeOf } from './place.js';
import { ByeReason, Ruleset } from './protocol.js';
import type { Departure, StreamEnd } from './stream.js';

const VERSION = 'node 1';
const GAMES_AT_ONCE = 64;

const log = (line: string): void => console.error(line);

async function main(): Promise<number> {
    const token = (process.env['SIXTYSIX_TOKEN'] ?? '').trim();
    if (token === '') {
        log('error: no token: put it into the variable SIXTYSIX_TOKEN');
        return 2;
    }
    let place: Place;
    try {
        place = placeOf(process.env);
    } catch (error) {
        log(`error: ${(error as Error).message}`);
        return 2;
    }
    const departure = new AbortController();
    const depart = (how: Departure) => (): void => departure.abort(how);
    // Ctrl-C gives up all games, so that nobody waits for the bot. Whoever wants to start it again
    // at once, with the games where they were, ends it with SIGTERM.
    process.once('SIGINT', depart('leave'));
    process.once('SIGTERM', depart('go-away'));

    const end = await playForEver(
        {
            place,
            token,
            version: VERSION,
            gamesAtOnce: GAMES_AT_ONCE,
            rulesets: [
                Ruleset.RULESET_CLASSIC,
                Ruleset.RULESET_DOUBLING,
                Ruleset.RULESET_PLAYED_OUT,
                Ruleset.RULESET_LAST_TRICK,
            ],
            choose,
            log,
        },
        departure.signal,
    );
    if (departure.signal.aborted) {
        return 0;
    }
    if (end.kind === 'refused') {
        log(`error: ${end.text}`);
    }
    return isFinished(end) ? 0 : 1;
}

const isFinished = (end: StreamEnd): boolean =>
    end.kind === 'bye' && end.reason === ByeReason.BYE_REASON_FINISHED;

process.exitCode = await main();
