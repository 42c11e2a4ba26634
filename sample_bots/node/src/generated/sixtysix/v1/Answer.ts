// Original file: ../../proto/sixtysix/v1/play.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Answers one decision.
 */
export interface AnswerInput {
  /**
   * The game of the decision.
   */
  'game'?: (number | string | Long);
  /**
   * The deal of the decision.
   */
  'deal'?: (number);
  /**
   * The ply of the decision.
   */
  'ply'?: (number);
  /**
   * The move. An answer without one is malformed.
   */
  'move'?: (number);
  /**
   * A note for the record, at most 200 bytes; longer ones are cut.
   */
  'comment'?: (string);
  '_move'?: "move";
}

/**
 * Answers one decision.
 */
export interface Answer {
  /**
   * The game of the decision.
   */
  'game': (string);
  /**
   * The deal of the decision.
   */
  'deal': (number);
  /**
   * The ply of the decision.
   */
  'ply': (number);
  /**
   * The move. An answer without one is malformed.
   */
  'move'?: (number);
  /**
   * A note for the record, at most 200 bytes; longer ones are cut.
   */
  'comment': (string);
}
