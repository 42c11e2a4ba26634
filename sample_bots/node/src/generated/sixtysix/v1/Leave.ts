// Original file: ../../proto/sixtysix/v1/play.proto

import type { LeaveReasonInput as _sixtysix_v1_LeaveReasonInput, LeaveReason as _sixtysix_v1_LeaveReason } from '../../sixtysix/v1/LeaveReason.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Gives up one game.
 */
export interface LeaveInput {
  /**
   * The game; one that the bot does not play is ignored.
   */
  'game'?: (number | string | Long);
  /**
   * Why, as a code: the arena is told nothing else.
   */
  'reason'?: (_sixtysix_v1_LeaveReasonInput);
}

/**
 * Gives up one game.
 */
export interface Leave {
  /**
   * The game; one that the bot does not play is ignored.
   */
  'game': (string);
  /**
   * Why, as a code: the arena is told nothing else.
   */
  'reason': (_sixtysix_v1_LeaveReason);
}
