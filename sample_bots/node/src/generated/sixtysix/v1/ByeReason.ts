// Original file: ../../proto/sixtysix/v1/play.proto

/**
 * Why the arena ends a stream.
 */
export const ByeReason = {
  /**
   * Not said.
   */
  BYE_REASON_UNSPECIFIED: 0,
  /**
   * There is a newer connection of the same bot. Do not come back.
   */
  BYE_REASON_FENCED: 1,
  /**
   * The arena has nothing more to play. Do not come back.
   */
  BYE_REASON_FINISHED: 2,
  /**
   * The arena stops for now. Come back.
   */
  BYE_REASON_STOPPING: 3,
  /**
   * What the bot sent could not be read, or was too large. Come back.
   */
  BYE_REASON_MALFORMED: 4,
  /**
   * The token was rotated or the bot disabled. Do not come back.
   */
  BYE_REASON_REVOKED: 5,
  /**
   * The bot stopped reading, so the arena gave up writing. Come back.
   */
  BYE_REASON_STUCK: 6,
  /**
   * The bot said goodbye itself.
   */
  BYE_REASON_LEFT: 7,
  /**
   * The bot went on sending what has no effect. Come back after a pause.
   */
  BYE_REASON_FLOODED: 8,
} as const;

/**
 * Why the arena ends a stream.
 */
export type ByeReasonInput =
  /**
   * Not said.
   */
  | 'BYE_REASON_UNSPECIFIED'
  | 0
  /**
   * There is a newer connection of the same bot. Do not come back.
   */
  | 'BYE_REASON_FENCED'
  | 1
  /**
   * The arena has nothing more to play. Do not come back.
   */
  | 'BYE_REASON_FINISHED'
  | 2
  /**
   * The arena stops for now. Come back.
   */
  | 'BYE_REASON_STOPPING'
  | 3
  /**
   * What the bot sent could not be read, or was too large. Come back.
   */
  | 'BYE_REASON_MALFORMED'
  | 4
  /**
   * The token was rotated or the bot disabled. Do not come back.
   */
  | 'BYE_REASON_REVOKED'
  | 5
  /**
   * The bot stopped reading, so the arena gave up writing. Come back.
   */
  | 'BYE_REASON_STUCK'
  | 6
  /**
   * The bot said goodbye itself.
   */
  | 'BYE_REASON_LEFT'
  | 7
  /**
   * The bot went on sending what has no effect. Come back after a pause.
   */
  | 'BYE_REASON_FLOODED'
  | 8

/**
 * Why the arena ends a stream.
 */
export type ByeReason = typeof ByeReason[keyof typeof ByeReason]
