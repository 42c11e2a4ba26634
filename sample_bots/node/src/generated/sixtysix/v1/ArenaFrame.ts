// Original file: ../../proto/sixtysix/v1/play.proto

import type { WelcomeInput as _sixtysix_v1_WelcomeInput, Welcome as _sixtysix_v1_Welcome } from '../../sixtysix/v1/Welcome.js';
import type { GameStartInput as _sixtysix_v1_GameStartInput, GameStart as _sixtysix_v1_GameStart } from '../../sixtysix/v1/GameStart.js';
import type { DecisionInput as _sixtysix_v1_DecisionInput, Decision as _sixtysix_v1_Decision } from '../../sixtysix/v1/Decision.js';
import type { StaleNoticeInput as _sixtysix_v1_StaleNoticeInput, StaleNotice as _sixtysix_v1_StaleNotice } from '../../sixtysix/v1/StaleNotice.js';
import type { FaultNoticeInput as _sixtysix_v1_FaultNoticeInput, FaultNotice as _sixtysix_v1_FaultNotice } from '../../sixtysix/v1/FaultNotice.js';
import type { GameOverInput as _sixtysix_v1_GameOverInput, GameOver as _sixtysix_v1_GameOver } from '../../sixtysix/v1/GameOver.js';
import type { ArenaByeInput as _sixtysix_v1_ArenaByeInput, ArenaBye as _sixtysix_v1_ArenaBye } from '../../sixtysix/v1/ArenaBye.js';

/**
 * What the arena sends: any number of decisions and notices.
 */
export interface ArenaFrameInput {
  /**
   * The answer to Hello.
   */
  'welcome'?: (_sixtysix_v1_WelcomeInput | null);
  /**
   * Games that begin, or, after a reconnect, that are under way.
   */
  'starts'?: (_sixtysix_v1_GameStartInput)[];
  /**
   * Decisions that the bot owes from now on.
   */
  'decisions'?: (_sixtysix_v1_DecisionInput)[];
  /**
   * Answers that had no effect.
   */
  'stales'?: (_sixtysix_v1_StaleNoticeInput)[];
  /**
   * What the bot did wrong.
   */
  'faults'?: (_sixtysix_v1_FaultNoticeInput)[];
  /**
   * Games that are over.
   */
  'gamesOver'?: (_sixtysix_v1_GameOverInput)[];
  /**
   * The arena ends this stream on purpose.
   */
  'bye'?: (_sixtysix_v1_ArenaByeInput | null);
  '_welcome'?: "welcome";
  '_bye'?: "bye";
}

/**
 * What the arena sends: any number of decisions and notices.
 */
export interface ArenaFrame {
  /**
   * The answer to Hello.
   */
  'welcome'?: (_sixtysix_v1_Welcome | null);
  /**
   * Games that begin, or, after a reconnect, that are under way.
   */
  'starts': (_sixtysix_v1_GameStart)[];
  /**
   * Decisions that the bot owes from now on.
   */
  'decisions': (_sixtysix_v1_Decision)[];
  /**
   * Answers that had no effect.
   */
  'stales': (_sixtysix_v1_StaleNotice)[];
  /**
   * What the bot did wrong.
   */
  'faults': (_sixtysix_v1_FaultNotice)[];
  /**
   * Games that are over.
   */
  'gamesOver': (_sixtysix_v1_GameOver)[];
  /**
   * The arena ends this stream on purpose.
   */
  'bye'?: (_sixtysix_v1_ArenaBye | null);
}
