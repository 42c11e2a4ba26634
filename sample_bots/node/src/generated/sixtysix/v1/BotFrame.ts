// Original file: ../../proto/sixtysix/v1/play.proto

import type { HelloInput as _sixtysix_v1_HelloInput, Hello as _sixtysix_v1_Hello } from '../../sixtysix/v1/Hello.js';
import type { AnswerInput as _sixtysix_v1_AnswerInput, Answer as _sixtysix_v1_Answer } from '../../sixtysix/v1/Answer.js';
import type { LeaveInput as _sixtysix_v1_LeaveInput, Leave as _sixtysix_v1_Leave } from '../../sixtysix/v1/Leave.js';
import type { BotByeInput as _sixtysix_v1_BotByeInput, BotBye as _sixtysix_v1_BotBye } from '../../sixtysix/v1/BotBye.js';

/**
 * What a bot sends: any number of answers, in any order and grouping.
 */
export interface BotFrameInput {
  /**
   * Who is there; in the first frame of a stream. It is read from there alone,
   * and nothing else is read from that frame.
   */
  'hello'?: (_sixtysix_v1_HelloInput | null);
  /**
   * Answers to open decisions.
   */
  'answers'?: (_sixtysix_v1_AnswerInput)[];
  /**
   * Games that the bot gives up.
   */
  'leaves'?: (_sixtysix_v1_LeaveInput)[];
  /**
   * The bot goes away on purpose; its games are forfeited at once.
   */
  'bye'?: (_sixtysix_v1_BotByeInput | null);
  '_hello'?: "hello";
  '_bye'?: "bye";
}

/**
 * What a bot sends: any number of answers, in any order and grouping.
 */
export interface BotFrame {
  /**
   * Who is there; in the first frame of a stream. It is read from there alone,
   * and nothing else is read from that frame.
   */
  'hello'?: (_sixtysix_v1_Hello | null);
  /**
   * Answers to open decisions.
   */
  'answers': (_sixtysix_v1_Answer)[];
  /**
   * Games that the bot gives up.
   */
  'leaves': (_sixtysix_v1_Leave)[];
  /**
   * The bot goes away on purpose; its games are forfeited at once.
   */
  'bye'?: (_sixtysix_v1_BotBye | null);
}
