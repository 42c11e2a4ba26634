// Original file: ../../proto/sixtysix/v1/common.proto


/**
 * The time limits of a game, in milliseconds.
 */
export interface ClockInput {
  /**
   * The longest that a bot may owe decisions without answering any.
   */
  'perMoveMs'?: (number);
  /**
   * The bank of thinking time of each bot in each game.
   */
  'perGameMs'?: (number);
  /**
   * How long a bot may be away before its games are forfeited.
   */
  'graceMs'?: (number);
  /**
   * How long the arena waits for entrants that have not joined.
   */
  'joinMs'?: (number);
}

/**
 * The time limits of a game, in milliseconds.
 */
export interface Clock {
  /**
   * The longest that a bot may owe decisions without answering any.
   */
  'perMoveMs': (number);
  /**
   * The bank of thinking time of each bot in each game.
   */
  'perGameMs': (number);
  /**
   * How long a bot may be away before its games are forfeited.
   */
  'graceMs': (number);
  /**
   * How long the arena waits for entrants that have not joined.
   */
  'joinMs': (number);
}
