import assert from 'node:assert/strict';
import { test } from 'node:test';

import { distribution, quantile } from '../src/verify/normal.js';
import { type Rating, TrueSkill } from '../src/verify/trueskill.js';

const USUAL = {
    mu: '25.0',
    sigma: '8.333333333333334',
    beta: '4.166666666666667',
    draw_probability: '0.1',
};

function near(found: number, expected: number, tolerance: number): void {
    assert.ok(Math.abs(found - expected) <= tolerance, `expected ${expected}, found ${found}`);
}

function rated(found: Rating, mu: number, sigma: number): void {
    near(found.mu, mu, 0.0005);
    near(found.sigma, sigma, 0.0005);
}

test('the published values of a first game, with tau 0', () => {
    const system = new TrueSkill(USUAL);
    const [winner, loser] = system.win(system.fresh, system.fresh);
    rated(winner, 29.396, 7.171);
    rated(loser, 20.604, 7.171);
    const [one, two] = system.draw(system.fresh, system.fresh);
    rated(one, 25, 6.457);
    rated(two, 25, 6.457);
});

test('a draw moves a favourite down and the other up by as much', () => {
    const system = new TrueSkill(USUAL);
    const [high, low] = system.draw({ mu: 30, sigma: 5 }, { mu: 20, sigma: 5 });
    assert.ok(high.mu < 30);
    near(30 - high.mu, low.mu - 20, 1e-12);
    assert.deepEqual(system.draw({ mu: 20, sigma: 5 }, { mu: 30, sigma: 5 }), [low, high]);
});

test('beyond 30 standard deviations the limits are taken, which continue what comes before', () => {
    const system = new TrueSkill(USUAL);
    const c = Math.sqrt(2 * (25 / 6) ** 2 + 2);
    const margin = 0.125_661 * Math.SQRT2 * (25 / 6);
    const before = { mu: 29.999_99 * c - margin, sigma: 1 };
    const beyond = { mu: 30.000_01 * c - margin, sigma: 1 };
    const low = { mu: 0, sigma: 1 };
    const [inside, outside] = [system.win(low, before)[0], system.win(low, beyond)[0]];
    near(inside.mu, outside.mu, 1e-4);
    near(inside.sigma, outside.sigma, 1e-6);
    near(system.draw(low, { mu: 31 * c, sigma: 1 })[0].mu, 31 / c, 1e-9);
    const foregone = [{ mu: 31 * c, sigma: 1 }, { mu: 0, sigma: 1 }] as const;
    assert.deepEqual(system.win(...foregone), foregone);
});

test('the normal distribution', () => {
    near(distribution(0), 0.5, 1e-15);
    near(distribution(1.959963984540054), 0.975, 1e-14);
    near(distribution(-6) / 9.865876450376981e-10, 1, 1e-12);
    near(distribution(-3.999999) / distribution(-4.000001), 1.0000085, 1e-6);
    near(quantile(0.975), 1.959963984540054, 1e-12);
    near(quantile(0.5005), 0.0012533144, 1e-9);
});
