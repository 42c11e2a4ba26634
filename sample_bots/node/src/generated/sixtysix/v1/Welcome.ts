// Original file: ../../proto/sixtysix/v1/play.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Tells a bot how it was understood.
 */
export interface WelcomeInput {
  /**
   * Major version of the protocol that the arena speaks.
   */
  'protocolMajor'?: (number);
  /**
   * Minor version of the protocol that the arena speaks.
   */
  'protocolMinor'?: (number);
  /**
   * The name that the token stands for.
   */
  'botName'?: (string);
  /**
   * The largest frame that the arena accepts, in bytes.
   */
  'maxFrameBytes'?: (number);
  /**
   * Counts the connections of this bot. A newer connection ends the older.
   */
  'connectionCount'?: (number | string | Long);
}

/**
 * Tells a bot how it was understood.
 */
export interface Welcome {
  /**
   * Major version of the protocol that the arena speaks.
   */
  'protocolMajor': (number);
  /**
   * Minor version of the protocol that the arena speaks.
   */
  'protocolMinor': (number);
  /**
   * The name that the token stands for.
   */
  'botName': (string);
  /**
   * The largest frame that the arena accepts, in bytes.
   */
  'maxFrameBytes': (number);
  /**
   * Counts the connections of this bot. A newer connection ends the older.
   */
  'connectionCount': (string);
}
