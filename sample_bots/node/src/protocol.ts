/** The protocol as TypeScript sees it: the messages' types, and the client of the play stream. */
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { fileURLToPath } from 'node:url';

import type { ProtoGrpcType } from './generated/play.js';
import type { PlayServiceClient } from './generated/sixtysix/v1/PlayService.js';
import type { Place } from './place.js';

export type { AnswerInput } from './generated/sixtysix/v1/Answer.js';
export type { ArenaFrame, ArenaFrameInput } from './generated/sixtysix/v1/ArenaFrame.js';
export type { BotFrame, BotFrameInput } from './generated/sixtysix/v1/BotFrame.js';
export type { Decision, DecisionInput } from './generated/sixtysix/v1/Decision.js';
export type { GameOver } from './generated/sixtysix/v1/GameOver.js';
export type { GameStart } from './generated/sixtysix/v1/GameStart.js';
export type { LeaveInput } from './generated/sixtysix/v1/Leave.js';
export { ByeReason } from './generated/sixtysix/v1/ByeReason.js';
export { Fault } from './generated/sixtysix/v1/Fault.js';
export { GameEnd } from './generated/sixtysix/v1/GameEnd.js';
export { LeaveReason } from './generated/sixtysix/v1/LeaveReason.js';
export { Ruleset } from './generated/sixtysix/v1/Ruleset.js';

export const PROTOCOL_MAJOR = 1;
export const PROTOCOL_MINOR = 0;

// The build puts the protocol files beside the compiled code.
const PROTO = fileURLToPath(new URL('../proto', import.meta.url));

// The same options as those of the generated types. Fields marked optional get no default, so an
// absent one is undefined; 64-bit numbers are texts, since a JavaScript number does not hold them.
const definition = loadSync('sixtysix/v1/play.proto', {
    includeDirs: [PROTO],
    defaults: true,
    longs: String,
});

export const { PlayService } = (grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType)
    .sixtysix.v1;

const CHANNEL_OPTIONS: grpc.ChannelOptions = {
    'grpc.enable_http_proxy': 0,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 10_000,
};

/** A new channel to the arena; whoever opens it closes it. */
export function openChannel({ address, credentials }: Place): PlayServiceClient {
    return new PlayService(address, credentials, CHANNEL_OPTIONS);
}

/** What a call carries to prove whose it is. */
export function authorization(token: string): grpc.Metadata {
    const metadata = new grpc.Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    return metadata;
}
