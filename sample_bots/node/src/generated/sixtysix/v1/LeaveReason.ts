// Original file: ../../proto/sixtysix/v1/play.proto

/**
 * Why a bot gives up a game.
 */
export const LeaveReason = {
  /**
   * Not said.
   */
  LEAVE_REASON_UNSPECIFIED: 0,
  /**
   * The bot's code failed.
   */
  LEAVE_REASON_BOT_RAISED: 1,
  /**
   * The bot's author wants out.
   */
  LEAVE_REASON_RESIGNED: 2,
} as const;

/**
 * Why a bot gives up a game.
 */
export type LeaveReasonInput =
  /**
   * Not said.
   */
  | 'LEAVE_REASON_UNSPECIFIED'
  | 0
  /**
   * The bot's code failed.
   */
  | 'LEAVE_REASON_BOT_RAISED'
  | 1
  /**
   * The bot's author wants out.
   */
  | 'LEAVE_REASON_RESIGNED'
  | 2

/**
 * Why a bot gives up a game.
 */
export type LeaveReason = typeof LeaveReason[keyof typeof LeaveReason]
