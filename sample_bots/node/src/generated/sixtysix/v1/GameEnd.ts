// Original file: ../../proto/sixtysix/v1/common.proto

/**
 * How a game ended.
 */
export const GameEnd = {
  /**
   * The game is not over.
   */
  GAME_END_UNSPECIFIED: 0,
  /**
   * One side reached the target of game points.
   */
  GAME_END_TARGET: 1,
  /**
   * The limit of deals was reached; the score stands as it is.
   */
  GAME_END_DEAL_LIMIT: 2,
  /**
   * One side committed a fault; the game goes to the other.
   */
  GAME_END_FORFEIT: 3,
  /**
   * Nobody is charged; the game is not rated.
   */
  GAME_END_VOID: 4,
} as const;

/**
 * How a game ended.
 */
export type GameEndInput =
  /**
   * The game is not over.
   */
  | 'GAME_END_UNSPECIFIED'
  | 0
  /**
   * One side reached the target of game points.
   */
  | 'GAME_END_TARGET'
  | 1
  /**
   * The limit of deals was reached; the score stands as it is.
   */
  | 'GAME_END_DEAL_LIMIT'
  | 2
  /**
   * One side committed a fault; the game goes to the other.
   */
  | 'GAME_END_FORFEIT'
  | 3
  /**
   * Nobody is charged; the game is not rated.
   */
  | 'GAME_END_VOID'
  | 4

/**
 * How a game ended.
 */
export type GameEnd = typeof GameEnd[keyof typeof GameEnd]
