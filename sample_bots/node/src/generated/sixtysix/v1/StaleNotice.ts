// Original file: ../../proto/sixtysix/v1/play.proto

import type { Long } from '@grpc/proto-loader';

/**
 * An answer had no effect, since its decision is not open for this bot.
 */
export interface StaleNoticeInput {
  /**
   * The game that the answer named.
   */
  'game'?: (number | string | Long);
  /**
   * The deal that the answer named.
   */
  'deal'?: (number);
  /**
   * The ply that the answer named.
   */
  'ply'?: (number);
}

/**
 * An answer had no effect, since its decision is not open for this bot.
 */
export interface StaleNotice {
  /**
   * The game that the answer named.
   */
  'game': (string);
  /**
   * The deal that the answer named.
   */
  'deal': (number);
  /**
   * The ply that the answer named.
   */
  'ply': (number);
}
