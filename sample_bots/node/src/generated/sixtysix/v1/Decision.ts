// Original file: ../../proto/sixtysix/v1/play.proto

import type { RulesetInput as _sixtysix_v1_RulesetInput, Ruleset as _sixtysix_v1_Ruleset } from '../../sixtysix/v1/Ruleset.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks for one move and tells all that the seat may know: a full snapshot, so
 * that a bot can answer without remembering anything. Identified by game, deal
 * and ply; the same decision may be sent again after a reconnect.
 */
export interface DecisionInput {
  /**
   * The game, as in GameStart.
   */
  'game'?: (number | string | Long);
  /**
   * The deal within the game, from 0.
   */
  'deal'?: (number);
  /**
   * How many moves of this deal were made before, the referee's included.
   */
  'ply'?: (number);
  /**
   * Legal moves, ascending, without a claim that would be false. Never empty.
   */
  'legal'?: (number)[];
  /**
   * The seat that is asked.
   */
  'seat'?: (number);
  /**
   * The rule set.
   */
  'ruleset'?: (_sixtysix_v1_RulesetInput);
  /**
   * Game points that win the game.
   */
  'target'?: (number);
  /**
   * The option of doubling of that name.
   */
  'agreedSix'?: (boolean);
  /**
   * Game points of both seats.
   */
  'score'?: (number)[];
  /**
   * The seat that dealt.
   */
  'dealer'?: (number);
  /**
   * The cards held, ascending.
   */
  'hand'?: (number)[];
  /**
   * The trump suit, 0 to 3.
   */
  'trumpSuit'?: (number);
  /**
   * The trump card while it lies under the talon.
   */
  'trumpCard'?: (number);
  /**
   * Cards left in the talon, the trump card included.
   */
  'talonCount'?: (number);
  /**
   * The seat that closed the talon.
   */
  'closedBy'?: (number);
  /**
   * The seat that leads, or that has led, to the present trick.
   */
  'leader'?: (number);
  /**
   * The leader's move of the present trick: 0-23, or 24-31 with a marriage.
   */
  'led'?: (number);
  /**
   * Credited card points of both seats.
   */
  'points'?: (number)[];
  /**
   * Marriage points of both seats that wait for a first trick.
   */
  'pending'?: (number)[];
  /**
   * The tricks so far, three numbers each: the leader's seat, the leader's
   * move (0-31), the follower's card.
   */
  'tricks'?: (number)[];
  /**
   * Cards that the opponent is known to hold, ascending.
   */
  'known'?: (number)[];
  /**
   * The seat that exchanged the trump nine.
   */
  'exchangedBy'?: (number);
  /**
   * The trump card that was taken for the nine.
   */
  'exchangedCard'?: (number);
  /**
   * The longest that the bot may owe decisions without answering any.
   */
  'moveMs'?: (number);
  /**
   * What was left of the bank of this game when the decision was first sent.
   */
  'gameMs'?: (number);
  /**
   * What the previous answer in this game was charged.
   */
  'chargedMs'?: (number);
  '_trumpCard'?: "trumpCard";
  '_closedBy'?: "closedBy";
  '_led'?: "led";
  '_exchangedBy'?: "exchangedBy";
  '_exchangedCard'?: "exchangedCard";
}

/**
 * Asks for one move and tells all that the seat may know: a full snapshot, so
 * that a bot can answer without remembering anything. Identified by game, deal
 * and ply; the same decision may be sent again after a reconnect.
 */
export interface Decision {
  /**
   * The game, as in GameStart.
   */
  'game': (string);
  /**
   * The deal within the game, from 0.
   */
  'deal': (number);
  /**
   * How many moves of this deal were made before, the referee's included.
   */
  'ply': (number);
  /**
   * Legal moves, ascending, without a claim that would be false. Never empty.
   */
  'legal': (number)[];
  /**
   * The seat that is asked.
   */
  'seat': (number);
  /**
   * The rule set.
   */
  'ruleset': (_sixtysix_v1_Ruleset);
  /**
   * Game points that win the game.
   */
  'target': (number);
  /**
   * The option of doubling of that name.
   */
  'agreedSix': (boolean);
  /**
   * Game points of both seats.
   */
  'score': (number)[];
  /**
   * The seat that dealt.
   */
  'dealer': (number);
  /**
   * The cards held, ascending.
   */
  'hand': (number)[];
  /**
   * The trump suit, 0 to 3.
   */
  'trumpSuit': (number);
  /**
   * The trump card while it lies under the talon.
   */
  'trumpCard'?: (number);
  /**
   * Cards left in the talon, the trump card included.
   */
  'talonCount': (number);
  /**
   * The seat that closed the talon.
   */
  'closedBy'?: (number);
  /**
   * The seat that leads, or that has led, to the present trick.
   */
  'leader': (number);
  /**
   * The leader's move of the present trick: 0-23, or 24-31 with a marriage.
   */
  'led'?: (number);
  /**
   * Credited card points of both seats.
   */
  'points': (number)[];
  /**
   * Marriage points of both seats that wait for a first trick.
   */
  'pending': (number)[];
  /**
   * The tricks so far, three numbers each: the leader's seat, the leader's
   * move (0-31), the follower's card.
   */
  'tricks': (number)[];
  /**
   * Cards that the opponent is known to hold, ascending.
   */
  'known': (number)[];
  /**
   * The seat that exchanged the trump nine.
   */
  'exchangedBy'?: (number);
  /**
   * The trump card that was taken for the nine.
   */
  'exchangedCard'?: (number);
  /**
   * The longest that the bot may owe decisions without answering any.
   */
  'moveMs': (number);
  /**
   * What was left of the bank of this game when the decision was first sent.
   */
  'gameMs': (number);
  /**
   * What the previous answer in this game was charged.
   */
  'chargedMs': (number);
}
