// shares.js: how much of the work each rule does: its mean firing level over the rows.

import { predict } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Model} Model */

/** Milliseconds that may go by. */
const PATIENCE = 400;

/**
 * Of the model file, where all rules have one; else from rows, evenly spread, as many as there is time for; null without any.
 * @param {any} file @param {Model} m @param {number[][]} rows of inputs
 * @returns {Float64Array | null}
 */
export function sharesOf(file, m, rows) {
    const told = file.blocks.flatMap((/** @type {any} */ block) => block.rules.map((/** @type {any} */ rule) => rule.share));
    if (told.every((/** @type {any} */ share) => typeof share === "number")) return Float64Array.from(told);
    if (!rows.length) return null;
    const sums = new Float64Array(m.rules), start = Date.now();
    let n = 0;
    for (const i of spread(rows.length)) {
        predict(m, rows[i]);
        for (let r = 0; r < m.rules; r++) sums[r] += m.firing[r];
        n++;
        if (Date.now() - start > PATIENCE) break;
    }
    return sums.map((sum) => sum / n);
}

/** All numbers below n, so that those up to any place are evenly spread. @param {number} n @returns {Generator<number>} */
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
