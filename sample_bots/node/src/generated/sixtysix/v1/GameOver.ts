// Original file: ../../proto/sixtysix/v1/play.proto

import type { GameEndInput as _sixtysix_v1_GameEndInput, GameEnd as _sixtysix_v1_GameEnd } from '../../sixtysix/v1/GameEnd.js';
import type { FaultInput as _sixtysix_v1_FaultInput, Fault as _sixtysix_v1_Fault } from '../../sixtysix/v1/Fault.js';
import type { Long } from '@grpc/proto-loader';

/**
 * A game is over.
 */
export interface GameOverInput {
  /**
   * The game.
   */
  'game'?: (number | string | Long);
  /**
   * How it ended.
   */
  'end'?: (_sixtysix_v1_GameEndInput);
  /**
   * The seat that won; absent if the game was drawn or void.
   */
  'winner'?: (number);
  /**
   * Game points of both seats.
   */
  'score'?: (number)[];
  /**
   * The fault that decided a forfeit.
   */
  'fault'?: (_sixtysix_v1_FaultInput);
  /**
   * The reason in one sentence.
   */
  'text'?: (string);
  '_winner'?: "winner";
}

/**
 * A game is over.
 */
export interface GameOver {
  /**
   * The game.
   */
  'game': (string);
  /**
   * How it ended.
   */
  'end': (_sixtysix_v1_GameEnd);
  /**
   * The seat that won; absent if the game was drawn or void.
   */
  'winner'?: (number);
  /**
   * Game points of both seats.
   */
  'score': (number)[];
  /**
   * The fault that decided a forfeit.
   */
  'fault': (_sixtysix_v1_Fault);
  /**
   * The reason in one sentence.
   */
  'text': (string);
}
