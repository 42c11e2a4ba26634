/** An arena that does what a test tells it, on a real socket. */
import * as grpc from '@grpc/grpc-js';

import { placeOf } from '../src/place.js';
import {
    type ArenaFrameInput,
    type BotFrame,
    type BotFrameInput,
    PlayService,
    Ruleset,
} from '../src/protocol.js';
import type { BotOptions } from '../src/stream.js';

type Call = grpc.ServerDuplexStream<BotFrame, ArenaFrameInput>;
type Script = (connection: Connection) => Promise<void>;

export const WELCOME: ArenaFrameInput = {
    welcome: { protocolMajor: 1, botName: 'stranger', maxFrameBytes: 65_536, connectionCount: 1 },
};

/** A bot that plays the first of what is legal. */
export const botOptions = (address: string, different: Partial<BotOptions> = {}): BotOptions => ({
    place: placeOf({ SIXTYSIX_ARENA: address }),
    token: 'secret',
    version: 'test 1',
    gamesAtOnce: 8,
    rulesets: [Ruleset.RULESET_CLASSIC, Ruleset.RULESET_LAST_TRICK],
    choose: ({ legal }) => ({ move: legal[0] ?? -1, why: 'the first' }),
    log: () => {},
    ...different,
});

/** One stream, seen from the arena. */
export class Connection {
    // What has arrived, and who waits for it. The call's own iterator would end the call with it.
    private readonly arrived: (BotFrame | undefined)[] = [];
    private readonly waiting: ((frame: BotFrame | undefined) => void)[] = [];

    constructor(private readonly call: Call) {
        call.on('data', (frame: BotFrame) => this.arrive(frame));
        call.on('end', () => this.arrive(undefined));
    }

    private arrive(frame: BotFrame | undefined): void {
        const waiter = this.waiting.shift();
        if (waiter === undefined) {
            this.arrived.push(frame);
        } else {
            waiter(frame);
        }
    }

    get authorization(): grpc.MetadataValue[] {
        return this.call.metadata.get('authorization');
    }

    /** What the bot says next; undefined if it has closed its sending side. */
    next(): Promise<BotFrame | undefined> {
        if (this.arrived.length > 0) {
            return Promise.resolve(this.arrived.shift());
        }
        return new Promise((resolve) => this.waiting.push(resolve));
    }

    send(frame: ArenaFrameInput): void {
        this.call.write(frame);
    }

    /** Ends the call with OK, as an arena does after its goodbye. */
    end(): void {
        this.call.end();
    }

    sayBye(reason: number, text = 'bye'): void {
        // A reason that this protocol does not know is one of a newer arena.
        this.send({ bye: { reason: reason as 0, text } });
        this.end();
    }

    /** Ends the call with another status. */
    fail(code: grpc.status, details: string, trailers: Record<string, string> = {}): void {
        const metadata = new grpc.Metadata();
        for (const [key, value] of Object.entries(trailers)) {
            metadata.set(key, value);
        }
        this.call.emit('error', { code, details, metadata });
    }
}

export class FakeArena {
    /** How often a bot has come. */
    connectionCount = 0;

    private constructor(
        readonly address: string,
        private readonly server: grpc.Server,
        private readonly failures: unknown[],
    ) {}

    /** Each stream gets the next script; the last one is for all that follow. */
    static async start(scripts: readonly Script[], address = '127.0.0.1:0'): Promise<FakeArena> {
        const server = new grpc.Server();
        const failures: unknown[] = [];
        server.addService(PlayService.service, {
            Play: (call: Call) => {
                const script = scripts[Math.min(arena.connectionCount, scripts.length - 1)];
                arena.connectionCount += 1;
                script?.(new Connection(call)).catch((error: unknown) => {
                    failures.push(error);
                    call.end();
                });
            },
        });
        const port = await new Promise<number>((resolve, reject) => {
            server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, bound) =>
                error === null ? resolve(bound) : reject(error),
            );
        });
        const arena = new FakeArena(`127.0.0.1:${port}`, server, failures);
        return arena;
    }

    /** Stops at once; throws what a script has thrown. */
    stop(): void {
        this.server.forceShutdown();
        if (this.failures.length > 0) {
            throw this.failures[0];
        }
    }
}

/** How long a frame is on the wire. */
export const sizeOf = (frame: BotFrameInput): number =>
    PlayService.service.Play.requestSerialize(frame).length;
