// scale.js: scales that map values to positions, ticks, ranges and histograms.

/**
 * @typedef {((value: number) => number) & { low: number, high: number, from: number, to: number }} Scale
 */

/**
 * The linear scale from [low, high] to [from, to].
 * @param {number} low @param {number} high @param {number} from @param {number} to
 * @returns {Scale}
 */
export function linear(low, high, from, to) {
    const factor = high > low ? (to - from) / (high - low) : 0;
    const middle = high > low ? from : (from + to) / 2;
    return Object.assign((/** @type {number} */ value) => middle + (value - low) * factor, { low, high, from, to });
}

/** The logarithmic scale; low > 0. @param {number} low @param {number} high @param {number} from @param {number} to @returns {Scale} */
export function logarithmic(low, high, from, to) {
    const line = linear(Math.log(low), Math.log(high), from, to);
    return Object.assign((/** @type {number} */ value) => line(Math.log(value)), { low, high, from, to });
}

/** 1, 2 or 5 times a power of ten, about span / count. @param {number} span @param {number} count */
export function niceStep(span, count) {
    const rough = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough)), rest = rough / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

/**
 * Round values within [low, high].
 * @param {number} low @param {number} high @param {number} count approximate number
 * @returns {number[]}
 */
export function ticks(low, high, count) {
    if (!(high > low) || !Number.isFinite(high - low)) return Number.isFinite(low) ? [low] : [];
    const step = niceStep(high - low, count), values = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
        const value = i * step;
        values.push(Number(value.toPrecision(15)));
        if (values.length > 100) break;
    }
    return values;
}

/** The nearest multiple of a step, without rounding noise. @param {number} value @param {number} step */
export function rounded(value, step) {
    return Number((Math.round(value / step) * step).toPrecision(15));
}

/** Powers of ten, and multiples of them if there are few. @param {number} low @param {number} high @returns {number[]} */
export function logTicks(low, high) {
    const decades = Math.log10(high / low), factors = decades > 3 ? [1] : decades > 1 ? [1, 3] : [1, 2, 5], values = [];
    for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); k++)
        for (const factor of factors) {
            const value = Number((factor * 10 ** k).toPrecision(3));
            if (value >= low * 0.999 && value <= high * 1.001) values.push(value);
        }
    return values.length > 1 ? values : [low, high].map((value) => Number(value.toPrecision(2)));
}

/**
 * The smallest and the largest finite number; [0, 1] if there is none.
 * @param {Iterable<number | null>} values
 * @returns {[number, number]}
 */
export function extent(values) {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
        if (value === null || !Number.isFinite(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return low <= high ? [low, high] : [0, 1];
}

/** The range extended on both sides; never empty. @param {[number, number]} range @param {number} [share] @returns {[number, number]} */
export function padded([low, high], share = 0.04) {
    const more = high > low ? share * (high - low) : Math.abs(low) * 0.1 || 1;
    return [low - more, high + more];
}

/**
 * The number of values in each of n equal bins of [low, high].
 * @param {Iterable<number | null>} values @param {number} low @param {number} high @param {number} n
 */
export function histogram(values, low, high, n) {
    const counts = new Array(n).fill(0);
    for (const value of values) {
        if (value === null || !(value >= low && value <= high)) continue;
        counts[Math.min(n - 1, Math.floor(((value - low) / (high - low || 1)) * n))]++;
    }
    return counts;
}
