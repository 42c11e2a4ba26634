// Original file: ../../proto/sixtysix/v1/play.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ArenaFrameInput as _sixtysix_v1_ArenaFrameInput, ArenaFrame as _sixtysix_v1_ArenaFrame } from '../../sixtysix/v1/ArenaFrame.js';
import type { BotFrameInput as _sixtysix_v1_BotFrameInput, BotFrame as _sixtysix_v1_BotFrame } from '../../sixtysix/v1/BotFrame.js';

/**
 * Where bots play.
 */
export interface PlayServiceClient extends grpc.Client {
  /**
   * The one stream of a bot. Its first frame carries Hello. The end of the
   * stream is never a reason by itself: a bot that is back within the grace
   * is sent its open decisions again.
   *
   * buf:lint:ignore RPC_REQUEST_STANDARD_NAME
   * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
   */
  Play(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_sixtysix_v1_BotFrameInput, _sixtysix_v1_ArenaFrame>;
  Play(options?: grpc.CallOptions): grpc.ClientDuplexStream<_sixtysix_v1_BotFrameInput, _sixtysix_v1_ArenaFrame>;
  /**
   * The one stream of a bot. Its first frame carries Hello. The end of the
   * stream is never a reason by itself: a bot that is back within the grace
   * is sent its open decisions again.
   *
   * buf:lint:ignore RPC_REQUEST_STANDARD_NAME
   * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
   */
  play(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_sixtysix_v1_BotFrameInput, _sixtysix_v1_ArenaFrame>;
  play(options?: grpc.CallOptions): grpc.ClientDuplexStream<_sixtysix_v1_BotFrameInput, _sixtysix_v1_ArenaFrame>;

}

/**
 * Where bots play.
 */
export interface PlayServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The one stream of a bot. Its first frame carries Hello. The end of the
   * stream is never a reason by itself: a bot that is back within the grace
   * is sent its open decisions again.
   *
   * buf:lint:ignore RPC_REQUEST_STANDARD_NAME
   * buf:lint:ignore RPC_RESPONSE_STANDARD_NAME
   */
  Play: grpc.handleBidiStreamingCall<_sixtysix_v1_BotFrame, _sixtysix_v1_ArenaFrameInput>;

}

export interface PlayServiceDefinition extends grpc.ServiceDefinition {
  Play: MethodDefinition<_sixtysix_v1_BotFrameInput, _sixtysix_v1_ArenaFrameInput, _sixtysix_v1_BotFrame, _sixtysix_v1_ArenaFrame>
}
