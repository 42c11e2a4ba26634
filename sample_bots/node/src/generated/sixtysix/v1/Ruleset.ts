// Original file: ../../proto/sixtysix/v1/common.proto

/**
 * One of the four rule sets. They are described in docs/rulings.md.
 */
export const Ruleset = {
  /**
   * Not said.
   */
  RULESET_UNSPECIFIED: 0,
  /**
   * Either player may close before any lead; a failed closer pays 2, 3 or 4.
   */
  RULESET_CLASSIC: 1,
  /**
   * Trump nine exchange; a failed closer pays double: 2, 4 or 6.
   */
  RULESET_DOUBLING: 2,
  /**
   * Every deal is played to the last card, then counted.
   */
  RULESET_PLAYED_OUT: 3,
  /**
   * No closing; if nobody has 66 the last trick decides.
   */
  RULESET_LAST_TRICK: 4,
} as const;

/**
 * One of the four rule sets. They are described in docs/rulings.md.
 */
export type RulesetInput =
  /**
   * Not said.
   */
  | 'RULESET_UNSPECIFIED'
  | 0
  /**
   * Either player may close before any lead; a failed closer pays 2, 3 or 4.
   */
  | 'RULESET_CLASSIC'
  | 1
  /**
   * Trump nine exchange; a failed closer pays double: 2, 4 or 6.
   */
  | 'RULESET_DOUBLING'
  | 2
  /**
   * Every deal is played to the last card, then counted.
   */
  | 'RULESET_PLAYED_OUT'
  | 3
  /**
   * No closing; if nobody has 66 the last trick decides.
   */
  | 'RULESET_LAST_TRICK'
  | 4

/**
 * One of the four rule sets. They are described in docs/rulings.md.
 */
export type Ruleset = typeof Ruleset[keyof typeof Ruleset]
