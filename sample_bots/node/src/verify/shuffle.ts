/** The shuffle: from the seed to the commitment and to every pack. */
import { createHash, createHmac } from 'node:crypto';

import { type Card, CARD_COUNT } from '../cards.js';

const WORD_BYTES = 4;
const ALL_WORDS = 2 ** 32;

/** What a pack depends on, beside the key. */
export interface DealId {
    ruleset: string;
    slug: string;
    /** By seat. */
    entrants: readonly [string, string];
    gameIndex: number;
    deal: number;
}

export const commitmentOf = (seed: Buffer): string =>
    createHash('sha256').update(prefixed('sixtysix/commit/v1')).update(prefixed(seed)).digest('hex');

export const keyOf = (seed: Buffer): Buffer => hmac(seed, prefixed('sixtysix/seed/v1'));

export const bytesOf = ({ ruleset, slug, entrants, gameIndex, deal }: DealId): Buffer =>
    Buffer.concat([
        ...[ruleset, slug, ...entrants].map(prefixed),
        unsigned(gameIndex, 8),
        unsigned(deal, 8),
    ]);

/** The 24 cards of a deal in dealing order. */
export function packOf(key: Buffer, id: DealId): Card[] {
    const words = wordsOf(key, bytesOf(id));
    const pack = [...Array(CARD_COUNT).keys()];
    for (let i = CARD_COUNT - 1; i >= 1; i -= 1) {
        const j = below(i + 1, words);
        [pack[i], pack[j]] = [pack[j] as Card, pack[i] as Card];
    }
    return pack;
}

/** A number below n, each as likely as the others: words that would favour some are skipped. */
export function below(n: number, words: Iterator<number>): number {
    const limit = ALL_WORDS - (ALL_WORDS % n);
    for (;;) {
        const next = words.next();
        if (next.done === true) {
            throw new RangeError('there are no more words');
        }
        if (next.value < limit) {
            return next.value % n;
        }
    }
}

function* wordsOf(key: Buffer, dealId: Buffer): Generator<number> {
    const start = Buffer.concat([prefixed('sixtysix/shuffle/v1'), prefixed(dealId)]);
    for (let counter = 0; ; counter += 1) {
        const block = hmac(key, Buffer.concat([start, unsigned(counter, 4)]));
        for (let offset = 0; offset < block.length; offset += WORD_BYTES) {
            yield block.readUInt32BE(offset);
        }
    }
}

const hmac = (key: Buffer, message: Buffer): Buffer =>
    createHmac('sha256', key).update(message).digest();

/** LP(x): the length of x in 4 bytes, then x. */
function prefixed(x: string | Buffer): Buffer {
    const bytes = Buffer.from(x);
    return Buffer.concat([unsigned(bytes.length, 4), bytes]);
}

function unsigned(value: number, byteCount: 4 | 8): Buffer {
    const bytes = Buffer.alloc(byteCount);
    if (byteCount === 4) {
        bytes.writeUInt32BE(value);
    } else {
        bytes.writeBigUInt64BE(BigInt(value));
    }
    return bytes;
}
