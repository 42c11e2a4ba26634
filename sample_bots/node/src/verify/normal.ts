/** The standard normal distribution, with the precision of doubles. */

/** From here on the tail is small and its continued fraction fast. */
const TAIL_STARTS = 4;
const FRACTION_DEPTH = 60;
const BISECTIONS = 100;

export const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

export function distribution(x: number): number {
    if (Math.abs(x) < TAIL_STARTS) {
        return 0.5 + density(x) * series(x);
    }
    return x < 0 ? tail(-x) : 1 - tail(x);
}

/** x + x^3/3 + x^5/(3*5) + x^7/(3*5*7) + ... */
function series(x: number): number {
    let sum = x;
    let term = x;
    for (let odd = 3; sum + term !== sum || odd === 3; odd += 2) {
        term *= (x * x) / odd;
        sum += term;
    }
    return sum;
}

/** What lies beyond a positive x: density / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function tail(x: number): number {
    let fraction = x;
    for (let k = FRACTION_DEPTH; k > 0; k -= 1) {
        fraction = x + k / fraction;
    }
    return density(x) / fraction;
}

/** The x with distribution(x) = p, for p between 0 and 1. */
export function quantile(p: number): number {
    let [low, high] = [-40, 40];
    for (let i = 0; i < BISECTIONS; i += 1) {
        const middle = (low + high) / 2;
        if (distribution(middle) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}
