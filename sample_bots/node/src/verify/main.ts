/** The command: checks the record in a file, and tells what is wrong with it. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

import { gameCountOf } from './schedule.js';
import { type Verdict, verify } from './verify.js';

const RIGHT = 0;
const WRONG = 1;
const FAILED = 2;

async function main(args: readonly string[]): Promise<number> {
    const [file, ...more] = args;
    if (file === undefined || more.length > 0) {
        console.error('usage: npm run verify -- FILE');
        return FAILED;
    }
    try {
        return report(await verify(chunksOf(file)));
    } catch (error) {
        console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
        return FAILED;
    }
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
    const packed = createReadStream(file);
    if (!file.endsWith('.gz')) {
        yield* packed;
        return;
    }
    const unpacked = createGunzip();
    packed.on('error', (error) => unpacked.destroy(error));
    yield* packed.pipe(unpacked);
}

function report({ difference, header, games, deals, moves, digest }: Verdict): number {
    const checked = `${games} of ${header === undefined ? 0 : gameCountOf(header)} games, ${deals} deals, ${moves} moves`;
    if (difference !== undefined) {
        console.log(`${header?.slug ?? 'the record'} is not right: ${difference.message}`);
        console.log(`right up to there: ${checked}`);
        return WRONG;
    }
    console.log(`${header?.slug} is right: ${checked}, and the board`);
    if (header?.seed === null) {
        console.log('packs unchecked, seed still secret');
    }
    console.log(`digest ${digest}`);
    return RIGHT;
}

process.exitCode = await main(process.argv.slice(2));
