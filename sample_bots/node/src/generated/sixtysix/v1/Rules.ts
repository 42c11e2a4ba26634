// Original file: ../../proto/sixtysix/v1/common.proto

import type { RulesetInput as _sixtysix_v1_RulesetInput, Ruleset as _sixtysix_v1_Ruleset } from '../../sixtysix/v1/Ruleset.js';

/**
 * The rules of a game: a rule set with its options.
 */
export interface RulesInput {
  /**
   * The rule set.
   */
  'ruleset'?: (_sixtysix_v1_RulesetInput);
  /**
   * Game points that win the game.
   */
  'target'?: (number);
  /**
   * Whether a closer who fails against an opponent without a trick pays six.
   * An option of doubling; false in the other rule sets.
   */
  'agreedSix'?: (boolean);
}

/**
 * The rules of a game: a rule set with its options.
 */
export interface Rules {
  /**
   * The rule set.
   */
  'ruleset': (_sixtysix_v1_Ruleset);
  /**
   * Game points that win the game.
   */
  'target': (number);
  /**
   * Whether a closer who fails against an opponent without a trick pays six.
   * An option of doubling; false in the other rule sets.
   */
  'agreedSix': (boolean);
}
