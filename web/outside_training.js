// outside_training.js: inputs for which a row is outside the training data, as in `sugeno predict --outside` (src/model/outside_training.c).

import { predict } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Model} Model */

/** Whether a value is outside its training range, or an unknown level; false if it is missing. @param {import("./evaluate.js").Input} input @param {number} x */
function isOutsideRange(input, x) {
    return input.levels ? x >= input.levels.length : x < input.low || x > input.high;
}

/** The largest log firing level of a row: the mean over blocks, by weight. @param {Model} m @param {number[]} x */
function firingOf(m, x) {
    predict(m, x);
    const weight = m.blocks.reduce((sum, b) => sum + Math.abs(b.weight), 0);
    return weight > 0 ? m.blocks.reduce((sum, b, i) => sum + Math.abs(b.weight) * m.tops[i], 0) / weight : 0;
}

/** The input without which the rules would fire most strongly. @param {Model} m @param {number[]} x */
function mostUnusualInput(m, x) {
    const without = x.map((_, i) => firingOf(m, x.map((value, k) => (k === i ? NaN : value))));
    return without.indexOf(Math.max(...without));
}

/**
 * The inputs outside their training range. If there are none but the rules fire more weakly than on almost all training rows, the most
 * unusual input, with `unusual` true. Changes the firing levels stored in m.
 * @param {any} file @param {Model} m @param {number[]} x
 * @returns {{ inputs: number[], unusual: boolean }}
 */
export function findOutside(file, m, x) {
    const inputs = m.inputs.flatMap((input, i) => (isOutsideRange(input, x[i]) ? [i] : []));
    if (inputs.length || !file.covered || m.blocks.length === 0 || firingOf(m, x) >= file.covered.log_firing) return { inputs, unusual: false };
    return { inputs: [mostUnusualInput(m, x)], unusual: true };
}

/** The value of an input after clamping; null if the model does not clamp. @param {Model} m @param {number} i @param {number} x */
export function clampedValue(m, i, x) {
    const limit = m.seesA.length > 1 && m.seesA[0].step === "clamp" ? m.seesA[0] : null, k = m.inputs[i].first;
    return limit && !m.inputs[i].levels ? Math.min(limit.high[k], Math.max(limit.low[k], x)) : null;
}
