/** The lines of a record: where they end, their digests, and their canonical form. */
import { createHash } from 'node:crypto';

import { Difference, at, same, shown } from './difference.js';
import { isObject } from './shapes.js';

const LINE_FEED = 10;
/** More than 200 deals with a long comment on each move. What is longer is no line of a record. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const DIGEST = /^,"sha256":"([0-9a-f]{64})"\}$/;
const DIGEST_BYTES = 77;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BEFORE_THE_FIRST = '0'.repeat(64);

export interface Line {
    /** From 1. */
    number: number;
    /** Without `sha256`. */
    value: Record<string, unknown>;
    digest: string;
}

/** The lines of a record, each checked by itself: its end, its digest, its canonical form. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
    let before = BEFORE_THE_FIRST;
    let number = 0;
    for await (const bytes of split(chunks)) {
        number += 1;
        const line = at({ line: number }, () => readLine(bytes, before));
        yield { number, ...line };
        before = line.digest;
    }
}

/** Only a line feed ends a line: the line readers of most libraries know other characters, too. */
async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let pieces: Buffer[] = [];
    let length = 0;
    for await (const chunk of chunks) {
        let start = 0;
        for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
            yield Buffer.concat([...pieces, chunk.subarray(start, end + 1)]);
            pieces = [];
            length = 0;
        }
        pieces.push(chunk.subarray(start));
        length += chunk.length - start;
        if (length > LONGEST_LINE_BYTES) {
            break;
        }
    }
    if (length > 0) {
        yield Buffer.concat(pieces);
    }
}

/** Reads a line with its line feed; `before` is the digest of the line before it. */
export function readLine(bytes: Buffer, before: string): Omit<Line, 'number'> {
    const body = bytes.subarray(0, -DIGEST_BYTES - 1);
    const ending = bytes.subarray(body.length).toString('latin1');
    const digest = DIGEST.exec(ending.slice(0, -1))?.[1];
    if (digest === undefined || !ending.endsWith('\n')) {
        throw new Difference('end', ',"sha256":"64 digits"} and a line feed', shown(ending));
    }
    same('digest', createHash('sha256').update(before).update(body).digest('hex'), digest);
    return { value: parse(body), digest };
}

/** The object of a line, which has to be written in the only way there is. */
function parse(body: Buffer): Record<string, unknown> {
    let written: string;
    let value: unknown;
    try {
        written = `${UTF_8.decode(body)}}`;
        value = JSON.parse(written);
    } catch (error) {
        throw new Difference('line', 'JSON in UTF-8', String(error));
    }
    if (!isObject(value)) {
        throw new Difference('line', 'an object', shown(value));
    }
    const again = canonical(value);
    if (again !== written) {
        const start = firstDifference(again, written);
        throw new Difference(
            `canonical form, character ${start}`,
            shown(again.slice(start, start + 20)),
            shown(written.slice(start, start + 20)),
        );
    }
    return value;
}

/** The canonical form of a value: keys ascending, no spaces. */
export const canonical = (value: unknown): string =>
    JSON.stringify(value, (_, item: unknown) =>
        isObject(item)
            ? Object.fromEntries(Object.entries(item).sort(([one], [two]) => (one < two ? -1 : 1)))
            : item,
    );

function firstDifference(one: string, two: string): number {
    let index = 0;
    while (index < one.length && one[index] === two[index]) {
        index += 1;
    }
    return index;
}
