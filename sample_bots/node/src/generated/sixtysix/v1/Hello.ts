// Original file: ../../proto/sixtysix/v1/play.proto

import type { RulesetInput as _sixtysix_v1_RulesetInput, Ruleset as _sixtysix_v1_Ruleset } from '../../sixtysix/v1/Ruleset.js';

/**
 * Introduces a bot. The bot's name comes from its token alone.
 */
export interface HelloInput {
  /**
   * Major version of the protocol, 1; another one than the arena's is refused.
   */
  'protocolMajor'?: (number);
  /**
   * Minor version of the protocol, 0; a newer or older one is fine.
   */
  'protocolMinor'?: (number);
  /**
   * The bot's own version, free text of at most 40 bytes.
   */
  'botVersion'?: (string);
  /**
   * How many games it plays at once, 1 to 256.
   */
  'gamesAtOnce'?: (number);
  /**
   * The rule sets that it plays.
   */
  'rulesets'?: (_sixtysix_v1_RulesetInput)[];
  /**
   * Whether it wants to be asked, in classic, before the opponent's lead,
   * if it closes the talon. Without this the arena passes for it.
   */
  'closeOnOpponentsLead'?: (boolean);
  /**
   * The name that the token ought to stand for; empty if that does not matter.
   * A token of another bot is refused, before its stream counts for anything.
   */
  'botName'?: (string);
}

/**
 * Introduces a bot. The bot's name comes from its token alone.
 */
export interface Hello {
  /**
   * Major version of the protocol, 1; another one than the arena's is refused.
   */
  'protocolMajor': (number);
  /**
   * Minor version of the protocol, 0; a newer or older one is fine.
   */
  'protocolMinor': (number);
  /**
   * The bot's own version, free text of at most 40 bytes.
   */
  'botVersion': (string);
  /**
   * How many games it plays at once, 1 to 256.
   */
  'gamesAtOnce': (number);
  /**
   * The rule sets that it plays.
   */
  'rulesets': (_sixtysix_v1_Ruleset)[];
  /**
   * Whether it wants to be asked, in classic, before the opponent's lead,
   * if it closes the talon. Without this the arena passes for it.
   */
  'closeOnOpponentsLead': (boolean);
  /**
   * The name that the token ought to stand for; empty if that does not matter.
   * A token of another bot is refused, before its stream counts for anything.
   */
  'botName': (string);
}
