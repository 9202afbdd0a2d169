// rule_coverage.js: the coverage of each rule: its mean firing level over the rows.

import { predict } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Model} Model */

/** Time limit in milliseconds. */
const TIME_LIMIT = 400;

/**
 * Taken from the model file if all rules have it; else computed from evenly spaced rows until the time limit; null without rows.
 * @param {any} file @param {Model} m @param {number[][]} rows of inputs
 * @returns {Float64Array | null}
 */
export function coverageOf(file, m, rows) {
    const stored = file.blocks.flatMap((/** @type {any} */ block) => block.rules.map((/** @type {any} */ rule) => rule.share));
    if (stored.every((/** @type {any} */ share) => typeof share === "number")) return Float64Array.from(stored);
    if (!rows.length) return null;
    const sums = new Float64Array(m.rules), start = Date.now();
    let n = 0;
    for (const i of spread(rows.length)) {
        predict(m, rows[i]);
        for (let r = 0; r < m.rules; r++) sums[r] += m.firing[r];
        n++;
        if (Date.now() - start > TIME_LIMIT) break;
    }
    return sums.map((sum) => sum / n);
}

/** All integers below n in an order whose beginnings are evenly spaced. @param {number} n @returns {Generator<number>} */
export function* spread(n) {
    const golden = 0.6180339887498949;
    let step = Math.max(1, Math.round(golden * n));
    const common = (/** @type {number} */ a, /** @type {number} */ b) => {
        while (b) [a, b] = [b, a % b];
        return a;
    };
    while (common(step, n) !== 1) step++;
    for (let i = 0, at = 0; i < n; i++, at = (at + step) % n) yield at;
}
