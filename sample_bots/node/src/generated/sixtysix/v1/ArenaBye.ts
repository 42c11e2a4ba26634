// Original file: ../../proto/sixtysix/v1/play.proto

import type { ByeReasonInput as _sixtysix_v1_ByeReasonInput, ByeReason as _sixtysix_v1_ByeReason } from '../../sixtysix/v1/ByeReason.js';

/**
 * The arena ends this stream on purpose.
 */
export interface ArenaByeInput {
  /**
   * Why.
   */
  'reason'?: (_sixtysix_v1_ByeReasonInput);
  /**
   * The reason in one sentence.
   */
  'text'?: (string);
}

/**
 * The arena ends this stream on purpose.
 */
export interface ArenaBye {
  /**
   * Why.
   */
  'reason': (_sixtysix_v1_ByeReason);
  /**
   * The reason in one sentence.
   */
  'text': (string);
}
