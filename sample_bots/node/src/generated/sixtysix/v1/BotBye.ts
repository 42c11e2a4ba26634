// Original file: ../../proto/sixtysix/v1/play.proto


/**
 * Says that the bot goes away on purpose.
 */
export interface BotByeInput {
}

/**
 * Says that the bot goes away on purpose.
 */
export interface BotBye {
}
