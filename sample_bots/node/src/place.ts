/** Where the arena is, and by what the way there is protected. */
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

const DEFAULT_ADDRESS = '127.0.0.1:6650';
const TRUE = ['1', 'true', 'yes'];

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export interface Place {
    /** HOST:PORT. */
    address: string;
    credentials: ChannelCredentials;
}

/**
 * The arena that the environment names: TLS to every machine but this one. SIXTYSIX_CA names the
 * file of the authority to trust, and SIXTYSIX_INSECURE=1 goes without. Throws an Error that says
 * what is wrong.
 */
export function placeOf(environment: Readonly<Record<string, string | undefined>>): Place {
    const address = environment['SIXTYSIX_ARENA'] || DEFAULT_ADDRESS;
    const authority = environment['SIXTYSIX_CA'] ?? '';
    const insecure = TRUE.includes((environment['SIXTYSIX_INSECURE'] ?? '').toLowerCase());
    if (authority !== '' && insecure) {
        throw new Error('SIXTYSIX_CA asks for TLS, and SIXTYSIX_INSECURE switches it off: set one');
    }
    if (insecure || (authority === '' && isLoopback(address))) {
        return { address, credentials: credentials.createInsecure() };
    }
    return { address, credentials: credentials.createSsl(authority === '' ? null : read(authority)) };
}

function isLoopback(address: string): boolean {
    const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
    const version = isIP(host);
    return (
        host === 'localhost' || (version > 0 && LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6'))
    );
}

function read(path: string): Buffer {
    try {
        return readFileSync(path);
    } catch (error) {
        throw new Error(`SIXTYSIX_CA: ${path} cannot be read: ${String(error)}`);
    }
}
