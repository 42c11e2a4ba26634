/**
 * What the package takes from the arena's protocol files.
 *
 *     node scripts/protocol.mjs clean      removes what was built
 *     node scripts/protocol.mjs copy       puts the protocol files into dist, where the bot reads them
 *     node scripts/protocol.mjs generate   makes the types in src/generated
 *     node scripts/protocol.mjs check      tells whether those are up to date
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

// Relative, and from this folder: the generator writes its paths into what it makes.
const PROTO = '../../proto';
const FILE = 'sixtysix/v1/play.proto';
const DIST = 'dist';
const GENERATED = 'src/generated';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const loader = path.dirname(createRequire(import.meta.url).resolve('@grpc/proto-loader/package.json'));
const generator = path.join(loader, 'build/bin/proto-loader-gen-types.js');

const OPTIONS = [
    '--longs=String',
    '--defaults',
    '--includeComments',
    '--grpcLib=@grpc/grpc-js',
    '--importFileExtension=.js',
    // What arrives has the plain name; what is sent may leave things out.
    '--outputTemplate=%s',
    '--inputTemplate=%sInput',
];

function generate(folder) {
    fs.rmSync(folder, { recursive: true, force: true });
    execFileSync(process.execPath, [generator, ...OPTIONS, '-I', PROTO, '-O', folder, FILE]);
    for (const [name, text] of files(folder)) {
        fs.writeFileSync(path.join(folder, name), text.replace(/[ \t]+$/gm, '').trimEnd() + '\n');
    }
}

function files(folder) {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }) : [];
    return new Map(
        names
            .filter((name) => name.endsWith('.ts'))
            .sort()
            .map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
    );
}

function check() {
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'sixtysix-'));
    generate(folder);
    const [fresh, kept] = [files(folder), files(GENERATED)];
    fs.rmSync(folder, { recursive: true });
    const names = [...new Set([...fresh.keys(), ...kept.keys()])];
    const different = names.filter((name) => fresh.get(name) !== kept.get(name));
    if (different.length > 0) {
        console.error(`error: src/generated is not what the protocol gives: ${different.join(', ')}`);
        console.error("Run 'npm run generate', and commit the result.");
        process.exit(1);
    }
}

const COMMANDS = {
    check,
    clean: () => fs.rmSync(DIST, { recursive: true, force: true }),
    copy: () => fs.cpSync(PROTO, path.join(DIST, 'proto'), { recursive: true }),
    generate: () => generate(GENERATED),
};

const command = COMMANDS[process.argv[2]];
if (command === undefined) {
    console.error(`error: expected one of ${Object.keys(COMMANDS).join(', ')}`);
    process.exit(2);
}
command();
