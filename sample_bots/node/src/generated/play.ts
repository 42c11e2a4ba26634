import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AnswerInput as _sixtysix_v1_AnswerInput, Answer as _sixtysix_v1_Answer } from './sixtysix/v1/Answer.js';
import type { ArenaByeInput as _sixtysix_v1_ArenaByeInput, ArenaBye as _sixtysix_v1_ArenaBye } from './sixtysix/v1/ArenaBye.js';
import type { ArenaFrameInput as _sixtysix_v1_ArenaFrameInput, ArenaFrame as _sixtysix_v1_ArenaFrame } from './sixtysix/v1/ArenaFrame.js';
import type { BotByeInput as _sixtysix_v1_BotByeInput, BotBye as _sixtysix_v1_BotBye } from './sixtysix/v1/BotBye.js';
import type { BotFrameInput as _sixtysix_v1_BotFrameInput, BotFrame as _sixtysix_v1_BotFrame } from './sixtysix/v1/BotFrame.js';
import type { ClockInput as _sixtysix_v1_ClockInput, Clock as _sixtysix_v1_Clock } from './sixtysix/v1/Clock.js';
import type { DecisionInput as _sixtysix_v1_DecisionInput, Decision as _sixtysix_v1_Decision } from './sixtysix/v1/Decision.js';
import type { FaultNoticeInput as _sixtysix_v1_FaultNoticeInput, FaultNotice as _sixtysix_v1_FaultNotice } from './sixtysix/v1/FaultNotice.js';
import type { GameOverInput as _sixtysix_v1_GameOverInput, GameOver as _sixtysix_v1_GameOver } from './sixtysix/v1/GameOver.js';
import type { GameStartInput as _sixtysix_v1_GameStartInput, GameStart as _sixtysix_v1_GameStart } from './sixtysix/v1/GameStart.js';
import type { HelloInput as _sixtysix_v1_HelloInput, Hello as _sixtysix_v1_Hello } from './sixtysix/v1/Hello.js';
import type { LeaveInput as _sixtysix_v1_LeaveInput, Leave as _sixtysix_v1_Leave } from './sixtysix/v1/Leave.js';
import type { PlayServiceClient as _sixtysix_v1_PlayServiceClient, PlayServiceDefinition as _sixtysix_v1_PlayServiceDefinition } from './sixtysix/v1/PlayService.js';
import type { RulesInput as _sixtysix_v1_RulesInput, Rules as _sixtysix_v1_Rules } from './sixtysix/v1/Rules.js';
import type { StaleNoticeInput as _sixtysix_v1_StaleNoticeInput, StaleNotice as _sixtysix_v1_StaleNotice } from './sixtysix/v1/StaleNotice.js';
import type { WelcomeInput as _sixtysix_v1_WelcomeInput, Welcome as _sixtysix_v1_Welcome } from './sixtysix/v1/Welcome.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  sixtysix: {
    v1: {
      Answer: MessageTypeDefinition<_sixtysix_v1_AnswerInput, _sixtysix_v1_Answer>
      ArenaBye: MessageTypeDefinition<_sixtysix_v1_ArenaByeInput, _sixtysix_v1_ArenaBye>
      ArenaFrame: MessageTypeDefinition<_sixtysix_v1_ArenaFrameInput, _sixtysix_v1_ArenaFrame>
      BotBye: MessageTypeDefinition<_sixtysix_v1_BotByeInput, _sixtysix_v1_BotBye>
      BotFrame: MessageTypeDefinition<_sixtysix_v1_BotFrameInput, _sixtysix_v1_BotFrame>
      ByeReason: EnumTypeDefinition
      Clock: MessageTypeDefinition<_sixtysix_v1_ClockInput, _sixtysix_v1_Clock>
      Decision: MessageTypeDefinition<_sixtysix_v1_DecisionInput, _sixtysix_v1_Decision>
      Fault: EnumTypeDefinition
      FaultNotice: MessageTypeDefinition<_sixtysix_v1_FaultNoticeInput, _sixtysix_v1_FaultNotice>
      GameEnd: EnumTypeDefinition
      GameOver: MessageTypeDefinition<_sixtysix_v1_GameOverInput, _sixtysix_v1_GameOver>
      GameStart: MessageTypeDefinition<_sixtysix_v1_GameStartInput, _sixtysix_v1_GameStart>
      Hello: MessageTypeDefinition<_sixtysix_v1_HelloInput, _sixtysix_v1_Hello>
      Leave: MessageTypeDefinition<_sixtysix_v1_LeaveInput, _sixtysix_v1_Leave>
      LeaveReason: EnumTypeDefinition
      /**
       * Where bots play.
       */
      PlayService: SubtypeConstructor<typeof grpc.Client, _sixtysix_v1_PlayServiceClient> & { service: _sixtysix_v1_PlayServiceDefinition }
      Rules: MessageTypeDefinition<_sixtysix_v1_RulesInput, _sixtysix_v1_Rules>
      Ruleset: EnumTypeDefinition
      StaleNotice: MessageTypeDefinition<_sixtysix_v1_StaleNoticeInput, _sixtysix_v1_StaleNotice>
      Welcome: MessageTypeDefinition<_sixtysix_v1_WelcomeInput, _sixtysix_v1_Welcome>
    }
  }
}
