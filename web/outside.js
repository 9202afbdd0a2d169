// outside.js: for which inputs a row should not be trusted, as `sugeno predict --outside` has it (src/model/cover.c).

import { predict } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Model} Model */

/** Beyond its range in the training rows, or a level that these do not have; what is missing is not. @param {import("./evaluate.js").Input} input @param {number} x */
function isBeyond(input, x) {
    return input.levels ? x >= input.levels.length : x < input.low || x > input.high;
}

/** How strongly a row fires: the mean over blocks, as they weigh. @param {Model} m @param {number[]} x */
function firingOf(m, x) {
    predict(m, x);
    const weight = m.blocks.reduce((sum, b) => sum + Math.abs(b.weight), 0);
    return weight > 0 ? m.blocks.reduce((sum, b, i) => sum + Math.abs(b.weight) * m.tops[i], 0) / weight : 0;
}

/** The input without which the row would fire most. @param {Model} m @param {number[]} x */
function blamed(m, x) {
    const without = x.map((_, i) => firingOf(m, x.map((value, k) => (k === i ? NaN : value))));
    return without.indexOf(Math.max(...without));
}

/**
 * Numbers of inputs: those beyond what was trained on; else, where the rules fire less than on next to any of the training rows, the most
 * unusual one, and `unusual` is true. Leaves the firing levels of another row in m.
 * @param {any} file @param {Model} m @param {number[]} x
 * @returns {{ inputs: number[], unusual: boolean }}
 */
export function outsideOf(file, m, x) {
    const inputs = m.inputs.flatMap((input, i) => (isBeyond(input, x[i]) ? [i] : []));
    if (inputs.length || !file.covered || firingOf(m, x) >= file.covered.log_firing) return { inputs, unusual: false };
    return { inputs: [blamed(m, x)], unusual: true };
}

/** What an input beyond its limits counts as: null where there are none. @param {Model} m @param {number} i @param {number} x */
export function countsAs(m, i, x) {
    const limit = m.seesA.length > 1 && m.seesA[0].step === "clamp" ? m.seesA[0] : null, k = m.inputs[i].first;
    return limit && !m.inputs[i].levels ? Math.min(limit.high[k], Math.max(limit.low[k], x)) : null;
}
