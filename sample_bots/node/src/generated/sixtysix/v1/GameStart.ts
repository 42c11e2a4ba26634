// Original file: ../../proto/sixtysix/v1/play.proto

import type { RulesInput as _sixtysix_v1_RulesInput, Rules as _sixtysix_v1_Rules } from '../../sixtysix/v1/Rules.js';
import type { ClockInput as _sixtysix_v1_ClockInput, Clock as _sixtysix_v1_Clock } from '../../sixtysix/v1/Clock.js';
import type { Long } from '@grpc/proto-loader';

/**
 * A game begins, or goes on after a reconnect.
 */
export interface GameStartInput {
  /**
   * The number that decisions and answers of this game carry.
   */
  'game'?: (number | string | Long);
  /**
   * The public name of the game: tournament, dot, number in its schedule.
   */
  'gameId'?: (string);
  /**
   * The rules of the game.
   */
  'rules'?: (_sixtysix_v1_RulesInput | null);
  /**
   * The time limits of the game.
   */
  'clock'?: (_sixtysix_v1_ClockInput | null);
  /**
   * The bot's seat.
   */
  'seat'?: (number);
  /**
   * The opponent's name.
   */
  'opponent'?: (string);
}

/**
 * A game begins, or goes on after a reconnect.
 */
export interface GameStart {
  /**
   * The number that decisions and answers of this game carry.
   */
  'game': (string);
  /**
   * The public name of the game: tournament, dot, number in its schedule.
   */
  'gameId': (string);
  /**
   * The rules of the game.
   */
  'rules': (_sixtysix_v1_Rules | null);
  /**
   * The time limits of the game.
   */
  'clock': (_sixtysix_v1_Clock | null);
  /**
   * The bot's seat.
   */
  'seat': (number);
  /**
   * The opponent's name.
   */
  'opponent': (string);
}
