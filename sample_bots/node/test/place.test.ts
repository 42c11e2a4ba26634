import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { placeOf } from '../src/place.js';

const isSecure = (environment: Record<string, string>): boolean =>
    placeOf(environment).credentials._isSecure();

describe('the place of the arena', () => {
    it('is this machine, unless the environment says otherwise', () => {
        assert.equal(placeOf({}).address, '127.0.0.1:6650');
        assert.equal(placeOf({ SIXTYSIX_ARENA: '' }).address, '127.0.0.1:6650');
        assert.equal(placeOf({ SIXTYSIX_ARENA: '10.0.0.1:1' }).address, '10.0.0.1:1');
    });

    for (const address of ['127.0.0.1:1', '127.0.0.2:1', 'localhost:1', '[::1]:1']) {
        it(`needs no TLS at ${address}`, () => {
            assert.equal(isSecure({ SIXTYSIX_ARENA: address }), false);
        });
    }

    for (const address of ['10.0.0.1:1', 'arena.example:1', 'localhost.example:1', '[::2]:1']) {
        it(`needs TLS at ${address}`, () => {
            assert.equal(isSecure({ SIXTYSIX_ARENA: address }), true);
            assert.equal(isSecure({ SIXTYSIX_ARENA: address, SIXTYSIX_INSECURE: '0' }), true);
            assert.equal(isSecure({ SIXTYSIX_ARENA: address, SIXTYSIX_INSECURE: '1' }), false);
        });
    }

    it('speaks TLS wherever an authority is named', () => {
        const authority = fileURLToPath(import.meta.url); // Any file: it is read when it is used.
        assert.equal(isSecure({ SIXTYSIX_CA: authority }), true);
    });

    it('says what is wrong', () => {
        assert.throws(() => placeOf({ SIXTYSIX_CA: 'nowhere.pem' }), /SIXTYSIX_CA: nowhere\.pem/);
        assert.throws(() => placeOf({ SIXTYSIX_CA: 'a', SIXTYSIX_INSECURE: 'yes' }), /set one/);
    });
});
