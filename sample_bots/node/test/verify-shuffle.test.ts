import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { nameOf } from '../src/cards.js';
import { type DealId, below, bytesOf, commitmentOf, keyOf, packOf } from '../src/verify/shuffle.js';

interface Vectors {
    below_vectors: { words: number[]; n: number; result: number; words_used: number }[];
    vectors: {
        name: string;
        organiser_seed_hex: string;
        commitment_sha256_hex: string;
        contributions_hex: Record<string, string>;
        tournament_key_hex: string;
        deal: {
            ruleset: string;
            tournament: string;
            entrants: [string, string];
            game: number;
            deal: number;
        };
        deal_id_hex: string;
        pack: number[];
        cards: string;
    }[];
}

const FILE = new URL('../../../../tests/golden/shuffle_vectors.json', import.meta.url);
const { below_vectors, vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

for (const { words, n, result, words_used } of below_vectors) {
    test(`below(${n}) of ${words.join(', ')}`, () => {
        const rest = words.values();
        assert.equal(below(n, rest), result);
        assert.equal([...rest].length, words.length - words_used);
    });
}

for (const vector of vectors) {
    test(`shuffle: ${vector.name}`, () => {
        const seed = Buffer.from(vector.organiser_seed_hex, 'hex');
        const key = Buffer.from(vector.tournament_key_hex, 'hex');
        const { ruleset, tournament, entrants, game, deal } = vector.deal;
        const [lower, higher] = [...entrants].sort() as [string, string];
        const id: DealId = {
            ruleset,
            slug: tournament,
            entrants: [lower, higher],
            gameIndex: game,
            deal,
        };
        assert.equal(commitmentOf(seed), vector.commitment_sha256_hex);
        // Records know no contributions of entrants to the key.
        if (Object.keys(vector.contributions_hex).length === 0) {
            assert.deepEqual(keyOf(seed), key);
        }
        assert.equal(bytesOf(id).toString('hex'), vector.deal_id_hex);
        assert.deepEqual(packOf(key, id), vector.pack);
        assert.equal(packOf(key, id).map(nameOf).join(' '), vector.cards);
    });
}
