// Original file: ../../proto/sixtysix/v1/play.proto

import type { FaultInput as _sixtysix_v1_FaultInput, Fault as _sixtysix_v1_Fault } from '../../sixtysix/v1/Fault.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Tells a bot exactly what it did wrong.
 */
export interface FaultNoticeInput {
  /**
   * The game that it costs.
   */
  'game'?: (number | string | Long);
  /**
   * The deal of the decision that was open.
   */
  'deal'?: (number);
  /**
   * The ply of the decision that was open.
   */
  'ply'?: (number);
  /**
   * The fault.
   */
  'fault'?: (_sixtysix_v1_FaultInput);
  /**
   * What, where and what was expected, in one sentence.
   */
  'text'?: (string);
  /**
   * The moves that the decision offered.
   */
  'legal'?: (number)[];
}

/**
 * Tells a bot exactly what it did wrong.
 */
export interface FaultNotice {
  /**
   * The game that it costs.
   */
  'game': (string);
  /**
   * The deal of the decision that was open.
   */
  'deal': (number);
  /**
   * The ply of the decision that was open.
   */
  'ply': (number);
  /**
   * The fault.
   */
  'fault': (_sixtysix_v1_Fault);
  /**
   * What, where and what was expected, in one sentence.
   */
  'text': (string);
  /**
   * The moves that the decision offered.
   */
  'legal': (number)[];
}
