/** One stream: from the hello to its end, with an answer to each decision in between. */
import { status, type ClientDuplexStream, type StatusObject } from '@grpc/grpc-js';

import type { Choice } from './choice.js';
import type { Place } from './place.js';
import {
    type AnswerInput,
    type ArenaFrame,
    authorization,
    type BotFrameInput,
    type Decision,
    GameEnd,
    type GameOver,
    type GameStart,
    type LeaveInput,
    LeaveReason,
    openChannel,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    type Ruleset,
} from './protocol.js';

export interface BotOptions {
    place: Place;
    token: string;
    version: string;
    gamesAtOnce: number;
    rulesets: readonly Ruleset[];
    /** Has to be quick: nothing is read from the stream while it thinks. */
    choose: (decision: Decision) => Choice;
    log: (line: string) => void;
}

/** How a stream ended. A number that is no known reason of a bye is one of a newer protocol. */
export type StreamEnd =
    | { kind: 'bye'; reason: number; text: string }
    | { kind: 'refused'; text: string }
    // How long the arena asks the bot to wait, in milliseconds; 0 if it does not say.
    | { kind: 'lost'; text: string; waitMs: number };

/** Why the bot itself ends a stream: for good, or for now. */
export type Departure = 'leave' | 'go-away';

// What would be refused again, however often one asks.
const REFUSALS: readonly status[] = [
    status.UNAUTHENTICATED,
    status.FAILED_PRECONDITION,
    status.INVALID_ARGUMENT,
    status.UNIMPLEMENTED,
];

// Where a refusal says how long to wait: gRPC's own word for that.
const WAIT_KEY = 'grpc-retry-pushback-ms';

// How long the bot waits for the arena's last words once it has said its own.
const FAREWELL_MS = 3000;

// The record keeps 200 bytes; short ones keep frames small.
const COMMENT_LENGTH = 80;

type Call = ClientDuplexStream<BotFrameInput, ArenaFrame>;

/**
 * Plays until the stream ends, and tells how it did. Does not throw. `departure` aborts with a
 * Departure as its reason.
 */
export function playOnce(options: BotOptions, departure: AbortSignal): Promise<StreamEnd> {
    return new Stream(options, departure).end;
}

class Stream {
    readonly end: Promise<StreamEnd>;
    private readonly games = new Map<string, GameStart>();
    private readonly call: Call;
    private isWelcome = false;
    private bye: StreamEnd | undefined;
    private farewell: NodeJS.Timeout | undefined;

    constructor(
        private readonly options: BotOptions,
        departure: AbortSignal,
    ) {
        // A new channel for each stream: an old one waits longer and longer between its tries.
        const channel = openChannel(options.place);
        this.call = channel.play(authorization(options.token));
        this.end = new Promise((resolve) => {
            this.call.on('status', (final: StatusObject) => resolve(this.endOf(final)));
        });
        this.call.on('data', (frame: ArenaFrame) => this.read(frame));
        // What an error says is in the status too, but without a listener it would be thrown.
        this.call.on('error', () => {});
        this.sayHello();

        const depart = () => this.depart(departure.reason as Departure);
        departure.addEventListener('abort', depart);
        void this.end.then(() => {
            departure.removeEventListener('abort', depart);
            clearTimeout(this.farewell);
            channel.close();
        });
    }

    private sayHello(): void {
        this.call.write({
            hello: {
                protocolMajor: PROTOCOL_MAJOR,
                protocolMinor: PROTOCOL_MINOR,
                botVersion: this.options.version,
                gamesAtOnce: this.options.gamesAtOnce,
                rulesets: [...this.options.rulesets],
            },
        });
    }

    private read(frame: ArenaFrame): void {
        if (frame.welcome) {
            this.isWelcome = true;
            this.options.log(`joined as ${frame.welcome.botName}`);
        }
        for (const start of frame.starts) {
            this.games.set(start.game, start);
        }
        this.answer(frame.decisions);
        for (const { game, deal, ply } of frame.stales) {
            this.options.log(`no effect: the answer in ${this.nameOf(game)} deal ${deal} ply ${ply}`);
        }
        for (const { game, text } of frame.faults) {
            this.options.log(`fault in ${this.nameOf(game)}: ${text}`);
        }
        for (const over of frame.gamesOver) {
            this.options.log(this.resultOf(over));
            this.games.delete(over.game);
        }
        if (frame.bye) {
            const { reason, text } = frame.bye;
            this.bye = { kind: 'bye', reason, text };
            this.options.log(`the arena says goodbye: ${text}`);
        }
    }

    /** Answers all decisions of a frame in one frame; gives up a game whose choice failed. */
    private answer(decisions: readonly Decision[]): void {
        if (this.farewell !== undefined || decisions.length === 0) {
            return;
        }
        const answers: AnswerInput[] = [];
        const leaves: LeaveInput[] = [];
        for (const decision of decisions) {
            const { game, deal, ply } = decision;
            try {
                const { move, why } = this.options.choose(decision);
                if (!decision.legal.includes(move)) {
                    throw new Error(`chose ${move}; legal are ${decision.legal.join(', ')}`);
                }
                answers.push({ game, deal, ply, move, comment: why.slice(0, COMMENT_LENGTH) });
            } catch (error) {
                const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
                this.options.log(`gave up ${this.nameOf(game)} deal ${deal} ply ${ply}: ${text}`);
                leaves.push({ game, reason: LeaveReason.LEAVE_REASON_BOT_RAISED });
            }
        }
        this.call.write({ answers, leaves });
    }

    private depart(departure: Departure): void {
        if (departure === 'leave') {
            // The arena says goodbye too, and ends the call.
            this.call.write({ bye: {} });
        } else {
            this.call.end();
        }
        this.farewell = setTimeout(() => this.call.cancel(), FAREWELL_MS);
    }

    private endOf({ code, details, metadata }: StatusObject): StreamEnd {
        if (this.bye !== undefined) {
            return this.bye;
        }
        const text = `${status[code]}: ${details}`;
        if (!this.isWelcome && REFUSALS.includes(code)) {
            return { kind: 'refused', text };
        }
        const waitMs = Number(metadata.get(WAIT_KEY)[0] ?? 0);
        return { kind: 'lost', text, waitMs: waitMs > 0 ? waitMs : 0 };
    }

    private nameOf(game: string): string {
        return this.games.get(game)?.gameId ?? `game ${game}`;
    }

    private resultOf({ game, end, winner, score, text }: GameOver): string {
        const start = this.games.get(game);
        const name = `${this.nameOf(game)} against ${start?.opponent ?? 'somebody'}`;
        if (winner === undefined) {
            const word = end === GameEnd.GAME_END_VOID ? 'void' : 'drawn';
            return `${word}: ${name} ${score.join(':')} ${text}`.trimEnd();
        }
        const word = winner === start?.seat ? 'won' : 'lost';
        return `${word}: ${name} ${score.join(':')} ${text}`.trimEnd();
    }
}
