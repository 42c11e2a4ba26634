/**
 * The command: checks the record in a file, and tells what is wrong with it. The exit code is 0 if
 * nothing is, 1 if something is, and 2 if there is nothing to read.
 */
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

import { gameCountOf } from './schedule.js';
import { type Verdict, verify } from './verify.js';

const RIGHT = 0;
const WRONG = 1;
const FAILED = 2;
const GZIP = Buffer.from([0x1f, 0x8b]);

async function main(args: readonly string[]): Promise<number> {
    const [file, ...more] = args;
    if (file === undefined || more.length > 0) {
        console.error('usage: npm run verify -- FILE');
        return FAILED;
    }
    try {
        return report(await verify(chunksOf(file)));
    } catch (error) {
        if (!(error instanceof Error)) {
            throw error;
        }
        const isDamaged = 'code' in error && String(error.code).startsWith('Z_');
        console.error(`error: ${isDamaged ? `${file} cannot be unpacked: ` : ''}${error.message}`);
        return isDamaged ? WRONG : FAILED;
    }
}

/** The bytes of a record, unpacked if the file starts as gzip files do. */
async function* chunksOf(file: string): AsyncGenerator<Buffer> {
    const handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    const bytes = handle.createReadStream({ start: 0 });
    if (!buffer.equals(GZIP)) {
        yield* bytes;
        return;
    }
    const unpacked = createGunzip();
    bytes.on('error', (error) => unpacked.destroy(error));
    yield* bytes.pipe(unpacked);
}

function report({ difference, header, games, deals, moves, digest }: Verdict): number {
    const scheduled = header === undefined ? 0 : gameCountOf(header);
    const checked = `${games} of ${scheduled} games, ${deals} deals, ${moves} moves`;
    if (difference !== undefined) {
        console.log(`${header?.slug ?? 'the record'} is not right: ${difference.message}`);
        console.log(`right up to there: ${checked}`);
        return WRONG;
    }
    console.log(`${header?.slug} is right: ${checked}, and the board`);
    if (header?.practice === true) {
        console.log('practice: its seed was known, so that its deals were predictable');
    }
    if (header?.seed === null) {
        console.log('packs unchecked, seed still secret');
    }
    console.log(`digest ${digest}`);
    return RIGHT;
}

process.exitCode = await main(process.argv.slice(2));
