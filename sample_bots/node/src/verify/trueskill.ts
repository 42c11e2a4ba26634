/** TrueSkill of one against one, in closed form. */
import { density, distribution, quantile } from './normal.js';
import type { Header } from './record.js';

export interface Rating {
    readonly mu: number;
    readonly sigma: number;
}

/** Beyond so many standard deviations a result is rated by what v and w come close to there. */
const LIMIT = 30;

export class TrueSkill {
    readonly fresh: Rating;
    private readonly beta: number;
    private readonly margin: number;

    constructor({ mu, sigma, beta, draw_probability }: Omit<Header['rating'], 'tau'>) {
        this.fresh = { mu: Number(mu), sigma: Number(sigma) };
        this.beta = Number(beta);
        this.margin = quantile((Number(draw_probability) + 1) / 2) * Math.SQRT2 * this.beta;
    }

    win(winner: Rating, loser: Rating): [Rating, Rating] {
        return this.update(winner, loser, ofWin);
    }

    draw(one: Rating, two: Rating): [Rating, Rating] {
        return this.update(one, two, ofDraw);
    }

    private update(one: Rating, two: Rating, surprise: Surprise): [Rating, Rating] {
        const c = Math.sqrt(2 * this.beta ** 2 + one.sigma ** 2 + two.sigma ** 2);
        const [v, w] = surprise((one.mu - two.mu) / c, this.margin / c);
        const moved = ({ mu, sigma }: Rating, direction: 1 | -1): Rating => ({
            mu: mu + direction * (sigma ** 2 / c) * v,
            sigma: sigma * Math.sqrt(1 - (sigma ** 2 / c ** 2) * w),
        });
        return [moved(one, 1), moved(two, -1)];
    }
}

/** How far the means move, and how much the variances shrink. */
type Surprise = (t: number, e: number) => [v: number, w: number];

const ofWin: Surprise = (t, e) => {
    const x = t - e;
    if (x > LIMIT) {
        return [0, 0];
    }
    const v = x < -LIMIT ? -x - 1 / x + 2 / x ** 3 : density(x) / distribution(x);
    return [v, v * (v + x)];
};

const ofDraw: Surprise = (t, e) => {
    if (t > 0) {
        // The same from the other side, where the distribution is small and so precise.
        const [v, w] = ofDraw(-t, e);
        return [-v, w];
    }
    if (t < -LIMIT) {
        return [-t, 1];
    }
    const likely = distribution(e - t) - distribution(-e - t);
    const v = (density(-e - t) - density(e - t)) / likely;
    const w = v ** 2 + ((e - t) * density(e - t) + (e + t) * density(e + t)) / likely;
    return [v, w];
};
