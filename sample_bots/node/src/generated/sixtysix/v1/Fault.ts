// Original file: ../../proto/sixtysix/v1/common.proto

/**
 * What a bot did wrong. Each of them forfeits a game to the opponent.
 */
export const Fault = {
  /**
   * No fault.
   */
  FAULT_UNSPECIFIED: 0,
  /**
   * The answer was a move that is not legal, or a number that is no move.
   */
  FAULT_ILLEGAL: 1,
  /**
   * The answer had no move, or the message could not be read, or was too large.
   */
  FAULT_MALFORMED: 2,
  /**
   * No answer within the time for a move, or the bank for the game is empty.
   */
  FAULT_TIMEOUT: 3,
  /**
   * The bot's connection ended and it was not back within the grace; or it
   * joined again and again.
   */
  FAULT_DISCONNECT: 4,
  /**
   * The bot left the game, or said goodbye.
   */
  FAULT_LEFT: 5,
  /**
   * The bot never joined within the time for joining.
   */
  FAULT_NO_SHOW: 6,
  /**
   * The bot went on sending what has no effect.
   */
  FAULT_FLOOD: 7,
} as const;

/**
 * What a bot did wrong. Each of them forfeits a game to the opponent.
 */
export type FaultInput =
  /**
   * No fault.
   */
  | 'FAULT_UNSPECIFIED'
  | 0
  /**
   * The answer was a move that is not legal, or a number that is no move.
   */
  | 'FAULT_ILLEGAL'
  | 1
  /**
   * The answer had no move, or the message could not be read, or was too large.
   */
  | 'FAULT_MALFORMED'
  | 2
  /**
   * No answer within the time for a move, or the bank for the game is empty.
   */
  | 'FAULT_TIMEOUT'
  | 3
  /**
   * The bot's connection ended and it was not back within the grace; or it
   * joined again and again.
   */
  | 'FAULT_DISCONNECT'
  | 4
  /**
   * The bot left the game, or said goodbye.
   */
  | 'FAULT_LEFT'
  | 5
  /**
   * The bot never joined within the time for joining.
   */
  | 'FAULT_NO_SHOW'
  | 6
  /**
   * The bot went on sending what has no effect.
   */
  | 'FAULT_FLOOD'
  | 7

/**
 * What a bot did wrong. Each of them forfeits a game to the opponent.
 */
export type Fault = typeof Fault[keyof typeof Fault]
